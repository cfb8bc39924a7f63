/**
 * The two loops of deflater.ts, in WebAssembly: what has stood before (`find`), and the bits for it (`encode`).
 *
 * Where four bytes stood last is kept by a hash of them, one place to each hash; the match that is found there is
 * taken. What was found is kept as tokens, and counted, until its codes are known:
 *
 *   bits 0 to 9     a literal, or 256 and the length of a match
 *   bits 10 to 15   the symbol of its distance; that of a literal has no bits
 *   bits 16 to 28   how much farther it is than the nearest of that symbol
 *
 * so that all tokens are written in the same way. Time goes to branches that go another way than the processor
 * guesses: there are few here that depend on the text.
 *
 * Memory, in this order:
 *   results   integers, see below
 *   counts    of literals and lengths, then of symbols of distances, integers
 *   codes     likewise: the bits of the code; for a length, those beyond its symbol too; for a distance, how many
 *             bits the code has; last, how many there are with those beyond
 *   tokens    of a block, integers
 *   places    by hash, addresses
 *   input     farther from 0 than the longest distance, so that a place of 0 is none
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
/** The symbol of distance that literals have, after those of deflate. */
const NO_DISTANCE = 30;
export const DISTANCES = NO_DISTANCE + 1;
const FARTHEST = 32_768;
const SHORTEST_MATCH = 4;

/** Places of numbers in a token and in a code. */
const DISTANCE_SHIFT = 10;
const BEYOND_SHIFT = 16;
export const CODE_BITS_SHIFT = 16;
export const ALL_BITS_SHIFT = 24;

/** Tokens of a block. */
export const BLOCK_TOKENS = 1 << 15;
const HASH_BITS = 16;
export const PLACES = 1 << HASH_BITS;

const WORD = 4;
export const COUNTS_AT = RESULT_BYTES;
export const CODES_AT = COUNTS_AT + WORD * (LITERALS + DISTANCES);
export const TOKENS_AT = CODES_AT + WORD * (LITERALS + DISTANCES);
export const PLACES_AT = TOKENS_AT + WORD * BLOCK_TOKENS;
export const INPUT_AT = PLACES_AT + WORD * PLACES;

const ONE = integer(1);
/** Shifts a number of words to bytes. */
const WORD_SHIFT = integer(2);
const step = (local: number, by: wasm.Code) => set(local, add(get(local), by));
const lowBits = (value: wasm.Code, bits: number) => and(value, integer((1 << bits) - 1));
const giveResult = (result: number, value: wasm.Code) => store(integer(0), WORD * result, value);

/** `find(start, end)` makes tokens of the input, as many as a block has at most, and gives where it stopped. */
export function findFunction(): wasm.WasmFunction {
  const [at, end, lastStart, token, word, place, before, distance, length, bits, symbol, differing] =
    Array(12).keys();
  const placeOf = (fourBytes: wasm.Code) =>
    shiftLeft(shiftRight(wasm.multiply(fourBytes, integer(0x9e3779b1)), integer(32 - HASH_BITS)), WORD_SHIFT);
  const keepPlace = (from: number) => {
    const address = add(get(at), integer(from));
    return store(placeOf(load(address)), PLACES_AT, address);
  };
  const countOne = (countsAt: number, index: wasm.Code) => [
    ...set(place, shiftLeft(index, WORD_SHIFT)),
    ...store(get(place), countsAt, add(load(get(place), countsAt), ONE)),
  ];
  const addToken = (value: wasm.Code) => [...store(get(token), 0, value), ...step(token, integer(WORD))];

  const addLiteral = [
    set(word, wasm.loadByte(get(at))),
    countOne(COUNTS_AT, get(word)),
    addToken(or(get(word), integer(NO_DISTANCE << DISTANCE_SHIFT))),
    step(at, ONE),
  ].flat();

  // eight bytes at a time; what is read after the input is cut off
  const wordsDiffer = wasm.xorLong(
    wasm.loadLong(add(get(at), get(length))),
    wasm.loadLong(add(get(before), get(length))),
  );
  const measure = [
    set(length, integer(SHORTEST_MATCH)),
    repeat(
      set(differing, wordsDiffer),
      ifThen(
        wasm.isZeroLong(get(differing)),
        step(length, integer(8)),
        leaveIf(isBelow(integer(LONGEST_MATCH), get(length)), 1),
        wasm.again(1),
      ),
      step(length, shiftRight(lowHalf(wasm.trailingZerosLong(get(differing))), integer(3))),
      wasm.leave(),
    ),
    ifThen(isBelow(integer(LONGEST_MATCH), get(length)), set(length, integer(LONGEST_MATCH))),
    ifThen(isBelow(subtract(get(end), get(at)), get(length)), set(length, subtract(get(end), get(at)))),
  ].flat();

  // two symbols have as many bits beyond: the highest bit of a distance says which two, the next which of them
  const addMatch = [
    measure,
    set(bits, subtract(integer(30), wasm.leadingZeros(or(get(distance), integer(2))))),
    set(symbol, add(shiftLeft(get(bits), ONE), shiftRight(get(distance), get(bits)))),
    countOne(COUNTS_AT + WORD * LENGTHS_FROM, get(length)),
    countOne(COUNTS_AT + WORD * LITERALS, get(symbol)),
    addToken(
      or(
        or(add(get(length), integer(LENGTHS_FROM)), shiftLeft(get(symbol), integer(DISTANCE_SHIFT))),
        shiftLeft(and(get(distance), subtract(shiftLeft(ONE, get(bits)), ONE)), integer(BEYOND_SHIFT)),
      ),
    ),
    // its first and last bytes are found again, those between in a long one are not: no loop, one guess less
    [1, 2, 3].flatMap(keepPlace),
    step(at, get(length)),
    [-3, -2, -1].flatMap(keepPlace),
  ].flat();

  const isBlockFull = isEqual(get(token), integer(TOKENS_AT + WORD * BLOCK_TOKENS));
  const body = [
    set(token, integer(TOKENS_AT)),
    set(lastStart, subtract(get(end), integer(SHORTEST_MATCH))),
    repeat(
      leaveIf(isBelow(get(lastStart), get(at))),
      leaveIf(isBlockFull),
      set(word, load(get(at))),
      set(place, placeOf(get(word))),
      set(before, load(get(place), PLACES_AT)),
      store(get(place), PLACES_AT, get(at)),
      set(distance, subtract(subtract(get(at), get(before)), ONE)),
      ifElse(
        and(isBelow(get(distance), integer(FARTHEST)), isEqual(load(get(before)), get(word))),
        addMatch,
        addLiteral,
      ),
    ),
    // the last bytes, too few to match
    repeat(leaveIf(isEqual(get(at), get(end))), leaveIf(isBlockFull), addLiteral),
    giveResult(TOKENS_END, get(token)),
    get(at),
  ].flat();
  return { name: 'find', parameters: 2, gives: true, integers: 9, longs: 1, vectors: 0, body };
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
        codeAt(lowBits(shiftRight(get(kept), integer(DISTANCE_SHIFT)), 6), CODES_AT + WORD * LITERALS),
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
