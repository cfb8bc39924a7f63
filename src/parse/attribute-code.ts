/**
 * The attributes of one tag, in WebAssembly: summed up whatever their order, values hashed where they stand, and the
 * place of the href kept. HTML standard, sections 13.2.5.32 to 13.2.5.40.
 */
import * as wasm from '../model/wasm-code.ts';
import {
  addressOf,
  byteAt,
  endsAt,
  findByte,
  isOneOf,
  lowerCase,
  ONE,
  result,
  SPACES,
  step,
} from './byte-code.ts';
import { mix } from './close-code.ts';
import { NAME_BASIS, NAME_PRIME } from './hashes.ts';
import { HASH_HIGH, HASH_LOW, SOURCE_AT, TAG_START } from './kernel-layout.ts';
import { HREF_AT, KNOWN_TAG, SELF_CLOSING, SUMS_AT } from './known-tags.ts';

const { add, and, get, giveBack, ifElse, ifThen, integer, isAtLeast, isEqual, isZero, leaveIf } = wasm;
const { load, multiply, or, repeat, set, shiftRight, store, subtract, xor } = wasm;

const EQUALS = integer(0x3d);
const GREATER = integer(0x3e);
const SLASH = integer(0x2f);
/** `href`, as four lower-case bytes read little-endian. */
const HREF = integer(0x66657268);

/**
 * `attributes(start, size, place)` writes what the attributes from `start` on come to into a place of known-tags.ts, the
 * href from the start of the tag that `next` has found. It gives where the tag ends; -1 when the source ends in it.
 */
export function attributesFunction({ hash: hashPlace }: { hash: number }): wasm.WasmFunction {
  const [start, size, place, p, byte, nameStart, hash, nameLow, nameHigh, low, high, ...rest] =
    Array(18).keys();
  const [sumLow, sumHigh, namesLow, namesHigh, href, hrefEnd, valueStart] = rest;

  const goTo = (offset: wasm.Code) => [...set(p, offset), ...set(byte, byteAt(get(p)))];
  const goOn = goTo(add(get(p), ONE));
  const skip = (characters: string) => repeat(leaveIf(isZero(isOneOf(byte, characters))), goOn);

  // an equals sign may be the first byte of a name
  const hashByte = set(hash, multiply(xor(get(hash), lowerCase(byte)), integer(NAME_PRIME)));
  const scanName = [
    set(nameStart, get(p)),
    set(hash, integer(NAME_BASIS)),
    repeat(hashByte, goOn, leaveIf(endsAt(byte, p, `=>/${SPACES}`, size))),
    // the lanes of a name, as in hashes.ts
    set(nameLow, multiply(xor(get(hash), shiftRight(get(hash), integer(15))), integer(0x2c1b3c6d))),
    set(nameLow, xor(get(nameLow), shiftRight(get(nameLow), integer(13)))),
    set(nameHigh, xor(add(get(hash), subtract(get(p), get(nameStart))), shiftRight(get(hash), integer(14)))),
    set(nameHigh, multiply(get(nameHigh), integer(0x297a2d39))),
    set(nameHigh, xor(get(nameHigh), shiftRight(get(nameHigh), integer(15)))),
    step(namesLow, get(nameLow)),
    step(namesHigh, get(nameHigh)),
  ].flat();

  const isHref = and(
    and(isEqual(get(href), integer(-1)), isEqual(subtract(get(hash), get(nameStart)), integer(4))),
    isEqual(or(load(get(nameStart), SOURCE_AT), integer(0x20202020)), HREF),
  );
  const isQuote = or(isEqual(get(byte), integer(0x22)), isEqual(get(byte), integer(0x27)));
  // from the equals sign on; `hash` is free by now and says where the name ended
  const scanValue = [
    goOn,
    skip(SPACES),
    set(valueStart, get(p)),
    ifElse(
      isQuote,
      [
        step(valueStart, ONE),
        set(p, get(valueStart)),
        findByte(p, get(byte), { size, found: low }),
        ifThen(isAtLeast(get(p), get(size)), giveBack(integer(-1))),
      ].flat(),
      repeat(leaveIf(endsAt(byte, p, `>${SPACES}`, size)), goOn),
    ),
    wasm.call(hashPlace, addressOf(get(valueStart)), addressOf(get(p))),
    set(low, result(HASH_LOW)),
    set(high, result(HASH_HIGH)),
    ifThen(isHref, set(href, get(valueStart)), set(hrefEnd, get(p))),
    // past the quote
    step(p, isQuote),
  ].flat();

  const addAttribute = [
    set(low, xor(get(low), get(nameLow))),
    step(high, get(nameHigh)),
    mix(low, high),
    step(sumLow, get(low)),
    step(sumHigh, get(high)),
  ].flat();

  const isSelfClosing = and(isEqual(byteAt(get(p), -1), SLASH), wasm.isBelow(get(start), get(p)));
  const fromTag = (offset: number) => subtract(get(offset), result(TAG_START));
  const giveSums = [
    store(get(place), KNOWN_TAG, multiply(isSelfClosing, integer(SELF_CLOSING))),
    [sumLow, sumHigh, namesLow, namesHigh].flatMap((sum, lane) =>
      store(get(place), SUMS_AT + 4 * lane, get(sum)),
    ),
    ifThen(wasm.isUnequal(get(href), integer(-1)), set(href, fromTag(href)), set(hrefEnd, fromTag(hrefEnd))),
    store(get(place), HREF_AT, get(href)),
    store(get(place), HREF_AT + 4, get(hrefEnd)),
    add(get(p), ONE),
  ].flat();

  const body = [
    set(href, integer(-1)),
    set(p, get(start)),
    repeat(
      goTo(get(p)),
      skip(`/${SPACES}`),
      leaveIf(isEqual(get(byte), GREATER)),
      ifThen(isAtLeast(get(p), get(size)), giveBack(integer(-1))),
      scanName,
      set(hash, get(p)),
      set(low, integer(0)),
      set(high, integer(0)),
      skip(SPACES),
      // without a value the next name begins where this one ended
      ifElse(isEqual(get(byte), EQUALS), scanValue, set(p, get(hash))),
      addAttribute,
    ),
    giveSums,
  ].flat();
  return { name: 'attributes', parameters: 3, gives: true, integers: 15, vectors: 0, body };
}
