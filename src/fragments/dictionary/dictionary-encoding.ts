/**
 * The content encodings of RFC 9842: `dcb` and `dcz` are a brotli or zstd stream against a dictionary, after a
 * header with a magic number and the SHA-256 of the dictionary (sections 4 and 5). That of `dcz` is a skippable
 * frame, so that the whole is a zstd stream.
 */
import { createHash } from 'node:crypto';
import { loadZstd } from '../../read/zstd.ts';
import { compressBrotliWithDictionary } from './brotli-dictionary.ts';

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
