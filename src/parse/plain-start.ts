/**
 * Start tags in `build` (plain-code.ts): one that closes nothing and reads nothing but itself opens its element, or
 * adds it when it has no content. All others leave the loop.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE, step } from './byte-code.ts';
import { CHILDREN, TAG_HASH } from './close-code.ts';
import { IN_CELL, IN_ROW, IN_TABLE_BODY } from './construction.ts';
import { EMPTY_HIGH, EMPTY_LOW } from './hashes.ts';
import {
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMATTING_COUNT,
  FORMATTING_LIST,
  INNERMOST_AT,
  LINKS,
} from './kernel-layout.ts';
import { HREF_AT, SUMS_AT } from './known-tags.ts';
import {
  addNode,
  at,
  BOUNDARY,
  end,
  entry,
  FLAGS,
  FORMATTING_ENTRY,
  flags,
  formats,
  fourTimes,
  inContent,
  innermostAddress,
  isListEmpty,
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
import {
  ENDS_PARAGRAPH,
  FORMATS,
  IS_CELL,
  IS_HEADING,
  IS_ITEM,
  IS_VOID,
  TAG_LANES_AT,
} from './plain-tags.ts';
import { HEADING, ITEM_BOUNDARY, LINK, SCOPE, SPECIAL, TAG } from './tag-names.ts';
import { ELEMENT } from './tree.ts';

const { add, again, and, choose, get, ifElse, ifThen, integer, isAtLeast, isBelow, isEqual, isUnequal } =
  wasm;
const { isZero, leaveIf, load, or, set, shiftRight, store, subtract } = wasm;

const innermost = (name: number) => load(integer(INNERMOST_AT + 4 * name));

// a start tag that closes nothing; a place is above another when a boundary stands between
const isItemOpen = (item: number) => isBelow(load(get(top), BOUNDARY), add(innermost(item), ONE));
const checkItem = ifElse(
  isEqual(get(tag), integer(TAG.li)),
  leaveIf(isItemOpen(TAG.li), 4),
  leaveIf(or(isItemOpen(TAG.dd), isItemOpen(TAG.dt)), 4),
);
const isSection = or(
  or(isEqual(key, integer(TAG.tbody)), isEqual(key, integer(TAG.thead))),
  isEqual(key, integer(TAG.tfoot)),
);
const checkStart = ifElse(
  isBelow(get(kind), integer(IS_CELL)),
  [
    leaveIf(isZero(inContent), 1),
    ifThen(
      isAtLeast(get(kind), integer(ENDS_PARAGRAPH)),
      leaveIf(add(innermost(TAG.p), ONE), 2),
      ifThen(isEqual(get(kind), integer(IS_ITEM)), checkItem),
      ifThen(
        isEqual(get(kind), integer(IS_HEADING)),
        leaveIf(and(load(get(top), FLAGS), integer(HEADING)), 3),
      ),
    ),
    ifThen(
      isEqual(get(kind), integer(FORMATS)),
      leaveIf(or(isZero(isListEmpty), isEqual(get(formats), integer(FORMATTING_COUNT))), 2),
    ),
  ].flat(),
  ifElse(
    isEqual(get(kind), integer(IS_CELL)),
    [
      leaveIf(or(isUnequal(get(mode), integer(IN_ROW)), isUnequal(key, integer(TAG.tr))), 2),
      leaveIf(isEqual(get(formats), integer(FORMATTING_COUNT)), 2),
    ].flat(),
    leaveIf(or(isUnequal(get(mode), integer(IN_TABLE_BODY)), isZero(isSection)), 2),
  ),
);
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
const closeVoid = (closePlace: number) =>
  ifThen(
    isEqual(get(kind), integer(IS_VOID)),
    wasm.call(closePlace, get(entry), get(end), get(nodeCount)),
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
  store(get(entry), NEXT_OUTER, load(innermostAddress)),
  store(innermostAddress, 0, index),
  innermostOf(SCOPE_MARKER, SCOPE),
  innermostOf(SPECIAL_ELEMENT, SPECIAL),
  innermostOf(BOUNDARY, ITEM_BOUNDARY),
  set(top, get(entry)),
  set(p, get(end)),
].flat();
const append = (field: keyof typeof FORMATTING_LIST, value: wasm.Code) =>
  store(fourTimes(get(formats)), FORMATTING_LIST[field], value);
const appendFormatting = ifThen(
  isEqual(get(kind), integer(FORMATS)),
  append('tag', get(tag)),
  append('index', index),
  append('contentLow', load(get(entry), TAG_HASH)),
  append('contentHigh', load(get(entry), TAG_HASH + 4)),
  append('shapeLow', load(get(entry), TAG_HASH + 8)),
  append('shapeHigh', load(get(entry), TAG_HASH + 12)),
  store(get(entry), FORMATTING_ENTRY, get(formats)),
  step(formats, ONE),
);
const enterTable = ifThen(
  isAtLeast(get(kind), integer(IS_CELL)),
  set(mode, integer(IN_ROW)),
  ifThen(
    isEqual(get(kind), integer(IS_CELL)),
    set(mode, integer(IN_CELL)),
    append('tag', integer(0)),
    append('index', integer(0)),
    step(formats, ONE),
  ),
);

/** The start tag at hand, directly inside the loop; `close` is the function at `closePlace`. */
export function startTag(closePlace: number): wasm.Code {
  return [
    leaveIf(isZero(get(kind))),
    checkStart,
    noteSpace,
    noteBreak,
    addNode(ELEMENT, get(tag), at),
    addLink,
    fillEntry,
    closeVoid(closePlace),
    push,
    appendFormatting,
    enterTable,
  ].flat();
}
