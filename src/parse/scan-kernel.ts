/**
 * What scan-code.ts works on and how it is called. One for all parsers of a thread, because each memory of
 * WebAssembly takes gigabytes of addresses: a page is copied in when its parsing begins, its text is copied out
 * when it ends. The memory does not grow (that would cost V8 its assumption that arrays stay where they are, for
 * all arrays of the thread): a page that does not fit gets a new one. What no page has reached takes no memory.
 */
import { DEFAULT_LIMITS } from '../model/limits.ts';
import { instantiate } from '../model/wasm-code.ts';
import { collapseFunction, hashFunction, nextFunction, SOURCE_AT } from './scan-code.ts';

/** Bytes after the source: zeros, which stop every loop over 16 bytes, then the `>` that stops the search for one. */
const PADDING = 64;
const ZEROS = 32;

export class ScanKernel {
  /** Results of the functions, then places of known tags. */
  readonly words: Int32Array;
  /** The source and what follows it. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly text: Uint8Array;
  /** Address of the text. */
  readonly textAt: number;
  readonly next: (start: number, size: number) => number;
  readonly collapse: (start: number, to: number, limit: number, stop: number) => number;
  readonly hash: (start: number, end: number) => void;
  readonly capacity: number;

  constructor(pageBytes: number) {
    this.capacity = pageBytes;
    const length = pageBytes + PADDING;
    this.textAt = SOURCE_AT + length;
    const hash = 0;
    const { memory, exports } = instantiate(
      [hashFunction(), collapseFunction(hash), nextFunction()],
      this.textAt + length,
    );
    this.words = new Int32Array(memory, 0, SOURCE_AT / 4);
    this.bytes = new Uint8Array(memory, SOURCE_AT, length);
    this.view = new DataView(memory, SOURCE_AT, length);
    this.text = new Uint8Array(memory, this.textAt, length);
    this.next = exports.next;
    this.collapse = exports.collapse;
    this.hash = exports.hash;
  }

  /** Copies a page in. */
  take(source: Uint8Array): void {
    const { length } = source;
    this.bytes.set(source);
    this.bytes.fill(0, length, length + PADDING);
    this.bytes[length + ZEROS] = 0x3e;
  }

  /** The source alone, for the native search. */
  sourceBuffer(size: number): Buffer {
    return Buffer.from(this.bytes.buffer, SOURCE_AT, size);
  }
}

let kernel: ScanKernel | undefined;

/** The kernel of this thread, with room for a page of so many bytes. */
export function scanKernel(pageBytes: number): ScanKernel {
  if (kernel === undefined || kernel.capacity < pageBytes) {
    kernel = new ScanKernel(Math.max(pageBytes, 2 * (kernel?.capacity ?? 0), DEFAULT_LIMITS.pageBytes));
  }
  return kernel;
}
