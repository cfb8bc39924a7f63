/**
 * A member of a gzip file (RFC 1952), compressed by the kernel (kernel/assembly/deflate.ts): fast rather than small.
 * zlib's level 6 is 12 % smaller and takes 7 times as long, its level 1 is 2 % larger and takes 2.2 times as long. The
 * bytes do not depend on the zlib that Node was built with.
 */
import { crc32 } from 'node:zlib';
import { threadKernel } from '../kernel/thread-kernel.ts';

/** No name and no time; compressed fast; on no system in particular. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255);
const TRAILER_BYTES = 8;

/** Bytes compressed at a time: no match reaches from one slice into another. */
const SLICE_BYTES = 2 << 20;
/** Bytes after the input that the longest match reads, and after the output that the last token writes. */
const PADDING_BYTES = 512;
const INPUT_BYTES = SLICE_BYTES + PADDING_BYTES;
/** No block is larger than its bytes stored, and a block has at least 32,766 bytes or is the last one of a slice. */
const OUTPUT_BYTES = SLICE_BYTES + 16 * 65 + PADDING_BYTES;

/** The block of the thread, for the input and then for the output; made at first use. */
let block = 0;

/** Hands on a member, piece after piece; a piece holds until the next. */
export function writeGzipMember(bytes: Uint8Array, write: (piece: Uint8Array) => void): void {
  write(HEADER);
  deflateBytes(bytes, write);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4);
  write(trailer);
}

/** Hands on a raw deflate stream, piece after piece; a piece holds until the next. */
export function deflateBytes(bytes: Uint8Array, write: (piece: Uint8Array) => void): void {
  const kernel = threadKernel();
  block ||= kernel.heap.take(INPUT_BYTES + OUTPUT_BYTES);
  const output = block + INPUT_BYTES;
  let bits = 0;
  kernel.bytes[output] = 0;
  for (let from = 0, isLast = false; !isLast; from += SLICE_BYTES) {
    isLast = from + SLICE_BYTES >= bytes.length;
    const slice = bytes.subarray(from, from + SLICE_BYTES);
    kernel.bytes.set(slice, block);
    let end = kernel.functions.deflate(block, block + slice.length, isLast, output, bits);
    bits = kernel.results[0];
    if (isLast && bits > 0) end++;
    write(kernel.bytes.subarray(output, end));
    // the bits of a byte that is not full belong to the next slice
    kernel.bytes[output] = kernel.bytes[end];
  }
}
