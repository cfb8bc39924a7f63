/**
 * Tables in `build` (plain-code.ts). Table, section, row and cell are kinds in this order, from the outermost down,
 * and so are the modes in which each is the current element. A start tag is at home one kind below the current
 * element; further out it ends the current element first, further in it has the next one implied. In both cases one
 * element is ended or started, and the same tag is met again.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE, step } from './byte-code.ts';
import { IN_CELL, IN_TABLE, IN_TABLE_BODY } from './construction.ts';
import {
  BARE_PLACE,
  ENTRIES_AT,
  ENTRY_BYTES,
  FORMATTING_COUNT,
  FORMATTING_LIST,
  TAG_COUNT,
} from './kernel-layout.ts';
import {
  addressOfTag,
  at,
  below,
  type Callees,
  end,
  flags,
  formats,
  fourTimes,
  inContent,
  innermostAddress,
  isAboveGhost,
  isListEmpty,
  isOpen,
  KEY,
  key,
  kind,
  mode,
  place,
  some,
  tag,
  tagAddress,
} from './plain-locals.ts';
import { closeCurrent } from './plain-nodes.ts';
import { IS_CELL, IS_SECTION, IS_TABLE, TAG_FLAGS_AT, TAG_KIND_AT, TAG_MODE_AT } from './plain-tags.ts';
import { TAG } from './tag-names.ts';

const { add, again, and, choose, get, giveBack, ifElse, ifThen, integer, isAtLeast, isBelow, isEqual } = wasm;
const { isUnequal, isZero, leaveIf, load, or, repeat, set, store, subtract } = wasm;

/** The kind of part that is current in this mode; none of them in other modes than those of tables. */
const kindOfMode = choose(
  isEqual(get(mode), integer(IN_TABLE)),
  integer(IS_TABLE),
  subtract(integer(IS_CELL + IN_CELL), get(mode)),
);
/** Sets `some` to the kind of the current element; leaves when it is not the part that the mode says. */
const takeCurrentPart = (inside: number) => [
  ...set(some, load(addressOfTag(key), TAG_KIND_AT)),
  ...leaveIf(or(isAtLeast(key, integer(TAG_COUNT)), isUnequal(get(some), kindOfMode)), inside),
];
/** Gives up the mode of the current part; the formatting elements of a cell must have been closed. */
const leavePart = (inside: number) =>
  [
    leaveIf(isAboveGhost, inside),
    ifThen(
      isEqual(get(mode), integer(IN_CELL)),
      leaveIf(or(isZero(get(formats)), isZero(isListEmpty)), inside + 1),
      step(formats, integer(-1)),
    ),
    set(
      mode,
      choose(isEqual(get(mode), integer(IN_TABLE_BODY)), integer(IN_TABLE), subtract(get(mode), ONE)),
    ),
  ].flat();

/** Makes way for the start tag at hand when it is one of these kinds; directly inside the loop. */
export const makeWayForPart = (callees: Callees) => {
  const makeWayForTable = leaveIf(or(isZero(inContent), isOpen(TAG.p)), 2);
  const implyPart = [
    set(kind, subtract(get(some), ONE)),
    set(tag, choose(isEqual(get(kind), integer(IS_SECTION)), integer(TAG.tbody), integer(TAG.tr))),
    set(flags, load(tagAddress, TAG_FLAGS_AT)),
    set(place, integer(BARE_PLACE)),
    set(end, get(at)),
  ].flat();
  const makeWayInTable = [
    takeCurrentPart(2),
    // the last chance to leave: a tag that is implied is none that `next` gave
    leaveIf(isEqual(get(formats), integer(FORMATTING_COUNT)), 2),
    ifThen(isAtLeast(get(kind), get(some)), leavePart(3), set(end, get(at)), closeCurrent(callees), again(3)),
    ifThen(isBelow(add(get(kind), ONE), get(some)), implyPart),
  ].flat();
  return ifThen(
    isAtLeast(get(kind), integer(IS_CELL)),
    ifElse(isEqual(get(kind), integer(IS_TABLE)), makeWayForTable, makeWayInTable),
  );
};

/** The mode inside the part just started. */
export const enterPart = ifThen(
  isAtLeast(get(kind), integer(IS_CELL)),
  set(
    mode,
    choose(
      isEqual(get(kind), integer(IS_TABLE)),
      integer(IN_TABLE),
      subtract(integer(IN_CELL + IS_CELL), get(kind)),
    ),
  ),
  // a marker in the list of formatting elements
  ifThen(
    isEqual(get(kind), integer(IS_CELL)),
    store(fourTimes(get(formats)), FORMATTING_LIST.tag, integer(0)),
    store(fourTimes(get(formats)), FORMATTING_LIST.index, integer(0)),
    step(formats, ONE),
  ),
);

/**
 * The end tag at hand, of one of these kinds, so many `if` inside the loop: afterwards the current element ends at `end`,
 * which is before the tag when that belongs to an element further out.
 */
export const endPart = ({ modeInside }: Callees, inside: number) => {
  const innermost = load(innermostAddress(get(tag)));
  const isOutOfScope = or(
    isEqual(innermost, integer(-1)),
    isBelow(innermost, load(innermostAddress(integer(TAG.table)))),
  );
  const endTable = [
    leaveIf(or(isUnequal(key, get(tag)), isAboveGhost), inside + 1),
    set(some, wasm.call(modeInside, below)),
    leaveIf(isZero(get(some)), inside + 1),
    set(mode, get(some)),
  ].flat();
  const endOther = [
    takeCurrentPart(inside + 1),
    ifThen(
      isUnequal(key, get(tag)),
      leaveIf(isAtLeast(get(some), get(kind)), inside + 2),
      leaveIf(isOutOfScope, inside + 2),
      set(end, get(at)),
    ),
    leavePart(inside + 1),
  ].flat();
  return ifElse(
    and(isEqual(get(kind), integer(IS_TABLE)), isEqual(get(mode), integer(IN_TABLE))),
    endTable,
    endOther,
  );
};

/** `modeInside(entry)` is `resetMode` of construction.ts from an entry on; 0 for a mode that `build` is not for. */
export function modeInsideFunction(): wasm.WasmFunction {
  const [entry, name, found] = Array(3).keys();
  const body = [
    repeat(
      set(name, load(get(entry), KEY)),
      ifThen(
        isBelow(get(name), integer(TAG_COUNT)),
        set(found, load(addressOfTag(get(name)), TAG_MODE_AT)),
        leaveIf(get(found), 1),
      ),
      leaveIf(isBelow(get(entry), integer(ENTRIES_AT + ENTRY_BYTES))),
      step(entry, integer(-ENTRY_BYTES)),
    ),
    ifThen(isEqual(get(found), integer(-1)), giveBack(integer(0))),
    get(found),
  ].flat();
  return { name: 'modeInside', parameters: 1, gives: true, integers: 2, vectors: 0, body };
}
