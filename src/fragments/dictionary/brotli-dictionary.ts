/**
 * Brotli with a raw dictionary, by the encoder of node:zlib, which before Node 26 accepts none. The
 * dictionary is fed to an ordinary encoder first and its output is discarded. The meta-blocks of the page
 * follow; their distances reach back into the dictionary exactly as RFC 9841 counts them, because the
 * dictionary precedes the first byte of the output. Two things in that output depend on more than the
 * preceding bytes:
 *
 * - the contexts of the first two literals: so the first two bytes go into an uncompressed meta-block, which
 *   is written here;
 * - the last four distances: a decoder starts with 16, 15, 11 and 4, but the encoder continues with those
 *   that the dictionary left. A stream that uses the latter decodes to something else.
 *
 * Copies must not run over the end of the dictionary into the page either, because decoders refuse them. So
 * our dictionaries end in DICTIONARY_TAIL: bytes that leave exactly those four distances, and then a byte
 * that does not occur in UTF-8, which no copy into a page can contain. Other dictionaries can be used as
 * well: every stream is decoded here from a decoder's initial state, and a stream that does not give the page
 * is encoded again with a longer uncompressed start. Where a copy could cross the end, nothing is compressed.
 *
 * Cost: the dictionary is compressed again for every page, 2 to 4 ms for 64 KiB at quality 5 and 100 ms at
 * 11.
 */
import type { TransformOptions } from 'node:stream';
import { type BrotliOptions, brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib';

/** Bytes that repeat at distances 16, 15, 11 and 4, and one that does not occur in UTF-8. */
export const DICTIONARY_TAIL = Uint8Array.from([
  ...repeated(0x80, 16, 2),
  ...repeated(0x90, 15, 2),
  ...repeated(0xa0, 11, 2),
  ...repeated(0xb0, 4, 3),
  0xff,
]);

/** Window bits: 16 MiB, the maximum that RFC 9842 lets a client expect. */
const WINDOW_BITS = 24;
const MAX_WINDOW_BYTES = 2 ** WINDOW_BITS - 16;
/** The window header for 24 bits, in four bits (RFC 7932, 9.1). */
const WINDOW_HEADER = 0b1111;
const WINDOW_HEADER_BITS = 4;
const MAX_BLOCK_BYTES = 65_536;
/**
 * Numbers of bytes at the start of a page that are not compressed: as few as the contexts need, then more.
 */
const UNCOMPRESSED_STARTS = [2, 3, 24, 200, 2000];

/**
 * Returns the brotli stream of a page with a dictionary, without the header that `dcb` puts before it. Throws
 * a RangeError when both together exceed the largest window.
 */
export async function compressBrotliWithDictionary(
  page: Uint8Array,
  dictionary: Uint8Array,
  quality: number,
): Promise<Uint8Array> {
  if (dictionary.length + page.length > MAX_WINDOW_BYTES) {
    throw new RangeError(`page and dictionary have more than ${MAX_WINDOW_BYTES} bytes together`);
  }
  if (mayCrossDictionaryEnd(page, dictionary)) return uncompressed(page);
  for (const startBytes of UNCOMPRESSED_STARTS) {
    if (startBytes >= page.length) break;
    const rest = await compressAfter(dictionary, page, startBytes, quality);
    if (!decodesTo(page, dictionary, startBytes, rest)) continue;
    return Buffer.concat([uncompressedBlocks(page.subarray(0, startBytes), true), rest]);
  }
  return uncompressed(page);
}

function repeated(first: number, period: number, times: number): number[] {
  return Array.from({ length: period * times }, (_, i) => first + (i % period));
}

/**
 * Returns whether a copy could begin in the dictionary and end in the page: its bytes would include both
 * sides of the seam.
 */
function mayCrossDictionaryEnd(page: Uint8Array, dictionary: Uint8Array): boolean {
  if (dictionary.length === 0 || page.length === 0) return false;
  const seam = Buffer.from([dictionary[dictionary.length - 1], page[0]]);
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength).includes(seam);
}

/** Returns the meta-blocks of page[startBytes, end), encoded after everything before. */
async function compressAfter(
  dictionary: Uint8Array,
  page: Uint8Array,
  startBytes: number,
  quality: number,
): Promise<Uint8Array> {
  const sizeBytes = dictionary.length + page.length;
  const options: BrotliOptions & TransformOptions = {
    // the output of a step is read after the step, so one chunk and the reader's buffer must hold it
    chunkSize: sizeBytes + 4096,
    readableHighWaterMark: 2 * sizeBytes + 8192,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: sizeBytes,
    },
  };
  const encoder = createBrotliCompress(options);
  try {
    for (const before of [dictionary, page.subarray(0, startBytes)]) {
      await new Promise<void>((resolve, reject) => {
        encoder.once('error', reject);
        encoder.write(before);
        encoder.flush(constants.BROTLI_OPERATION_FLUSH, () => {
          encoder.removeListener('error', reject);
          encoder.read(); // discarded: the decoder has the dictionary, and the start is written separately
          resolve();
        });
      });
    }
    encoder.end(page.subarray(startBytes));
    const parts: Uint8Array[] = [];
    for await (const part of encoder) parts.push(part as Uint8Array);
    return Buffer.concat(parts);
  } finally {
    encoder.destroy();
  }
}

/**
 * Decodes the stream with the dictionary as uncompressed blocks before the page, so that the last distances
 * are initial.
 */
function decodesTo(page: Uint8Array, dictionary: Uint8Array, startBytes: number, rest: Uint8Array): boolean {
  const stream = Buffer.concat([
    uncompressedBlocks(dictionary, true),
    uncompressedBlocks(page.subarray(0, startBytes), dictionary.length === 0),
    rest,
  ]);
  try {
    const maxOutputLength = dictionary.length + page.length;
    const whole = brotliDecompressSync(stream, { maxOutputLength });
    return whole.subarray(dictionary.length).equals(page);
  } catch {
    return false; // a distance beyond the start of the data
  }
}

/** Returns a stream without compression, for pages that are very short or cannot be compressed. */
function uncompressed(page: Uint8Array): Uint8Array {
  const blocks = uncompressedBlocks(page, true);
  // the last, empty meta-block: two bits, after the window header if there was no other block
  const last = blocks.length > 0 ? 0b11 : (0b11 << WINDOW_HEADER_BITS) | WINDOW_HEADER;
  return Buffer.concat([blocks, Uint8Array.of(last)]);
}

/**
 * Returns meta-blocks of uncompressed bytes (RFC 7932, 9.2); with `first`, the window header precedes them.
 */
function uncompressedBlocks(bytes: Uint8Array, first: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += MAX_BLOCK_BYTES) {
    const part = bytes.subarray(start, start + MAX_BLOCK_BYTES);
    const headerBits = first && start === 0 ? WINDOW_HEADER_BITS : 0;
    // not the last (0), four nibbles of length (00), the length minus one in 16 bits, uncompressed (1)
    const block = ((part.length - 1) << 3) | (1 << 19);
    const bits = headerBits === 0 ? block : (block << WINDOW_HEADER_BITS) | WINDOW_HEADER;
    parts.push(Uint8Array.of(bits & 0xff, (bits >>> 8) & 0xff, (bits >>> 16) & 0xff), part);
  }
  return Buffer.concat(parts);
}
