/**
 * Raw deflate streams, inflated about one and a half times as fast as node:zlib does. It decides nothing: a stream
 * that is damaged, cut off or too large, or has codes that hardly anyone writes, is given up on, and the caller asks
 * node:zlib. One for all of a thread, because each memory of WebAssembly takes gigabytes of addresses: what was
 * inflated is copied from here, which costs a thirtieth of the time. What no stream has reached takes no memory.
 */

import * as values from '../model/deflate-values.ts';
import { instantiate } from '../model/wasm-code.ts';
import { beginFunction, symbolsFunction } from './inflate-code.ts';
import * as layout from './inflate-layout.ts';
import { buildFunction, dynamicFunction, fixedFunction } from './inflate-table-code.ts';

/** Most bytes a stream may give here. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Of the stream, so much is brought in at first, and then at a time: more than a stored block has. */
const FIRST_BYTES = 16 * 1024;
const PIECE_BYTES = 128 * 1024;
/** More than the codes of a block take, 563 bytes, which are read without looking where the input ends. */
const CODES_BYTES = 1024;
/** More than some literals and the longest match take, the last step of its copying included. */
const OVERRUN_BYTES = 512;

const INPUT_AT = layout.BUFFERS_AT;
const OUTPUT_AT = INPUT_AT + PIECE_BYTES + CODES_BYTES;
const OUTPUT_LIMIT = OUTPUT_AT + MOST_BYTES;

/** Places in `words`. */
const BITS = layout.BITS / 4;
const LEFT = layout.LEFT / 4;
const INPUT = layout.INPUT / 4;
const OUTPUT = layout.OUTPUT / 4;

const NOTHING: Uint8Array = new Uint8Array(0);

/** Types of a block. */
const STORED = 0;
const FIXED = 1;
const DYNAMIC = 2;
/** What `symbols` gives. */
const BLOCK_ENDS = 1;
const LIMIT_REACHED = 2;

export interface KernelOutput {
  /** Valid until the next call. */
  bytes: Uint8Array;
  /** Of the stream, up to its end or to where it was left. */
  consumedBytes: number;
  /** Whether these are all bytes of the stream. */
  isWhole: boolean;
}

export class InflateKernel {
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #begin: () => number;
  readonly #fixed: () => number;
  readonly #dynamic: () => number;
  readonly #symbols: (inputLimit: number, outputLimit: number, outputStart: number) => number;
  #stream = NOTHING;
  /** Of the stream: the piece that is in memory. */
  #start = 0;
  #end = 0;
  /** Where to stop reading: for more of the stream, or because it must have ended before. */
  #inputLimit = 0;
  /** Where to stop writing. */
  #outputLimit = 0;

  constructor() {
    const build = 0;
    const { memory, exports } = instantiate(
      [buildFunction(), beginFunction(), fixedFunction(build), dynamicFunction(build), symbolsFunction()],
      OUTPUT_LIMIT + OVERRUN_BYTES,
    );
    this.#bytes = new Uint8Array(memory);
    this.#words = new Int32Array(memory, 0, layout.BUFFERS_AT / 4);
    this.#begin = exports.begin;
    this.#fixed = exports.fixed;
    this.#dynamic = exports.dynamic;
    this.#symbols = exports.symbols;
    writeSymbols(memory);
    writePatterns(memory);
  }

  /** Null when node:zlib should see to it. */
  inflate(stream: Uint8Array): KernelOutput | null {
    const output = this.#inflateUpTo(stream, MOST_BYTES + 1);
    return output?.isWhole ? output : null;
  }

  /** The same, but the stream is left when it has given so many bytes; some more may have come by then. */
  inflateStart(stream: Uint8Array, startBytes: number): KernelOutput | null {
    return this.#inflateUpTo(stream, Math.min(startBytes, MOST_BYTES));
  }

  #inflateUpTo(stream: Uint8Array, outputBytes: number): KernelOutput | null {
    this.#stream = stream;
    this.#outputLimit = OUTPUT_AT + outputBytes;
    const output = this.#inflateStream();
    this.#stream = NOTHING;
    return output;
  }

  #inflateStream(): KernelOutput | null {
    const words = this.#words;
    this.#bringIn(0, FIRST_BYTES);
    words[OUTPUT] = OUTPUT_AT;
    let isWhole = false;
    while (!isWhole && words[OUTPUT] < this.#outputLimit) {
      if (words[INPUT] >= this.#inputLimit && !this.#goOn()) return null;
      const header = this.#begin();
      const type = header >> 1;
      const blockEnds = type === STORED ? this.#copyStored() : this.#decode(type);
      if (!blockEnds && words[OUTPUT] < this.#outputLimit) return null;
      isWhole = blockEnds && (header & 1) === 1;
    }
    const consumedBytes = this.#start + this.#inputAt() - INPUT_AT;
    // what was read beyond the end was none of the stream
    if (consumedBytes > this.#stream.length || words[OUTPUT] > OUTPUT_LIMIT) return null;
    return { bytes: this.#bytes.subarray(OUTPUT_AT, words[OUTPUT]), consumedBytes, isWhole };
  }

  /** Brings in a piece of the stream; no bits of it are at hand. */
  #bringIn(start: number, pieceBytes: number): void {
    this.#words[LEFT] = layout.SCALE;
    this.#words.fill(0, BITS, BITS + 2);
    this.#replacePiece(start, pieceBytes);
  }

  #replacePiece(start: number, pieceBytes: number): void {
    const stream = this.#stream;
    const end = Math.min(start + pieceBytes, stream.length);
    this.#bytes.set(stream.subarray(start, end), INPUT_AT);
    this.#start = start;
    this.#end = end;
    this.#words[INPUT] = INPUT_AT;
    // eight bytes can be at hand and not be taken; the codes of a block must all be there unless the stream ends
    this.#inputLimit = INPUT_AT + (end - start) + (end === stream.length ? 8 : -CODES_BYTES);
  }

  /** The next piece, with the bits at hand staying there; false when there is none. */
  #goOn(): boolean {
    if (this.#end === this.#stream.length) return false;
    this.#replacePiece(this.#start + this.#words[INPUT] - INPUT_AT, PIECE_BYTES);
    return true;
  }

  /** Address of the first byte of which no bit was taken. */
  #inputAt(): number {
    const bitsAtHand = (this.#words[LEFT] & 63) - layout.SCALE;
    return this.#words[INPUT] - (bitsAtHand >> 3);
  }

  #copyStored(): boolean {
    const words = this.#words;
    const bytes = this.#bytes;
    let at = this.#inputAt();
    if (this.#start + at - INPUT_AT + 4 > this.#stream.length) return false;
    let size = bytes[at] | (bytes[at + 1] << 8);
    if (at + 4 + size > INPUT_AT + this.#end - this.#start) {
      this.#bringIn(this.#start + at - INPUT_AT, PIECE_BYTES);
      at = INPUT_AT;
      size = bytes[at] | (bytes[at + 1] << 8);
      if (4 + size > this.#end - this.#start) return false;
    }
    const isRight = (size ^ (bytes[at + 2] | (bytes[at + 3] << 8))) === 0xffff;
    if (!isRight || words[OUTPUT] + size > OUTPUT_LIMIT) return false;
    bytes.copyWithin(words[OUTPUT], at + 4, at + 4 + size);
    words[OUTPUT] += size;
    words[INPUT] = at + 4 + size;
    words[LEFT] = layout.SCALE;
    words.fill(0, BITS, BITS + 2);
    return true;
  }

  /** False when the block is not gone through: something is wrong, or a limit is reached. */
  #decode(type: number): boolean {
    if (type === FIXED) this.#bytes.set(values.FIXED_LENGTHS, layout.LENGTHS);
    if (type > DYNAMIC || (type === FIXED ? this.#fixed() : this.#dynamic()) === 0) return false;
    for (;;) {
      const result = this.#symbols(this.#inputLimit, this.#outputLimit, OUTPUT_AT);
      if (result === BLOCK_ENDS) return true;
      if (result !== LIMIT_REACHED || this.#words[OUTPUT] >= this.#outputLimit || !this.#goOn()) return false;
    }
  }
}

/** The entries of symbols, to which the bits of their codes are added. */
function writeSymbols(memory: ArrayBuffer): void {
  const entries = new BigInt64Array(memory, 0, layout.BUFFERS_AT / 8);
  const write = (at: number, base: number, { extra = 0, flags = 0n } = {}) => {
    const mask = BigInt((1 << extra) - 1) << BigInt(layout.MASK_AT);
    const low = BigInt(extra | (layout.SCALE << layout.CODE_AT)) | (BigInt(base) << BigInt(layout.BASE_AT));
    entries[at] = BigInt.asIntN(64, mask | low | flags);
  };
  const codes = layout.CODE_SYMBOLS / 8;
  const literals = layout.LITERAL_SYMBOLS / 8;
  const distances = layout.DISTANCE_SYMBOLS / 8;
  const unusual = { flags: BigInt(layout.UNUSUAL) };
  for (let code = 0; code < 19; code++) write(codes + code, code);
  for (let literal = 0; literal < 256; literal++)
    write(literals + literal, literal, { flags: layout.LITERAL });
  write(literals + 256, BLOCK_ENDS, unusual);
  for (const [k, base] of values.LENGTH_BASE.entries())
    write(literals + 257 + k, base, { extra: values.LENGTH_EXTRA[k] });
  for (const [k, base] of values.DISTANCE_BASE.entries())
    write(distances + k, base, { extra: values.DISTANCE_EXTRA[k] });
  // the fixed codes have symbols that mean nothing
  for (const at of [literals + 286, literals + 287, distances + 30, distances + 31]) write(at, 0, unusual);
}

function writePatterns(memory: ArrayBuffer): void {
  const bytes = new Uint8Array(memory);
  const words = new Int32Array(memory, 0, layout.BUFFERS_AT / 4);
  bytes.set(values.CODE_LENGTH_ORDER, layout.CODE_ORDER);
  for (let distance = 1; distance < 16; distance++) {
    for (let k = 0; k < 16; k++) bytes[layout.PATTERNS + 16 * distance + k] = k % distance;
    words[layout.STEPS / 4 + distance] = 16 - (16 % distance);
  }
}

let kernel: InflateKernel | undefined;

/** The kernel of this thread. */
export function inflateKernel(): InflateKernel {
  kernel ??= new InflateKernel();
  return kernel;
}
