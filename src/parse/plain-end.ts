/**
 * End tags in `build` (plain-code.ts): that of the current element, which closes nothing else, and that of the element
 * which holds the current one when the end tag of the current one may be left out: then that ends, and the tag is
 * met again. All others leave the loop.
 */
import * as wasm from '../model/wasm-code.ts';
import { ONE } from './byte-code.ts';
import { END_TAG } from './known-tags.ts';
import {
  at,
  below,
  type Callees,
  end,
  entry,
  FLAGS,
  FORMATTING_ENTRY,
  flags,
  formats,
  hasForm,
  inContent,
  isAboveGhost,
  KEY,
  key,
  kind,
  known,
  tag,
  tagAddress,
  top,
} from './plain-locals.ts';
import { closeCurrent } from './plain-nodes.ts';
import { endPart } from './plain-table.ts';
import { IS_CELL, IS_FORM, TAG_ENDS_HELD_AT } from './plain-tags.ts';
import { IMPLIED_END, PLAIN_END } from './tag-names.ts';

const {
  add,
  again,
  and,
  get,
  ifElse,
  ifThen,
  integer,
  isAtLeast,
  isEqual,
  isUnequal,
  isZero,
  leaveIf,
  load,
} = wasm;
const { or, set } = wasm;

const endCurrent = [
  ifElse(
    isEqual(get(kind), integer(IS_FORM)),
    [leaveIf(isZero(get(hasForm)), 4), set(hasForm, integer(0))].flat(),
    leaveIf(isZero(and(get(flags), integer(PLAIN_END))), 4),
  ),
  // the newest formatting element goes with it
  set(entry, load(get(top), FORMATTING_ENTRY)),
  ifThen(
    isUnequal(get(entry), integer(-1)),
    leaveIf(isUnequal(add(get(entry), ONE), get(formats)), 4),
    set(formats, get(entry)),
  ),
].flat();
const endHeld = [
  leaveIf(isUnequal(load(below, KEY), get(tag)), 3),
  leaveIf(isZero(and(load(get(top), FLAGS), integer(IMPLIED_END))), 3),
  leaveIf(isZero(load(tagAddress, TAG_ENDS_HELD_AT)), 3),
  set(end, get(at)),
].flat();

/** The end tag at hand, directly inside the loop. */
export const endTag = (callees: Callees) =>
  ifThen(
    and(get(known), integer(END_TAG)),
    ifElse(
      isAtLeast(get(kind), integer(IS_CELL)),
      endPart(callees, 2),
      [
        leaveIf(or(isZero(inContent), isAboveGhost), 2),
        ifElse(isEqual(key, get(tag)), endCurrent, endHeld),
      ].flat(),
    ),
    closeCurrent(callees),
    again(1),
  );
