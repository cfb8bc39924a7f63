/**
 * Inflates raw deflate streams in the kernel (kernel/assembly/inflate.ts), 1.6 times as fast as node:zlib.
 * Unlike node:zlib it also reports the end of a stream, returns all bytes before a fault, and can stop at any
 * size. The output is a view of the kernel's memory. The sink that takes the pieces bounds memory and time
 * for a stream of any size.
 */
import type { Kernel } from '../kernel/kernel.ts';
import { INFLATE_INPUT_ENDS, INFLATE_OUTPUT_FULL } from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { type ByteSource, memorySource } from './byte-source.ts';

/** How inflating a stream ended. */
export interface InflateEnd {
  /**
   * `done`: the stream ended; `cut`: the source ended first; `bad`: the bytes are not deflate; `stopped`: the
   * sink returned false.
   */
  status: 'done' | 'cut' | 'bad' | 'stopped';
  /** Compressed bytes read, up to the end of the stream or the fault. */
  consumedBytes: number;
  producedBytes: number;
}

/**
 * Takes a piece of the output. The piece is valid during the call; the last piece is valid until the next
 * stream is inflated into the same memory. Returns false to stop. A stream that has ended has a last piece,
 * which may be empty.
 */
export type InflateSink = (piece: Uint8Array, consumedBytes: number, isLast: boolean) => boolean;

/** The start of a stream, or all of it if it is shorter. */
export interface InflatedStart {
  /** Valid until the next stream is inflated into the same memory. */
  bytes: Uint8Array;
  consumedBytes: number;
  /** `full`: as many bytes as were asked for; otherwise see `InflateEnd`. */
  status: 'full' | 'done' | 'cut' | 'bad';
}

/** Largest output that is returned as one piece, in bytes. */
export const MAX_PIECE_BYTES = 16 * 1024 * 1024;

/** The input is copied in pieces, a small one first because most streams are short. */
const FIRST_INPUT_BYTES = 16 * 1024;
const INPUT_BYTES = 128 * 1024;
/** Largest rest of a piece that the kernel leaves for later: a stored block and some bytes. */
const REST_BYTES = 68 * 1024;
const HISTORY_BYTES = 32 * 1024;
/** Maximum bytes that the kernel may write beyond the limit: a stored block and some bytes. */
const OVERRUN_BYTES = 66 * 1024;

/** Statuses by the number that the kernel returns. */
const STATUSES = ['bad', 'done', 'cut', 'full'] as const;

/** Address of the thread's input block, allocated on first use. */
let inputAddress = 0;

/**
 * Memory of the kernel for the output of one stream at a time. Bytes that no stream has reached take no
 * physical memory.
 */
export class InflateMemory {
  readonly #kernel: Kernel = threadKernel();
  readonly #pieceBytes: number;
  #address = 0;

  // the current stream
  #source: ByteSource = NO_SOURCE;
  /** Offset in the source of the byte at `inputAddress`. */
  #inputOffset = 0;
  #inputEnd = 0;
  #isWhole = false;

  constructor(pieceBytes = MAX_PIECE_BYTES) {
    this.#pieceBytes = pieceBytes;
  }

  /**
   * Passes the output of the stream at `offset` to `sink`, in pieces of at least `pieceBytes` except the
   * last.
   */
  inflate(source: ByteSource, offset: number, sink: InflateSink): InflateEnd {
    this.#begin(source, offset);
    const { results, functions } = this.#kernel;
    const start = this.#address;
    let pieceStart = start;
    let producedBytes = 0;
    for (;;) {
      const status = this.#run(start + HISTORY_BYTES + this.#pieceBytes);
      const consumedBytes = this.#consumedBytes - offset;
      const end = results[1] >>> 0;
      const { bytes } = this.#kernel;
      const piece = bytes.subarray(pieceStart, end);
      producedBytes += piece.length;
      const isLast = status !== INFLATE_OUTPUT_FULL;
      if (!sink(piece, consumedBytes, isLast)) return { status: 'stopped', consumedBytes, producedBytes };
      if (isLast) return { status: STATUSES[status] as 'done', consumedBytes, producedBytes };
      // keep the history, because matches reach back into it
      const history = Math.min(HISTORY_BYTES, end - start);
      bytes.copyWithin(start, end - history, end);
      pieceStart = start + history;
      functions.moveInflate(0, pieceStart - end);
    }
  }

  /** Returns the first bytes of a stream: at least `startBytes`, or all of a shorter stream. */
  inflateStart(stream: Uint8Array, startBytes: number): InflatedStart {
    this.#begin(memorySource(stream), 0);
    const status = this.#run(this.#address + Math.min(startBytes, this.#pieceBytes));
    const { bytes, results } = this.#kernel;
    const start = bytes.subarray(this.#address, results[1] >>> 0);
    return { bytes: start, consumedBytes: this.#consumedBytes, status: STATUSES[status] };
  }

  /** Frees the memory; the next stream allocates it again. */
  release(): void {
    if (this.#address > 0) this.#kernel.heap.release(this.#address);
    this.#address = 0;
  }

  #begin(source: ByteSource, offset: number): void {
    const { heap, functions } = this.#kernel;
    inputAddress ||= heap.take(REST_BYTES + INPUT_BYTES);
    this.#address ||= heap.take(HISTORY_BYTES + this.#pieceBytes + OVERRUN_BYTES);
    this.#source = source;
    this.#inputOffset = offset;
    this.#inputEnd = inputAddress;
    this.#bringIn(FIRST_INPUT_BYTES);
    functions.beginInflate(inputAddress, this.#address);
  }

  /** Inflates up to a limit of the output, and returns why the kernel stopped. */
  #run(outputLimit: number): number {
    const { bytes, results, functions } = this.#kernel;
    for (;;) {
      const status = functions.inflate(this.#inputEnd, this.#isWhole, this.#address, outputLimit);
      if (status !== INFLATE_INPUT_ENDS || this.#isWhole) return status;
      // move the rest of the input to the front, and append more
      const used = results[0] >>> 0;
      bytes.copyWithin(inputAddress, used, this.#inputEnd);
      functions.moveInflate(inputAddress - used, 0);
      this.#inputOffset += used - inputAddress;
      this.#inputEnd -= used - inputAddress;
      this.#bringIn(INPUT_BYTES);
    }
  }

  #bringIn(wantBytes: number): void {
    const from = this.#inputOffset + this.#inputEnd - inputAddress;
    const piece = this.#source.view(from, wantBytes).subarray(0, wantBytes);
    this.#kernel.bytes.set(piece, this.#inputEnd);
    this.#inputEnd += piece.length;
    // fewer bytes than asked: the source ends here, whatever size it had when it was opened
    this.#isWhole = piece.length < wantBytes || from + piece.length >= this.#source.sizeBytes;
  }

  /** The offset in the source after the last byte that was used. */
  get #consumedBytes(): number {
    const used = Math.min(this.#kernel.results[0] >>> 0, this.#inputEnd);
    return this.#inputOffset + used - inputAddress;
  }
}

/**
 * Returns the thread's memory for pages that are processed in place: a page read with it is valid until the
 * next one.
 */
export function threadPageMemory(): InflateMemory {
  pageMemory ??= new InflateMemory();
  return pageMemory;
}

let pageMemory: InflateMemory | undefined;

const NO_SOURCE = memorySource(new Uint8Array(0));
