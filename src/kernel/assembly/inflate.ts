/**
 * Inflates raw deflate streams (RFC 1951), after libdeflate: 64 bits at a time, one table lookup per symbol,
 * wide copies. It accepts and refuses the same streams as zlib, and returns all bytes before a fault.
 *
 * The host copies pieces of a stream into memory one after the other and calls `inflate` until the stream
 * ends. The state of the stream is at fixed addresses, so one stream is inflated at a time.
 *
 * A decoding table is indexed by the next bits. An entry has 64 bits, from the lowest on:
 *   0   bits to consume, extra bits included: shifting by the whole entry shifts by them
 *   8   number of these bits before the extra bits, plus SCALE: shifting by `entry >> CODE_AT` shifts by them
 *   14  SUBTABLE: a subtable follows at `base`; its mask is that of addresses
 *   15  SPECIAL: a subtable, else the end of the block (base 1) or an error (0)
 *   16  base: a literal, or the least length or distance of a symbol
 *   32  mask of the extra bits
 *   63  set for a literal
 */
import { INFLATE_BAD, INFLATE_DONE, INFLATE_INPUT_ENDS, INFLATE_OUTPUT_FULL, RESULTS_AT } from '../layout.ts';

const SUBTABLE = 1 << 14;
const SPECIAL = 1 << 15;
const CODE_AT = 8;
const BASE_AT = 16;
const MASK_AT = 32;
const LITERAL: u64 = 1 << 63;
/** The bit buffer is kept shifted left by this number of bits, so that table indices are addresses. */
const SCALE = 3;

const LITERAL_BITS = 11;
const DISTANCE_BITS = 8;
const CODE_BITS = 7;
const LITERAL_SYMBOLS: u32 = 288;
const DISTANCE_SYMBOLS: u32 = 32;
const CODE_SYMBOLS: u32 = 19;
/** Bases of the symbols that end a block and that mean an error. */
const BLOCK_ENDS = 1;
const ERROR = 0;

/** Upper bound of the bytes of a block's header, which has up to 563. */
const HEADER_BYTES = 1024;
/**
 * Upper bound of the bytes of a round of the fast loop: it consumes up to 11, and up to 8 are in the bit
 * buffer.
 */
const ROUND_BYTES = 32;

/**
 * State of the stream: bit buffer, its size plus SCALE (modulo 64), next input, next output, and the current
 * block.
 */
const BITS: usize = memory.data(8, 16);
const LEFT: usize = memory.data(8, 8);
const INPUT: usize = memory.data(4, 4);
const OUTPUT: usize = memory.data(4, 4);
const IS_IN_BLOCK: usize = memory.data(4, 4);
const IS_LAST_BLOCK: usize = memory.data(4, 4);
const IS_PREPARED: usize = memory.data(4, 4);

/** Code length of each symbol; a run may overwrite a few bytes after its end. */
const LENGTHS: usize = memory.data(336, 16);
const CODE_LENGTHS: usize = memory.data(32, 16);
/** By code length: number of codes, and the next index among the sorted symbols. */
const COUNTS: usize = memory.data(64, 16);
const NEXT: usize = memory.data(64, 16);
const SORTED: usize = memory.data(640, 16);
/** By symbol: its entry without the bits of its code. */
const CODE_ENTRIES: usize = memory.data(CODE_SYMBOLS * 8, 16);
const LITERAL_ENTRIES: usize = memory.data(LITERAL_SYMBOLS * 8, 16);
const DISTANCE_ENTRIES: usize = memory.data(DISTANCE_SYMBOLS * 8, 16);
/** By distance below 16: a shuffle that repeats the pattern, and the bytes of its complete repetitions. */
const PATTERNS: usize = memory.data(16 * 16, 16);
const STEPS: usize = memory.data(16 * 4, 16);
/** Tables with subtables: no set of codes needs more than 2,342 and 402 entries. */
const CODE_TABLE: usize = memory.data(8 << CODE_BITS, 16);
const LITERAL_TABLE: usize = memory.data(8 * 2400, 16);
const DISTANCE_TABLE: usize = memory.data(8 * 448, 16);

/** The order in which the lengths of codes for code lengths are stored. */
const CODE_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** Begins a stream whose first byte is at `input` and that is inflated to `output`. */
export function beginInflate(input: u32, output: u32): void {
  if (!load<u32>(IS_PREPARED)) prepare();
  keep(0, SCALE, input);
  store<u32>(OUTPUT, output);
  store<u32>(IS_IN_BLOCK, 0);
  store<u32>(IS_LAST_BLOCK, 0);
}

/** Moves the next input and the next output after the host has moved the bytes. */
export function moveInflate(inputBy: i32, outputBy: i32): void {
  store<u32>(INPUT, load<u32>(INPUT) + inputBy);
  store<u32>(OUTPUT, load<u32>(OUTPUT) + outputBy);
}

/**
 * Inflates until the stream ends, a fault is found, the input is used up to its last bytes or the output
 * reaches `outputLimit`, and returns which of these happened (see layout.ts). `isWhole` is set if the stream
 * does not continue after `inputEnd`. Matches may reach back to `outputStart`. The output may exceed its
 * limit by up to 65,535 bytes, and up to 64 more are overwritten. Result words: the address after the last
 * input byte of which a bit was used, the address after the last output byte.
 */
export function inflate(inputEnd: u32, isWhole: bool, outputStart: u32, outputLimit: u32): u32 {
  const status = inflateBlocks(inputEnd, isWhole, outputStart, outputLimit);
  store<u32>(RESULTS_AT, usedInput());
  store<u32>(RESULTS_AT, load<u32>(OUTPUT), 4);
  return status;
}

function inflateBlocks(inputEnd: u32, isWhole: bool, outputStart: u32, outputLimit: u32): u32 {
  let status: u32 = INFLATE_DONE;
  while (status === INFLATE_DONE) {
    if (load<u32>(IS_IN_BLOCK)) {
      status = decodeFast(inputEnd, outputStart, outputLimit);
      if (status === INFLATE_INPUT_ENDS && isWhole) status = decodeLast(inputEnd, outputStart, outputLimit);
      if (status === INFLATE_DONE) store<u32>(IS_IN_BLOCK, 0);
    } else {
      if (load<u32>(IS_LAST_BLOCK)) return INFLATE_DONE;
      if (load<u32>(OUTPUT) >= outputLimit) return INFLATE_OUTPUT_FULL;
      status = beginBlock(inputEnd, isWhole);
    }
  }
  return status;
}

/** Reads the header of a block, and the whole of a stored block. */
function beginBlock(inputEnd: u32, isWhole: bool): u32 {
  let bits = load<u64>(BITS);
  let left = load<u64>(LEFT);
  let at = load<u32>(INPUT);
  if (!isWhole && at + HEADER_BYTES > inputEnd) return INFLATE_INPUT_ENDS;
  const bitsBefore = bits;
  const leftBefore = left;
  const atBefore = at;
  bits |= load<u64>(at) << left;
  at += refillBytes(left);
  left |= 56;
  const header = (<u32>bits >> SCALE) & 7;
  keep(bits >> 3, left - 3, at);
  if (usedInput() > inputEnd) return INFLATE_INPUT_ENDS;
  const type = header >> 1;
  let isGood: bool = false;
  if (type === 0) {
    const status = copyStored(inputEnd, isWhole);
    if (status === INFLATE_INPUT_ENDS && !isWhole) keep(bitsBefore, leftBefore, atBefore);
    if (status === INFLATE_DONE) store<u32>(IS_LAST_BLOCK, header & 1);
    return status;
  }
  if (type === 1) isGood = buildFixed();
  else if (type === 2) isGood = readCodes();
  if (usedInput() > inputEnd) return INFLATE_INPUT_ENDS;
  if (!isGood) return INFLATE_BAD;
  store<u32>(IS_LAST_BLOCK, header & 1);
  store<u32>(IS_IN_BLOCK, 1);
  return INFLATE_DONE;
}

function copyStored(inputEnd: u32, isWhole: bool): u32 {
  const at = usedInput();
  if (at + 4 > inputEnd) return INFLATE_INPUT_ENDS;
  const size = <u32>load<u16>(at);
  if ((size ^ <u32>load<u16>(at, 2)) !== 0xffff) return INFLATE_BAD;
  const rest = inputEnd - at - 4;
  const isCut = rest < size;
  if (isCut && !isWhole) return INFLATE_INPUT_ENDS;
  const copied = isCut ? rest : size;
  const out = load<u32>(OUTPUT);
  memory.copy(out, at + 4, copied);
  store<u32>(OUTPUT, out + copied);
  keep(0, SCALE, at + 4 + copied);
  return isCut ? INFLATE_INPUT_ENDS : INFLATE_DONE;
}

/** Decodes symbols while a whole round of them is certain to be in the input. */
function decodeFast(inputEnd: u32, outputStart: u32, outputLimit: u32): u32 {
  let bits = load<u64>(BITS);
  let left = load<u64>(LEFT);
  let at = load<u32>(INPUT);
  let out = load<u32>(OUTPUT);
  const inputLimit = max(inputEnd, ROUND_BYTES) - ROUND_BYTES;
  let status: u32 = INFLATE_INPUT_ENDS;
  if (at >= inputLimit) return INFLATE_INPUT_ENDS;
  bits |= load<u64>(at) << left;
  at += refillBytes(left);
  left |= 56;
  let entry = literalEntry(bits);
  let before: u64;
  for (;;) {
    if (at >= inputLimit) break;
    if (out >= outputLimit) {
      status = INFLATE_OUTPUT_FULL;
      break;
    }
    before = bits;
    bits >>= entry;
    left -= entry;
    // a literal takes 11 bits at most, so four of them, or three and a length, are always in the bit buffer
    if (<i64>entry < 0) {
      store<u8>(out++, base(entry));
      entry = literalEntry(bits);
      before = bits;
      bits >>= entry;
      left -= entry;
      if (<i64>entry < 0) {
        store<u8>(out++, base(entry));
        entry = literalEntry(bits);
        before = bits;
        bits >>= entry;
        left -= entry;
        if (<i64>entry < 0) {
          store<u8>(out++, base(entry));
          entry = literalEntry(bits);
          before = bits;
          bits >>= entry;
          left -= entry;
          if (<i64>entry < 0) {
            store<u8>(out++, base(entry));
            bits |= load<u64>(at) << left;
            at += refillBytes(left);
            left |= 56;
            entry = literalEntry(bits);
            continue;
          }
        }
      }
      bits |= load<u64>(at) << left;
      at += refillBytes(left);
      left |= 56;
    }
    if (<u32>entry & SPECIAL) {
      if (<u32>entry & SUBTABLE) {
        entry = load<u64>(base(entry) + <u32>(bits & (entry >> MASK_AT)), LITERAL_TABLE);
        before = bits;
        bits >>= entry;
        left -= entry;
        if (<i64>entry < 0) {
          store<u8>(out++, base(entry));
          bits |= load<u64>(at) << left;
          at += refillBytes(left);
          left |= 56;
          entry = literalEntry(bits);
          continue;
        }
      }
      if (<u32>entry & SPECIAL) {
        status = base(entry) === BLOCK_ENDS ? INFLATE_DONE : INFLATE_BAD;
        break;
      }
      bits |= load<u64>(at) << left;
      at += refillBytes(left);
      left |= 56;
    }
    const end = out + symbolValue(entry, before);

    entry = distanceEntry(bits);
    before = bits;
    bits >>= entry;
    left -= entry;
    if (<u32>entry & SPECIAL) {
      if (<u32>entry & SUBTABLE) {
        entry = load<u64>(base(entry) + <u32>(bits & (entry >> MASK_AT)), DISTANCE_TABLE);
        before = bits;
        bits >>= entry;
        left -= entry;
      }
      if (<u32>entry & SPECIAL) {
        status = INFLATE_BAD;
        break;
      }
    }
    const distance = symbolValue(entry, before);
    let from = out - distance;
    if (out - outputStart < distance) {
      status = INFLATE_BAD;
      break;
    }

    // look up the next symbol before the match is copied
    bits |= load<u64>(at) << left;
    at += refillBytes(left);
    left |= 56;
    entry = literalEntry(bits);
    if (distance >= 16) {
      copySixteen(out, from, 0);
      copySixteen(out, from, 16);
      copySixteen(out, from, 32);
      for (; out + 48 < end; out += 16, from += 16) copySixteen(out, from, 48);
    } else {
      const sixteen = v128.swizzle(v128.load(from), v128.load(distance << 4, PATTERNS));
      const step = load<u32>(distance << 2, STEPS);
      do {
        v128.store(out, sixteen);
        out += step;
      } while (out < end);
    }
    out = end;
  }
  keep(bits, left, at);
  store<u32>(OUTPUT, out);
  return status;
}

/** Decodes symbol by symbol up to the very end of a stream. Bytes after the end are read but never used. */
function decodeLast(inputEnd: u32, outputStart: u32, outputLimit: u32): u32 {
  let out = load<u32>(OUTPUT);
  for (; out < outputLimit; store<u32>(OUTPUT, out)) {
    let bits = load<u64>(BITS);
    let left = load<u64>(LEFT);
    let at = load<u32>(INPUT);
    bits |= load<u64>(at) << left;
    at += refillBytes(left);
    left |= 56;
    let entry = literalEntry(bits);
    let before = bits;
    bits >>= entry;
    left -= entry;
    if (<u32>entry & SUBTABLE) {
      entry = load<u64>(base(entry) + <u32>(bits & (entry >> MASK_AT)), LITERAL_TABLE);
      before = bits;
      bits >>= entry;
      left -= entry;
    }
    if (usedUpTo(at, left) > inputEnd) return INFLATE_INPUT_ENDS;
    if (<i64>entry < 0) {
      store<u8>(out++, base(entry));
      keep(bits, left, at);
      continue;
    }
    if (<u32>entry & SPECIAL) {
      keep(bits, left, at);
      return base(entry) === BLOCK_ENDS ? INFLATE_DONE : INFLATE_BAD;
    }
    const end = out + symbolValue(entry, before);

    // a length takes up to 20 bits and a distance 28, so all of them are in the bit buffer
    entry = distanceEntry(bits);
    before = bits;
    bits >>= entry;
    left -= entry;
    if (<u32>entry & SUBTABLE) {
      entry = load<u64>(base(entry) + <u32>(bits & (entry >> MASK_AT)), DISTANCE_TABLE);
      before = bits;
      bits >>= entry;
      left -= entry;
    }
    if (usedUpTo(at, left) > inputEnd) return INFLATE_INPUT_ENDS;
    if (<u32>entry & SPECIAL) return INFLATE_BAD;
    const distance = symbolValue(entry, before);
    if (out - outputStart < distance) return INFLATE_BAD;
    for (; out < end; out++) store<u8>(out, load<u8>(out - distance));
    keep(bits, left, at);
  }
  return INFLATE_OUTPUT_FULL;
}

function literalEntry(bits: u64): u64 {
  return load<u64>(<u32>bits & (((1 << LITERAL_BITS) - 1) << SCALE), LITERAL_TABLE);
}

function distanceEntry(bits: u64): u64 {
  return load<u64>(<u32>bits & (((1 << DISTANCE_BITS) - 1) << SCALE), DISTANCE_TABLE);
}

function base(entry: u64): u32 {
  return <u32>entry >> BASE_AT;
}

/** Returns base plus extra bits; `before` is the bit buffer before the entry was consumed. */
function symbolValue(entry: u64, before: u64): u32 {
  return base(entry) + <u32>((before >> (entry >> CODE_AT)) & (entry >> MASK_AT));
}

/** Returns the whole bytes that a refill takes; at least 53 bits are in the buffer after it. */
function refillBytes(left: u64): u32 {
  return <u32>(((left ^ 63) >> 3) & 7);
}

function keep(bits: u64, left: u64, at: u32): void {
  store<u64>(BITS, bits);
  store<u64>(LEFT, left);
  store<u32>(INPUT, at);
}

/** Returns the address after the last input byte of which a bit was used. */
function usedUpTo(at: u32, left: u64): u32 {
  return at - (((<u32>left & 63) - SCALE) >> 3);
}

function usedInput(): u32 {
  return usedUpTo(load<u32>(INPUT), load<u64>(LEFT));
}

function copySixteen(out: u32, from: u32, offset: u32): void {
  v128.store(out + offset, v128.load(from + offset));
}

/** Returns the next code of `length` bits, in which the first bit is the lowest. */
function nextCode(code: u32, length: u32): u32 {
  const bit = <u32>0x80000000 >> clz(code ^ ((1 << length) - 1));
  return (code & (bit - 1)) | bit;
}

/** Returns the entry of a symbol with a code of this many bits. */
function entryOf(entries: usize, symbol: u32, bits: u32): u64 {
  return load<u64>(entries + (symbol << SCALE)) + <u64>(bits * (1 | (1 << CODE_AT)));
}

/** Fills a table for codes of these lengths; false if they are not a complete set of codes. */
function build(lengths: usize, count: u32, entries: usize, table: usize, tableBits: u32): bool {
  memory.fill(COUNTS, 0, 64);
  for (let k: u32 = 0; k < count; k++) {
    const at = (<u32>load<u8>(lengths + k)) << 2;
    store<u32>(at, load<u32>(at, COUNTS) + 1, COUNTS);
  }
  // number of the sequences of 15 bits that begin with no code
  let unused: i32 = 1 << 15;
  let index = load<u32>(COUNTS);
  store<u32>(NEXT, 0);
  for (let length: u32 = 1; length < 16; length++) {
    store<u32>(length << 2, index, NEXT);
    const codes = load<u32>(length << 2, COUNTS);
    index += codes;
    unused -= codes << (15 - length);
  }
  if (unused !== 0) {
    // a single code of one bit is allowed, and an empty set of distance codes
    const isSingle = unused === 1 << 14 && load<u32>(COUNTS + 4) === 1;
    const isNone = unused === 1 << 15 && table === DISTANCE_TABLE;
    if (table === CODE_TABLE || !(isNone || isSingle)) return false;
    store<u64>(table, SPECIAL);
    store<u64>(table + 8, SPECIAL);
  }
  for (let k: u32 = 0; k < count; k++) {
    const at = (<u32>load<u8>(lengths + k)) << 2;
    const to = load<u32>(at, NEXT);
    store<u32>(at, to + 1, NEXT);
    store<u16>(to << 1, k, SORTED);
  }

  // the table for codes of one bit is doubled and filled for those of two bits, and so on
  let sorted = load<u32>(COUNTS) << 1;
  let code: u32 = 0;
  let length: u32 = 1;
  for (; ; length++) {
    for (let n = load<u32>(length << 2, COUNTS); n; n--) {
      store<u64>(table + (code << SCALE), entryOf(entries, load<u16>(sorted, SORTED), length));
      sorted += 2;
      code = nextCode(code, length);
    }
    if (length >= tableBits) break;
    memory.copy(table + (1 << (length + SCALE)), table, 1 << (length + SCALE));
  }

  // subtables, each as large as needed by the codes that begin with the same bits
  let free: u32 = 1 << tableBits;
  let size: u32 = 0;
  let prefix: u32 = -1;
  for (length++; length < 16; length++) {
    for (let n = load<u32>(length << 2, COUNTS); n; n--) {
      if ((code & ((1 << tableBits) - 1)) !== prefix) {
        prefix = code & ((1 << tableBits) - 1);
        let sizeBits = length - tableBits;
        for (let codes = n; codes < (<u32>1) << sizeBits; ) {
          sizeBits++;
          codes = (codes << 1) + load<u32>((tableBits + sizeBits) << 2, COUNTS);
        }
        size = 1 << sizeBits;
        const entry =
          ((<u64>((size - 1) << SCALE)) << MASK_AT) |
          <u64>(SPECIAL | SUBTABLE | tableBits | ((free << SCALE) << BASE_AT));
        store<u64>(table + (prefix << SCALE), entry);
        free += size;
      }
      const entry = entryOf(entries, load<u16>(sorted, SORTED), length - tableBits);
      sorted += 2;
      for (let slot = code >> tableBits; slot < size; slot += 1 << (length - tableBits)) {
        store<u64>(table + ((free - size + slot) << SCALE), entry);
      }
      code = nextCode(code, length);
    }
  }
  return true;
}

function buildBoth(literals: u32, distances: u32): bool {
  return (
    build(LENGTHS, literals, LITERAL_ENTRIES, LITERAL_TABLE, LITERAL_BITS) &&
    build(LENGTHS + literals, distances, DISTANCE_ENTRIES, DISTANCE_TABLE, DISTANCE_BITS)
  );
}

/** Fills the tables for the fixed codes. */
function buildFixed(): bool {
  memory.fill(LENGTHS, 8, LITERAL_SYMBOLS);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + LITERAL_SYMBOLS, 5, DISTANCE_SYMBOLS);
  return buildBoth(LITERAL_SYMBOLS, DISTANCE_SYMBOLS);
}

/** Takes up to 25 bits. Not for hot loops, because the state is in memory. */
function take(width: u32): u32 {
  let bits = load<u64>(BITS);
  let left = load<u64>(LEFT);
  let at = load<u32>(INPUT);
  bits |= load<u64>(at) << left;
  at += refillBytes(left);
  left |= 56;
  keep(bits >> width, left - width, at);
  return (<u32>bits >> SCALE) & ((1 << width) - 1);
}

/** Reads the codes of a block and fills the tables for them; false if they are invalid. */
function readCodes(): bool {
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const codes = take(4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(CODE_LENGTHS, 0, 32);
  for (let k: u32 = 0; k < codes; k++) store<u8>(load<u8>(k, CODE_ORDER), take(3), CODE_LENGTHS);
  if (!build(CODE_LENGTHS, CODE_SYMBOLS, CODE_ENTRIES, CODE_TABLE, CODE_BITS)) return false;

  const total = literals + distances;
  for (let k: u32 = 0; k < total; ) {
    take(0);
    const entry = load<u64>(load<u32>(BITS) & (((1 << CODE_BITS) - 1) << SCALE), CODE_TABLE);
    keep(load<u64>(BITS) >> entry, load<u64>(LEFT) - entry, load<u32>(INPUT));
    const symbol = base(entry);
    if (symbol < 16) {
      store<u8>(k++, symbol, LENGTHS);
      continue;
    }
    let value: u32 = 0;
    let end = k;
    if (symbol === 16) {
      if (k === 0) return false;
      value = load<u8>(k, LENGTHS - 1);
      end += take(2) + 3;
    } else if (symbol === 17) end += take(3) + 3;
    else end += take(7) + 11;
    if (end > total) return false;
    for (; k < end; k += 4) store<u32>(k, value * 0x01010101, LENGTHS); // may overrun by three
    k = end;
  }
  if (load<u8>(LENGTHS + 256) === 0) return false; // without this code the block has no end
  return buildBoth(literals, distances);
}

/** Fills the tables that never change. */
function prepare(): void {
  for (let code: u32 = 0; code < CODE_SYMBOLS; code++) setEntry(CODE_ENTRIES, code, code, 0, 0);
  for (let literal: u32 = 0; literal < 256; literal++) {
    setEntry(LITERAL_ENTRIES, literal, literal, 0, LITERAL);
  }
  setEntry(LITERAL_ENTRIES, 256, BLOCK_ENDS, 0, SPECIAL);
  // four symbols for each number of extra bits, after eight without any; the longest length has a symbol of
  // its own
  let length: u32 = 3;
  for (let k: u32 = 0; k < 28; k++) {
    const extra: u32 = k < 8 ? 0 : (k >> 2) - 1;
    setEntry(LITERAL_ENTRIES, 257 + k, length, extra, 0);
    length += 1 << extra;
  }
  setEntry(LITERAL_ENTRIES, 285, 258, 0, 0);
  let distance: u32 = 1;
  for (let k: u32 = 0; k < 30; k++) {
    const extra: u32 = k < 4 ? 0 : (k >> 1) - 1;
    setEntry(DISTANCE_ENTRIES, k, distance, extra, 0);
    distance += 1 << extra;
  }
  // the fixed codes have symbols without a meaning
  setEntry(LITERAL_ENTRIES, 286, ERROR, 0, SPECIAL);
  setEntry(LITERAL_ENTRIES, 287, ERROR, 0, SPECIAL);
  setEntry(DISTANCE_ENTRIES, 30, ERROR, 0, SPECIAL);
  setEntry(DISTANCE_ENTRIES, 31, ERROR, 0, SPECIAL);

  for (let distance: u32 = 1; distance < 16; distance++) {
    for (let k: u32 = 0; k < 16; k++) store<u8>((distance << 4) + k, k % distance, PATTERNS);
    store<u32>(distance << 2, 16 - (16 % distance), STEPS);
  }
  store<u32>(IS_PREPARED, 1);
}

function setEntry(entries: usize, symbol: u32, value: u32, extra: u32, flags: u64): void {
  const mask = ((<u64>1) << extra) - 1;
  const low = extra | (SCALE << CODE_AT) | (value << BASE_AT);
  store<u64>(entries + (symbol << SCALE), (mask << MASK_AT) | <u64>low | flags);
}
