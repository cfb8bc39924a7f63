/**
 * SVG in `build` (plain-code.ts): its shapes and groups, which nest by name alone. What lets HTML in again (title, desc,
 * foreignObject), what ends a drawing, and MathML leave the loop.
 */
import * as wasm from '../model/wasm-code.ts';
import { NODES } from './kernel-layout.ts';
import { END_TAG, SELF_CLOSING } from './known-tags.ts';
import {
  type Callees,
  FLAGS,
  flags,
  isAboveGhost,
  kind,
  known,
  tag,
  tagAddress,
  top,
} from './plain-locals.ts';
import { closeCurrent } from './plain-nodes.ts';
import { IS_DRAWN, TAG_DRAWN_AT } from './plain-tags.ts';
import { FOREIGN, HTML_INTEGRATION, MATH, MATH_INTEGRATION, NOT_HTML } from './tag-names.ts';

const { again, and, get, ifThen, integer, isEqual, isUnequal, isZero, leaveIf, load, set, shiftLeft } = wasm;

/** Elements of other name spaces than HTML's that are not plain. */
export const NOT_PLAIN = MATH | HTML_INTEGRATION | MATH_INTEGRATION;

const nameOfCurrent = wasm.loadPair(shiftLeft(load(get(top)), integer(1)), NODES.name);
/** The tag at hand where the current element is one of SVG: its end tag, or the start tag of another. */
export const takeDrawn = (callees: Callees) =>
  ifThen(
    and(load(get(top), FLAGS), integer(FOREIGN)),
    ifThen(
      and(get(known), integer(END_TAG)),
      leaveIf(isUnequal(nameOfCurrent, get(tag)), 2),
      leaveIf(isAboveGhost, 2),
      closeCurrent(callees),
      again(2),
    ),
    leaveIf(isZero(load(tagAddress, TAG_DRAWN_AT)), 1),
    set(kind, integer(IS_DRAWN)),
  );

const isDrawn = isEqual(get(kind), integer(IS_DRAWN));
export const setDrawnFlags = ifThen(isDrawn, set(flags, integer(FOREIGN)));
/** No rule of HTML finds it by its name. */
export const setDrawnKey = ifThen(isDrawn, set(tag, integer(NOT_HTML)));
export const isClosedDrawn = and(isDrawn, isUnequal(and(get(known), integer(SELF_CLOSING)), integer(0)));
