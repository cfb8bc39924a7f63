/**
 * The memory that text-copy-code.ts and text-walk-code.ts share, and what both are written with. In this order:
 *
 *   state        integers, see below
 *   tables       of bytes: see TABLES
 *   references   that were met before, by hash: how many bytes one has, how many it stands for, then both
 *   ranges       three integers each: start, end, whether its text is kept; they tile the source
 *   columns      of the tree, by node
 *   source       then a byte A0, zeros
 *   output
 *
 * Nodes, ranges and the state hold offsets in the source; functions that copy bytes take addresses, since what a
 * reference stands for is copied like the source.
 */
import * as wasm from '../model/wasm-code.ts';
import { APART, BLOCK, BREAK, CELL, PRE } from './display.ts';

const {
  add,
  call,
  choose,
  get,
  ifThen,
  integer,
  isBelow,
  isEqual,
  load,
  loadByte,
  or,
  set,
  shiftLeft,
  store,
} = wasm;

/** State, by integer. What must come before the next character, and the address where that is written. */
export const PENDING = 0;
export const OUT = 1;
/** Open elements whose white space counts, where the outermost begins, where its text would end. */
export const PRE_DEPTH = 2;
export const PRE_START = 3;
export const PRE_END = 4;
/** Address of the range that was asked for last. */
export const RANGE = 5;
export const SOURCE_END = 6;
/** Bytes of the reference that is not known; the walk that goes on from there. */
export const REFERENCE_SIZE = 7;
export const NODE = 8;
export const OPEN = 9;
export const POSITION = 10;
const STATE_BYTES = 64;

export const SPACE = 1;
const TAB = 2;
export const NEWLINE = 3;

/** Tables of bytes: by byte, by byte, by tag, by display. */
export const WRITTEN_AT = STATE_BYTES;
export const REFERENCE_BYTES_AT = WRITTEN_AT + 256;
export const DISPLAY_AT = REFERENCE_BYTES_AT + 256;
export const PARTS_AT = DISPLAY_AT + 256;
/** By what is pending: the separator as it is written, two bytes, and how many of them count. */
export const SEPARATORS_AT = PARTS_AT + 16;
export const SEPARATOR_SIZES_AT = SEPARATORS_AT + 8;
export const TABLES: [address: number, bytes: number[]][] = [
  [PARTS_AT, partsByDisplay()],
  [SEPARATORS_AT, [...Buffer.from('\0\0 \0\\t\\n')]],
  [SEPARATOR_SIZES_AT, [0, 1, 2, 2]],
];

/** Places of references, by 11 bits of a hash: two integers, the reference, what it stands for. */
export const REFERENCES_AT = 2048;
export const PLACE_SHIFT = 7;
export const PLACE_BYTES = 1 << PLACE_SHIFT;
export const HASH_BITS = 11;
export const PLACES = 1 << HASH_BITS;
export const REFERENCE_FROM = 8;
export const DECODED_FROM = 48;
export const REFERENCES_END = REFERENCES_AT + PLACES * PLACE_BYTES;

/** Pages that have more are for text-writer.ts. */
export const MOST_RANGES = 1 << 14;
export const MOST_NODES = 1 << 18;
export const MOST_SOURCE_BYTES = 4 << 20;

export const WORD = 4;
export const RANGE_WORDS = 3;
export const RANGE_BYTES = RANGE_WORDS * WORD;
export const RANGES_AT = REFERENCES_END;
export const LAST_AT = RANGES_AT + MOST_RANGES * RANGE_BYTES;
export const PARENT_AT = LAST_AT + WORD * MOST_NODES;
export const START_AT = PARENT_AT + WORD * MOST_NODES;
export const OPEN_END_AT = START_AT + WORD * MOST_NODES;
export const END_AT = OPEN_END_AT + WORD * MOST_NODES;
export const NAME_AT = END_AT + WORD * MOST_NODES;
export const KIND_AT = NAME_AT + 2 * MOST_NODES;
export const SOURCE_AT = KIND_AT + MOST_NODES;
/** What is read of 16 bytes after the source, and written after the output. */
export const PADDING = 64;
export const OUT_AT = SOURCE_AT + MOST_SOURCE_BYTES + PADDING;
/** A byte of source gives at most a separator and itself, both escaped. */
export const MEMORY_BYTES = OUT_AT + 4 * (MOST_SOURCE_BYTES + 1) + PADDING;

function partsByDisplay(): number[] {
  const parts = new Array(8).fill(0);
  for (const display of [BLOCK, BREAK, PRE]) parts[display] = NEWLINE;
  parts[CELL] = TAB;
  parts[APART] = SPACE;
  return parts;
}

export const ONE = integer(1);
export const NOWHERE = integer(-1);
export const AMPERSAND = integer(0x26);
export const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
export const state = (word: number) => load(integer(0), WORD * word);
export const setState = (word: number, value: wasm.Code) => store(integer(0), WORD * word, value);
export const byteAt = (offset: wasm.Code) => loadByte(offset, SOURCE_AT);
export const column = (columnAt: number, node: number) => load(shiftLeft(get(node), integer(2)), columnAt);
export const is = (local: number, ...values: number[]) =>
  values.map((value) => isEqual(get(local), integer(value))).reduce(or);
/** So much is pending at least. */
export const part = (value: wasm.Code) => ifThen(isBelow(state(PENDING), value), setState(PENDING, value));
export const writeByte = (value: wasm.Code) => [
  ...wasm.storeByte(state(OUT), 0, value),
  ...setState(OUT, add(state(OUT), ONE)),
];

/** The functions by place, those that are called before those that call them. */
const NAMES = ['space', 'collapse', 'keep', 'text', 'seek', 'edge', 'gap', 'render'];
export const use = (name: string, ...operands: wasm.Code[]) => call(NAMES.indexOf(name), ...operands);

/**
 * Sets a local to where the next character is written, behind what is pending; before the first character that is
 * nothing. Both bytes of the separator are written in any case: a branch would often be guessed wrong.
 */
export const flushTo = (out: number): wasm.Code => {
  const size = loadByte(state(PENDING), SEPARATOR_SIZES_AT);
  return [
    set(out, state(OUT)),
    wasm.storePair(get(out), 0, wasm.loadPair(shiftLeft(state(PENDING), ONE), SEPARATORS_AT)),
    step(out, choose(isEqual(get(out), integer(OUT_AT)), integer(0), size)),
    setState(PENDING, integer(0)),
  ].flat();
};
/** Likewise, and leaves it as the place for the next character. */
export const flushBy = (out: number): wasm.Code => [...flushTo(out), ...setState(OUT, get(out))];
