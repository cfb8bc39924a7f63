/**
 * The memory of the fast inflater and the form of its tables, which all its code shares.
 *
 * A table is indexed by the bits that come next. An entry has 64 bits, from the lowest on:
 *   0   how many bits to take, extra bits included: a shift by the whole entry is a shift by them
 *   8   how many of them come before the extra bits, and `SCALE`: likewise
 *   14  whether a further table follows, which starts at the base; its mask is that of addresses
 *   15  whether this is none of the ordinary: a further table, else the end of the block (base 1) or an error (0)
 *   16  the base: a literal, the least length or distance of a symbol
 *   32  the mask of the extra bits
 *   63  whether it is a literal
 */
import * as wasm from '../model/wasm-code.ts';

const { add, get, load, long, lowHalf, set, store } = wasm;

export const FURTHER = 1 << 14;
export const UNUSUAL = 1 << 15;
export const CODE_AT = 8;
export const BASE_AT = 16;
export const MASK_AT = 32;
export const LITERAL = 1n << 63n;
/** Bits at hand stand so much higher than they came: those that index a table are then an address in it. */
export const SCALE = 3;

/** How many bits index a table; longer codes go on in further tables. */
export const LITERAL_BITS = 11;
export const DISTANCE_BITS = 8;
export const CODE_BITS = 7;
/** Entries there is room for, further tables included: more than any codes need. */
export const LITERAL_ENTRIES = 4096;
export const DISTANCE_ENTRIES = 2048;

let used = 0;
const place = (bytes: number): number => {
  const from = used;
  used += 16 * Math.ceil(bytes / 16);
  return from;
};

/** What is kept from call to call: bits at hand, how many (and `SCALE`, modulo 64), where to read and write on. */
export const BITS = place(8);
export const LEFT = place(8);
export const INPUT = place(4);
export const OUTPUT = place(4);
/** Bits of the code of each symbol; a run of them may be written a little too long. */
export const LENGTHS = place(320 + 16);
export const CODE_LENGTHS = place(32);
export const CODE_ORDER = place(19);
/** By how many bits: codes that have them, the place of the next of those among the symbols sorted. */
export const COUNTS = place(16 * 4);
export const NEXT = place(16 * 4);
export const SORTED = place(320 * 2);
/** By symbol: its entry, but for the bits of its code. */
export const CODE_SYMBOLS = place(19 * 8);
export const LITERAL_SYMBOLS = place(288 * 8);
export const DISTANCE_SYMBOLS = place(32 * 8);
/** By distance below 16: which bytes, of those from there on, come next; how many are whole repetitions. */
export const PATTERNS = place(16 * 16);
export const STEPS = place(16 * 4);
export const CODE_TABLE = place(8 << CODE_BITS);
export const LITERAL_TABLE = place(8 * LITERAL_ENTRIES);
export const DISTANCE_TABLE = place(8 * DISTANCE_ENTRIES);
/** Where the stream and what it gives come. */
export const BUFFERS_AT = used;

export const STATE = wasm.integer(0);

/** The locals with the bits at hand, how many they are, and the address to read on. */
export interface BitLocals {
  bits: number;
  left: number;
  at: number;
}

export const openBits = ({ bits, left, at }: BitLocals): wasm.Code => [
  ...set(bits, wasm.loadLong(STATE, BITS)),
  ...set(left, wasm.loadLong(STATE, LEFT)),
  ...set(at, load(STATE, INPUT)),
];

export const keepBits = ({ bits, left, at }: BitLocals): wasm.Code => [
  ...wasm.storeLong(STATE, BITS, get(bits)),
  ...wasm.storeLong(STATE, LEFT, get(left)),
  ...store(STATE, INPUT, get(at)),
];

/** At least 53 bits at hand. Eight bytes are read, not all of them are counted: those come again to the same place. */
export const readBits = ({ bits, left, at }: BitLocals): wasm.Code => {
  const wholeBytes = wasm.shiftRightLong(wasm.xorLong(get(left), long(63n)), long(3n));
  return [
    ...set(bits, wasm.orLong(get(bits), wasm.shiftLeftLong(wasm.loadLong(get(at)), get(left)))),
    ...set(at, add(get(at), lowHalf(wasm.andLong(wholeBytes, long(7n))))),
    ...set(left, wasm.orLong(get(left), long(56n))),
  ];
};

/** Takes as many as the lowest six bits of `count` say. */
export const takeBits = ({ bits, left }: BitLocals, count: wasm.Code): wasm.Code => [
  ...set(bits, wasm.shiftRightLong(get(bits), count)),
  ...set(left, wasm.subtractLong(get(left), count)),
];

/** The entry that the bits at hand index. */
export const lookUp = ({ bits }: BitLocals, table: number, tableBits: number): wasm.Code =>
  wasm.loadLong(wasm.and(lowHalf(get(bits)), wasm.integer(((1 << tableBits) - 1) << SCALE)), table);

export const baseOf = (entry: number): wasm.Code =>
  wasm.shiftRight(lowHalf(get(entry)), wasm.integer(BASE_AT));
