/**
 * Measures the size of pages on the wire: gzip, brotli and zstd as servers set them, and brotli and zstd with
 * a dictionary, including the headers of `dcb` and `dcz`. The levels are those that servers use for dynamic
 * responses (gzip 6, brotli 5, zstd 3), and brotli 11, which is used for static files.
 *
 * Cost: about 0.2 s of CPU per page, almost all of it for brotli 11 with the dictionary.
 */

import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { loadZstd } from '../../read/zstd.ts';
import { compressBrotliWithDictionary } from './brotli-dictionary.ts';

/** The methods in the order of tables, with their display names. */
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
/** A compression method. */
export type CompressionMethod = keyof typeof METHOD_NAMES;
/** All compression methods, in the order of tables. */
export const COMPRESSION_METHODS = Object.keys(METHOD_NAMES) as CompressionMethod[];

/** Bytes of the measured pages with one method. */
export interface MethodFigures {
  method: CompressionMethod;
  totalBytes: number;
  meanBytes: number;
  medianBytes: number;
}

/** Result of building and measuring the dictionary of one site. */
export interface SiteCompression {
  site: string;
  /** Path of the dictionary's file; empty when none was written. */
  file: string;
  dictionaryBytes: number;
  /** SHA-256 of the dictionary, in hexadecimal. */
  dictionarySha256: string;
  /** Number of pages that the dictionary was built from. */
  pagesUsed: number;
  /** Number of held-out pages, and how many of these were measured. */
  pagesHeldOut: number;
  pagesMeasured: number;
  /** In the order of `COMPRESSION_METHODS`; empty when no page was measured. */
  methods: MethodFigures[];
}

/** Measurements of all sites. */
export interface CompressionFigures {
  /** Ordered by site name. */
  sites: SiteCompression[];
}

/** Returns the bytes of one page with each method, in the order of `COMPRESSION_METHODS`. */
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

/** Sums up the measured pages; `sizes` has one row per page from `measurePage`. */
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
 * The content encodings of RFC 9842: `dcb` and `dcz` are a brotli or zstd stream with a dictionary, after a
 * header with a magic number and the SHA-256 of the dictionary (sections 4 and 5). The header of `dcz` is a
 * skippable frame, so the whole is a zstd stream.
 */

const DCB_MAGIC = Uint8Array.of(0xff, 0x44, 0x43, 0x42);
const DCZ_MAGIC = Uint8Array.of(0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00);
const SHA256_BYTES = 32;

/** Length of the header of `dcb`. */
const DCB_HEADER_BYTES = DCB_MAGIC.length + SHA256_BYTES;
/** Length of the header of `dcz`. */
const DCZ_HEADER_BYTES = DCZ_MAGIC.length + SHA256_BYTES;

/**
 * Returns the SHA-256 by which `Available-Dictionary` and the headers of the encodings identify a dictionary.
 */
export function dictionaryHash(dictionary: Uint8Array): Buffer {
  return createHash('sha256').update(dictionary).digest();
}

/** Returns the body of a response with `Content-Encoding: dcb`. */
export async function encodeDcb(
  body: Uint8Array,
  dictionary: Uint8Array,
  { quality = 5 }: { quality?: number } = {},
): Promise<Uint8Array> {
  const stream = await compressBrotliWithDictionary(body, dictionary, quality);
  return Buffer.concat([DCB_MAGIC, dictionaryHash(dictionary), stream]);
}

/** Returns the body of a response with `Content-Encoding: dcz`. */
export function encodeDcz(
  body: Uint8Array,
  dictionary: Uint8Array,
  { level = 3 }: { level?: number } = {},
): Uint8Array {
  const frame = compressZstdWithDictionary(body, dictionary, level);
  return Buffer.concat([DCZ_MAGIC, dictionaryHash(dictionary), frame]);
}

/**
 * Returns one frame that states its size, by the wasm build of the reference code. A dictionary without the
 * magic number of zstd dictionaries is raw content, as RFC 9842 requires.
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

/** Returns one frame without a dictionary. */
export function compressZstd(page: Uint8Array, level: number): Uint8Array {
  return loadZstd().compress(page, level);
}
