/**
 * Finds the fragments of a text by texts that are known (known-texts.ts), in WebAssembly. Blocks that are in no
 * fragment are passed over; what lies before the next such block is rolled over up to the first fragment; from there
 * on the text is compared with the known one, and the fragments are those of its runs. A window is taken for a
 * fragment when its bytes are the same: the hash only says with which to compare.
 *
 * Memory, in this order:
 *   state      see below
 *   values     of ASCII characters, as in text-windows.ts
 *   fragments  a filter of their low lanes; then slots of two integers: the low lane, one more than where it begins
 *   grams      a filter of those in fragments
 *   known      the texts that are known
 *   runs       by byte of these; by run the pages its windows are on, and where it ends
 *   text       the one that is searched, then zeros
 *   found      three columns: where a run of fragments starts and ends in the text, and the pages they are on
 */
import * as wasm from '../model/wasm-code.ts';
import { GRAM, MAX_FILTER_BITS } from './known-texts.ts';
import { BASE_A } from './text-windows.ts';

const { add, again, and, call, choose, get, giveBack, ifElse, ifThen, integer, isAtLeast, isBelow } = wasm;
const { isEqual, isZero, isZeroLong, leave, leaveIf, load, loadByte, loadLong, lowHalf, multiply } = wasm;
const { or, repeat, set, shiftLeft, shiftRight, store, subtract, trailingZerosLong, xor, xorLong } = wasm;

/** Texts that are longer, and more known ones or fragments, are for text-windows.ts. */
export const MOST_TEXT = 1 << 23;
export const MOST_KNOWN = 1 << 19;
export const MOST_FRAGMENTS = 1 << 18;
/** Runs of fragments after which the search pauses: those of one known text are still noted. */
const ENOUGH_FOUND = 1 << 14;
export const MOST_FOUND = ENOUGH_FOUND + MOST_KNOWN;

const WORD = 4;
const FILTER_BYTES = 2 ** (MAX_FILTER_BITS - 3);
/** What is read behind a text. */
export const PADDING = 64;
/** State, by integer: where the search goes on, and the first byte from which on it knows no block in no fragment. */
export const SEARCHED_TO = 0;
export const WALL = 1;
const STATE_BYTES = 64;
export const VALUES_AT = STATE_BYTES;
export const FILTER_AT = VALUES_AT + 128 * WORD;
export const SLOTS_AT = FILTER_AT + FILTER_BYTES;
export const GRAMS_AT = SLOTS_AT + 2 * MOST_FRAGMENTS * 2 * WORD;
export const KNOWN_AT = GRAMS_AT + FILTER_BYTES;
export const RUNS_AT = KNOWN_AT + MOST_KNOWN + PADDING;
export const RUN_PAGES_AT = RUNS_AT + MOST_KNOWN * WORD;
export const RUN_ENDS_AT = RUN_PAGES_AT + MOST_KNOWN * WORD;
export const TEXT_AT = RUN_ENDS_AT + MOST_KNOWN * WORD;
export const STARTS_AT = TEXT_AT + MOST_TEXT + PADDING;
export const ENDS_AT = STARTS_AT + MOST_FOUND * WORD;
export const PAGES_AT = ENDS_AT + MOST_FOUND * WORD;
export const MEMORY_BYTES = PAGES_AT + MOST_FOUND * WORD;

const ONE = integer(1);
const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const byteAt = (at: number) => loadByte(get(at), TEXT_AT);
const entry = (index: wasm.Code, from: number) => load(shiftLeft(index, integer(2)), from);
const isWithin = (byte: wasm.Code) => isEqual(and(byte, integer(0xc0)), integer(0x80));

const CHARACTER = 0;
const START = 1;
const WINDOW_END = 2;

/** `find(length, width, power, filterShift, gramShift, slotMask)` gives how many more were found; the others serve it. */
export function fragmentFunctions(): wasm.WasmFunction[] {
  return [characterFunction(), startFunction(), endFunction(), findFunction()];
}

/** `character(at)` is the value, for a hash, of a character beyond ASCII. */
function characterFunction(): wasm.WasmFunction {
  const [at, rest, character] = Array(3).keys();
  const body = [
    set(character, byteAt(at)),
    set(rest, subtract(lengthOf(character), ONE)),
    set(character, and(get(character), shiftRight(integer(0x3f), get(rest)))),
    repeat(
      leaveIf(isZero(get(rest))),
      step(at, ONE),
      set(character, or(shiftLeft(get(character), integer(6)), and(byteAt(at), integer(0x3f)))),
      step(rest, integer(-1)),
    ),
    set(character, multiply(add(get(character), ONE), integer(0x9e3779b1))),
    xor(get(character), shiftRight(get(character), integer(15))),
  ].flat();
  return { name: 'character', parameters: 1, gives: true, integers: 2, vectors: 0, body };
}

/** `end(at, count)` goes on by so many characters. */
function endFunction(): wasm.WasmFunction {
  const [at, count, first] = Array(3).keys();
  const body = [
    repeat(
      leaveIf(isZero(get(count))),
      set(first, byteAt(at)),
      step(at, lengthOf(first)),
      step(count, integer(-1)),
    ),
    get(at),
  ].flat();
  return { name: 'end', parameters: 2, gives: true, integers: 1, vectors: 0, body };
}

/** `start(at, count)` goes back so many characters from the beginning of one. */
function startFunction(): wasm.WasmFunction {
  const [at, count] = Array(2).keys();
  const body = [
    repeat(
      leaveIf(isZero(get(count))),
      repeat(step(at, integer(-1)), leaveIf(isZero(isWithin(byteAt(at))))),
      step(count, integer(-1)),
    ),
    get(at),
  ].flat();
  return { name: 'start', parameters: 2, gives: true, integers: 0, vectors: 0, body };
}

/** Bytes of the character that begins with this byte, in UTF-8. */
function lengthOf(first: number): wasm.Code {
  const isFrom = (byte: number) => isAtLeast(get(first), integer(byte));
  return [isFrom(0xc0), isFrom(0xe0), isFrom(0xf0)].reduce(add, ONE);
}

function findFunction(): wasm.WasmFunction {
  const [length, width, power, filterShift, gramShift, slotMask, ...locals] = Array(27).keys();
  const [at, wall, block, limit, head, tail, leaving, a, value, byte, left, low, slot] = locals;
  const [known, start, same, shift, last, run, out, unlike] = locals.slice(13);
  const lastBlock = subtract(get(length), integer(GRAM));
  const isBehind = (local: number) => isBelow(lastBlock, get(local));

  /** Whether 16 bytes are in a fragment, or may be. */
  const mayHold = (gram: number) => {
    const sum = [0x2c1b3c6d, 0x85ebca6b, 0x9e3779b1, 0x5851f42d]
      .map((factor, k) => multiply(load(get(gram), TEXT_AT + WORD * k), integer(factor)))
      .reduce(add);
    return [
      ...set(value, sum),
      ...set(value, multiply(xor(get(value), shiftRight(get(value), integer(15))), integer(0x846ca68b))),
      ...isInFilter(value, gramShift, GRAMS_AT),
    ];
  };
  const isInFilter = (hash: number, by: number, from: number) => {
    const bit = shiftRight(get(hash), get(by));
    return and(shiftRight(entry(shiftRight(bit, integer(5)), from), bit), ONE);
  };

  // passes over blocks that are in no fragment, and finds the next such block after one that may be
  const pass = [
    set(block, and(add(get(at), integer(GRAM - 1)), integer(-GRAM))),
    repeat(
      leaveIf(isBehind(block)),
      leaveIf(mayHold(block)),
      set(at, add(get(block), ONE)),
      step(block, integer(GRAM)),
    ),
    ifThen(isBehind(block), set(at, get(length)), leave(2)),
    step(block, integer(GRAM)),
    repeat(leaveIf(isBehind(block)), leaveIf(isZero(mayHold(block))), step(block, integer(GRAM))),
    // windows that begin behind its first byte do not hold it
    set(wall, add(choose(isBehind(block), get(length), get(block)), ONE)),
  ].flat();

  // the last window ends where it would hold the block
  const setLimit = [
    set(limit, add(get(wall), integer(GRAM - 2))),
    ifElse(
      isAtLeast(get(limit), get(length)),
      set(limit, get(length)),
      repeat(leaveIf(isZero(isWithin(byteAt(limit)))), step(limit, integer(-1))),
    ),
  ].flat();

  /** Takes the character at a place, whose value is left in `value`, and goes on to the next. */
  const takeCharacter = (place: number) => [
    ...set(byte, byteAt(place)),
    ...ifElse(
      isBelow(get(byte), integer(0x80)),
      [...set(value, entry(get(byte), VALUES_AT)), ...step(place, ONE)],
      [...set(value, call(CHARACTER, get(place))), ...step(place, lengthOf(byte))],
    ),
  ];
  const enter = (gone: wasm.Code) =>
    set(a, subtract(add(multiply(get(a), integer(BASE_A)), get(value)), gone));

  // all but the last character of the first window
  const open = [
    set(head, get(at)),
    set(tail, get(at)),
    set(a, integer(0)),
    set(leaving, integer(0)),
    set(left, subtract(get(width), ONE)),
    repeat(
      leaveIf(isZero(get(left))),
      leaveIf(isAtLeast(get(head), get(limit))),
      takeCharacter(head),
      enter(integer(0)),
      step(left, integer(-1)),
    ),
  ].flat();

  /** Moves `same` on while the text is as the known one, eight bytes at a time. */
  const follow = (to: number) => [
    ...repeat(
      leaveIf(isAtLeast(get(same), get(to))),
      set(unlike, xorLong(loadLong(get(same), TEXT_AT), loadLong(add(get(same), get(shift)), KNOWN_AT))),
      ifThen(isZeroLong(get(unlike)), step(same, integer(8)), again(1)),
      step(same, shiftRight(lowHalf(trailingZerosLong(get(unlike))), integer(3))),
      leave(),
    ),
    ...ifThen(isBelow(get(to), get(same)), set(same, get(to))),
  ];
  const slotAt = (from: number) => load(shiftLeft(get(slot), integer(3)), SLOTS_AT + from);
  // where the window from `start` to `head` is known, in `known`, one more; 0 when it is not
  const lookUp = [
    set(slot, and(get(low), get(slotMask))),
    repeat(
      set(known, slotAt(WORD)),
      leaveIf(isZero(get(known))),
      ifThen(
        isEqual(slotAt(0), get(low)),
        set(shift, subtract(subtract(get(known), ONE), get(start))),
        set(same, get(start)),
        follow(head),
        leaveIf(isEqual(get(same), get(head)), 1),
      ),
      set(slot, and(add(get(slot), ONE), get(slotMask))),
    ),
  ].flat();
  const roll = [
    set(known, integer(0)),
    repeat(
      leaveIf(isAtLeast(get(head), get(limit))),
      takeCharacter(head),
      enter(get(leaving)),
      set(start, get(tail)),
      takeCharacter(tail),
      set(leaving, multiply(get(value), get(power))),
      set(low, multiply(xor(get(a), shiftRight(get(a), integer(15))), integer(0x85ebca6b))),
      ifThen(isInFilter(low, filterShift, FILTER_AT), lookUp, leaveIf(get(known), 1)),
    ),
  ].flat();

  // up to where the text is as the known one, and the last window that ends there
  const followKnown = [
    follow(length),
    repeat(
      leaveIf(isAtLeast(get(same), get(length))),
      leaveIf(isZero(isWithin(byteAt(same)))),
      step(same, integer(-1)),
    ),
    set(last, call(START, get(same), get(width))),
  ].flat();
  const putOut = (from: number, number: wasm.Code) => store(shiftLeft(get(out), integer(2)), from, number);
  const takeRuns = repeat(
    leaveIf(isBelow(get(last), get(start))),
    set(run, entry(add(get(start), get(shift)), RUNS_AT)),
    set(at, subtract(entry(get(run), RUN_ENDS_AT), get(shift))),
    ifThen(isBelow(get(last), get(at)), set(at, add(get(last), ONE))),
    ifThen(
      entry(get(run), RUN_PAGES_AT),
      putOut(STARTS_AT, get(start)),
      putOut(PAGES_AT, entry(get(run), RUN_PAGES_AT)),
      set(head, call(START, get(at), ONE)),
      ifElse(
        isEqual(get(head), get(last)),
        set(head, get(same)),
        set(head, call(WINDOW_END, get(head), get(width))),
      ),
      putOut(ENDS_AT, get(head)),
      step(out, ONE),
    ),
    set(start, get(at)),
  );

  // all windows from here on hold what is unlike; those that hold the gram that ends there may be no fragments for that
  const passUnlike = [
    set(byte, byteAt(last)),
    set(at, add(get(last), lengthOf(byte))),
    set(block, subtract(add(get(same), ONE), integer(GRAM))),
    ifThen(
      and(isBelow(get(same), get(length)), isAtLeast(get(block), get(at))),
      ifThen(isZero(mayHold(block)), set(at, add(get(block), ONE))),
    ),
  ].flat();

  const body = [
    ifThen(isBelow(get(length), get(width)), giveBack(integer(0))),
    set(at, load(integer(0), WORD * SEARCHED_TO)),
    set(wall, load(integer(0), WORD * WALL)),
    repeat(
      leaveIf(isAtLeast(get(at), get(length))),
      leaveIf(isAtLeast(get(out), integer(ENOUGH_FOUND))),
      ifThen(isAtLeast(get(at), get(wall)), pass),
      repeat(leaveIf(isZero(isWithin(byteAt(at)))), step(at, ONE)),
      setLimit,
      open,
      roll,
      ifThen(isZero(get(known)), set(at, get(wall)), again(1)),
      followKnown,
      takeRuns,
      passUnlike,
    ),
    store(integer(0), WORD * SEARCHED_TO, get(at)),
    store(integer(0), WORD * WALL, get(wall)),
    get(out),
  ].flat();
  return { name: 'find', parameters: 6, gives: true, integers: 20, longs: 1, vectors: 0, body };
}
