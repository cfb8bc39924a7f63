/**
 * Raw content as a zstd dictionary with an id (RFC 8878, section 5), the form that `.warc.zst` files carry in
 * their first frame and that `zstd -D` names in its frames. It begins with the tables an encoder may start
 * from: a Huffman code for literals, made from the content, and the three FSE tables of sequences, here those
 * that the format itself starts from, nearly. Then come three last offsets and the content.
 */
import { createHash } from 'node:crypto';
import { type FseTable, writeFseSymbols, writeFseTable } from './fse-writer.ts';

const DICTIONARY_MAGIC = 0xec30a437;
const WARC_DICTIONARY_FRAME = 0x184d2a5d;
/** Ids below and from 2^31 on are reserved for a registrar. */
const FIRST_FREE_ID = 32_768;
const FREE_IDS = 2 ** 31 - FIRST_FREE_ID;
const LAST_OFFSETS = [1, 4, 8];

const MAX_CODE_BITS = 11;
const WEIGHT_ACCURACY_LOG = 6;

// The default distributions (RFC 8878, 3.1.1.3.2.2) as [share, times], less their last symbol, whose share the
// first one has. A whole table makes fast encoders use it unseen, also where their own would be far better; of
// a table that lacks a symbol they only begin with what fits.
const OFFSETS: FseTable = { accuracyLog: 5, shares: runs([2, 1], [1, 5], [2, 3], [1, 15], [-1, 4]) };
const MATCH_LENGTHS: FseTable = {
  accuracyLog: 6,
  shares: runs([2, 1], [4, 1], [3, 1], [2, 6], [1, 37], [-1, 6]),
};
const LITERAL_LENGTHS: FseTable = {
  accuracyLog: 6,
  shares: runs([5, 1], [3, 1], [2, 11], [1, 3], [2, 9], [3, 1], [2, 1], [1, 5], [-1, 3]),
};

/** The dictionary file; its id is derived from the content, so that equal content has an equal id. */
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
 * The frame that a `.warc.zst` begins with when its records need the dictionary (IIPC, Zstandard Compression for
 * WARC Files, 1.0): a skippable one, which holds a zstd dictionary as it is.
 */
export function warcDictionaryFrame(dictionaryFile: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(WARC_DICTIONARY_FRAME, 0);
  head.writeUInt32LE(dictionaryFile.length, 4);
  return Buffer.concat([head, dictionaryFile]);
}

export function dictionaryId(content: Uint8Array): number {
  return FIRST_FREE_ID + (createHash('sha256').update(content).digest().readUInt32BE(0) % FREE_IDS);
}

/** Huffman code lengths; every byte has a code (older encoders refuse others), none longer than allowed. */
function codeLengths(content: Uint8Array): number[] {
  let counts = new Array<number>(256).fill(1);
  for (const byte of content) counts[byte]++;
  for (;;) {
    const lengths = huffmanLengths(counts);
    if (Math.max(...lengths) <= MAX_CODE_BITS) return lengths;
    counts = counts.map((count) => Math.ceil(count / 2)); // flatter: ends at the latest where all are equal
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

/** Weights through FSE (RFC 8878, 4.2.1.2); that of the last byte follows from the others. */
function writeHuffmanWeights(lengths: readonly number[]): Uint8Array {
  const longest = Math.max(...lengths);
  const weights = lengths.slice(0, -1).map((length) => longest + 1 - length);
  const table = { accuracyLog: WEIGHT_ACCURACY_LOG, shares: shareOut(weights, longest) };
  const written = Buffer.concat([writeFseTable(table), writeFseSymbols(weights, table)]);
  if (written.length >= 128) throw new Error(`${written.length} bytes of weights are too many`);
  return Buffer.concat([Uint8Array.of(written.length), written]);
}

/** Shares of the weights 0 to `highest` in 64; each has one, also those that do not occur. */
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
