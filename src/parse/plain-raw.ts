/**
 * Elements whose content is not markup, in `build` (plain-code.ts): script, style, title and noframes, with content and end
 * tag. Their text is not text of the page.
 */
import * as wasm from '../model/wasm-code.ts';
import { addressOf, byteAt, isOneOf, ONE, SPACES, step } from './byte-code.ts';
import { LOOSE_PLACE } from './kernel-layout.ts';
import {
  at,
  type Callees,
  end,
  entry,
  kind,
  known,
  nodeCount,
  p,
  size,
  some,
  tag,
  tagAddress,
} from './plain-locals.ts';
import { addText } from './plain-nodes.ts';
import { IS_RAW, TAG_SIZE_AT } from './plain-tags.ts';

const { add, again, get, ifElse, ifThen, integer, isBelow, isEqual, isZero, leaveIf, load, repeat, set } =
  wasm;

/** Fills and closes such an element, whose entry is filled and whose start tag ends at `end`; directly inside the loop. */
export function takeRaw({ rawEnd, hash, attributes, close }: Callees): wasm.Code {
  const contentEnd = at;
  // white space alone makes no text; no white space stands where the content ends
  const findWords = [
    set(some, get(end)),
    repeat(set(known, byteAt(get(some))), leaveIf(isZero(isOneOf(known, SPACES))), step(some, ONE)),
  ].flat();
  const passEndTag = [
    set(end, add(get(contentEnd), add(load(tagAddress, TAG_SIZE_AT), integer(2)))),
    ifElse(
      isEqual(byteAt(get(end)), integer(0x3e)),
      step(end, ONE),
      [
        set(end, wasm.call(attributes, get(end), get(size), integer(LOOSE_PLACE))),
        // the source ends in it
        ifThen(isEqual(get(end), integer(-1)), set(end, get(size))),
      ].flat(),
    ),
  ].flat();
  return ifThen(
    isEqual(get(kind), integer(IS_RAW)),
    set(contentEnd, wasm.call(rawEnd, get(end), get(size), get(tag))),
    findWords,
    ifThen(
      isBelow(get(some), get(contentEnd)),
      wasm.call(hash, addressOf(get(end)), addressOf(get(contentEnd))),
      addText(end, contentEnd, entry),
    ),
    ifElse(isBelow(get(contentEnd), get(size)), passEndTag, set(end, get(size))),
    wasm.call(close, get(entry), get(end), get(nodeCount)),
    set(p, get(end)),
    again(1),
  );
}
