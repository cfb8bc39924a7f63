/**
 * Tree building in WebAssembly, for what most of a page is made of: text, comments, and of the tags the ones that have
 * no other effect than to open an element, to close the current one or to add one at once. `build` goes from token to token until one is not of that kind; tree-builder.ts takes that one, by
 * the rules in full, and `build` goes on. Both work on the same open elements, columns and formatting list
 * (kernel-layout.ts). What is left out here costs time, nothing else: whoever is in doubt leaves.
 *
 * It takes a third off the time of parsing: what is saved is a call per token, and the arrays that each of a dozen
 * functions looked up and checked the bounds of.
 */
import * as wasm from '../model/wasm-code.ts';
import { addressOf, giveResult, ONE, result } from './byte-code.ts';
import {
  BUILT_TO,
  DEPTH,
  ENTRIES_AT,
  FORMATTING_LENGTH,
  HAS_FORM,
  LINK_CAPACITY,
  LINK_COUNT,
  MODE,
  MOST_DEPTH,
  MOST_NODES,
  NODE_COUNT,
  SOURCE_AT,
  SPACE_FOLLOWS,
  TAG_END,
  TAG_START,
  TEXT_AT,
  TEXT_END,
  TEXT_LENGTH,
  WORD_ENDED,
} from './kernel-layout.ts';
import { NOT_PLAIN, takeDrawn } from './plain-drawing.ts';
import { endTag } from './plain-end.ts';
import {
  at,
  type Callees,
  end,
  FLAGS,
  flags,
  formats,
  hasForm,
  inContent,
  kind,
  known,
  LOCAL_COUNT,
  linkCount,
  mode,
  mostNodes,
  needsOpening,
  nodeCount,
  noteSpace,
  p,
  place,
  size,
  some,
  tag,
  tagAddress,
  textAt,
  textLength,
  top,
  topmost,
  wordEnded,
} from './plain-locals.ts';
import { addComment, addText } from './plain-nodes.ts';
import { startTag } from './plain-start.ts';
import { TAG_FLAGS_AT, TAG_KIND_AT } from './plain-tags.ts';

const { add, again, and, get, ifThen, integer, isAtLeast, isEqual, isUnequal, isZero } = wasm;
const { leaveIf, load, or, repeat, set, shiftLeft, shiftRight, subtract } = wasm;

/**
 * `build(start, size)` builds the page from `start` up to a token that is not plain, and gives for that token what
 * `next` gives; or up to the end of the source. It may be called where `isPlain` (plain-state.ts) holds. The
 * functions it calls are given by their places.
 */
export function buildFunction(callees: Callees): wasm.WasmFunction {
  const body = [
    takeState,
    repeat(
      leaveIf(isAtLeast(get(p), get(size))),
      set(place, wasm.call(callees.next, get(p), get(size))),
      leaveIf(or(or(needsOpening, isInNotPlain), hasNoRoom)),
      set(at, result(TAG_START)),
      placeText(callees),
      placeComment(callees),
      set(known, load(get(place), 4)),
      set(tag, and(get(known), integer(0xff))),
      set(end, add(result(TAG_END), ONE)),
      set(flags, load(tagAddress, TAG_FLAGS_AT)),
      set(kind, load(tagAddress, TAG_KIND_AT)),
      takeDrawn(callees),
      endTag(callees),
      startTag(callees),
    ),
    leaveState,
    get(place),
  ].flat();
  return { name: 'build', parameters: 2, gives: true, integers: LOCAL_COUNT, vectors: 0, body };
}

const takeState = [
  set(top, add(shiftLeft(subtract(result(DEPTH), ONE), integer(6)), integer(ENTRIES_AT))),
  set(nodeCount, result(NODE_COUNT)),
  set(textLength, result(TEXT_LENGTH)),
  set(linkCount, result(LINK_COUNT)),
  set(wordEnded, result(WORD_ENDED)),
  set(formats, result(FORMATTING_LENGTH)),
  set(mode, result(MODE)),
  set(hasForm, result(HAS_FORM)),
  set(textAt, result(TEXT_AT)),
  set(mostNodes, result(MOST_NODES)),
  set(topmost, add(shiftLeft(result(MOST_DEPTH), integer(6)), integer(ENTRIES_AT))),
].flat();
const leaveState = [
  giveResult(DEPTH, add(shiftRight(subtract(get(top), integer(ENTRIES_AT)), integer(6)), ONE)),
  giveResult(NODE_COUNT, get(nodeCount)),
  giveResult(TEXT_LENGTH, get(textLength)),
  giveResult(LINK_COUNT, get(linkCount)),
  giveResult(WORD_ENDED, get(wordEnded)),
  giveResult(FORMATTING_LENGTH, get(formats)),
  giveResult(MODE, get(mode)),
  giveResult(HAS_FORM, get(hasForm)),
  giveResult(BUILT_TO, get(p)),
].flat();

const isInNotPlain = and(load(get(top), FLAGS), integer(NOT_PLAIN));
const hasNoRoom = or(
  or(isAtLeast(get(nodeCount), get(mostNodes)), isEqual(get(linkCount), integer(LINK_CAPACITY))),
  isAtLeast(get(top), get(topmost)),
);
// text, with the space before it; where no words are, the tree builder looks on
const isSpaced = and(or(get(wordEnded), isUnequal(get(at), get(p))), isUnequal(get(textLength), integer(0)));
const placeText = ({ collapse }: Callees) => {
  const wordsStart = some;
  return ifThen(
    isEqual(get(place), integer(-1)),
    leaveIf(isZero(inContent), 1),
    set(wordsStart, add(get(textLength), isSpaced)),
    set(end, wasm.call(collapse, get(at), add(get(textAt), get(wordsStart)), get(size), ONE)),
    set(known, subtract(result(TEXT_END), get(textAt))),
    leaveIf(isEqual(get(known), get(wordsStart)), 1),
    addText(p, end, top),
    ifThen(
      isUnequal(get(wordsStart), get(textLength)),
      wasm.storeByte(add(get(textAt), get(textLength)), 0, integer(0x20)),
    ),
    set(textLength, get(known)),
    set(wordEnded, result(SPACE_FOLLOWS)),
    set(p, get(end)),
    again(1),
  );
};

/** `<!--`, read little-endian. */
const startsComment = isEqual(load(get(at), SOURCE_AT), integer(0x2d2d213c));
const placeComment = ({ commentEnd, hash }: Callees) =>
  ifThen(
    isZero(get(place)),
    leaveIf(isZero(startsComment), 1),
    set(end, wasm.call(commentEnd, add(get(at), integer(4)), get(size))),
    wasm.call(hash, addressOf(get(at)), addressOf(get(end))),
    noteSpace,
    addComment,
    set(p, get(end)),
    again(1),
  );
