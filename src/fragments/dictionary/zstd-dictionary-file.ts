/**
 * Writes raw content as a zstd dictionary with an id (RFC 8878, section 5): the form that `.warc.zst` files
 * have in their first frame and that `zstd -D` names in its frames. It begins with the tables that an encoder
 * may start from: a Huffman code for literals, computed from the content, and the three FSE tables of
 * sequences, which are nearly the default ones of the format. Three last offsets and the content follow.
 */
import { createHash } from 'node:crypto';

const DICTIONARY_MAGIC = 0xec30a437;
const WARC_DICTIONARY_FRAME = 0x184d2a5d;
/** Ids below this one and from 2^31 on are reserved for a registrar. */
const FIRST_FREE_ID = 32_768;
const FREE_IDS = 2 ** 31 - FIRST_FREE_ID;
const LAST_OFFSETS = [1, 4, 8];

const MAX_CODE_BITS = 11;
const WEIGHT_ACCURACY_LOG = 6;

// The default distributions (RFC 8878, 3.1.1.3.2.2) as [share, times], without their last symbol, whose share
// goes to the first one. Fast encoders use a complete table without checking it, even where their own would
// be far better; a table that lacks a symbol is only used where it fits.
const OFFSETS: FseTable = { accuracyLog: 5, shares: runs([2, 1], [1, 5], [2, 3], [1, 15], [-1, 4]) };
const MATCH_LENGTHS: FseTable = {
  accuracyLog: 6,
  shares: runs([2, 1], [4, 1], [3, 1], [2, 6], [1, 37], [-1, 6]),
};
const LITERAL_LENGTHS: FseTable = {
  accuracyLog: 6,
  shares: runs([5, 1], [3, 1], [2, 11], [1, 3], [2, 9], [3, 1], [2, 1], [1, 5], [-1, 3]),
};

/** Returns the dictionary file. Its id is derived from the content, so equal content has an equal id. */
export function zstdDictionaryFile(content: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(DICTIONARY_MAGIC, 0);
  head.writeUInt32LE(dictionaryId(content), 4);
  const offsets = Buffer.alloc(4 * LAST_OFFSETS.length);
  LAST_OFFSETS.forEach((offset, i) => {
    offsets.writeUInt32LE(offset, 4 * i);
  });
  return Buffer.concat([
    head,
    writeHuffmanWeights(codeLengths(content)),
    writeFseTable(OFFSETS),
    writeFseTable(MATCH_LENGTHS),
    writeFseTable(LITERAL_LENGTHS),
    offsets,
    content,
  ]);
}

/**
 * Returns the frame that a `.warc.zst` begins with when its records need the dictionary (IIPC, Zstandard
 * Compression for WARC Files, 1.0): a skippable frame with an uncompressed zstd dictionary.
 */
export function warcDictionaryFrame(dictionaryFile: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(WARC_DICTIONARY_FRAME, 0);
  head.writeUInt32LE(dictionaryFile.length, 4);
  return Buffer.concat([head, dictionaryFile]);
}

/** Returns the id of a dictionary, derived from its content, in the range that is free to use. */
export function dictionaryId(content: Uint8Array): number {
  return FIRST_FREE_ID + (createHash('sha256').update(content).digest().readUInt32BE(0) % FREE_IDS);
}

/**
 * Returns Huffman code lengths; every byte has a code (older encoders refuse others) of at most the allowed
 * length.
 */
function codeLengths(content: Uint8Array): number[] {
  let counts = new Array<number>(256).fill(1);
  for (const byte of content) counts[byte]++;
  for (;;) {
    const lengths = huffmanLengths(counts);
    if (Math.max(...lengths) <= MAX_CODE_BITS) return lengths;
    // a flatter distribution; the loop ends at the latest when all counts are equal
    counts = counts.map((count) => Math.ceil(count / 2));
  }
}

function huffmanLengths(counts: readonly number[]): number[] {
  const lengths = counts.map(() => 0);
  let groups = counts.map((count, symbol) => ({ count, symbols: [symbol] }));
  while (groups.length > 1) {
    groups.sort((a, b) => a.count - b.count || a.symbols[0] - b.symbols[0]);
    const [first, second, ...others] = groups;
    const symbols = [...first.symbols, ...second.symbols];
    for (const symbol of symbols) lengths[symbol]++;
    groups = [...others, { count: first.count + second.count, symbols }];
  }
  return lengths;
}

/** Encodes weights by FSE (RFC 8878, 4.2.1.2); the weight of the last byte follows from the others. */
function writeHuffmanWeights(lengths: readonly number[]): Uint8Array {
  const longest = Math.max(...lengths);
  const weights = lengths.slice(0, -1).map((length) => longest + 1 - length);
  const table = { accuracyLog: WEIGHT_ACCURACY_LOG, shares: shareOut(weights, longest) };
  const written = Buffer.concat([writeFseTable(table), writeFseSymbols(weights, table)]);
  if (written.length >= 128)
    throw new Error(`${written.length} bytes of Huffman weights exceed the 127 that the format allows`);
  return Buffer.concat([Uint8Array.of(written.length), written]);
}

/**
 * Returns the shares of the weights 0 to `highest` in 64; each weight has a share, even if it does not occur.
 */
function shareOut(weights: readonly number[], highest: number): number[] {
  const counts = new Array<number>(highest + 1).fill(0);
  for (const weight of weights) counts[weight]++;
  const total = 2 ** WEIGHT_ACCURACY_LOG;
  const spare = total - counts.length;
  const shares = counts.map((count) => 1 + Math.floor((spare * count) / weights.length));
  const rest = total - shares.reduce((sum, share) => sum + share, 0);
  shares[counts.indexOf(Math.max(...counts))] += rest;
  return shares;
}

function runs(...pairs: readonly [share: number, times: number][]): number[] {
  return pairs.flatMap(([share, times]) => new Array<number>(times).fill(share));
}

/**
 * A table of finite state entropy as zstd writes it (RFC 8878, 4.1), for the few hundred symbols of a Huffman
 * table. The encoder looks its next state up in the decoder's table, which is correct by construction.
 */
interface FseTable {
  /** The shares add up to 2^accuracyLog. */
  accuracyLog: number;
  /** Share of each symbol, never 0; -1 is "less than one". */
  shares: readonly number[];
}

/**
 * Writes the shares, each in as few bits as the remaining sum needs (RFC 8878, 4.1.1). Values below `short`
 * are one bit shorter: together the shorter and longer ones cover exactly the possible values.
 */
function writeFseTable({ accuracyLog, shares }: FseTable): Uint8Array {
  const bits = new BitWriter();
  bits.write(accuracyLog - 5, 4);
  let left = 2 ** accuracyLog + 1;
  let threshold = 2 ** accuracyLog;
  let width = accuracyLog + 1;
  for (const share of shares) {
    const short = 2 * threshold - 1 - left;
    let value = share + 1;
    left -= Math.abs(share);
    if (value >= threshold) value += short;
    bits.write(value, value < short ? width - 1 : width);
    while (left < threshold) {
      width--;
      threshold /= 2;
    }
  }
  return bits.bytes();
}

/**
 * Encodes at least two symbols. A decoder reads from the end: both states, then the bits that lead each state
 * from symbol to symbol. It stops where it would read beyond the start, which is after the last symbol but
 * one.
 */
function writeFseSymbols(symbols: readonly number[], table: FseTable): Uint8Array {
  const decoder = buildDecoder(table);
  const fields: { value: number; count: number }[] = []; // in the order of writing: the last read comes first
  const states = [0, 0];
  for (let i = symbols.length - 1; i >= 0; i--) {
    const which = i & 1;
    const after = i >= symbols.length - 2 ? -1 : states[which];
    const state = decoder.findIndex(
      ({ symbol, bits, base }) =>
        symbol === symbols[i] && (after < 0 ? bits > 0 : after >= base && after < base + 2 ** bits),
    );
    if (after >= 0) fields.push({ value: after - decoder[state].base, count: decoder[state].bits });
    states[which] = state;
  }
  const bits = new BitWriter();
  for (const { value, count } of fields) bits.write(value, count);
  bits.write(states[1], table.accuracyLog);
  bits.write(states[0], table.accuracyLog);
  bits.write(1, 1); // marks the end, where reading starts
  return bits.bytes();
}

/** State of the decoder: it gives `symbol`, and the next state is `base` plus the value of the next bits. */
interface DecoderState {
  symbol: number;
  bits: number;
  base: number;
}

function buildDecoder({ accuracyLog, shares }: FseTable): DecoderState[] {
  const size = 2 ** accuracyLog;
  const symbolOf = new Int32Array(size).fill(-1);
  let end = size;
  shares.forEach((share, symbol) => {
    if (share === -1) symbolOf[--end] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  shares.forEach((share, symbol) => {
    for (let i = 0; i < share; i++) {
      symbolOf[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= end);
    }
  });
  const next = shares.map((share) => Math.abs(share));
  return Array.from(symbolOf, (symbol) => {
    const rank = next[symbol]++;
    const bits = accuracyLog - Math.floor(Math.log2(rank));
    return { symbol, bits, base: rank * 2 ** bits - size };
  });
}

/** Writes bits, the lowest bit of the first byte first. */
class BitWriter {
  readonly #bits: number[] = [];

  write(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.#bits.push((value >> i) & 1);
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, i) => {
      bytes[i >> 3] |= bit << (i & 7);
    });
    return bytes;
  }
}
