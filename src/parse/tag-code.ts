/**
 * Tags that are met for the first time, in WebAssembly: their name is looked up among HTML's own, their attributes are
 * summed up (attribute-code.ts), and the tag is remembered (known-tags.ts). Tags of other names are left to scanner.ts,
 * which numbers those of each page.
 */
import * as wasm from '../model/wasm-code.ts';
import {
  areSame,
  byteAt,
  firstBytes,
  giveResult,
  isLetter,
  isOneOf,
  ONE,
  result,
  SPACES,
  sixteenAt,
  step,
} from './byte-code.ts';
import {
  KNOWN_BYTES,
  LOOSE_PLACE,
  NAME_SLOT_BITS,
  NAMES_AT,
  TAG_BITS,
  TAG_END,
  TAG_PLACE,
  TAGS_AT,
} from './kernel-layout.ts';
import { END_TAG, KNOWN_TAG } from './known-tags.ts';
import { NAME_FACTORS, TAG_NAME_AT } from './plain-tags.ts';

const { add, and, get, giveBack, ifElse, ifThen, integer, isEqual, isUnequal, isZero } = wasm;
const { leaveIf, load, loadByte, long, or, repeat, set, shiftLeft, store, subtract } = wasm;

/**
 * `meet(start, size)` gives the place of the tag whose `<` is at `start` and which `next` has not found; 0 when it
 * is none, when the source ends in it or its name is not HTML's own. Its end becomes a result.
 */
export function meetFunction({ attributes }: { attributes: number }): wasm.WasmFunction {
  const [start, size, isEnd, first, at, byte, tag, slot, place, name] = Array(10).keys();

  const takeName = [
    set(isEnd, isEqual(byteAt(get(start), 1), integer(0x2f))),
    set(first, add(add(get(start), ONE), get(isEnd))),
    ifThen(isZero(isLetter(byteAt(get(first)))), giveBack(integer(0))),
    set(name, sixteenAt(get(first))),
    set(at, wasm.signBits(mayEndName(name))),
    // none of HTML's own is that long
    ifThen(isZero(get(at)), giveBack(integer(0))),
    set(at, wasm.trailingZeros(get(at))),
    set(name, firstBytes(inLowerCase(name), get(at))),
    step(at, get(first)),
    set(byte, byteAt(get(at))),
    ifThen(isZero(isOneOf(byte, `>/${SPACES}`)), giveBack(integer(0))),
  ].flat();

  const [factor, otherFactor] = NAME_FACTORS;
  const slotOfName = wasm.shiftRightLong(
    wasm.addLong(
      wasm.multiplyLong(wasm.firstLong(get(name)), long(factor)),
      wasm.multiplyLong(wasm.lastLong(get(name)), long(otherFactor)),
    ),
    long(BigInt(64 - NAME_SLOT_BITS)),
  );
  const findTag = [
    set(slot, wasm.lowHalf(slotOfName)),
    repeat(
      set(tag, loadByte(get(slot), NAMES_AT)),
      ifThen(isZero(get(tag)), giveBack(integer(0))),
      leaveIf(
        areSame(get(name), wasm.loadVector(shiftLeft(get(tag), integer(TAG_BITS)), TAGS_AT + TAG_NAME_AT)),
      ),
      set(slot, and(add(get(slot), ONE), integer((1 << NAME_SLOT_BITS) - 1))),
    ),
  ].flat();

  // what stood in the place is forgotten before it is written over
  const takeAttributes = [
    set(place, integer(LOOSE_PLACE)),
    ifThen(isUnequal(result(TAG_END), integer(-1)), set(place, result(TAG_PLACE))),
    store(get(place), 0, integer(0)),
    set(at, wasm.call(attributes, get(at), get(size), get(place))),
    ifThen(isEqual(get(at), integer(-1)), giveBack(integer(0))),
    step(at, integer(-1)),
    store(
      get(place),
      KNOWN_TAG,
      or(or(load(get(place), KNOWN_TAG), get(tag)), wasm.multiply(get(isEnd), integer(END_TAG))),
    ),
  ].flat();

  // only a tag that ends at its first `>` is found again
  const copySixteen = [
    wasm.storeVector(get(slot), KNOWN_BYTES, sixteenAt(get(first))),
    step(first, integer(16)),
    step(slot, integer(16)),
  ].flat();
  const remember = ifElse(
    isEqual(get(at), result(TAG_END)),
    [
      store(get(place), 0, subtract(get(at), get(start))),
      set(first, add(get(start), ONE)),
      set(slot, get(place)),
      repeat(leaveIf(wasm.isBelow(get(at), add(get(first), integer(16)))), copySixteen),
      wasm.storeVector(
        get(slot),
        KNOWN_BYTES,
        firstBytes(sixteenAt(get(first)), subtract(get(at), get(first))),
      ),
    ].flat(),
    giveResult(TAG_END, get(at)),
  );
  return {
    name: 'meet',
    parameters: 2,
    gives: true,
    integers: 7,
    longs: 0,
    vectors: 1,
    body: [...takeName, ...findTag, ...takeAttributes, ...remember, ...get(place)],
  };
}

/** Bytes that end a name, and control characters, which do not. */
const mayEndName = (name: number) =>
  wasm.orVector(
    wasm.areBelow(get(name), wasm.sixteenfold(0x21)),
    wasm.orVector(
      wasm.areEqual(get(name), wasm.sixteenfold(0x3e)),
      wasm.areEqual(get(name), wasm.sixteenfold(0x2f)),
    ),
  );
const inLowerCase = (name: number) =>
  wasm.orVector(
    get(name),
    wasm.andVector(
      wasm.areBelow(wasm.subtractBytes(get(name), wasm.sixteenfold(0x41)), wasm.sixteenfold(26)),
      wasm.sixteenfold(0x20),
    ),
  );
