/**
 * The loops over every byte of a page, in WebAssembly: which tag comes next (`next`), text with its white space
 * collapsed (`collapse`), hashes of bytes (`hash`). They look at 8 or 16 bytes at a time. Plain twins of them
 * stand in scan-kernel.test.ts.
 *
 * Offsets are those of bytes in the source; the addresses of text are of the whole memory (kernel-layout.ts).
 */
import * as wasm from '../model/wasm-code.ts';
import {
  HASH_HIGH,
  HASH_LOW,
  PLACE_BITS,
  PLACES_AT,
  SOURCE_AT,
  SPACE_FOLLOWS,
  TAG_END,
  TAG_PLACE,
  TAG_START,
  TEXT_END,
} from './kernel-layout.ts';

const { add, again, and, get, giveBack, ifElse, ifThen, integer, isEqual, isUnequal, isZero } = wasm;
const { leaveIf, loadByte, long, or, repeat, set, store, storeByte, subtract, xor } = wasm;

/** Of a place, before the bytes of the tag. */
const KNOWN_BYTES = 32;
/** Longer tags are not looked for; after the bytes of a tag there are eight more, zeros. */
const MAX_TAG_BYTES = 208;

const LESS = integer(0x3c);
const SPACE = integer(0x20);
const ONE = integer(1);
const RESULTS = integer(0);

const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const giveResult = (result: number, value: wasm.Code) => store(RESULTS, 4 * result, value);

/**
 * `next(start, size)` goes over white space and looks for the tag there. It gives the place of the tag when it
 * was met before, 0 when it was not or something else starts with a `<` there, -1 when nothing does.
 */
export function nextFunction(): wasm.WasmFunction {
  const [start, size, at, place, known, first, word, found, hash, sixteen] = Array(10).keys();

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
      set(sixteen, wasm.loadVector(get(start), SOURCE_AT)),
      set(at, xor(wasm.signBits(isSpace), integer(0xffff))),
      leaveIf(get(at)),
      step(start, integer(16)),
    ),
    step(start, wasm.trailingZeros(get(at))),
    giveResult(TAG_START, get(start)),
    ifThen(isUnequal(loadByte(get(start), SOURCE_AT), LESS), giveBack(integer(-1))),
    // a comment is no tag
    ifThen(isEqual(loadByte(get(start), SOURCE_AT + 1), integer(0x21)), giveBack(integer(0))),
  ].flat();

  // a word xored with `>` has a zero byte where it held one; the lowest such byte is marked rightly
  const markZeros = wasm.andLong(
    wasm.andLong(
      wasm.subtractLong(get(found), long(0x0101010101010101n)),
      wasm.xorLong(get(found), long(-1n)),
    ),
    long(0x8080808080808080n),
  );
  const mixWord = set(hash, wasm.multiplyLong(wasm.xorLong(get(hash), get(word)), long(0x9e3779b97f4a7c15n)));
  const hashTag = [
    set(first, add(get(start), ONE)),
    set(at, get(first)),
    repeat(
      set(word, wasm.loadLong(get(at), SOURCE_AT)),
      set(found, wasm.xorLong(get(word), long(0x3e3e3e3e3e3e3e3en))),
      set(found, markZeros),
      leaveIf(isZero(wasm.isZeroLong(get(found)))),
      mixWord,
      set(hash, wasm.xorLong(get(hash), wasm.shiftRightLong(get(hash), long(32n)))),
      step(at, integer(8)),
      ifThen(
        wasm.isAtLeast(subtract(get(at), get(first)), integer(MAX_TAG_BYTES)),
        giveResult(TAG_END, integer(-1)),
        giveBack(integer(0)),
      ),
    ),
    // the last word, without the `>` and what follows
    set(found, wasm.andLong(get(found), wasm.subtractLong(long(0n), get(found)))),
    set(
      word,
      wasm.andLong(get(word), wasm.subtractLong(wasm.shiftRightLong(get(found), long(7n)), long(1n))),
    ),
    mixWord,
  ].flat();

  // compared with the one in its place: sizes, then bytes
  const end = add(get(at), wasm.shiftRight(wasm.lowHalf(wasm.trailingZerosLong(get(found))), integer(3)));
  const findPlace = [
    set(
      place,
      add(
        wasm.shiftLeft(wasm.lowHalf(wasm.shiftRightLong(get(hash), long(52n))), integer(PLACE_BITS)),
        integer(PLACES_AT),
      ),
    ),
    set(known, end),
    giveResult(TAG_PLACE, get(place)),
    giveResult(TAG_END, get(known)),
    ifThen(
      or(
        isUnequal(wasm.load(get(place)), subtract(get(known), get(start))),
        wasm.isAtLeast(get(known), get(size)),
      ),
      giveBack(integer(0)),
    ),
    set(known, get(place)),
    repeat(
      leaveIf(wasm.isAtLeast(get(first), get(at))),
      ifThen(
        wasm.isUnequalLong(wasm.loadLong(get(first), SOURCE_AT), wasm.loadLong(get(known), KNOWN_BYTES)),
        giveBack(integer(0)),
      ),
      step(first, integer(8)),
      step(known, integer(8)),
    ),
    ifThen(wasm.isUnequalLong(get(word), wasm.loadLong(get(known), KNOWN_BYTES)), giveBack(integer(0))),
    get(place),
  ].flat();
  return {
    name: 'next',
    parameters: 2,
    gives: true,
    integers: 4,
    longs: 3,
    vectors: 1,
    body: [...skipSpace, ...hashTag, ...findPlace],
  };
}

/**
 * `collapse(start, to, limit, stop)` copies text to the address `to`, white space collapsed to single spaces, zeros
 * dropped, and gives where the text ends in the source: at `limit`, where a `<` or a zero stands, or with `stop` 1
 * at the next markup. The text does not begin with white space. Its hash is that of what was copied.
 */
export function collapseFunction(hashFunctionPlace: number): wasm.WasmFunction {
  const [start, to, limit, stop, from, stops, byte, next, sixteen] = Array(9).keys();
  const append = (value: wasm.Code) => [...storeByte(get(to), 0, value), ...step(to, ONE)];
  const endsInWord = and(isUnequal(get(to), get(from)), isUnequal(loadByte(subtract(get(to), ONE)), SPACE));
  // its bit in a set of five: tab, newline, form feed, return, space
  const isSpace = and(
    wasm.isBelow(get(byte), integer(0x21)),
    wasm.lowHalf(wasm.andLong(wasm.shiftRightLong(long(0x100003600n), wasm.asLong(get(byte))), long(1n))),
  );
  const skipSpace = repeat(
    set(byte, loadByte(get(start), SOURCE_AT)),
    leaveIf(isZero(isSpace)),
    step(start, ONE),
  );
  const isMarkup = [
    ...set(next, loadByte(get(start), SOURCE_AT + 1)),
    ...or(
      or(
        wasm.isBelow(subtract(or(get(next), integer(0x20)), integer(0x61)), integer(26)),
        or(isEqual(get(next), integer(0x21)), isEqual(get(next), integer(0x3f))),
      ),
      and(isEqual(get(next), integer(0x2f)), wasm.isBelow(add(get(start), integer(2)), get(limit))),
    ),
  ];

  // bytes that are not simply copied: `<`, control characters, a space after a space
  const spaces = wasm.sixteenfold(0x20);
  const toStopAt = wasm.orVector(
    wasm.orVector(wasm.areEqual(get(sixteen), wasm.sixteenfold(0x3c)), wasm.areBelow(get(sixteen), spaces)),
    wasm.andVector(
      wasm.areEqual(get(sixteen), spaces),
      wasm.areEqual(wasm.loadVector(get(start), SOURCE_AT - 1), spaces),
    ),
  );
  const copySixteen = [
    set(sixteen, wasm.loadVector(get(start), SOURCE_AT)),
    set(stops, wasm.signBits(toStopAt)),
    wasm.storeVector(get(to), 0, get(sixteen)),
    ifThen(isZero(get(stops)), step(start, integer(16)), step(to, integer(16)), again(1)),
    set(stops, wasm.trailingZeros(get(stops))),
    step(start, get(stops)),
    step(to, get(stops)),
  ].flat();

  const copyText = repeat(
    copySixteen,
    set(byte, loadByte(get(start), SOURCE_AT)),
    ifThen(
      isEqual(get(byte), LESS),
      leaveIf(or(wasm.isAtLeast(get(start), get(limit)), and(get(stop), isMarkup)), 1),
      append(LESS),
      step(start, ONE),
      again(1),
    ),
    ifThen(isSpace, ifThen(endsInWord, append(SPACE)), skipSpace, again(1)),
    leaveIf(wasm.isAtLeast(get(start), get(limit))),
    step(start, ONE),
    // white space before and after a zero is one
    ifElse(get(byte), append(get(byte)), ifThen(isZero(endsInWord), skipSpace)),
  );
  const body = [
    set(from, get(to)),
    copyText,
    set(byte, and(isUnequal(get(to), get(from)), isZero(endsInWord))),
    set(to, subtract(get(to), get(byte))),
    giveResult(TEXT_END, get(to)),
    giveResult(SPACE_FOLLOWS, get(byte)),
    wasm.call(hashFunctionPlace, get(from), get(to)),
    get(start),
  ].flat();
  return { name: 'collapse', parameters: 4, gives: true, integers: 4, vectors: 1, body };
}

/** `hash(start, end)` is `hashBytes` of hashes.ts, over addresses. */
export function hashFunction(): wasm.WasmFunction {
  const [start, end, low, high, word, size] = Array(6).keys();
  const mixWord = [
    ...set(low, wasm.multiply(xor(get(low), get(word)), integer(0x85ebca6b))),
    ...set(low, wasm.rotateLeft(get(low), integer(13))),
    ...set(high, wasm.multiply(add(get(high), get(word)), integer(0xc2b2ae35))),
    ...set(high, wasm.rotateLeft(get(high), integer(17))),
  ];
  const bitsLeft = wasm.shiftLeft(subtract(get(end), get(start)), integer(3));
  const body = [
    set(low, integer(0x2545f491)),
    set(high, integer(0x51ed270b)),
    set(size, subtract(get(end), get(start))),
    repeat(
      leaveIf(wasm.isBelow(get(end), add(get(start), integer(4)))),
      set(word, wasm.load(get(start))),
      mixWord,
      step(start, integer(4)),
    ),
    set(word, and(wasm.load(get(start)), subtract(wasm.shiftLeft(ONE, bitsLeft), ONE))),
    mixWord,
    giveResult(HASH_LOW, get(low)),
    giveResult(HASH_HIGH, xor(get(high), get(size))),
  ].flat();
  return { name: 'hash', parameters: 2, integers: 4, vectors: 0, body };
}
