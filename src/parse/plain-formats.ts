/** Formatting elements in `build` (plain-code.ts): their start tags, and the list of those that are active. */
import * as wasm from '../model/wasm-code.ts';
import { ONE, step } from './byte-code.ts';
import { TAG_HASH } from './close-code.ts';
import { FORMATTING_COUNT, FORMATTING_LIST } from './kernel-layout.ts';
import {
  type Callees,
  entry,
  FORMATTING_ENTRY,
  formats,
  fourTimes,
  isListEmpty,
  kind,
  tag,
} from './plain-locals.ts';
import { FORMATS } from './plain-tags.ts';
import { TAG } from './tag-names.ts';

const { and, get, giveBack, ifThen, integer, isEqual, isZero, leaveIf, load, repeat, set, store } = wasm;

/** Leaves the loop, from directly inside it, when the start tag at hand would have others dropped or closed. */
export const checkFormats = ({ isSurplus }: Callees, low: wasm.Code, high: wasm.Code) =>
  ifThen(
    isEqual(get(kind), integer(FORMATS)),
    leaveIf(isEqual(get(formats), integer(FORMATTING_COUNT)), 1),
    ifThen(isZero(isListEmpty), leaveIf(wasm.call(isSurplus, get(tag), low, high, get(formats)), 2)),
  );

const append = (field: keyof typeof FORMATTING_LIST, value: wasm.Code) =>
  store(fourTimes(get(formats)), FORMATTING_LIST[field], value);
/** The element just opened joins the list; `index` is that of its entry. */
export const appendFormatting = (index: wasm.Code) =>
  ifThen(
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

/**
 * `isSurplus(tag, low, high, length)` tells whether the list, of that length, holds what is in the way of a formatting
 * element with this hash: an a before another a, or three that are equal.
 */
export function isSurplusFunction(): wasm.WasmFunction {
  const [tagOf, low, high, length, other, equal] = Array(6).keys();
  const field = (name: keyof typeof FORMATTING_LIST) => load(fourTimes(get(length)), FORMATTING_LIST[name]);
  const body = [
    repeat(
      leaveIf(isZero(get(length))),
      step(length, integer(-1)),
      set(other, field('tag')),
      // up to a marker
      leaveIf(isZero(get(other))),
      ifThen(
        isEqual(get(other), get(tagOf)),
        ifThen(isEqual(get(tagOf), integer(TAG.a)), giveBack(ONE)),
        step(equal, and(isEqual(field('contentLow'), get(low)), isEqual(field('contentHigh'), get(high)))),
        ifThen(isEqual(get(equal), integer(3)), giveBack(ONE)),
      ),
    ),
    integer(0),
  ].flat();
  return { name: 'isSurplus', parameters: 4, gives: true, integers: 2, vectors: 0, body };
}
