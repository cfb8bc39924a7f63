/**
 * The text of a page for JSON, in WebAssembly: how its bytes are copied, white space collapsed or kept, references
 * decoded, quotes escaped. text-writer.ts does the same and tells the reasons; a test compares the two.
 */
import * as wasm from '../model/wasm-code.ts';
import {
  byteAt,
  DECODED_FROM,
  flushBy,
  flushTo,
  HASH_BITS,
  is,
  NOWHERE,
  ONE,
  OUT,
  PENDING,
  PLACE_BYTES,
  PLACE_SHIFT,
  PRE_DEPTH,
  PRE_END,
  PRE_START,
  part,
  REFERENCE_BYTES_AT,
  REFERENCE_FROM,
  REFERENCE_SIZE,
  REFERENCES_AT,
  REFERENCES_END,
  SOURCE_AT,
  SPACE,
  setState,
  state,
  step,
  use,
  WORD,
  WRITTEN_AT,
  writeByte,
} from './text-memory.ts';

const { add, again, and, get, giveBack, ifElse, ifThen, integer, isAtLeast, isBelow, isEqual } = wasm;
const { isUnequal, isZero, leaveIf, load, loadByte, or, repeat, set, shiftLeft, subtract } = wasm;

/** In the order of their places. */
export function copyFunctions(): wasm.WasmFunction[] {
  return [spaceFunction(), collapseFunction(), keepFunction(), textFunction()];
}

/** `space(byte)` writes white space. */
function spaceFunction(): wasm.WasmFunction {
  const [byte] = Array(1).keys();
  const letter = subtract(integer(0x74 /* t */), wasm.multiply(is(byte, 0x0a), integer(0x74 - 0x6e /* n */)));
  const escaped = [...writeByte(integer(0x5c)), ...writeByte(letter)];
  const body = ifElse(is(byte, 0x20), writeByte(get(byte)), escaped);
  return { name: 'space', parameters: 1, integers: 0, vectors: 0, body };
}

/** `collapse(from, to, stop)` copies text up to the byte `stop`, white space collapsed, and gives where that is. */
function collapseFunction(): wasm.WasmFunction {
  const [from, to, stop, byte, out, count, sixteen] = Array(7).keys();
  const written = loadByte(get(byte), WRITTEN_AT);
  const next = loadByte(get(from), 1);

  // what is not simply copied: white space but for single spaces, controls, what is escaped or may be a reference
  const spaces = wasm.sixteenfold(0x20);
  const equals = (value: number) => wasm.areEqual(get(sixteen), wasm.sixteenfold(value));
  const stops = [
    wasm.areBelow(get(sixteen), spaces),
    wasm.andVector(equals(0x20), wasm.areEqual(wasm.loadVector(subtract(get(from), ONE)), spaces)),
    ...[0x22, 0x26, 0x5c, 0x7f, 0xc2].map(equals),
  ].reduce(wasm.orVector);
  const bytesLeft = subtract(get(to), get(from));
  const copyWords = [
    flushTo(out),
    repeat(
      set(sixteen, wasm.loadVector(get(from))),
      set(count, wasm.trailingZeros(or(wasm.signBits(stops), integer(0x10000)))),
      ifThen(isBelow(bytesLeft, get(count)), set(count, bytesLeft)),
      wasm.storeVector(get(out), 0, get(sixteen)),
      step(from, get(count)),
      step(out, get(count)),
      leaveIf(isBelow(get(count), integer(16))),
    ),
    // the last space waits for the next word
    set(byte, isEqual(loadByte(subtract(get(out), ONE)), integer(0x20))),
    setState(OUT, subtract(get(out), get(byte))),
    ifThen(get(byte), setState(PENDING, integer(SPACE))),
  ].flat();

  const body = [
    repeat(
      leaveIf(isAtLeast(get(from), get(to))),
      set(byte, loadByte(get(from))),
      ifThen(isBelow(integer(0x20), written), copyWords, again(1)),
      ifThen(isEqual(get(byte), get(stop)), giveBack(get(from))),
      ifThen(
        is(byte, 0x22, 0x5c),
        flushBy(out),
        writeByte(integer(0x5c)),
        writeByte(get(byte)),
        step(from, ONE),
        again(1),
      ),
      ifThen(
        or(is(byte, 0x26), and(is(byte, 0xc2), isBelow(integer(0xa0), next))),
        flushBy(out),
        writeByte(get(byte)),
        step(from, ONE),
        again(1),
      ),
      ifThen(
        is(byte, 0xc2),
        set(byte, next),
        ifThen(is(byte, 0xa0, 0x85), part(integer(SPACE))),
        step(from, integer(2)),
        again(1),
      ),
      ifThen(isEqual(written, integer(0x20)), part(integer(SPACE))),
      step(from, ONE),
    ),
    get(to),
  ].flat();
  return { name: 'collapse', parameters: 3, gives: true, integers: 3, vectors: 1, body };
}

/** `keep(from, to, stop)` does so where white space counts. */
function keepFunction(): wasm.WasmFunction {
  const [from, to, stop, byte, out] = Array(5).keys();
  const body = [
    repeat(
      leaveIf(isAtLeast(get(from), get(to))),
      set(byte, loadByte(get(from))),
      ifThen(isEqual(get(byte), get(stop)), giveBack(get(from))),
      ifThen(is(byte, 0x0a, 0x20, 0x09), flushBy(out), use('space', get(byte)), step(from, ONE), again(1)),
      ifThen(
        and(is(byte, 0xc2), isBelow(loadByte(get(from), 1), integer(0xa0))),
        step(from, integer(2)),
        again(1),
      ),
      ifThen(
        and(isBelow(integer(0x20), get(byte)), isUnequal(get(byte), integer(0x7f))),
        flushBy(out),
        ifThen(is(byte, 0x22, 0x5c), writeByte(integer(0x5c))),
        writeByte(get(byte)),
        setState(PRE_END, state(OUT)),
      ),
      step(from, ONE),
    ),
    get(to),
  ].flat();
  return { name: 'keep', parameters: 3, gives: true, integers: 2, vectors: 0, body };
}

/** Sets a local to what one of the two gives. */
function copyTo(local: number, ...operands: wasm.Code[]): wasm.Code {
  return ifElse(
    state(PRE_DEPTH),
    set(local, use('keep', ...operands)),
    set(local, use('collapse', ...operands)),
  );
}

/** Moves a local, an offset where a text begins, behind the line feed right after `<pre>`, which is markup. */
export function passFirstLineFeed(start: number): wasm.Code {
  const isReturn = isEqual(byteAt(get(start)), integer(0x0d));
  const isFeed = isEqual(byteAt(get(start)), integer(0x0a));
  const isFeedNext = isEqual(byteAt(add(get(start), ONE)), integer(0x0a));
  return ifThen(
    and(isUnequal(state(PRE_DEPTH), integer(0)), isEqual(get(start), state(PRE_START))),
    ifThen(and(isReturn, isFeedNext), step(start, ONE)),
    ifThen(isFeed, step(start, ONE)),
  );
}

/** `text(start, end, stop)` writes a text that is kept, and gives 0, or the address of a reference that is not known. */
function textFunction(): wasm.WasmFunction {
  const [at, end, stop, next, byte, hash, place, size, same] = Array(9).keys();
  const findEnd = [
    set(next, add(get(at), ONE)),
    set(hash, integer(0)),
    repeat(
      set(byte, integer(0)),
      leaveIf(isAtLeast(get(next), get(end))),
      set(byte, loadByte(get(next))),
      leaveIf(isZero(loadByte(get(byte), REFERENCE_BYTES_AT))),
      set(hash, add(wasm.multiply(get(hash), integer(31)), get(byte))),
      step(next, ONE),
    ),
    ifThen(is(byte, 0x3b), step(next, ONE)),
    set(size, subtract(get(next), get(at))),
  ].flat();

  const isByteSame = isEqual(
    loadByte(add(get(at), get(same))),
    loadByte(add(get(place), get(same)), REFERENCE_FROM),
  );
  const findPlace = [
    set(place, placeOfHash(get(hash))),
    repeat(
      ifThen(isZero(load(get(place))), setState(REFERENCE_SIZE, get(size)), giveBack(get(at))),
      ifThen(
        isEqual(load(get(place)), get(size)),
        set(same, integer(0)),
        repeat(leaveIf(isEqual(get(same), get(size))), leaveIf(isZero(isByteSame)), step(same, ONE)),
        leaveIf(isEqual(get(same), get(size)), 1),
      ),
      step(place, integer(PLACE_BYTES)),
      ifThen(isEqual(get(place), integer(REFERENCES_END)), set(place, integer(REFERENCES_AT))),
    ),
  ].flat();
  const decoded = add(get(place), integer(DECODED_FROM));
  const body = [
    step(end, integer(SOURCE_AT)),
    passFirstLineFeed(at),
    step(at, integer(SOURCE_AT)),
    copyTo(at, get(at), get(end), get(stop)),
    repeat(
      leaveIf(isAtLeast(get(at), get(end))),
      findEnd,
      findPlace,
      copyTo(at, decoded, add(decoded, load(get(place), WORD)), NOWHERE),
      copyTo(at, get(next), get(end), get(stop)),
    ),
    integer(0),
  ].flat();
  return { name: 'text', parameters: 3, gives: true, integers: 6, vectors: 0, body };
}

const HASH_FACTOR = 0x9e3779b1;
const HASH_SHIFT = 32 - HASH_BITS;

/** The address at which a search for a reference begins. */
function placeOfHash(hash: wasm.Code): wasm.Code {
  const place = wasm.shiftRight(wasm.multiply(hash, integer(HASH_FACTOR)), integer(HASH_SHIFT));
  return add(shiftLeft(place, integer(PLACE_SHIFT)), integer(REFERENCES_AT));
}

/** The number of that place; the same hash, of the bytes after `&` and before `;`. */
export function referencePlace(reference: Uint8Array): number {
  let hash = 0;
  for (const byte of reference.subarray(1)) {
    if (byte !== 0x3b) hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return Math.imul(hash, HASH_FACTOR) >>> HASH_SHIFT;
}
