/**
 * What the parts of `build` (plain-code.ts) have in common: its locals, places in the entries of open elements, and
 * the expressions that more than one part needs.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE, step } from './byte-code.ts';
import { IN_BODY, IN_CELL } from './construction.ts';
import { FORMATTING_LIST, INNERMOST_AT, NODES, TAG_BITS, TAGS_AT } from './kernel-layout.ts';
import { BREAK } from './tag-names.ts';

const { add, and, get, integer, isEqual, isUnequal, isZero, load, or, set, shiftLeft, shiftRight, store } =
  wasm;

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
/** Four times the node just added; the entry that is filled or looked at. */
export const node = 16;
export const entry = 17;
export const wordsStart = 18;
/** What stays as it is: address of the text, most nodes, the topmost entry. */
export const textAt = 19;
export const mostNodes = 20;
export const topmost = 21;
/** Locals that are not parameters. */
export const LOCAL_COUNT = 20;

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
export const inContent = or(isEqual(get(mode), integer(IN_BODY)), isEqual(get(mode), integer(IN_CELL)));
/** Of the newest entry; without one, of the array before `index`, which is not negative. */
export const needsOpening = shiftRight(load(fourTimes(get(formats)), FORMATTING_LIST.index - 4), integer(31));
export const isListEmpty = or(
  isZero(get(formats)),
  isZero(load(fourTimes(get(formats)), FORMATTING_LIST.tag - 4)),
);
export const noteSpace = set(wordEnded, or(get(wordEnded), isUnequal(get(at), get(p))));
export const noteBreak = set(
  wordEnded,
  or(get(wordEnded), isUnequal(and(get(flags), integer(BREAK)), integer(0))),
);
/** The columns that all nodes have, of the next one. */
export const addNode = (nodeKind: number, name: wasm.Code, start: number) =>
  [
    wasm.storeByte(get(nodeCount), NODES.kind, integer(nodeKind)),
    wasm.storePair(shiftLeft(get(nodeCount), ONE), NODES.name, name),
    set(node, fourTimes(get(nodeCount))),
    store(get(node), NODES.parent, load(get(top))),
    store(get(node), NODES.start, get(start)),
    store(get(node), NODES.openEnd, get(end)),
    store(get(node), NODES.textStart, get(textLength)),
    step(nodeCount, ONE),
  ].flat();

/** Address of what is known about the tag: see plain-tags.ts. */
export const tagAddress = add(shiftLeft(get(tag), integer(TAG_BITS)), integer(TAGS_AT));
/** Address of the innermost entry of the tag. */
export const innermostAddress = add(fourTimes(get(tag)), integer(INNERMOST_AT));
