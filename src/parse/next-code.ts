/**
 * What comes next in the source, in WebAssembly: text, a tag that was met before (known-tags.ts), or one that is
 * met for the first time (tag-code.ts). Sixteen bytes at a time, which is the whole of most tags.
 */
import * as wasm from '../model/wasm-code.ts';
import { areSame, byteAt, firstBytes, giveResult, ONE, sixteenAt, step } from './byte-code.ts';
import {
  KNOWN_BYTES,
  MAX_TAG_BYTES,
  PLACE_BITS,
  PLACES_AT,
  TAG_END,
  TAG_PLACE,
  TAG_START,
} from './kernel-layout.ts';

const { add, get, giveBack, ifThen, integer, isAtLeast, isEqual, isUnequal, leaveIf, long } = wasm;
const { repeat, set, subtract, xor } = wasm;

/**
 * `next(start, size)` goes over white space and gives the place of the tag there: 0 when what starts with a `<` is
 * no tag, or one of a name that is not HTML's own; -1 when nothing starts there. `meet` is at a place among the
 * functions.
 */
export function nextFunction({ meet }: { meet: number }): wasm.WasmFunction {
  const [start, size, at, place, first, end, hash, sixteen] = Array(8).keys();

  // white space, up to the first byte that is none
  const isSpace = wasm.orVector(
    wasm.areEqual(get(sixteen), wasm.sixteenfold(0x20)),
    wasm.withoutVector(
      wasm.areBelow(wasm.subtractBytes(get(sixteen), wasm.sixteenfold(0x09)), wasm.sixteenfold(5)),
      wasm.areEqual(get(sixteen), wasm.sixteenfold(0x0b)),
    ),
  );
  const skipSpace = [
    repeat(
      set(sixteen, sixteenAt(get(start))),
      set(at, xor(wasm.signBits(isSpace), integer(0xffff))),
      leaveIf(get(at)),
      step(start, integer(16)),
    ),
    step(start, wasm.trailingZeros(get(at))),
    giveResult(TAG_START, get(start)),
    ifThen(isUnequal(byteAt(get(start)), integer(0x3c)), giveBack(integer(-1))),
    // a comment is no tag
    ifThen(isEqual(byteAt(get(start), 1), integer(0x21)), giveBack(integer(0))),
  ].flat();

  const mix = (value: wasm.Code, factor: bigint) =>
    set(hash, wasm.multiplyLong(wasm.xorLong(get(hash), value), long(factor)));
  const mixSixteen = [
    mix(wasm.firstLong(get(sixteen)), 0x9e3779b97f4a7c15n),
    set(hash, wasm.xorLong(get(hash), wasm.shiftRightLong(get(hash), long(32n)))),
    mix(wasm.lastLong(get(sixteen)), 0xc2b2ae3d27d4eb4fn),
  ].flat();
  const meetTag = giveBack(wasm.call(meet, get(start), get(size)));
  const hashTag = [
    set(first, add(get(start), ONE)),
    set(at, get(first)),
    repeat(
      set(sixteen, sixteenAt(get(at))),
      set(end, wasm.signBits(wasm.areEqual(get(sixteen), wasm.sixteenfold(0x3e)))),
      leaveIf(get(end)),
      mixSixteen,
      step(at, integer(16)),
      ifThen(
        isAtLeast(subtract(get(at), get(first)), integer(MAX_TAG_BYTES)),
        giveResult(TAG_END, integer(-1)),
        meetTag,
      ),
    ),
    // the last ones, without the `>` and what follows
    set(end, wasm.trailingZeros(get(end))),
    set(sixteen, firstBytes(get(sixteen), get(end))),
    mixSixteen,
    step(end, get(at)),
  ].flat();

  // compared with the one in its place: sizes, then bytes
  const findPlace = [
    set(
      place,
      add(
        wasm.shiftLeft(wasm.lowHalf(wasm.shiftRightLong(get(hash), long(52n))), integer(PLACE_BITS)),
        integer(PLACES_AT),
      ),
    ),
    giveResult(TAG_PLACE, get(place)),
    giveResult(TAG_END, get(end)),
    ifThen(isAtLeast(get(end), get(size)), giveBack(integer(0))),
    ifThen(isUnequal(wasm.load(get(place)), subtract(get(end), get(start))), meetTag),
    set(end, get(place)),
    repeat(
      leaveIf(isAtLeast(get(first), get(at))),
      ifThen(wasm.isZero(areSame(sixteenAt(get(first)), wasm.loadVector(get(end), KNOWN_BYTES))), meetTag),
      step(first, integer(16)),
      step(end, integer(16)),
    ),
    ifThen(wasm.isZero(areSame(get(sixteen), wasm.loadVector(get(end), KNOWN_BYTES))), meetTag),
    get(place),
  ].flat();
  return {
    name: 'next',
    parameters: 2,
    gives: true,
    integers: 4,
    longs: 1,
    vectors: 1,
    body: [...skipSpace, ...hashTag, ...findPlace],
  };
}
