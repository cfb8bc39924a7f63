/**
 * Deflate (RFC 1951) for text that is written once and seldom read: more than twice as fast as zlib at its fastest,
 * and no larger. One pass that takes the first match it meets, then codes of their own for each block, or its bytes
 * as they are where codes would save nothing. What comes out does not depend on the zlib that Node was built with.
 *
 * Memory is that of a slice of input and its output; longer input goes slice by slice. The loops are in
 * deflate-code.ts.
 */
import { LENGTH_BASE, LENGTH_EXTRA } from '../../model/deflate-values.ts';
import { instantiate } from '../../model/wasm-code.ts';
import * as code from './deflate-code.ts';
import { DeflateHeader } from './deflate-header.ts';
import { codeLengths, MOST_CODE_BITS, makeCodes } from './huffman-code.ts';

/** Bytes compressed at a time: no match reaches from one slice into another. */
const SLICE_BYTES = 2 << 20;
/** Bytes after the input that the longest match reads, and after the output that the last token writes. */
const PADDING = 512;

/** Kinds of block: the first bit says whether it is the last. */
const STORED = 0b000;
const DYNAMIC = 0b100;
const KIND_BITS = 3;
/** A stored block has up to so many bytes; before them stand their number and its complement. */
const STORED_BYTES = 65_535;
const STORED_HEAD_BITS = 32;

const END_OF_BLOCK = 256;
const FIRST_LENGTH_SYMBOL = 257;
const LITERAL_SYMBOLS = 286;
const DISTANCE_SYMBOLS = 30;

/** By length of a match: its symbol and how much longer it is than the shortest of that; by symbol: the bits for it. */
const symbolOfLength = new Uint16Array(code.LONGEST_MATCH + 1);
const beyondOfLength = new Uint8Array(code.LONGEST_MATCH + 1);
const beyondBits = new Uint8Array(LITERAL_SYMBOLS);
beyondBits.set(LENGTH_EXTRA, FIRST_LENGTH_SYMBOL);
for (const [index, base] of LENGTH_BASE.entries()) {
  // a later symbol takes the length that it begins with: the longest has one of its own
  for (let beyond = 0; beyond < 1 << LENGTH_EXTRA[index]; beyond++) {
    symbolOfLength[base + beyond] = FIRST_LENGTH_SYMBOL + index;
    beyondOfLength[base + beyond] = beyond;
  }
}

export class Deflater {
  readonly #results: Int32Array;
  /** Of literals and lengths, then of distances, as they stand in memory. */
  readonly #counts: Uint32Array;
  readonly #codes: Uint32Array;
  readonly #places: Uint16Array;
  readonly #input: Uint8Array;
  readonly #output: Uint8Array;
  readonly #outputAt: number;
  readonly #find: (start: number, end: number) => number;
  readonly #encode: (token: number, end: number, to: number, count: number) => number;

  /** The codes of a block, by symbol. */
  readonly #literals = new SymbolCodes(LITERAL_SYMBOLS);
  readonly #distances = new SymbolCodes(DISTANCE_SYMBOLS);
  readonly #header = new DeflateHeader();

  /** Whole bytes of output, and how many bits the byte after them has. */
  #size = 0;
  #bits = 0;

  constructor() {
    const inputBytes = SLICE_BYTES + PADDING;
    // no block is larger than it would be stored, a few bytes more than it has
    const outputBytes = SLICE_BYTES + 16 * (SLICE_BYTES / code.BLOCK_TOKENS + 1) + PADDING;
    this.#outputAt = code.INPUT_AT + inputBytes;
    const { memory, exports } = instantiate(
      [code.findFunction(), code.encodeFunction()],
      this.#outputAt + outputBytes,
    );
    this.#find = exports.find;
    this.#encode = exports.encode;
    this.#results = new Int32Array(memory, 0, code.RESULTS);
    this.#counts = new Uint32Array(memory, code.COUNTS_AT, code.LITERALS + code.DISTANCES);
    this.#codes = new Uint32Array(memory, code.CODES_AT, code.LITERALS + code.SECONDS);
    this.#places = new Uint16Array(memory, code.PLACES_AT, code.PLACES);
    this.#input = new Uint8Array(memory, code.INPUT_AT, inputBytes);
    this.#output = new Uint8Array(memory, this.#outputAt, outputBytes);
  }

  /** Hands on what the bytes become, piece after piece; a piece holds until the next. */
  deflate(bytes: Uint8Array, write: (piece: Uint8Array) => void): void {
    this.#bits = 0;
    this.#output[0] = 0;
    for (let from = 0, isLast = false; !isLast; from += SLICE_BYTES) {
      isLast = from + SLICE_BYTES >= bytes.length;
      this.#size = 0;
      this.#deflateSlice(bytes.subarray(from, from + SLICE_BYTES), isLast);
      if (isLast && this.#bits > 0) this.#size++;
      write(this.#output.subarray(0, this.#size));
      this.#output[0] = this.#output[this.#size];
    }
  }

  #deflateSlice(slice: Uint8Array, isLast: boolean): void {
    this.#input.set(slice);
    this.#places.fill(0);
    const end = code.INPUT_AT + slice.length;
    for (let start = code.INPUT_AT, isDone = false; !isDone; ) {
      this.#counts.fill(0);
      const stop = this.#find(start, end);
      isDone = stop === end;
      this.#writeBlock(start, stop, isLast && isDone);
      start = stop;
    }
  }

  #writeBlock(start: number, end: number, isLast: boolean): void {
    const bodyBits = this.#makeLiteralCodes() + this.#makeDistanceCodes();
    const headerBits = this.#header.take(this.#literals.lengths, this.#distances.lengths);
    if (KIND_BITS + headerBits + bodyBits >= this.#storedBits(end - start)) {
      this.#store(start, end, isLast);
      return;
    }
    this.#put(DYNAMIC | Number(isLast), KIND_BITS);
    this.#header.write((value, bits) => this.#put(value, bits));
    const tokensEnd = this.#results[code.TOKENS_END];
    const to = this.#encode(code.TOKENS_AT, tokensEnd, this.#outputAt + this.#size, this.#bits);
    this.#size = to - this.#outputAt;
    this.#bits = this.#results[code.BITS_LEFT];
    this.#put(this.#literals.codes[END_OF_BLOCK], this.#literals.lengths[END_OF_BLOCK]);
  }

  /** Gives the bits that the literals and lengths of the block take, its end among them. */
  #makeLiteralCodes(): number {
    const { counts, lengths, codes } = this.#literals;
    counts.fill(0);
    counts.set(this.#counts.subarray(0, code.LENGTHS_FROM));
    counts[END_OF_BLOCK] = 1;
    for (let length = LENGTH_BASE[0]; length <= code.LONGEST_MATCH; length++) {
      counts[symbolOfLength[length]] += this.#counts[code.LENGTHS_FROM + length];
    }
    this.#literals.make();

    let total = 0;
    for (let symbol = 0; symbol < LITERAL_SYMBOLS; symbol++) {
      total += counts[symbol] * (lengths[symbol] + beyondBits[symbol]);
    }
    for (let literal = 0; literal < code.LENGTHS_FROM; literal++) {
      const bits = codes[literal] | (lengths[literal] << code.ALL_BITS_SHIFT);
      this.#codes[literal] = bits;
      this.#codes[code.LITERALS + literal] = bits;
    }
    for (let length = LENGTH_BASE[0]; length <= code.LONGEST_MATCH; length++) {
      const symbol = symbolOfLength[length];
      const bits = lengths[symbol];
      this.#codes[code.LENGTHS_FROM + length] =
        codes[symbol] |
        (beyondOfLength[length] << bits) |
        ((bits + beyondBits[symbol]) << code.ALL_BITS_SHIFT);
    }
    return total;
  }

  /** Gives the bits that the distances of the block take. */
  #makeDistanceCodes(): number {
    const { counts, lengths, codes } = this.#distances;
    counts.set(this.#counts.subarray(code.LITERALS, code.LITERALS + DISTANCE_SYMBOLS));
    this.#distances.make();
    let total = 0;
    for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
      const bits = lengths[symbol];
      const allBits = bits + Math.max(0, (symbol >> 1) - 1);
      total += counts[symbol] * allBits;
      this.#codes[code.LITERALS + code.DISTANCES_FROM + symbol] =
        codes[symbol] | (bits << code.CODE_BITS_SHIFT) | (allBits << code.ALL_BITS_SHIFT);
    }
    return total;
  }

  /** The bits that so many bytes take as they are, if they come next. */
  #storedBits(bytes: number): number {
    const blocks = Math.max(1, Math.ceil(bytes / STORED_BYTES));
    const firstBits = KIND_BITS + (-(this.#bits + KIND_BITS) & 7);
    return firstBits + 8 * (blocks - 1) + STORED_HEAD_BITS * blocks + 8 * bytes;
  }

  #store(start: number, end: number, isLast: boolean): void {
    for (let from = start, isDone = false; !isDone; from += STORED_BYTES) {
      const size = Math.min(end - from, STORED_BYTES);
      isDone = from + size === end;
      this.#put(STORED | Number(isLast && isDone), KIND_BITS);
      this.#put(0, -this.#bits & 7);
      this.#put(size, STORED_HEAD_BITS / 2);
      this.#put(~size & 0xffff, STORED_HEAD_BITS / 2);
      const inputFrom = from - code.INPUT_AT;
      this.#output.set(this.#input.subarray(inputFrom, inputFrom + size), this.#size);
      this.#size += size;
      this.#output[this.#size] = 0;
    }
  }

  /** Writes up to 16 bits. */
  #put(value: number, count: number): void {
    let rest = this.#output[this.#size] | (value << this.#bits);
    for (this.#bits += count; this.#bits >= 8; this.#bits -= 8) {
      this.#output[this.#size++] = rest;
      rest >>>= 8;
    }
    this.#output[this.#size] = rest;
  }
}

class SymbolCodes {
  readonly counts: Uint32Array;
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;

  constructor(symbols: number) {
    this.counts = new Uint32Array(symbols);
    this.lengths = new Uint8Array(symbols);
    this.codes = new Uint16Array(symbols);
  }

  make(): void {
    codeLengths(this.counts, this.lengths, MOST_CODE_BITS);
    makeCodes(this.lengths, this.codes);
  }
}
