/**
 * Start tags in `build` (plain-code.ts): one that closes nothing and reads nothing but itself opens its element, or
 * adds it when it has no content. One before which the current p or list item ends has that ended and is met again.
 * All others leave the loop.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE, step } from './byte-code.ts';
import { CHILDREN, TAG_HASH } from './close-code.ts';
import { IN_HEAD } from './construction.ts';
import { EMPTY_HIGH, EMPTY_LOW } from './hashes.ts';
import { ENTRIES_AT, ENTRY_BYTES, LINKS } from './kernel-layout.ts';
import { HREF_AT, SUMS_AT } from './known-tags.ts';
import { isClosedDrawn, setDrawnFlags, setDrawnKey } from './plain-drawing.ts';
import { appendFormatting, checkFormats } from './plain-formats.ts';
import {
  at,
  BOUNDARY,
  below,
  type Callees,
  end,
  entry,
  FLAGS,
  FORMATTING_ENTRY,
  flags,
  fourTimes,
  hasForm,
  inContent,
  innermostAddress,
  isAboveGhost,
  isOpen,
  KEY,
  key,
  kind,
  known,
  linkCount,
  mode,
  NEXT_OUTER,
  node,
  nodeCount,
  noteBreak,
  noteSpace,
  p,
  place,
  SCOPE_MARKER,
  SPECIAL_ELEMENT,
  tag,
  tagAddress,
  top,
} from './plain-locals.ts';
import { addNode, closeCurrent } from './plain-nodes.ts';
import { takeRaw } from './plain-raw.ts';
import { enterPart, makeWayForPart } from './plain-table.ts';
import {
  ENDS_PARAGRAPH,
  IS_BUTTON,
  IS_CELL,
  IS_FORM,
  IS_HEAD_VOID,
  IS_HEADING,
  IS_ITEM,
  IS_RULE,
  IS_VOID,
  TAG_LANES_AT,
} from './plain-tags.ts';
import { HEADING, ITEM_BOUNDARY, LINK, SCOPE, SPECIAL, TAG } from './tag-names.ts';
import { ELEMENT } from './tree.ts';

const { add, again, and, choose, get, ifElse, ifThen, integer, isAtLeast, isBelow, isEqual, isUnequal } =
  wasm;
const { isZero, leaveIf, load, or, set, shiftLeft, shiftRight, store, subtract } = wasm;

/** The start tag at hand, directly inside the loop. */
export function startTag(callees: Callees): wasm.Code {
  return [
    leaveIf(isZero(get(kind))),
    makeWayForPart(callees),
    makeWayInContent(callees),
    checkFormats(callees, laneOfTag(0), laneOfTag(1)),
    setDrawnFlags,
    noteSpace,
    noteBreak(get(flags)),
    addNode(ELEMENT, get(tag)),
    addLink,
    fillEntry,
    closeVoid(callees),
    takeRaw(callees),
    setDrawnKey,
    push,
    appendFormatting(index),
    enterPart,
    ifThen(isEqual(get(kind), integer(IS_FORM)), set(hasForm, ONE)),
  ].flat();
}

// li, or dd and dt, in the same list; a place is above another when a boundary stands between
const isItemOpen = (item: number) => isBelow(load(get(top), BOUNDARY), isOpen(item));
const leaveInItem = ifElse(
  isEqual(get(tag), integer(TAG.li)),
  leaveIf(isItemOpen(TAG.li), 4),
  leaveIf(or(isItemOpen(TAG.dd), isItemOpen(TAG.dt)), 4),
);
const isItem = (name: wasm.Code) =>
  choose(
    isEqual(get(tag), integer(TAG.li)),
    isEqual(name, integer(TAG.li)),
    or(isEqual(name, integer(TAG.dd)), isEqual(name, integer(TAG.dt))),
  );
/** Key of the next boundary outside the current item. If it is an item too, a second pass over the tag would end it. */
const outerBoundaryKey = load(add(shiftLeft(load(below, BOUNDARY), integer(6)), integer(ENTRIES_AT)), KEY);
// what ends before a block: the current p or item, and no others
const endBeforeBlock = (callees: Callees) =>
  [
    ifThen(isEqual(get(kind), integer(IS_FORM)), leaveIf(get(hasForm), 3)),
    ifThen(
      or(isEqual(key, integer(TAG.p)), and(isEqual(get(kind), integer(IS_ITEM)), isItem(key))),
      leaveIf(isAboveGhost, 3),
      ifThen(isUnequal(key, integer(TAG.p)), leaveIf(isItem(outerBoundaryKey), 4)),
      set(end, get(at)),
      closeCurrent(callees),
      again(3),
    ),
    leaveIf(isOpen(TAG.p), 2),
    ifThen(isEqual(get(kind), integer(IS_ITEM)), leaveInItem),
    ifThen(isEqual(get(kind), integer(IS_HEADING)), leaveIf(and(load(get(top), FLAGS), integer(HEADING)), 3)),
  ].flat();
const makeWayInContent = (callees: Callees) =>
  ifThen(
    isBelow(get(kind), integer(IS_CELL)),
    leaveIf(isZero(or(inContent, and(isEqual(get(mode), integer(IN_HEAD)), isHeadContent))), 1),
    ifThen(isBlock, endBeforeBlock(callees)),
    ifThen(isEqual(get(kind), integer(IS_BUTTON)), leaveIf(isOpen(TAG.button), 2)),
  );
const isHeadContent = isAtLeast(get(kind), integer(IS_HEAD_VOID));
const isBlock = isBelow(subtract(get(kind), integer(ENDS_PARAGRAPH)), integer(IS_HEAD_VOID - ENDS_PARAGRAPH));

const addLink = ifThen(
  and(get(flags), integer(LINK)),
  ifThen(
    isUnequal(load(get(place), HREF_AT), integer(-1)),
    set(known, fourTimes(get(linkCount))),
    store(get(known), LINKS.linkNode, shiftRight(get(node), integer(2))),
    store(get(known), LINKS.linkStart, add(get(at), load(get(place), HREF_AT))),
    store(get(known), LINKS.linkEnd, add(get(at), load(get(place), HREF_AT + 4))),
    step(linkCount, ONE),
  ),
);
const laneOfTag = (lane: number) =>
  add(load(tagAddress, TAG_LANES_AT + 4 * (lane & 1)), load(get(place), SUMS_AT + 4 * lane));
const fillEntry = [
  set(entry, add(get(top), integer(ENTRY_BYTES))),
  store(get(entry), 0, shiftRight(get(node), integer(2))),
  [0, 1, 2, 3].flatMap((lane) => store(get(entry), TAG_HASH + 4 * lane, laneOfTag(lane))),
  [0, 1, 2, 3].flatMap((lane) =>
    store(get(entry), CHILDREN + 4 * lane, integer(lane % 2 === 0 ? EMPTY_LOW : EMPTY_HIGH)),
  ),
].flat();
const isVoid = and(
  shiftRight(integer((1 << IS_VOID) | (1 << IS_RULE) | (1 << IS_HEAD_VOID)), get(kind)),
  ONE,
);
const closeVoid = ({ close }: Callees) =>
  ifThen(
    or(isVoid, isClosedDrawn),
    wasm.call(close, get(entry), get(end), get(nodeCount)),
    set(p, get(end)),
    again(1),
  );
const index = shiftRight(subtract(get(entry), integer(ENTRIES_AT)), integer(6));
const innermostOf = (field: number, flag: number) =>
  store(get(entry), field, choose(and(get(flags), integer(flag)), index, load(get(top), field)));
const push = [
  store(get(entry), KEY, get(tag)),
  store(get(entry), FLAGS, get(flags)),
  store(get(entry), FORMATTING_ENTRY, integer(-1)),
  store(get(entry), NEXT_OUTER, load(innermostAddress(get(tag)))),
  store(innermostAddress(get(tag)), 0, index),
  innermostOf(SCOPE_MARKER, SCOPE),
  innermostOf(SPECIAL_ELEMENT, SPECIAL),
  innermostOf(BOUNDARY, ITEM_BOUNDARY),
  set(top, get(entry)),
  set(p, get(end)),
].flat();
