/**
 * The two loops of deflater.ts, in WebAssembly: what has stood before (`find`), and the bits for it (`encode`).
 *
 * Where six bytes stood last is kept by a hash of them, one place to each hash; the match that is found there is
 * taken. Two bytes are looked at together. What was found is kept as tokens, and counted, until its codes are known:
 *
 *   bits 0 to 9     a literal, or 256 and the length of a match
 *   bits 10 to 18   a second literal, or 256 and the symbol of the distance, or nothing, which has no bits
 *   bits 19 to 31   how much farther it is than the nearest of that symbol
 *
 * so that all tokens are written in the same way. Time goes to branches that go another way than the processor
 * guesses, of which few here depend on the text, and to places that are not in its nearest cache, so there are only as
 * many as fit there.
 *
 * Memory, in this order:
 *   results   integers, see below
 *   counts    of literals and lengths, then of symbols of distances, integers
 *   codes     of what comes first in a token, then of what comes second: the bits of the code; for a length, those
 *             beyond its symbol too; for a distance, how many bits the code has; last, how many there are with those
 *             beyond
 *   tokens    of a block, integers
 *   places    by hash, the low 16 bits of an offset in the input: a place that holds none means one of its offsets
 *             too, and is compared like any other
 *   input
 *   output
 */
import * as wasm from '../../model/wasm-code.ts';

const { add, and, asLong, get, ifElse, ifThen, integer, isBelow, isEqual, leaveIf, load, lowHalf } = wasm;
const { or, repeat, set, shiftLeft, shiftRight, store, subtract } = wasm;

/** Results, by integer: of `find` the end of the tokens, of `encode` how many bits the last byte has. */
export const TOKENS_END = 0;
export const BITS_LEFT = 1;
export const RESULTS = 2;
const RESULT_BYTES = 64;

/** Where lengths come among literals; how many there are with the lengths up to the longest. */
export const LENGTHS_FROM = 256;
export const LONGEST_MATCH = 258;
export const LITERALS = LENGTHS_FROM + LONGEST_MATCH + 1;
/** What comes second in a token: a literal, the symbol of a distance, or nothing. */
export const DISTANCES_FROM = 256;
export const DISTANCES = 30;
const NO_SECOND = DISTANCES_FROM + DISTANCES;
export const SECONDS = NO_SECOND + 1;
const FARTHEST = 32_768;
const SHORTEST_MATCH = 4;
/** Bytes that are found again together; they are not looked for where fewer are left. */
const HASHED_BYTES = 6;
const LEAST_LEFT = 8;
const HASH_FACTOR = wasm.long(0x9e3779b185ebca87n);
/** Places of a match that are kept, from its first byte and from the one after it. */
const KEPT_FIRST = [1, 2, 3];
const KEPT_LAST = [-3, -2, -1];

/** Places of numbers in a token and in a code. */
const SECOND_SHIFT = 10;
const BEYOND_SHIFT = 19;
export const CODE_BITS_SHIFT = 16;
export const ALL_BITS_SHIFT = 24;

/** Tokens of a block. */
export const BLOCK_TOKENS = 1 << 15;
const HASH_BITS = 14;
export const PLACES = 1 << HASH_BITS;

const WORD = 4;
const PAIR = 2;
export const COUNTS_AT = RESULT_BYTES;
export const CODES_AT = COUNTS_AT + WORD * (LITERALS + DISTANCES);
export const TOKENS_AT = CODES_AT + WORD * (LITERALS + SECONDS);
export const PLACES_AT = TOKENS_AT + WORD * BLOCK_TOKENS;
export const INPUT_AT = PLACES_AT + PAIR * PLACES;

const ONE = integer(1);
/** Shifts a number of words to bytes. */
const WORD_SHIFT = integer(2);
const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const lowBits = (value: wasm.Code, bits: number) => and(value, integer((1 << bits) - 1));
const giveResult = (result: number, value: wasm.Code) => store(integer(0), WORD * result, value);

/** `find(start, end)` makes tokens of the input, as many as a block has at most, and gives where it stopped. */
export function findFunction(): wasm.WasmFunction {
  const [
    at,
    end,
    lastStart,
    token,
    word,
    place,
    before,
    nextBefore,
    distance,
    length,
    bits,
    symbol,
    skipped,
    same,
  ] = Array(14).keys();
  const placeOf = (address: wasm.Code) => {
    const hashed = wasm.shiftLeftLong(wasm.loadLong(address), wasm.long(BigInt(64 - 8 * HASHED_BYTES)));
    const hash = wasm.shiftRightLong(
      wasm.multiplyLong(hashed, HASH_FACTOR),
      wasm.long(BigInt(64 - HASH_BITS)),
    );
    return shiftLeft(lowHalf(hash), ONE);
  };
  const offsetOf = (address: wasm.Code) => subtract(address, integer(INPUT_AT));
  const keepPlace = (from: number) => {
    const address = add(get(at), integer(from));
    return wasm.storePair(placeOf(address), PLACES_AT, offsetOf(address));
  };
  /** Sets a local to where the bytes of an address stood before, and keeps the address in that place. */
  const findBefore = (local: number, address: wasm.Code) =>
    [
      set(place, placeOf(address)),
      set(local, wasm.loadPair(get(place), PLACES_AT)),
      set(local, subtract(address, and(subtract(offsetOf(address), get(local)), integer(0xffff)))),
      wasm.storePair(get(place), PLACES_AT, offsetOf(address)),
    ].flat();
  const isMatch = (local: number, address: wasm.Code) =>
    and(
      isBelow(subtract(subtract(address, get(local)), ONE), integer(FARTHEST)),
      isEqual(load(get(local)), load(address)),
    );
  const count = (countsAt: number, index: wasm.Code, by: wasm.Code) => [
    ...set(place, shiftLeft(index, WORD_SHIFT)),
    ...store(get(place), countsAt, add(load(get(place), countsAt), by)),
  ];
  const keepToken = (value: wasm.Code) => store(get(token), 0, value);
  const nextToken = step(token, integer(WORD));
  const second = (value: wasm.Code) => shiftLeft(value, integer(SECOND_SHIFT));
  const noSecond = integer(NO_SECOND << SECOND_SHIFT);

  const addLiteral = [
    set(word, wasm.loadByte(get(at))),
    count(COUNTS_AT, get(word), ONE),
    keepToken(or(get(word), noSecond)),
    nextToken,
    step(at, ONE),
  ].flat();
  const addTwoLiterals = [
    set(word, wasm.loadByte(get(at))),
    set(symbol, wasm.loadByte(get(at), 1)),
    count(COUNTS_AT, get(word), ONE),
    count(COUNTS_AT, get(symbol), ONE),
    keepToken(or(get(word), second(get(symbol)))),
    nextToken,
    step(at, integer(2)),
  ].flat();

  // sixteen bytes at a time; what is read after the input is cut off
  const measure = [
    set(length, integer(SHORTEST_MATCH)),
    repeat(
      set(
        same,
        wasm.signBits(
          wasm.areEqual(
            wasm.loadVector(add(get(at), get(length))),
            wasm.loadVector(add(get(before), get(length))),
          ),
        ),
      ),
      ifThen(
        isEqual(get(same), integer(0xffff)),
        step(length, integer(16)),
        leaveIf(isBelow(integer(LONGEST_MATCH), get(length)), 1),
        wasm.again(1),
      ),
      step(length, wasm.trailingZeros(wasm.xor(get(same), integer(0xffff)))),
      wasm.leave(),
    ),
    ifThen(isBelow(integer(LONGEST_MATCH), get(length)), set(length, integer(LONGEST_MATCH))),
    ifThen(isBelow(subtract(get(end), get(at)), get(length)), set(length, subtract(get(end), get(at)))),
  ].flat();

  // where only the second of two places has a match, the byte before it is a literal: written in any case, then kept
  // or not, so that nothing has to be guessed
  const passFirst = [
    set(word, wasm.loadByte(get(at))),
    count(COUNTS_AT, get(word), get(skipped)),
    keepToken(or(get(word), noSecond)),
    step(token, shiftLeft(get(skipped), WORD_SHIFT)),
    step(at, get(skipped)),
    set(before, wasm.choose(get(skipped), get(nextBefore), get(before))),
  ].flat();

  // two symbols have as many bits beyond: the highest bit of a distance says which two, the next which of them
  const addMatch = [
    passFirst,
    measure,
    set(distance, subtract(subtract(get(at), get(before)), ONE)),
    set(bits, subtract(integer(30), wasm.leadingZeros(or(get(distance), integer(2))))),
    set(symbol, add(shiftLeft(get(bits), ONE), shiftRight(get(distance), get(bits)))),
    count(COUNTS_AT + WORD * LENGTHS_FROM, get(length), ONE),
    count(COUNTS_AT + WORD * LITERALS, get(symbol), ONE),
    keepToken(
      or(
        or(add(get(length), integer(LENGTHS_FROM)), second(add(get(symbol), integer(DISTANCES_FROM)))),
        shiftLeft(and(get(distance), subtract(shiftLeft(ONE, get(bits)), ONE)), integer(BEYOND_SHIFT)),
      ),
    ),
    nextToken,
    // its first and last bytes are found again, those between in a long one are not: no loop, one guess less
    KEPT_FIRST.flatMap(keepPlace),
    step(at, get(length)),
    KEPT_LAST.flatMap(keepPlace),
  ].flat();

  // a pass makes up to two
  const isBlockFull = isBelow(integer(TOKENS_AT + WORD * (BLOCK_TOKENS - 2)), get(token));
  const next = add(get(at), ONE);
  const body = [
    set(token, integer(TOKENS_AT)),
    set(lastStart, subtract(get(end), integer(LEAST_LEFT))),
    repeat(
      leaveIf(isBelow(get(lastStart), get(at))),
      leaveIf(isBlockFull),
      findBefore(before, get(at)),
      findBefore(nextBefore, next),
      set(skipped, wasm.isZero(isMatch(before, get(at)))),
      ifElse(or(wasm.isZero(get(skipped)), isMatch(nextBefore, next)), addMatch, addTwoLiterals),
    ),
    // the last bytes, too few to match
    repeat(leaveIf(isEqual(get(at), get(end))), leaveIf(isBlockFull), addLiteral),
    giveResult(TOKENS_END, get(token)),
    get(at),
  ].flat();
  return { name: 'find', parameters: 2, gives: true, integers: 12, vectors: 0, body };
}

/**
 * `encode(token, end, to, count)` writes tokens, the first behind `count` bits of the byte at the address `to`, and gives
 * the address of the last byte, which is not full.
 */
export function encodeFunction(): wasm.WasmFunction {
  const [token, end, to, count, kept, literal, distance, bits] = Array(8).keys();
  const put = (value: wasm.Code) =>
    set(bits, wasm.orLong(get(bits), wasm.shiftLeftLong(asLong(value), asLong(get(count)))));
  const codeAt = (index: wasm.Code, codesAt: number) => load(shiftLeft(index, WORD_SHIFT), codesAt);
  const beyond = shiftRight(get(kept), integer(BEYOND_SHIFT));
  const codeBits = lowBits(shiftRight(get(distance), integer(CODE_BITS_SHIFT)), 8);
  const body = [
    set(bits, asLong(wasm.loadByte(get(to)))),
    repeat(
      leaveIf(isEqual(get(token), get(end))),
      set(kept, load(get(token))),
      set(literal, codeAt(lowBits(get(kept), 10), CODES_AT)),
      set(
        distance,
        codeAt(lowBits(shiftRight(get(kept), integer(SECOND_SHIFT)), 9), CODES_AT + WORD * LITERALS),
      ),
      put(lowBits(get(literal), ALL_BITS_SHIFT)),
      step(count, shiftRight(get(literal), integer(ALL_BITS_SHIFT))),
      put(or(lowBits(get(distance), CODE_BITS_SHIFT), shiftLeft(beyond, codeBits))),
      step(count, shiftRight(get(distance), integer(ALL_BITS_SHIFT))),
      // 55 bits at most; whole bytes are done
      wasm.storeLong(get(to), 0, get(bits)),
      step(to, shiftRight(get(count), integer(3))),
      set(bits, wasm.shiftRightLong(get(bits), asLong(and(get(count), integer(0x38))))),
      set(count, lowBits(get(count), 3)),
      step(token, integer(WORD)),
    ),
    giveResult(BITS_LEFT, get(count)),
    get(to),
  ].flat();
  return { name: 'encode', parameters: 4, gives: true, integers: 3, longs: 1, vectors: 0, body };
}
