/**
 * The loops over the text of a page, in WebAssembly: text with its white space collapsed (`collapse`), hashes of bytes
 * (`hash`). Plain twins of them stand in scan-kernel.test.ts.
 *
 * Offsets are those of bytes in the source; the addresses of text are of the whole memory (kernel-layout.ts).
 */
import * as wasm from '../model/wasm-code.ts';
import { giveResult, isLetter, isOneOf, ONE, SPACES, step } from './byte-code.ts';
import { HASH_HIGH, HASH_LOW, SOURCE_AT, SPACE_FOLLOWS, TEXT_END } from './kernel-layout.ts';

const { add, again, and, get, ifElse, ifThen, integer, isEqual, isUnequal, isZero } = wasm;
const { leaveIf, loadByte, or, repeat, set, storeByte, subtract, xor } = wasm;

const LESS = integer(0x3c);
const SPACE = integer(0x20);

/**
 * `collapse(start, to, limit, stop)` copies text to the address `to`, white space collapsed to single spaces, zeros
 * dropped, and gives where the text ends in the source: at `limit`, where a `<` or a zero stands, or with `stop` 1
 * at the next markup. The text does not begin with white space. Its hash is that of what was copied.
 */
export function collapseFunction(hashFunctionPlace: number): wasm.WasmFunction {
  const [start, to, limit, stop, from, stops, byte, next, sixteen] = Array(9).keys();
  const append = (value: wasm.Code) => [...storeByte(get(to), 0, value), ...step(to, ONE)];
  const endsInWord = and(isUnequal(get(to), get(from)), isUnequal(loadByte(subtract(get(to), ONE)), SPACE));
  const isSpace = isOneOf(byte, SPACES);
  const skipSpace = repeat(
    set(byte, loadByte(get(start), SOURCE_AT)),
    leaveIf(isZero(isSpace)),
    step(start, ONE),
  );
  const isMarkup = [
    ...set(next, loadByte(get(start), SOURCE_AT + 1)),
    ...or(
      or(isLetter(get(next)), or(isEqual(get(next), integer(0x21)), isEqual(get(next), integer(0x3f)))),
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

/**
 * `hash(start, end)` hashes the bytes between two addresses, four at a time. The last word is always a masked one, possibly
 * empty: a branch less. Not mixed: whoever uses it does that.
 */
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
