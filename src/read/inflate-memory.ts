/**
 * Inflates a raw deflate stream as a whole: by the loops of inflate-kernel.ts where all is well, else by node:zlib,
 * which alone says what is wrong with a stream. Streams that come one after the other can share one buffer, which the
 * next overwrites: memory of its own for every gzip member is memory the collector is soon called for.
 */
import { inflateRawSync } from 'node:zlib';
import { inflateKernel, type KernelOutput } from './inflate-kernel.ts';

/** A stream that was inflated whole. */
export interface InflatedBytes {
  bytes: Uint8Array;
  /** Of the input, up to the end of the stream. */
  consumedBytes: number;
}

/** Most bytes a stream may give. */
export const MOST_INFLATED_BYTES = 16 * 1024 * 1024;
const FIRST_BYTES = 256 * 1024;

/**
 * Inflates a stream into memory of its own. Throws as node:zlib does: `Z_BUF_ERROR` when the input ends before the
 * stream, `ERR_BUFFER_TOO_LARGE` when it gives more than `MOST_INFLATED_BYTES`, other codes when it is damaged.
 */
export function inflateBytes(input: Uint8Array): InflatedBytes {
  const inflated = inflateKernel().inflate(input);
  if (!inflated) return inflateByZlib(input);
  return { bytes: inflated.bytes.slice(), consumedBytes: inflated.consumedBytes };
}

/** Memory for what is inflated: each stream overwrites the one before. */
export class InflateMemory {
  #output = new Uint8Array(FIRST_BYTES);

  /** As `inflateBytes`, but the bytes hold only until the next call. */
  inflate(input: Uint8Array): InflatedBytes {
    const inflated = inflateKernel().inflate(input);
    return inflated ? this.#keep(inflated) : inflateByZlib(input);
  }

  /** The start of a stream, of so many bytes or some more; all of it when it is shorter, null when it is unusual. */
  inflateStart(input: Uint8Array, startBytes: number): KernelOutput | null {
    const inflated = inflateKernel().inflateStart(input, startBytes);
    return inflated && this.#keep(inflated);
  }

  #keep({ bytes, consumedBytes, isWhole }: KernelOutput): KernelOutput {
    if (bytes.length > this.#output.length) {
      this.#output = new Uint8Array(Math.min(2 * bytes.length, MOST_INFLATED_BYTES));
    }
    this.#output.set(bytes);
    return { bytes: this.#output.subarray(0, bytes.length), consumedBytes, isWhole };
  }
}

/** As `inflateBytes`; slower, and the judge of what is wrong. */
export function inflateByZlib(input: Uint8Array): InflatedBytes {
  const options = { info: true, chunkSize: 64 * 1024, maxOutputLength: MOST_INFLATED_BYTES };
  // `info` adds the engine, which knows how much input it took; the types do not know it
  const { buffer, engine } = inflateRawSync(input, options) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return { bytes, consumedBytes: engine.bytesWritten };
}
