/**
 * Brotli against a raw dictionary, by the encoder inside node:zlib, which before Node 26 takes none. The
 * dictionary is fed to an ordinary encoder first and its output thrown away; what follows are the meta-blocks
 * of the page, whose distances reach back into the dictionary exactly as RFC 9841 counts them: the dictionary
 * stands before the first byte of the output. Two things in that output depend on more than the bytes before:
 *
 * - the contexts of the first two literals: the first two bytes go into a meta-block that is not compressed,
 *   which is written here;
 * - the four last distances, which a decoder begins with as 16, 15, 11 and 4 and which the encoder has left as
 *   the dictionary made them. A stream that leans on other ones decodes to something else.
 *
 * Nor may a copy run over the end of the dictionary into the page: decoders refuse it. So our dictionaries end
 * in DICTIONARY_TAIL, bytes that leave exactly those four distances behind, and then one that no UTF-8 page
 * holds, which no copy can therefore contain. Other dictionaries may be used as well: every stream is decoded
 * here as a decoder would begin, and one that does not give the page is made again with a longer uncompressed
 * start; where a copy could cross the end, nothing is compressed.
 *
 * Cost: the dictionary is compressed again for every page, 2 to 4 ms for 64 KiB at quality 5 and 100 ms at 11.
 */
import type { TransformOptions } from 'node:stream';
import { type BrotliOptions, brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib';

/** Bytes repeated 16, 15, 11 and 4 apart, and one that no UTF-8 text holds. */
export const DICTIONARY_TAIL = Uint8Array.from([
  ...repeated(0x80, 16, 2),
  ...repeated(0x90, 15, 2),
  ...repeated(0xa0, 11, 2),
  ...repeated(0xb0, 4, 3),
  0xff,
]);

/** Window bits: 16 MiB, the most that RFC 9842 lets a client expect. */
const WINDOW_BITS = 24;
const MAX_WINDOW_BYTES = 2 ** WINDOW_BITS - 16;
/** The window header for 24 bits, in four bits (RFC 7932, 9.1). */
const WINDOW_HEADER = 0b1111;
const WINDOW_HEADER_BITS = 4;
const MAX_BLOCK_BYTES = 65_536;
/** Bytes at the start of a page that are not compressed: as few as the contexts need, then more. */
const UNCOMPRESSED_STARTS = [2, 3, 24, 200, 2000];

/**
 * The brotli stream of a page against a dictionary, without the header that `dcb` puts before it. Throws a
 * RangeError when both together exceed the largest window.
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

/** Whether a copy could begin in the dictionary and end in the page: its bytes would hold both sides of the seam. */
function mayCrossDictionaryEnd(page: Uint8Array, dictionary: Uint8Array): boolean {
  if (dictionary.length === 0 || page.length === 0) return false;
  const seam = Buffer.from([dictionary[dictionary.length - 1], page[0]]);
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength).includes(seam);
}

/** The meta-blocks of page[startBytes, end) made by an encoder that has seen all before. */
async function compressAfter(
  dictionary: Uint8Array,
  page: Uint8Array,
  startBytes: number,
  quality: number,
): Promise<Uint8Array> {
  const sizeBytes = dictionary.length + page.length;
  const options: BrotliOptions & TransformOptions = {
    // all output of a step waits until the step is done: one chunk and the reader's buffer must take it
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
          encoder.read(); // thrown away: the decoder has the dictionary, and the start is written apart
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

/** Decodes with the dictionary as uncompressed blocks before the page: the last distances are as at a start. */
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
    return false; // a distance that leads nowhere
  }
}

/** A whole stream without compression, for pages too short or too odd. */
function uncompressed(page: Uint8Array): Uint8Array {
  const blocks = uncompressedBlocks(page, true);
  // the last, empty meta-block: two bits, after the window header when nothing came before
  const last = blocks.length > 0 ? 0b11 : (0b11 << WINDOW_HEADER_BITS) | WINDOW_HEADER;
  return Buffer.concat([blocks, Uint8Array.of(last)]);
}

/** Meta-blocks with bytes as they are (RFC 7932, 9.2); `first`: the window header goes before them. */
function uncompressedBlocks(bytes: Uint8Array, first: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += MAX_BLOCK_BYTES) {
    const part = bytes.subarray(start, start + MAX_BLOCK_BYTES);
    const headerBits = first && start === 0 ? WINDOW_HEADER_BITS : 0;
    // not the last (0), four nibbles of length (00), the length less one in 16 bits, uncompressed (1)
    const block = ((part.length - 1) << 3) | (1 << 19);
    const bits = headerBits === 0 ? block : (block << WINDOW_HEADER_BITS) | WINDOW_HEADER;
    parts.push(Uint8Array.of(bits & 0xff, (bits >>> 8) & 0xff, (bits >>> 16) & 0xff), part);
  }
  return Buffer.concat(parts);
}
