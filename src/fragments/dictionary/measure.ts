/**
 * What pages weigh on the wire: gzip, brotli and zstd as servers set them, and brotli and zstd against a
 * dictionary with the headers of `dcb` and `dcz` counted. The levels are those that servers use for what they
 * make at each request (gzip 6, brotli 5, zstd 3), and brotli 11, which is used for files made once.
 *
 * Cost: about 0.2 s of CPU a page, nearly all of it brotli at 11 against the dictionary.
 */

import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { loadZstd } from '../../read/zstd.ts';
import { compressBrotliWithDictionary } from './brotli-dictionary.ts';

/** The methods in the order of tables, and what people call them. */
export const METHOD_NAMES = {
  none: 'uncompressed',
  'gzip-6': 'gzip 6',
  'brotli-5': 'brotli 5',
  'brotli-11': 'brotli 11',
  'zstd-3': 'zstd 3',
  'zstd-3-dictionary': 'zstd 3 with dictionary',
  'brotli-5-dictionary': 'brotli 5 with dictionary',
  'brotli-11-dictionary': 'brotli 11 with dictionary',
} as const;
export type CompressionMethod = keyof typeof METHOD_NAMES;
export const COMPRESSION_METHODS = Object.keys(METHOD_NAMES) as CompressionMethod[];

/** The bytes of the measured pages with one method. */
export interface MethodFigures {
  method: CompressionMethod;
  totalBytes: number;
  meanBytes: number;
  medianBytes: number;
}

export interface SiteCompression {
  site: string;
  /** The dictionary's file as written; empty when none was. */
  file: string;
  dictionaryBytes: number;
  /** In hexadecimal. */
  dictionarySha256: string;
  /** Pages the dictionary may have bytes of. */
  pagesUsed: number;
  /** Pages kept apart for measuring, and how many of these were measured. */
  pagesHeldOut: number;
  pagesMeasured: number;
  /** In the order of `COMPRESSION_METHODS`; empty when no page was measured. */
  methods: MethodFigures[];
}

export interface CompressionFigures {
  /** By site name. */
  sites: SiteCompression[];
}

/** The bytes of one page with each method, in the order of `COMPRESSION_METHODS`. */
export async function measurePage(page: Uint8Array, dictionary: Uint8Array): Promise<number[]> {
  const withBrotli = async (quality: number) =>
    DCB_HEADER_BYTES + (await compressBrotliWithDictionary(page, dictionary, quality)).length;
  const sizes: Record<CompressionMethod, number> = {
    none: page.length,
    'gzip-6': gzipSync(page, { level: 6 }).length,
    'brotli-5': brotliBytes(page, 5),
    'brotli-11': brotliBytes(page, 11),
    'zstd-3': compressZstd(page, 3).length,
    'zstd-3-dictionary': DCZ_HEADER_BYTES + compressZstdWithDictionary(page, dictionary, 3).length,
    'brotli-5-dictionary': await withBrotli(5),
    'brotli-11-dictionary': await withBrotli(11),
  };
  return COMPRESSION_METHODS.map((method) => sizes[method]);
}

/** Sums up the measured pages; `sizes` has a row a page as `measurePage` gives it. */
export function summariseMethods(sizes: readonly (readonly number[])[]): MethodFigures[] {
  if (sizes.length === 0) return [];
  return COMPRESSION_METHODS.map((method, column) => {
    const bytes = sizes.map((row) => row[column]).sort((a, b) => a - b);
    const totalBytes = bytes.reduce((sum, value) => sum + value, 0);
    const middle = bytes.length >> 1;
    const medianBytes =
      bytes.length % 2 === 1 ? bytes[middle] : Math.round((bytes[middle - 1] + bytes[middle]) / 2);
    return { method, totalBytes, meanBytes: Math.round(totalBytes / bytes.length), medianBytes };
  });
}

function brotliBytes(page: Uint8Array, quality: number): number {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
  };
  return brotliCompressSync(page, { params }).length;
}

/**
 * The content encodings of RFC 9842: `dcb` and `dcz` are a brotli or zstd stream against a dictionary, after a
 * header with a magic number and the SHA-256 of the dictionary (sections 4 and 5). That of `dcz` is a skippable
 * frame, so that the whole is a zstd stream.
 */

const DCB_MAGIC = Uint8Array.of(0xff, 0x44, 0x43, 0x42);
const DCZ_MAGIC = Uint8Array.of(0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00);
const SHA256_BYTES = 32;

export const DCB_HEADER_BYTES = DCB_MAGIC.length + SHA256_BYTES;
export const DCZ_HEADER_BYTES = DCZ_MAGIC.length + SHA256_BYTES;

/** What `Available-Dictionary` and the headers of the encodings name a dictionary by. */
export function dictionaryHash(dictionary: Uint8Array): Buffer {
  return createHash('sha256').update(dictionary).digest();
}

/** The body of a response with `Content-Encoding: dcb`. */
export async function encodeDcb(
  body: Uint8Array,
  dictionary: Uint8Array,
  { quality = 5 }: { quality?: number } = {},
): Promise<Uint8Array> {
  const stream = await compressBrotliWithDictionary(body, dictionary, quality);
  return Buffer.concat([DCB_MAGIC, dictionaryHash(dictionary), stream]);
}

/** The body of a response with `Content-Encoding: dcz`. */
export function encodeDcz(
  body: Uint8Array,
  dictionary: Uint8Array,
  { level = 3 }: { level?: number } = {},
): Uint8Array {
  const frame = compressZstdWithDictionary(body, dictionary, level);
  return Buffer.concat([DCZ_MAGIC, dictionaryHash(dictionary), frame]);
}

/**
 * One frame with its size stated, by the wasm build of the reference code. A dictionary that does not begin with the
 * magic number of zstd dictionaries is raw content, which is what RFC 9842 means by a dictionary.
 */
export function compressZstdWithDictionary(
  page: Uint8Array,
  dictionary: Uint8Array,
  level: number,
): Uint8Array {
  const { compressUsingDict, createCCtx, freeCCtx } = loadZstd();
  const context = createCCtx();
  try {
    return compressUsingDict(context, page, dictionary, level);
  } finally {
    freeCCtx(context);
  }
}

/** One frame without a dictionary. */
export function compressZstd(page: Uint8Array, level: number): Uint8Array {
  return loadZstd().compress(page, level);
}
