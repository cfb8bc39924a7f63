/**
 * The two passes of likely-stretches.ts over a text, in WebAssembly, which picks among sixteen places at a time.
 *
 * Memory, in this order:
 *   state      integers: where the stretch at hand begins, how many are found
 *   stretches  two integers each: where one starts and ends in its text
 *   text       a part of one; what is read behind it does not matter
 *   slots      of the sketch
 */
import * as wasm from '../model/wasm-code.ts';

const { add, and, choose, get, ifThen, integer, isAtLeast, isBelow, isUnequal, leaveIf, load } = wasm;
const { loadPair, loadVector, multiply, or, orVector, repeat, set, shiftLeft, shiftRight, store } = wasm;
const { storePair, subtract, xor } = wasm;

/** Bytes that are counted as one. */
export const GRAM = 12;
/** Leading bits of a hash that are zero when a gram is counted. */
export const PICKED_BITS = 2;
/** A slot of the sketch: the last text seen, from 1, above; the texts seen, at most 255, below. */
const TEXT_SHIFT = 8;
export const MAX_COUNT = 255;
/** More texts than this have slots of four bytes, fewer such of two. */
export const MOST_SHORT = 255;

export const STRETCH_START = 0;
export const STRETCH_COUNT = 1;
const STATE_BYTES = 64;
/** Of a text, so many bytes are looked at together. */
export const PART_BYTES = 1 << 17;
/** Each begins at least one byte behind the one before. */
export const STRETCHES_AT = STATE_BYTES;
export const TEXT_AT = STRETCHES_AT + 8 * PART_BYTES;
/** What is read behind the text. */
const PADDING = 128;
export const SLOTS_AT = TEXT_AT + PART_BYTES + PADDING;

const WORD = 4;
const BLOCK = 16;
const ONE = integer(1);
const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const state = (word: number) => load(integer(0), WORD * word);
const setState = (word: number, value: wasm.Code) => store(integer(0), WORD * word, value);

/** Slots of two bytes and of four. */
const NARROW = { bits: 1, read: loadPair, write: storePair };
const WIDE = { bits: 2, read: load, write: store };
type Slots = typeof NARROW;

/**
 * `count…(length, shift, text)` counts the grams of a part of a text; a slot is what is left of a hash that is shifted.
 * `cut…(length, shift, base, width, enough)` notes the stretches between grams on too few texts; the part begins at
 * `base` in its text.
 */
export function gramFunctions(): wasm.WasmFunction[] {
  return [
    countFunction('countNarrow', NARROW),
    countFunction('countWide', WIDE),
    cutFunction('cutNarrow', NARROW),
    cutFunction('cutWide', WIDE),
  ];
}

function countFunction(name: string, slots: Slots): wasm.WasmFunction {
  const [length, shift, text, at, gram, slot, seen, picked] = Array(8).keys();
  const counted = and(get(seen), integer(MAX_COUNT));
  const body = forPicked(
    { length, at, picked, gram },
    findSlot(slot, { gram, shift }, slots),
    set(seen, slots.read(get(slot), SLOTS_AT)),
    ifThen(
      isUnequal(shiftRight(get(seen), integer(TEXT_SHIFT)), get(text)),
      slots.write(
        get(slot),
        SLOTS_AT,
        add(
          or(shiftLeft(get(text), integer(TEXT_SHIFT)), counted),
          choose(isBelow(counted, integer(MAX_COUNT)), ONE, integer(0)),
        ),
      ),
    ),
  );
  return { name, parameters: 3, integers: 4, longs: 1, vectors: 0, body };
}

function cutFunction(name: string, slots: Slots): wasm.WasmFunction {
  const [length, shift, base, width, enough, at, gram, slot, start, end, out, picked] = Array(12).keys();
  const texts = and(slots.read(get(slot), SLOTS_AT), integer(MAX_COUNT));
  const body = [
    set(start, state(STRETCH_START)),
    forPicked(
      { length, at, picked, gram },
      findSlot(slot, { gram, shift }, slots),
      ifThen(
        isBelow(texts, get(enough)),
        // a window that does not hold the gram ends before its last byte or begins behind its first
        set(end, add(add(get(gram), get(base)), integer(GRAM - 1))),
        ifThen(
          isAtLeast(subtract(get(end), get(start)), get(width)),
          store(get(out), STRETCHES_AT, get(start)),
          store(get(out), STRETCHES_AT + WORD, get(end)),
          step(out, integer(2 * WORD)),
        ),
        set(start, subtract(get(end), integer(GRAM - 2))),
      ),
    ),
    setState(STRETCH_START, get(start)),
    setState(STRETCH_COUNT, shiftRight(get(out), integer(3))),
  ].flat();
  return { name, parameters: 5, integers: 6, longs: 1, vectors: 0, body };
}

interface PickLocals {
  length: number;
  at: number;
  picked: number;
  gram: number;
}

/** The body for every gram that is picked, in order; 64 places at a time, since where a loop ends is hard to foresee. */
function forPicked({ length, at, picked, gram }: PickLocals, ...body: wasm.Code[]): wasm.Code {
  // places from `at` on, as many as the grams that are left
  const left = subtract(get(length), add(get(at), integer(GRAM - 1)));
  const places = [0, 1, 2, 3].map((k) =>
    wasm.shiftLeftLong(wasm.asLong(pickedPlaces(at, BLOCK * k)), wasm.long(BigInt(BLOCK * k))),
  );
  return repeat(
    leaveIf(isBelow(get(length), add(get(at), integer(GRAM)))),
    set(picked, places.reduce(wasm.orLong)),
    ifThen(
      isBelow(left, integer(4 * BLOCK)),
      set(
        picked,
        wasm.andLong(
          get(picked),
          wasm.subtractLong(wasm.shiftLeftLong(wasm.long(1n), wasm.asLong(left)), wasm.long(1n)),
        ),
      ),
    ),
    repeat(
      leaveIf(wasm.isZeroLong(get(picked))),
      set(gram, add(get(at), wasm.lowHalf(wasm.trailingZerosLong(get(picked))))),
      set(picked, wasm.andLong(get(picked), wasm.subtractLong(get(picked), wasm.long(1n)))),
      ...body,
    ),
    step(at, integer(4 * BLOCK)),
  );
}

/** A bit for each of sixteen places, `from` bytes behind `at`: whether what begins there is picked. */
function pickedPlaces(at: number, from: number): wasm.Code {
  // integer k of four is of places k, k + 4, k + 8, k + 12: its byte k is kept
  const quarters = [0, 1, 2, 3].map((k) =>
    wasm.andVector(
      wasm.areBelowWords(
        wasm.multiplyVector(loadVector(get(at), TEXT_AT + from + k), wasm.fourfold(0x9e3779b1)),
        wasm.fourfold(1 << (32 - PICKED_BITS)),
      ),
      wasm.fourfold(0xff << (8 * k)),
    ),
  );
  return wasm.signBits(quarters.reduce(orVector));
}

/** The slot of a gram, as an address from that of the first. */
function findSlot(
  slot: number,
  { gram, shift }: { gram: number; shift: number },
  { bits }: Slots,
): wasm.Code {
  const sum = [0x9e3779b1, 0x85ebca6b, 0x846ca68b]
    .map((factor, k) => multiply(load(get(gram), TEXT_AT + WORD * k), integer(factor)))
    .reduce(add);
  const hash = multiply(xor(get(slot), shiftRight(get(slot), integer(15))), integer(0x2c1b3c6d));
  return [...set(slot, sum), ...set(slot, shiftLeft(shiftRight(hash, get(shift)), integer(bits)))];
}
