/**
 * The loops of packed-numbers.ts, in WebAssembly: the encodings of Parquet for whole numbers in few bits, and the
 * least and the largest of them.
 *
 * Memory, in this order:
 *   results   integers, see below
 *   excess    of a quarter of a block, integers
 *   numbers   integers, up to those of a group of rows; then zeros for a group of eight
 *   output
 */
import * as wasm from '../../model/wasm-code.ts';
import { GROUP_ROWS } from './metadata.ts';

const { add, and, asLong, call, choose, get, ifThen, integer, isAtLeast, isBelow, isEqual } = wasm;
const { leaveIf, load, or, repeat, set, shiftLeft, shiftRight, store, subtract } = wasm;

/** Results of `bounds`, by integer. */
export const LEAST = 0;
export const LARGEST = 1;
export const RESULTS = 2;

/** A group of packed numbers, and the least equal ones that are worth a run. */
export const GROUP = 8;
/** Differences are packed by the block, each quarter of it with as many bits as its largest needs. */
export const BLOCK = 128;
export const QUARTERS = 4;
const QUARTER = BLOCK / QUARTERS;

const WORD = 4;
const EXCESS_AT = 64;
const EXCESS_END = EXCESS_AT + WORD * QUARTER;
export const NUMBERS_AT = EXCESS_END;
export const OUTPUT_AT = NUMBERS_AT + WORD * (GROUP_ROWS + GROUP);
/** A number takes up to four bytes, a block or a run up to ten more. */
export const OUTPUT_BYTES = 5 * GROUP_ROWS + 1024;

const ZERO = integer(0);
const ONE = integer(1);
const ALL_BITS = integer(-1);
const HIGHEST_BIT = integer(0x8000_0000);
const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const words = (count: wasm.Code) => shiftLeft(count, integer(2));
/** The lower of two, as unsigned. */
const lower = (a: wasm.Code, b: wasm.Code) => choose(isBelow(a, b), a, b);

/** The functions by place, those that are called before those that call them. */
const NAMES = ['varint', 'pack', 'runs', 'deltas', 'bounds'];
const use = (name: string, ...operands: wasm.Code[]) => call(NAMES.indexOf(name), ...operands);

export function packFunctions(): wasm.WasmFunction[] {
  return [varintFunction(), packFunction(), runsFunction(), deltasFunction(), boundsFunction()];
}

/** `varint(value, out)` writes seven bits a byte, the lowest first, and gives where it stopped; so do those that follow. */
function varintFunction(): wasm.WasmFunction {
  const [value, out] = Array(2).keys();
  const body = [
    repeat(
      leaveIf(isBelow(get(value), integer(0x80))),
      wasm.storeByte(get(out), 0, or(get(value), integer(0x80))),
      set(value, shiftRight(get(value), integer(7))),
      step(out, ONE),
    ),
    wasm.storeByte(get(out), 0, get(value)),
    add(get(out), ONE),
  ].flat();
  return { name: 'varint', parameters: 2, gives: true, integers: 0, vectors: 0, body };
}

/** `pack(from, to, width, out)` writes numbers one after the other, the lowest bits first; a multiple of eight of them. */
function packFunction(): wasm.WasmFunction {
  const [from, to, width, out, count, bits] = Array(6).keys();
  const body = [
    ifThen(get(width), [
      ...repeat(
        leaveIf(isEqual(get(from), get(to))),
        set(bits, wasm.orLong(get(bits), wasm.shiftLeftLong(asLong(load(get(from))), asLong(get(count))))),
        step(count, get(width)),
        // 39 bits at most; whole bytes are done
        wasm.storeLong(get(out), 0, get(bits)),
        step(out, shiftRight(get(count), integer(3))),
        set(bits, wasm.shiftRightLong(get(bits), asLong(and(get(count), integer(0x38))))),
        set(count, and(get(count), integer(7))),
        step(from, integer(WORD)),
      ),
    ]),
    get(out),
  ].flat();
  return { name: 'pack', parameters: 4, gives: true, integers: 1, longs: 1, vectors: 0, body };
}

/** `runs(count, width)` writes runs of equal numbers and packed groups of others. */
function runsFunction(): wasm.WasmFunction {
  const [numbersEnd, width, at, end, value, out, next] = Array(7).keys();
  const groupBytes = integer(WORD * GROUP);
  /** Sets a local to the end of the numbers that are equal to that at `from`, up to `to`. */
  const findOther = (local: number, from: number, to: wasm.Code) => [
    ...set(value, load(get(from))),
    ...set(local, get(from)),
    ...repeat(
      step(local, integer(WORD)),
      leaveIf(isAtLeast(get(local), to)),
      leaveIf(wasm.isUnequal(load(get(local)), get(value))),
    ),
  ];
  const writeRun = [
    set(out, use('varint', shiftRight(subtract(get(end), get(at)), ONE), get(out))),
    store(get(out), 0, get(value)),
    step(out, shiftRight(add(get(width), integer(7)), integer(3))),
    set(at, get(end)),
    wasm.again(1),
  ].flat();
  // groups up to one that begins a run
  const findGroups = [
    set(end, add(get(at), groupBytes)),
    repeat(
      leaveIf(isAtLeast(get(end), get(numbersEnd))),
      findOther(next, end, lower(add(get(end), groupBytes), get(numbersEnd))),
      leaveIf(isAtLeast(subtract(get(next), get(end)), groupBytes)),
      step(end, groupBytes),
    ),
  ].flat();
  // a group is 32 bytes here; twice the number of groups, and 1 for their kind
  const groups = shiftRight(subtract(get(end), get(at)), integer(5));
  const body = [
    set(numbersEnd, add(words(get(numbersEnd)), integer(NUMBERS_AT))),
    set(at, integer(NUMBERS_AT)),
    set(out, integer(OUTPUT_AT)),
    repeat(
      leaveIf(isAtLeast(get(at), get(numbersEnd))),
      findOther(end, at, get(numbersEnd)),
      ifThen(isAtLeast(subtract(get(end), get(at)), groupBytes), writeRun),
      findGroups,
      set(out, use('varint', or(shiftLeft(groups, ONE), ONE), get(out))),
      set(out, use('pack', get(at), get(end), get(width), get(out))),
      set(at, get(end)),
    ),
    get(out),
  ].flat();
  return { name: 'runs', parameters: 2, gives: true, integers: 5, vectors: 0, body };
}

/** `deltas(count)` writes the blocks of the differences between numbers, in the arithmetic of 32 bits. */
function deltasFunction(): wasm.WasmFunction {
  const [numbersEnd, at, end, from, to, least, all, place, widths, out] = Array(10).keys();
  const difference = subtract(load(get(from)), load(subtract(get(from), integer(WORD))));
  // with the highest bit the other way round, numbers below 0 come before the others
  const findLeast = [
    set(least, ALL_BITS),
    set(from, get(at)),
    repeat(
      leaveIf(isEqual(get(from), get(end))),
      set(all, add(difference, HIGHEST_BIT)),
      set(least, lower(get(all), get(least))),
      step(from, integer(WORD)),
    ),
    step(least, HIGHEST_BIT),
  ].flat();
  // 0, -1, 1, -2 … are 0, 1, 2, 3 …
  const zigzag = wasm.xor(shiftLeft(get(least), ONE), subtract(ZERO, shiftRight(get(least), integer(31))));
  const findExcess = [
    set(to, lower(add(get(from), integer(WORD * QUARTER)), get(end))),
    set(all, ZERO),
    set(place, integer(EXCESS_AT)),
    repeat(
      leaveIf(isEqual(get(from), get(to))),
      store(get(place), 0, subtract(difference, get(least))),
      set(all, or(get(all), load(get(place)))),
      step(place, integer(WORD)),
      step(from, integer(WORD)),
    ),
    repeat(
      leaveIf(isEqual(get(place), integer(EXCESS_END))),
      store(get(place), 0, ZERO),
      step(place, integer(WORD)),
    ),
    set(all, subtract(integer(32), wasm.leadingZeros(get(all)))),
  ].flat();
  const body = [
    set(numbersEnd, add(words(get(numbersEnd)), integer(NUMBERS_AT))),
    set(at, integer(NUMBERS_AT + WORD)),
    set(out, integer(OUTPUT_AT)),
    repeat(
      leaveIf(isAtLeast(get(at), get(numbersEnd))),
      set(end, lower(add(get(at), integer(WORD * BLOCK)), get(numbersEnd))),
      findLeast,
      set(widths, use('varint', zigzag, get(out))),
      // widths of all quarters come first; those beyond the end have none
      store(get(widths), 0, ZERO),
      set(out, add(get(widths), integer(QUARTERS))),
      set(from, get(at)),
      repeat(
        leaveIf(isEqual(get(from), get(end))),
        findExcess,
        wasm.storeByte(get(widths), 0, get(all)),
        step(widths, ONE),
        set(out, use('pack', integer(EXCESS_AT), integer(EXCESS_END), get(all), get(out))),
      ),
      set(at, get(end)),
    ),
    get(out),
  ].flat();
  return { name: 'deltas', parameters: 1, gives: true, integers: 9, vectors: 0, body };
}

/** `bounds(count)` leaves the least and the largest number. */
function boundsFunction(): wasm.WasmFunction {
  const [count, at, least, largest, number] = Array(5).keys();
  const body = [
    set(at, integer(NUMBERS_AT)),
    set(count, add(words(get(count)), get(at))),
    set(least, ALL_BITS),
    repeat(
      leaveIf(isEqual(get(at), get(count))),
      set(number, load(get(at))),
      set(least, lower(get(number), get(least))),
      set(largest, choose(isBelow(get(largest), get(number)), get(number), get(largest))),
      step(at, integer(WORD)),
    ),
    store(ZERO, WORD * LEAST, get(least)),
    store(ZERO, WORD * LARGEST, get(largest)),
  ].flat();
  return { name: 'bounds', parameters: 1, integers: 4, vectors: 0, body };
}
