/**
 * Deflate (RFC 1951) for text that is written once and seldom read: more than twice as fast as zlib at its fastest, and
 * no larger. One pass takes the first match it finds; then each block has codes of its own, or its bytes as they are
 * where codes would save nothing.
 *
 * The position of the last six equal bytes is kept by their hash, one slot for each hash. Two positions are searched at
 * a time. The time goes to branches that the processor mispredicts, so few branches depend on the text, and to cache
 * misses, so the slots fit into the first-level cache. Until the codes are known, a block is kept as tokens of 32 bits:
 *
 *   bits 0 to 9     a literal, or 256 and the length of a match
 *   bits 10 to 18   a second literal, or 256 and the symbol of the distance, or NO_SECOND, whose code has no bits
 *   bits 19 to 31   the distance, less the least distance of its symbol
 *
 * so that all tokens are written in the same way.
 */
import { RESULTS_AT } from '../layout.ts';

const LENGTHS_FROM = 256;
const LONGEST_MATCH: u32 = 258;
const SHORTEST_MATCH: u32 = 4;
/** Values of the first part of a token, and of the second one. */
const FIRSTS: u32 = 256 + 258 + 1;
const DISTANCES_FROM: u32 = 256;
const NO_SECOND: u32 = 256 + 30;
const SECOND_SHIFT = 10;
const EXTRA_SHIFT = 19;

const FARTHEST: u32 = 32_768;
/** Fewer bytes than this at the end are not searched for. */
const LEAST_LEFT = 8;
const BLOCK_TOKENS: u32 = 1 << 15;
const SLOT_BITS = 14;
/** In two halves: JavaScript, whose linter reads this, has no integers of 64 bits. */
const HASH_FACTOR: u64 = ((<u64>0x9e3779b1) << 32) | 0x85ebca87;

/** A code in CODES: its bits with the extra bits of a length; for a distance the bits of the code alone; all bits. */
const CODE_BITS_SHIFT = 16;
const ALL_BITS_SHIFT = 24;

/** Kinds of block: the first bit says whether it is the last. */
const STORED: u32 = 0b000;
const DYNAMIC: u32 = 0b100;
const KIND_BITS: u32 = 3;
const STORED_BYTES: u32 = 65_535;
const STORED_HEAD_BITS: u32 = 32;

const END_OF_BLOCK = 256;
const LITERAL_SYMBOLS: u32 = 286;
const DISTANCE_SYMBOLS: u32 = 30;
const CODE_SYMBOLS: u32 = 19;
const MAX_CODE_BITS: u32 = 15;
/** Symbols for runs of code lengths: the last length again, zeros, many zeros. */
const REPEAT_LAST: u32 = 16;
const REPEAT_ZERO: u32 = 17;
const REPEAT_MANY_ZEROS: u32 = 18;

const SLOTS: usize = memory.data(2 << SLOT_BITS, 16);
const TOKENS: usize = memory.data(4 << 15, 16);
/** How often a block has each first part of a token, then each symbol of distances; then their codes. */
const COUNTS: usize = memory.data(4 * (515 + 30), 16);
const CODES: usize = memory.data(4 * (515 + 287), 16);
/** Where bits are written: the address, and how many bits its byte has. */
const OUTPUT: usize = memory.data(4, 4);
const OUTPUT_BITS: usize = memory.data(4, 4);
const TOKENS_END: usize = memory.data(4, 4);

/** By length of a match: its symbol, and its extra bits; by symbol of a length, from 257 on: how many extra bits. */
const SYMBOL_OF_LENGTH: usize = memory.data(2 * 259, 2);
const EXTRA_OF_LENGTH: usize = memory.data(259, 1);
const EXTRA_BITS: usize = memory.data(32, 1);
const IS_PREPARED: usize = memory.data(4, 4);

/** By symbol of the block: counts, lengths and codes of literals and lengths, then of distances. */
const LITERAL_COUNTS: usize = memory.data(4 * 286, 4);
const LITERAL_LENGTHS: usize = memory.data(286, 1);
const LITERAL_CODES: usize = memory.data(2 * 286, 2);
const DISTANCE_LENGTHS: usize = memory.data(30, 1);
const DISTANCE_CODES: usize = memory.data(2 * 30, 2);

/** The header of a block: all code lengths, their symbols with runs, and the code for those. */
const ALL_LENGTHS: usize = memory.data(286 + 30, 1);
const RUN_SYMBOLS: usize = memory.data(286 + 30, 1);
const RUN_EXTRAS: usize = memory.data(286 + 30, 1);
const RUN_COUNT: usize = memory.data(4, 4);
const CODE_COUNTS: usize = memory.data(4 * 19, 4);
const CODE_LENGTHS: usize = memory.data(19, 1);
const CODE_CODES: usize = memory.data(2 * 19, 2);
const CODE_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** Work space of `makeCode`. */
const KEYS: usize = memory.data(4 * 286, 4);
const WORK: usize = memory.data(4 * 286, 4);
const OF_LENGTH: usize = memory.data(4 * 18, 4);

/**
 * Compresses the bytes of [input, end), up to 2 MiB, without matches into what came before. At least 272 bytes after
 * them can be read. Bits are written behind the first `bits` bits of the byte at `output`; up to 8 bytes after the last
 * one are overwritten. With `isLast` the stream ends. Returns the address of the last byte; result 0 is how many bits
 * it has.
 */
export function deflate(input: u32, end: u32, isLast: bool, output: u32, bits: u32): u32 {
  if (!load<u32>(IS_PREPARED)) prepare();
  memory.fill(SLOTS, 0, 2 << SLOT_BITS);
  store<u32>(OUTPUT, output);
  store<u32>(OUTPUT_BITS, bits);
  let at = input;
  do {
    memory.fill(COUNTS, 0, 4 * (FIRSTS + DISTANCE_SYMBOLS));
    const stop = findMatches(at, input, end);
    writeBlock(at, stop, isLast && stop === end);
    at = stop;
  } while (at !== end);
  store<u32>(RESULTS_AT, load<u32>(OUTPUT_BITS));
  return load<u32>(OUTPUT);
}

/** The slot of the six bytes at an address. */
function slotOf(address: u32): usize {
  const hash = ((load<u64>(address) << 16) * HASH_FACTOR) >> (64 - SLOT_BITS);
  return SLOTS + ((<usize>hash) << 1);
}

/** Keeps the position of an address; returns the address where its bytes may have been before. */
function exchangePosition(address: u32, input: u32): u32 {
  const slot = slotOf(address);
  const offset = address - input;
  const before = address - ((offset - load<u16>(slot)) & 0xffff);
  store<u16>(slot, offset);
  return before;
}

function keepPosition(address: u32, input: u32): void {
  store<u16>(slotOf(address), address - input);
}

function isMatch(before: u32, address: u32): u32 {
  return u32(address - before - 1 < FARTHEST) & u32(load<u32>(before) === load<u32>(address));
}

function count(counts: usize, index: u32, by: u32): void {
  const slot = counts + (index << 2);
  store<u32>(slot, load<u32>(slot) + by);
}

/** Makes tokens from `at` on, at most as many as a block has, and returns where it stopped. */
function findMatches(at: u32, input: u32, end: u32): u32 {
  const lastStart = end - LEAST_LEFT;
  const lastToken: u32 = <u32>TOKENS + 4 * (BLOCK_TOKENS - 2); // a round makes up to two tokens
  let token: u32 = <u32>TOKENS;
  for (;;) {
    if (lastStart < at) break;
    if (lastToken < token) break;
    let before = exchangePosition(at, input);
    const nextBefore = exchangePosition(at + 1, input);
    const skipped = isMatch(before, at) ^ 1;
    const first = <u32>load<u8>(at);
    if (skipped & (isMatch(nextBefore, at + 1) ^ 1)) {
      const second = <u32>load<u8>(at, 1);
      count(COUNTS, first, 1);
      count(COUNTS, second, 1);
      store<u32>(token, first | (second << SECOND_SHIFT));
      token += 4;
      at += 2;
      continue;
    }
    // the byte before a match at the second position is a literal: written in any case, then kept or not, so that no
    // branch depends on it
    count(COUNTS, first, skipped);
    store<u32>(token, first | (NO_SECOND << SECOND_SHIFT));
    token += skipped << 2;
    at += skipped;
    before = select(nextBefore, before, skipped);

    // sixteen bytes at a time; what is read after the input is cut off
    let length = SHORTEST_MATCH;
    for (; length <= LONGEST_MATCH; length += 16) {
      const equal = i8x16.bitmask(i8x16.eq(v128.load(at + length), v128.load(before + length)));
      if (equal !== 0xffff) {
        length += ctz(equal ^ 0xffff);
        break;
      }
    }
    length = min(min(length, LONGEST_MATCH), end - at);

    // two symbols have as many extra bits: the highest bit of a distance says which two, the next one which of them
    const distance = at - before - 1;
    const bits: u32 = 30 - clz(distance | 2);
    const symbol = (bits << 1) + (distance >> bits);
    count(COUNTS + 4 * LENGTHS_FROM, length, 1);
    count(COUNTS + 4 * FIRSTS, symbol, 1);
    const extra = distance & ((1 << bits) - 1);
    store<u32>(
      token,
      (length + LENGTHS_FROM) | ((symbol + DISTANCES_FROM) << SECOND_SHIFT) | (extra << EXTRA_SHIFT),
    );
    token += 4;
    // only the first and the last positions of a match are kept: no loop, one branch less
    keepPosition(at + 1, input);
    keepPosition(at + 2, input);
    keepPosition(at + 3, input);
    at += length;
    keepPosition(at - 3, input);
    keepPosition(at - 2, input);
    keepPosition(at - 1, input);
  }
  // the last bytes, too few to match
  for (; at !== end; at++) {
    if (lastToken < token) break;
    const literal = <u32>load<u8>(at);
    count(COUNTS, literal, 1);
    store<u32>(token, literal | (NO_SECOND << SECOND_SHIFT));
    token += 4;
  }
  store<u32>(TOKENS_END, token);
  return at;
}

/** Writes the tokens of the bytes of [start, end), or the bytes themselves if that is shorter. */
function writeBlock(start: u32, end: u32, isLast: bool): void {
  const bodyBits = makeLiteralCode() + makeDistanceCode();
  const headerBits = makeHeader();
  if (KIND_BITS + headerBits + bodyBits >= storedBits(end - start)) {
    writeStored(start, end, isLast);
    return;
  }
  putBits(DYNAMIC | u32(isLast), KIND_BITS);
  writeHeader();
  writeTokens();
  putBits(load<u16>(LITERAL_CODES + 2 * END_OF_BLOCK), load<u8>(LITERAL_LENGTHS + END_OF_BLOCK));
}

function writeTokens(): void {
  const end = load<u32>(TOKENS_END);
  let out = load<u32>(OUTPUT);
  let count = load<u32>(OUTPUT_BITS);
  let bits: u64 = load<u8>(out);
  for (let at: u32 = <u32>TOKENS; at !== end; at += 4) {
    const token = load<u32>(at);
    const first = load<u32>((token & 1023) << 2, CODES);
    const second = load<u32>(((token >> SECOND_SHIFT) & 511) << 2, CODES + 4 * FIRSTS);
    bits |= (<u64>first & ((1 << ALL_BITS_SHIFT) - 1)) << count;
    count += first >> ALL_BITS_SHIFT;
    const extra = (token >> EXTRA_SHIFT) << ((second >> CODE_BITS_SHIFT) & 255);
    bits |= (<u64>((second & ((1 << CODE_BITS_SHIFT) - 1)) | extra)) << count;
    count += second >> ALL_BITS_SHIFT;
    // 55 bits at most; whole bytes are done
    store<u64>(out, bits);
    out += count >> 3;
    bits >>= count & 0x38;
    count &= 7;
  }
  store<u32>(OUTPUT, out);
  store<u32>(OUTPUT_BITS, count);
}

/** Writes up to 16 bits. */
function putBits(value: u32, count: u32): void {
  const out = load<u32>(OUTPUT);
  const bits = load<u32>(OUTPUT_BITS);
  store<u32>(out, <u32>load<u8>(out) | (value << bits));
  store<u32>(OUTPUT, out + ((bits + count) >> 3));
  store<u32>(OUTPUT_BITS, (bits + count) & 7);
}

/** The bits that so many bytes take as they are, if they come next. */
function storedBits(bytes: u32): u32 {
  const blocks = max<u32>(1, (bytes + STORED_BYTES - 1) / STORED_BYTES);
  const firstBits = KIND_BITS + (-(load<u32>(OUTPUT_BITS) + KIND_BITS) & 7);
  return firstBits + 8 * (blocks - 1) + STORED_HEAD_BITS * blocks + 8 * bytes;
}

function writeStored(start: u32, end: u32, isLast: bool): void {
  do {
    const size = min(end - start, STORED_BYTES);
    putBits(STORED | u32(isLast && start + size === end), KIND_BITS);
    putBits(0, -load<u32>(OUTPUT_BITS) & 7);
    putBits(size, STORED_HEAD_BITS / 2);
    putBits(~size & 0xffff, STORED_HEAD_BITS / 2);
    const out = load<u32>(OUTPUT);
    memory.copy(out, start, size);
    store<u8>(out + size, 0);
    store<u32>(OUTPUT, out + size);
    start += size;
  } while (start !== end);
}

/** Makes the code of literals and lengths; returns the bits that the block takes in it, its end included. */
function makeLiteralCode(): u32 {
  memory.copy(LITERAL_COUNTS, COUNTS, 4 * 256);
  memory.fill(LITERAL_COUNTS + 4 * 256, 0, 4 * (LITERAL_SYMBOLS - 256));
  store<u32>(LITERAL_COUNTS + 4 * END_OF_BLOCK, 1);
  for (let length: u32 = 3; length <= LONGEST_MATCH; length++) {
    const symbol = load<u16>(SYMBOL_OF_LENGTH + 2 * length);
    count(LITERAL_COUNTS, symbol, load<u32>(COUNTS + 4 * (LENGTHS_FROM + length)));
  }
  makeCode(LITERAL_COUNTS, LITERAL_SYMBOLS, LITERAL_LENGTHS, LITERAL_CODES, MAX_CODE_BITS);

  let total: u32 = 0;
  for (let symbol: u32 = 0; symbol < LITERAL_SYMBOLS; symbol++) {
    const extra = symbol < 257 ? 0 : load<u8>(EXTRA_BITS + symbol - 257);
    total += load<u32>(LITERAL_COUNTS + 4 * symbol) * (load<u8>(LITERAL_LENGTHS + symbol) + extra);
  }
  for (let literal: u32 = 0; literal < 256; literal++) {
    const bits = <u32>load<u8>(LITERAL_LENGTHS + literal);
    const code = <u32>load<u16>(LITERAL_CODES + 2 * literal) | (bits << ALL_BITS_SHIFT);
    store<u32>(CODES + 4 * literal, code);
    store<u32>(CODES + 4 * (FIRSTS + literal), code);
  }
  for (let length: u32 = 3; length <= LONGEST_MATCH; length++) {
    const symbol = <u32>load<u16>(SYMBOL_OF_LENGTH + 2 * length);
    const bits = <u32>load<u8>(LITERAL_LENGTHS + symbol);
    const allBits = bits + load<u8>(EXTRA_BITS + symbol - 257);
    const code = <u32>load<u16>(LITERAL_CODES + 2 * symbol);
    const extra = (<u32>load<u8>(EXTRA_OF_LENGTH + length)) << bits;
    store<u32>(CODES + 4 * (LENGTHS_FROM + length), code | extra | (allBits << ALL_BITS_SHIFT));
  }
  return total;
}

/** Makes the code of distances; returns the bits that the block takes in it. */
function makeDistanceCode(): u32 {
  const counts = COUNTS + 4 * FIRSTS;
  makeCode(counts, DISTANCE_SYMBOLS, DISTANCE_LENGTHS, DISTANCE_CODES, MAX_CODE_BITS);
  let total: u32 = 0;
  for (let symbol: u32 = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const bits = <u32>load<u8>(DISTANCE_LENGTHS + symbol);
    const allBits = bits + (symbol < 4 ? 0 : (symbol >> 1) - 1);
    total += load<u32>(counts + 4 * symbol) * allBits;
    const code = <u32>load<u16>(DISTANCE_CODES + 2 * symbol);
    store<u32>(
      CODES + 4 * (FIRSTS + DISTANCES_FROM + symbol),
      code | (bits << CODE_BITS_SHIFT) | (allBits << ALL_BITS_SHIFT),
    );
  }
  return total;
}

/** Finds the runs of code lengths and makes a code for them; returns the bits of the header. */
function makeHeader(): u32 {
  const literals = countUsed(LITERAL_LENGTHS, LITERAL_SYMBOLS, 257);
  const distances = countUsed(DISTANCE_LENGTHS, DISTANCE_SYMBOLS, 1);
  memory.copy(ALL_LENGTHS, LITERAL_LENGTHS, literals);
  memory.copy(ALL_LENGTHS + literals, DISTANCE_LENGTHS, distances);
  findRuns(literals + distances);
  makeCode(CODE_COUNTS, CODE_SYMBOLS, CODE_LENGTHS, CODE_CODES, 7);
  let bits: u32 = 5 + 5 + 4 + 3 * countCodeLengths();
  for (let symbol: u32 = 0; symbol < CODE_SYMBOLS; symbol++) {
    bits += load<u32>(CODE_COUNTS + 4 * symbol) * (load<u8>(CODE_LENGTHS + symbol) + runBits(symbol));
  }
  return bits;
}

function writeHeader(): void {
  putBits(countUsed(LITERAL_LENGTHS, LITERAL_SYMBOLS, 257) - 257, 5);
  putBits(countUsed(DISTANCE_LENGTHS, DISTANCE_SYMBOLS, 1) - 1, 5);
  const codes = countCodeLengths();
  putBits(codes - 4, 4);
  for (let k: u32 = 0; k < codes; k++) putBits(load<u8>(CODE_LENGTHS + load<u8>(CODE_ORDER + k)), 3);
  const runs = load<u32>(RUN_COUNT);
  for (let k: u32 = 0; k < runs; k++) {
    const symbol = <u32>load<u8>(RUN_SYMBOLS + k);
    putBits(load<u16>(CODE_CODES + 2 * symbol), load<u8>(CODE_LENGTHS + symbol));
    putBits(load<u8>(RUN_EXTRAS + k), runBits(symbol));
  }
}

/** Symbols up to the last one with a code, at least `least`. */
function countUsed(lengths: usize, symbols: u32, least: u32): u32 {
  while (symbols > least && load<u8>(lengths + symbols - 1) === 0) symbols--;
  return symbols;
}

/** Code lengths of the code for code lengths that are written. */
function countCodeLengths(): u32 {
  let used = CODE_SYMBOLS;
  while (used > 4 && load<u8>(CODE_LENGTHS + load<u8>(CODE_ORDER + used - 1)) === 0) used--;
  return used;
}

function runBits(symbol: u32): u32 {
  return symbol < REPEAT_LAST ? 0 : symbol === REPEAT_LAST ? 2 : symbol === REPEAT_ZERO ? 3 : 7;
}

function findRuns(total: u32): void {
  memory.fill(CODE_COUNTS, 0, 4 * CODE_SYMBOLS);
  store<u32>(RUN_COUNT, 0);
  for (let at: u32 = 0; at < total; ) {
    const length = <u32>load<u8>(ALL_LENGTHS + at);
    let end = at + 1;
    while (end < total && load<u8>(ALL_LENGTHS + end) === length) end++;
    if (length > 0) {
      addRun(length, 0);
      at = addRuns(REPEAT_LAST, at + 1, end, 3, 6);
    } else {
      at = addRuns(REPEAT_MANY_ZEROS, at, end, 11, 138);
      at = addRuns(REPEAT_ZERO, at, end, 3, 10);
    }
    for (; at < end; at++) addRun(length, 0);
  }
}

/** Adds runs while one of at least `least` is left; returns where the rest begins. */
function addRuns(symbol: u32, at: u32, end: u32, least: u32, most: u32): u32 {
  while (end - at >= least) {
    const run = min(end - at, most);
    addRun(symbol, run - least);
    at += run;
  }
  return at;
}

function addRun(symbol: u32, extra: u32): void {
  const index = load<u32>(RUN_COUNT);
  count(CODE_COUNTS, symbol, 1);
  store<u8>(RUN_SYMBOLS + index, symbol);
  store<u8>(RUN_EXTRAS + index, extra);
  store<u32>(RUN_COUNT, index + 1);
}

/**
 * Makes a Huffman code of limited length: the length of each symbol's code, 0 for symbols that do not occur, and the
 * codes with their first bit lowest. There are at least two codes, since not all readers take fewer: where less than two
 * symbols occur, the first ones get a code too. The sum of all counts is below 2^23.
 */
export function makeCode(counts: usize, symbols: u32, lengths: usize, codes: usize, maxBits: u32): void {
  memory.fill(lengths, 0, symbols);
  const used = sortUsed(counts, symbols);
  if (used < 2) {
    const only = used === 0 ? 0 : load<u32>(KEYS) & 511;
    store<u8>(lengths + only, 1);
    store<u8>(lengths + u32(only === 0), 1);
  } else {
    for (let k: u32 = 0; k < used; k++) store<u32>(WORK + 4 * k, load<u32>(KEYS + 4 * k) >> 9);
    makeDepths(used);
    limitLengths(used, maxBits);
    // the rarest symbols have the longest codes
    let k: u32 = 0;
    for (let bits = maxBits; bits > 0; bits--) {
      for (let left = load<u32>(OF_LENGTH + 4 * bits); left > 0; left--) {
        store<u8>(lengths + (load<u32>(KEYS + 4 * k++) & 511), bits);
      }
    }
  }

  // the first code of each length, then codes in the order of their symbols
  memory.fill(OF_LENGTH, 0, 4 * 18);
  for (let k: u32 = 0; k < symbols; k++) count(OF_LENGTH, load<u8>(lengths + k) + 1, 1);
  store<u32>(OF_LENGTH + 4, 0);
  for (let bits: u32 = 2; bits < 17; bits++) {
    store<u32>(
      OF_LENGTH + 4 * bits,
      (load<u32>(OF_LENGTH + 4 * bits) + load<u32>(OF_LENGTH + 4 * bits - 4)) << 1,
    );
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const bits = <u32>load<u8>(lengths + symbol);
    if (bits === 0) continue;
    let code = load<u32>(OF_LENGTH + 4 * bits);
    store<u32>(OF_LENGTH + 4 * bits, code + 1);
    let reversed: u32 = 0;
    for (let k: u32 = 0; k < bits; k++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    store<u16>(codes + 2 * symbol, reversed);
  }
}

/** Leaves the symbols that occur in KEYS, sorted by their counts (above bit 9) and then by themselves. */
function sortUsed(counts: usize, symbols: u32): u32 {
  let used: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const symbolCount = load<u32>(counts + 4 * symbol);
    if (symbolCount === 0) continue;
    const key = (symbolCount << 9) | symbol;
    let at = KEYS + 4 * used++;
    for (; at > KEYS && load<u32>(at - 4) > key; at -= 4) store<u32>(at, load<u32>(at - 4));
    store<u32>(at, key);
  }
  return used;
}

/**
 * Turns the rising counts in WORK into falling depths in a Huffman tree, in place (Moffat and Katajainen, In-place
 * calculation of minimum-redundancy codes, 1995).
 */
function makeDepths(symbols: u32): void {
  // sums of two, then for each inner node its parent
  store<u32>(WORK, load<u32>(WORK) + load<u32>(WORK + 4));
  let leaf: u32 = 2;
  let root: u32 = 0;
  for (let next: u32 = 1; next < symbols - 1; next++) {
    let sum: u32;
    if (leaf >= symbols || load<u32>(WORK + 4 * root) < load<u32>(WORK + 4 * leaf)) {
      sum = load<u32>(WORK + 4 * root);
      store<u32>(WORK + 4 * root++, next);
    } else sum = load<u32>(WORK + 4 * leaf++);
    if (leaf >= symbols || (root < next && load<u32>(WORK + 4 * root) < load<u32>(WORK + 4 * leaf))) {
      sum += load<u32>(WORK + 4 * root);
      store<u32>(WORK + 4 * root++, next);
    } else sum += load<u32>(WORK + 4 * leaf++);
    store<u32>(WORK + 4 * next, sum);
  }

  // depths of inner nodes
  store<u32>(WORK + 4 * (symbols - 2), 0);
  for (let next: i32 = symbols - 3; next >= 0; next--) {
    store<u32>(WORK + 4 * next, load<u32>(WORK + 4 * load<u32>(WORK + 4 * next)) + 1);
  }

  // depths of leaves: nodes at a depth that are no inner nodes
  let nodes: u32 = 1;
  let inner: i32 = symbols - 2;
  let next: i32 = symbols - 1;
  for (let depth: u32 = 0; nodes > 0; depth++) {
    let taken: u32 = 0;
    while (inner >= 0 && load<u32>(WORK + 4 * inner) === depth) {
      taken++;
      inner--;
    }
    for (; nodes > taken; nodes--) store<u32>(WORK + 4 * next--, depth);
    nodes = 2 * taken;
  }
}

/**
 * Counts the codes of each length in OF_LENGTH, from the depths in WORK. Where some are longer than `maxBits`, others
 * grow until there is a code for each, as in zlib: nearly as short, and rare.
 */
function limitLengths(symbols: u32, maxBits: u32): void {
  memory.fill(OF_LENGTH, 0, 4 * 18);
  for (let k: u32 = 0; k < symbols; k++) count(OF_LENGTH, min(load<u32>(WORK + 4 * k), maxBits), 1);
  let used: u32 = 0;
  for (let bits: u32 = 1; bits <= maxBits; bits++)
    used += load<u32>(OF_LENGTH + 4 * bits) << (maxBits - bits);
  for (; used > (<u32>1) << maxBits; used--) {
    // the longest code that can grow does so, and gives half of its codes to one of the longest
    let bits = maxBits - 1;
    while (load<u32>(OF_LENGTH + 4 * bits) === 0) bits--;
    count(OF_LENGTH, bits, -1);
    count(OF_LENGTH, bits + 1, 2);
    count(OF_LENGTH, maxBits, -1);
  }
}

/** Fills the tables that never change. */
function prepare(): void {
  let length: u32 = 3;
  for (let k: u32 = 0; k < 29; k++) {
    // the longest length has a symbol of its own
    if (k === 28) length = LONGEST_MATCH;
    const bits: u32 = k < 8 || k === 28 ? 0 : (k >> 2) - 1;
    store<u8>(EXTRA_BITS + k, bits);
    for (let extra: u32 = 0; extra < (<u32>1) << bits; extra++, length++) {
      if (length > LONGEST_MATCH) break;
      store<u16>(SYMBOL_OF_LENGTH + 2 * length, 257 + k);
      store<u8>(EXTRA_OF_LENGTH + length, extra);
    }
  }
  store<u32>(IS_PREPARED, 1);
}
