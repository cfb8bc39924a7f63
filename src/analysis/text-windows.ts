/**
 * Windows of W characters over a text with their hashes (Gibson et al. §3.2), and texts in the kernel's
 * memory. A character is a code point of UTF-8, so a window over Greek or Chinese has more bytes. The kernel
 * rolls over the text (assembly/windows.ts, which explains the hashes).
 */

import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PADDING_BYTES } from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import * as layout from '../kernel/window-layout.ts';
import { inverseOf, power } from './byte-hash.ts';

const BATCH = 4096;

/** The state of a rolling window in the kernel's memory. */
export class WindowRoll {
  readonly address: number;
  /** Width W in characters, and density D: 0 selects every window, D > 0 one in D. */
  readonly width: number;
  readonly density: number;
  readonly #kernel = threadKernel();

  constructor(width: number, density: number) {
    this.width = width;
    this.density = density;
    this.address = this.#kernel.heap.take(4 * layout.ROLL_WORDS);
    let odd = Math.max(1, density);
    let twos = 0;
    while (odd % 2 === 0) {
      odd /= 2;
      twos++;
    }
    const { words } = this.#kernel;
    const state = this.address >> 2;
    words[state + layout.ROLL_WIDTH] = width;
    words[state + layout.ROLL_POWER_A] = power(layout.WINDOW_BASE_A, width);
    words[state + layout.ROLL_POWER_B] = power(layout.WINDOW_BASE_B, width);
    words[state + layout.ROLL_INVERSE] = inverseOf(odd);
    words[state + layout.ROLL_TWOS] = twos;
    words[state + layout.ROLL_LIMIT] = Math.floor(0xffffffff / Math.max(1, density));
  }

  /** Starts at the beginning of a text. */
  open({ address, length }: TextSpan): void {
    this.#kernel.functions.openRoll(this.address, address, address + length);
  }

  /** Frees the state's memory. */
  release(): void {
    this.#kernel.heap.release(this.address);
  }
}

/** One window of a text with its hash in two lanes. */
export interface TextWindow {
  /** Byte offsets in the text. */
  start: number;
  end: number;
  low: number;
  high: number;
}

/** Finds the windows of texts, one text at a time. */
export class TextWindows {
  readonly roll: WindowRoll;
  readonly #kernel = threadKernel();
  readonly #text = new KernelText();
  readonly #list = new Block(this.#kernel);

  constructor(width: number, density: number) {
    this.roll = new WindowRoll(width, density);
  }

  /** Counts the windows of text[0, length). */
  count(text: Uint8Array, length = text.length): number {
    let total = 0;
    for (const { count } of this.#batches(text, length)) total += count;
    return total;
  }

  /** Yields all windows of a text in order. */
  *list(text: Uint8Array): Generator<TextWindow> {
    for (const { address, count } of this.#batches(text, text.length)) {
      const words = this.#kernel.words.slice(address >> 2, (address >> 2) + layout.WINDOW_WORDS * count);
      for (let at = 0; at < words.length; at += layout.WINDOW_WORDS) {
        const [start, end, low, high] = words.subarray(at, at + layout.WINDOW_WORDS);
        yield { start, end, low, high };
      }
    }
  }

  *#batches(text: Uint8Array, length: number): Generator<{ address: number; count: number }> {
    const { functions } = this.#kernel;
    const span = this.#text.at(text, length);
    const address = this.#list.room(4 * layout.WINDOW_WORDS * BATCH);
    this.roll.open(span);
    for (let count = BATCH; count === BATCH; ) {
      count = functions.listWindows(this.roll.address, span.address, BATCH, address);
      yield { address, count };
    }
  }

  /** Frees all memory. */
  release(): void {
    this.roll.release();
    this.#text.release();
    this.#list.release();
  }
}

/** A text in the kernel's memory. Texts that are elsewhere, or not there for long enough, are copied. */
export interface TextSpan {
  /** Address of the first byte, and number of bytes. */
  address: number;
  length: number;
}

/** Texts in the kernel's memory that stay valid until `release`. */
export class KernelTexts {
  readonly spans: TextSpan[] = [];
  readonly #kernel: Kernel;
  readonly #blocks: number[] = [];

  constructor(texts: readonly Uint8Array[] = [], kernel = threadKernel()) {
    this.#kernel = kernel;
    for (const text of texts) this.add(text, false);
  }

  /**
   * Adds a text. A held text is already in the kernel's memory and stays there until these texts are
   * released.
   */
  add(text: Uint8Array, isHeld: boolean): TextSpan {
    const { length } = text;
    let address = text.byteOffset;
    if (!isHeld) {
      address = copyIn(this.#kernel, text, (sizeBytes) => this.#kernel.heap.take(sizeBytes));
      this.#blocks.push(address);
    }
    const span = { address, length };
    this.spans.push(span);
    return span;
  }

  /** Bytes of all texts. */
  get totalBytes(): number {
    return this.spans.reduce((sum, { length }) => sum + length, 0);
  }

  /** Frees the copies; held texts stay with their owner. */
  release(): void {
    for (const address of this.#blocks) this.#kernel.heap.release(address);
  }
}

/** One text at a time: used in place if it is in the kernel's memory, else copied until the next one. */
export class KernelText {
  readonly #kernel = threadKernel();
  readonly #block = new Block(this.#kernel);

  /** Returns the first `length` bytes of a text as a span in the kernel's memory, valid until the next call. */
  at(text: Uint8Array, length: number): TextSpan {
    if (text.buffer === this.#kernel.memory.buffer) return { address: text.byteOffset, length };
    const copied = text.length === length ? text : text.subarray(0, length);
    return { address: copyIn(this.#kernel, copied, (sizeBytes) => this.#block.room(sizeBytes)), length };
  }

  /** Frees the copy. */
  release(): void {
    this.#block.release();
  }
}

/** Returns the bytes of a text, valid until the memory grows. */
export function textBytes({ address, length }: TextSpan): Uint8Array {
  return threadKernel().bytes.subarray(address, address + length);
}

/** Copies a text to the address that `takeRoom` returns, adds zeros at its end, and returns the address. */
function copyIn(kernel: Kernel, text: Uint8Array, takeRoom: (sizeBytes: number) => number): number {
  const { byteOffset, length } = text;
  // taking room may grow the memory, which makes a view of it empty
  const isInKernel = text.buffer === kernel.memory.buffer;
  const address = takeRoom(length + PADDING_BYTES);
  if (isInKernel) kernel.bytes.copyWithin(address, byteOffset, byteOffset + length);
  else kernel.bytes.set(text, address);
  kernel.bytes.fill(0, address + length, address + length + PADDING_BYTES);
  return address;
}
