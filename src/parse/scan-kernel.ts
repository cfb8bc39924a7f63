/**
 * What the functions in WebAssembly work on and how they are called. One for all parsers of a thread, because each
 * memory of WebAssembly takes gigabytes of addresses: a page is copied in when its parsing begins, its text and its
 * columns are copied out when it ends. The memory does not grow (that would cost V8 its assumption that arrays stay where they are, for
 * all arrays of the thread): a page that does not fit gets a new one. What no page has reached takes no memory.
 */
import { DEFAULT_LIMITS } from '../model/limits.ts';
import { instantiate, type WasmFunction } from '../model/wasm-code.ts';
import { attributesFunction } from './attribute-code.ts';
import { closeFunction } from './close-code.ts';
import type { SharedArrays } from './construction.ts';
import { formattingArrays } from './formatting-list.ts';
import {
  ENTRIES_AT,
  ENTRY_BYTES,
  ENTRY_COUNT,
  FORMATTING_COUNT,
  FORMATTING_LIST,
  INNERMOST_AT,
  NAME_COUNT,
  SOURCE_AT,
} from './kernel-layout.ts';
import { nextFunction } from './next-code.ts';
import { type SharedColumns, sharedColumns } from './node-columns.ts';
import { buildFunction } from './plain-code.ts';
import { isSurplusFunction } from './plain-formats.ts';
import { modeInsideFunction } from './plain-table.ts';
import { fillTags } from './plain-tags.ts';
import { commentEndFunction, rawEndFunction } from './raw-code.ts';
import { collapseFunction, hashFunction } from './scan-code.ts';
import { meetFunction } from './tag-code.ts';

/** Bytes after the source: zeros, which stop every loop over 16 bytes, then the `>` that stops the search for one. */
const PADDING = 64;
const ZEROS = 32;

export class ScanKernel implements SharedArrays {
  /** All that lies before the source: see kernel-layout.ts. */
  readonly words: Int32Array;
  /** The source and what follows it. */
  readonly bytes: Uint8Array;
  readonly text: Uint8Array;
  /** Address of the text. */
  readonly textAt: number;
  readonly columns: SharedColumns;
  readonly entries: Int32Array;
  readonly innermost: Int32Array;
  readonly formatting: SharedArrays['formatting'];
  readonly build: (start: number, size: number) => number;
  readonly next: (start: number, size: number) => number;
  readonly collapse: (start: number, to: number, limit: number, stop: number) => number;
  readonly hash: (start: number, end: number) => void;
  readonly attributes: (start: number, size: number, place: number) => number;
  readonly rawEnd: (start: number, size: number, tag: number) => number;
  readonly commentEnd: (start: number, size: number) => number;
  readonly capacity: number;
  #isTaken = false;

  constructor(pageBytes: number) {
    this.capacity = pageBytes;
    const length = pageBytes + PADDING;
    this.textAt = SOURCE_AT + length;
    const { memory, exports } = instantiate(kernelFunctions(), this.textAt + length);
    this.words = new Int32Array(memory, 0, SOURCE_AT / 4);
    fillTags(memory);
    this.columns = sharedColumns(memory);
    this.entries = new Int32Array(memory, ENTRIES_AT, (ENTRY_COUNT * ENTRY_BYTES) / 4);
    this.innermost = new Int32Array(memory, INNERMOST_AT, NAME_COUNT).fill(-1);
    this.formatting = formattingArrays((name) => [memory, FORMATTING_LIST[name], FORMATTING_COUNT]);
    this.bytes = new Uint8Array(memory, SOURCE_AT, length);
    this.text = new Uint8Array(memory, this.textAt, length);
    this.build = exports.build;
    this.next = exports.next;
    this.collapse = exports.collapse;
    this.hash = exports.hash;
    this.attributes = exports.attributes;
    this.rawEnd = exports.rawEnd;
    this.commentEnd = exports.commentEnd;
  }

  /** Copies a page in. */
  take(source: Uint8Array): void {
    const { length } = source;
    // the last page was given up
    if (this.#isTaken) this.innermost.fill(-1);
    this.#isTaken = true;
    this.bytes.set(source);
    this.bytes.fill(0, length, length + PADDING);
    this.bytes[length + ZEROS] = 0x3e;
  }

  /** The page is done: nothing of it stands open. */
  release(): void {
    this.#isTaken = false;
  }
}

/** The functions; each is told the places of those it calls. */
function kernelFunctions(): WasmFunction[] {
  const [hash, collapse, attributes, meet, next, close, ...rest] = Array(10).keys();
  const [rawEnd, commentEnd, isSurplus, modeInside] = rest;
  return [
    hashFunction(),
    collapseFunction(hash),
    attributesFunction({ hash }),
    meetFunction({ attributes }),
    nextFunction({ meet }),
    closeFunction(),
    rawEndFunction(),
    commentEndFunction(),
    isSurplusFunction(),
    modeInsideFunction(),
    buildFunction({ hash, collapse, attributes, next, close, rawEnd, commentEnd, isSurplus, modeInside }),
  ];
}

let kernel: ScanKernel | undefined;

/** The kernel of this thread, with room for a page of so many bytes. */
export function scanKernel(pageBytes: number): ScanKernel {
  if (kernel === undefined || kernel.capacity < pageBytes) {
    kernel = new ScanKernel(Math.max(pageBytes, 2 * (kernel?.capacity ?? 0), DEFAULT_LIMITS.pageBytes));
  }
  return kernel;
}
