/**
 * Tree building in WebAssembly, for what most of a page is made of: text, tags that were met before, and of
 * those the ones that have no other effect than to open an element, to close the current one or to add one without
 * content. `build` goes from token to token until one is not of that kind; tree-builder.ts takes that one, by
 * the rules in full, and `build` goes on. Both work on the same open elements, columns and formatting list
 * (kernel-layout.ts). What is left out here costs time, nothing else: whoever is in doubt leaves.
 *
 * It takes a third off the time of parsing: what is saved is a call per token, and the arrays that each of a dozen
 * functions looked up and checked the bounds of.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE, step } from './byte-code.ts';
import { CHILDREN, fold } from './close-code.ts';
import { IN_CELL, IN_ROW, IN_TABLE_BODY } from './construction.ts';
import { TEXT_SHAPE_HIGH, TEXT_SHAPE_LOW } from './hashes.ts';
import {
  BUILT_TO,
  DEPTH,
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMATTING_LENGTH,
  HASH_HIGH,
  HASH_LOW,
  LINK_CAPACITY,
  LINK_COUNT,
  MODE,
  MOST_DEPTH,
  MOST_NODES,
  NODE_COUNT,
  NODES,
  SPACE_FOLLOWS,
  TAG_END,
  TAG_START,
  TEXT_AT,
  TEXT_END,
  TEXT_LENGTH,
  WORD_ENDED,
} from './kernel-layout.ts';
import { END_TAG } from './known-tags.ts';
import {
  addNode,
  at,
  end,
  entry,
  FLAGS,
  FORMATTING_ENTRY,
  flags,
  formats,
  inContent,
  innermostAddress,
  isListEmpty,
  KEY,
  key,
  kind,
  known,
  LOCAL_COUNT,
  linkCount,
  mode,
  mostNodes,
  NEXT_OUTER,
  needsOpening,
  node,
  nodeCount,
  noteBreak,
  noteSpace,
  p,
  place,
  size,
  tag,
  tagAddress,
  textAt,
  textLength,
  top,
  topmost,
  wordEnded,
  wordsStart,
} from './plain-locals.ts';
import { startTag } from './plain-start.ts';
import { IS_CELL, IS_ROW, TAG_FLAGS_AT, TAG_KIND_AT } from './plain-tags.ts';
import { FOREIGN, GHOST, PLAIN_END } from './tag-names.ts';
import { TEXT } from './tree.ts';

const { add, again, and, get, ifElse, ifThen, integer, isAtLeast, isEqual, isUnequal } = wasm;
const { isZero, leaveIf, load, or, repeat, set, shiftLeft, shiftRight, store, subtract } = wasm;

const WORDS = integer(0);
const word = (index: number) => load(WORDS, 4 * index);

/**
 * `build(start, size)` builds the page from `start` up to a token that is not plain, and gives for that token what
 * `next` gives; or up to the end of the source. It may be called where `isPlain` (plain-state.ts) holds. The
 * functions it calls are given by their places.
 */
export function buildFunction({
  collapse,
  next,
  close,
}: {
  collapse: number;
  next: number;
  close: number;
}): wasm.WasmFunction {
  const body = [
    takeState,
    repeat(
      leaveIf(isAtLeast(get(p), get(size))),
      set(place, wasm.call(next, get(p), get(size))),
      leaveIf(or(or(needsOpening, isForeign), hasNoRoom)),
      set(at, word(TAG_START)),
      placeText(collapse),
      leaveIf(isZero(get(place))),
      set(known, load(get(place), 4)),
      set(tag, and(get(known), integer(0xff))),
      set(end, add(word(TAG_END), ONE)),
      set(flags, load(tagAddress, TAG_FLAGS_AT)),
      set(kind, load(tagAddress, TAG_KIND_AT)),
      endTag(close),
      startTag(close),
    ),
    leaveState,
    get(place),
  ].flat();
  return { name: 'build', parameters: 2, gives: true, integers: LOCAL_COUNT, vectors: 0, body };
}

const takeState = [
  set(top, add(shiftLeft(subtract(word(DEPTH), ONE), integer(6)), integer(ENTRIES_AT))),
  set(nodeCount, word(NODE_COUNT)),
  set(textLength, word(TEXT_LENGTH)),
  set(linkCount, word(LINK_COUNT)),
  set(wordEnded, word(WORD_ENDED)),
  set(formats, word(FORMATTING_LENGTH)),
  set(mode, word(MODE)),
  set(textAt, word(TEXT_AT)),
  set(mostNodes, word(MOST_NODES)),
  set(topmost, add(shiftLeft(word(MOST_DEPTH), integer(6)), integer(ENTRIES_AT))),
].flat();
const leaveState = [
  store(WORDS, 4 * DEPTH, add(shiftRight(subtract(get(top), integer(ENTRIES_AT)), integer(6)), ONE)),
  store(WORDS, 4 * NODE_COUNT, get(nodeCount)),
  store(WORDS, 4 * TEXT_LENGTH, get(textLength)),
  store(WORDS, 4 * LINK_COUNT, get(linkCount)),
  store(WORDS, 4 * WORD_ENDED, get(wordEnded)),
  store(WORDS, 4 * FORMATTING_LENGTH, get(formats)),
  store(WORDS, 4 * MODE, get(mode)),
  store(WORDS, 4 * BUILT_TO, get(p)),
].flat();

const isForeign = and(load(get(top), FLAGS), integer(FOREIGN));
const hasNoRoom = or(
  or(isAtLeast(get(nodeCount), get(mostNodes)), isEqual(get(linkCount), integer(LINK_CAPACITY))),
  isAtLeast(get(top), get(topmost)),
);
// text, with the space before it; where no words are, the tree builder looks on
const isSpaced = and(or(get(wordEnded), isUnequal(get(at), get(p))), isUnequal(get(textLength), integer(0)));
const placeText = (collapsePlace: number) =>
  ifThen(
    isEqual(get(place), integer(-1)),
    leaveIf(isZero(inContent), 1),
    set(wordsStart, add(get(textLength), isSpaced)),
    set(end, wasm.call(collapsePlace, get(at), add(get(textAt), get(wordsStart)), get(size), ONE)),
    set(known, subtract(word(TEXT_END), get(textAt))),
    leaveIf(isEqual(get(known), get(wordsStart)), 1),
    addNode(TEXT, integer(0), p),
    store(get(node), NODES.last, get(nodeCount)),
    store(get(node), NODES.end, get(end)),
    store(get(node), NODES.contentLow, word(HASH_LOW)),
    store(get(node), NODES.contentHigh, word(HASH_HIGH)),
    store(get(node), NODES.shapeLow, integer(TEXT_SHAPE_LOW)),
    store(get(node), NODES.shapeHigh, integer(TEXT_SHAPE_HIGH)),
    fold(get(top), CHILDREN, word(HASH_LOW), word(HASH_HIGH)),
    fold(get(top), CHILDREN + 8, integer(TEXT_SHAPE_LOW), integer(TEXT_SHAPE_HIGH)),
    ifThen(
      isUnequal(get(wordsStart), get(textLength)),
      wasm.storeByte(add(get(textAt), get(textLength)), 0, integer(0x20)),
    ),
    set(textLength, get(known)),
    set(wordEnded, word(SPACE_FOLLOWS)),
    set(p, get(end)),
    again(1),
  );

// the end tag of the current element, which closes nothing else
const closePlain = [
  leaveIf(isZero(inContent), 2),
  set(entry, load(get(top), FORMATTING_ENTRY)),
  ifThen(
    isUnequal(get(entry), integer(-1)),
    leaveIf(isUnequal(add(get(entry), ONE), get(formats)), 3),
    set(formats, get(entry)),
  ),
].flat();
const closeCell = [
  leaveIf(or(isUnequal(get(mode), integer(IN_CELL)), isZero(get(formats))), 3),
  leaveIf(isZero(isListEmpty), 3),
  step(formats, integer(-1)),
  set(mode, integer(IN_ROW)),
].flat();
const closeRow = [
  leaveIf(or(isUnequal(get(kind), integer(IS_ROW)), isUnequal(get(mode), integer(IN_ROW))), 3),
  set(mode, integer(IN_TABLE_BODY)),
].flat();
const endTag = (closePlace: number) =>
  ifThen(
    and(get(known), integer(END_TAG)),
    leaveIf(isUnequal(key, get(tag)), 1),
    leaveIf(isEqual(load(subtract(get(top), integer(ENTRY_BYTES)), KEY), integer(GHOST)), 1),
    ifElse(
      and(get(flags), integer(PLAIN_END)),
      closePlain,
      ifElse(isEqual(get(kind), integer(IS_CELL)), closeCell, closeRow),
    ),
    noteSpace,
    noteBreak,
    store(innermostAddress, 0, load(get(top), NEXT_OUTER)),
    wasm.call(closePlace, get(top), get(end), get(nodeCount)),
    step(top, integer(-ENTRY_BYTES)),
    set(p, get(end)),
    again(1),
  );
