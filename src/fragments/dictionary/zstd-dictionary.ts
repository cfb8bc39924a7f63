/**
 * Zstandard against a raw dictionary, by the wasm build of the reference code. Bytes that do not begin with the
 * magic number of zstd dictionaries are taken as raw content, which is what RFC 9842 means by a dictionary.
 */
import { loadZstd } from '../../read/zstd.ts';

/** One frame, with its size stated, made with a dictionary (raw, or a zstd dictionary with an id). */
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
