/**
 * What the parts of `build` (plain-code.ts) have in common: its locals, places in the entries of open elements, and
 * the expressions that more than one part needs.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE } from './byte-code.ts';
import { IN_BODY, IN_CELL } from './construction.ts';
import { ENTRY_BYTES, FORMATTING_LIST, INNERMOST_AT, TAG_BITS, TAGS_AT } from './kernel-layout.ts';
import { BREAK, GHOST } from './tag-names.ts';

const { add, and, get, integer, isEqual, isUnequal, isZero, load, or, set, shiftLeft, shiftRight } = wasm;

/** Parameters: where the source is gone on with, and its size. */
export const p = 0;
export const size = 1;
/** Of the token at hand: what `next` gave, its start, its end. */
export const place = 2;
export const at = 3;
export const end = 4;
/** Of the tag at hand: what its place says, its number, flags and kind. */
export const known = 5;
export const tag = 6;
export const flags = 7;
export const kind = 8;
/** State of the tree builder; the current element is the entry at `top`. */
export const top = 9;
export const nodeCount = 10;
export const textLength = 11;
export const linkCount = 12;
export const wordEnded = 13;
export const formats = 14;
export const mode = 15;
export const hasForm = 16;
/** Four times the node just added; the entry that is filled or looked at. */
export const node = 17;
export const entry = 18;
/** Free for use within a part. */
export const some = 19;
/** What stays as it is: address of the text, most nodes, the topmost entry. */
export const textAt = 20;
export const mostNodes = 21;
export const topmost = 22;
/** Locals that are not parameters. */
export const LOCAL_COUNT = 21;

/** Places of the functions that `build` calls. */
export interface Callees {
  hash: number;
  collapse: number;
  attributes: number;
  next: number;
  close: number;
  rawEnd: number;
  commentEnd: number;
  isSurplus: number;
  modeInside: number;
}

// places of an entry in bytes: see open-elements.ts
export const KEY = 4;
export const FLAGS = 8;
export const FORMATTING_ENTRY = 12;
export const NEXT_OUTER = 16;
export const SCOPE_MARKER = 20;
export const SPECIAL_ELEMENT = 24;
export const BOUNDARY = 28;

export const fourTimes = (value: wasm.Code) => shiftLeft(value, integer(2));

export const key = load(get(top), KEY);
/** The entry below the current one: what holds the current element. */
export const below = wasm.subtract(get(top), integer(ENTRY_BYTES));
export const isAboveGhost = isEqual(load(below, KEY), integer(GHOST));
export const inContent = or(isEqual(get(mode), integer(IN_BODY)), isEqual(get(mode), integer(IN_CELL)));
/** Of the newest entry; without one, of the array before `index`, which is not negative. */
export const needsOpening = shiftRight(load(fourTimes(get(formats)), FORMATTING_LIST.index - 4), integer(31));
export const isListEmpty = or(
  isZero(get(formats)),
  isZero(load(fourTimes(get(formats)), FORMATTING_LIST.tag - 4)),
);
export const noteSpace = set(wordEnded, or(get(wordEnded), isUnequal(get(at), get(p))));
export const noteBreak = (ofElement: wasm.Code) =>
  set(wordEnded, or(get(wordEnded), isUnequal(and(ofElement, integer(BREAK)), integer(0))));

/** Address of what is known about the tag: see plain-tags.ts. */
export const addressOfTag = (name: wasm.Code) => add(shiftLeft(name, integer(TAG_BITS)), integer(TAGS_AT));
export const tagAddress = addressOfTag(get(tag));
/** Address of the innermost entry of a tag. */
export const innermostAddress = (name: wasm.Code) => add(fourTimes(name), integer(INNERMOST_AT));
export const isOpen = (name: number) => add(load(integer(INNERMOST_AT + 4 * name)), ONE);
