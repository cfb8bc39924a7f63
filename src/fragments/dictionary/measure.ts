/**
 * What pages weigh on the wire: gzip, brotli and zstd as servers set them, and brotli and zstd against a
 * dictionary with the headers of `dcb` and `dcz` counted. The levels are those that servers use for what they
 * make at each request (gzip 6, brotli 5, zstd 3), and brotli 11, which is used for files made once.
 *
 * Cost: about 0.2 s of CPU a page, nearly all of it brotli at 11 against the dictionary.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { compressBrotliWithDictionary } from './brotli-dictionary.ts';
import {
  compressZstd,
  compressZstdWithDictionary,
  DCB_HEADER_BYTES,
  DCZ_HEADER_BYTES,
} from './dictionary-encoding.ts';

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
