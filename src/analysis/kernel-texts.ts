/** Texts in the kernel's memory, by address. Texts that do not lie there, or not for long enough, are copied in. */
import { Block } from '../kernel/block.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PADDING_BYTES } from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';

export interface TextSpan {
  /** Address of the first byte, and how many bytes there are. */
  address: number;
  length: number;
}

/** Texts that hold until `release`. */
export class KernelTexts {
  readonly spans: TextSpan[] = [];
  readonly #kernel: Kernel;
  readonly #blocks: number[] = [];

  constructor(texts: readonly Uint8Array[] = [], kernel = threadKernel()) {
    this.#kernel = kernel;
    for (const text of texts) this.add(text, false);
  }

  /** Adds a text; one that is held lies in the kernel's memory until these texts are released. */
  add(text: Uint8Array, isHeld: boolean): TextSpan {
    const { length } = text;
    let address = text.byteOffset;
    if (!isHeld) {
      address = copyIn(this.#kernel, text, this.#kernel.heap.take(length + PADDING_BYTES));
      this.#blocks.push(address);
    }
    const span = { address, length };
    this.spans.push(span);
    return span;
  }

  get totalBytes(): number {
    return this.spans.reduce((sum, { length }) => sum + length, 0);
  }

  release(): void {
    for (const address of this.#blocks) this.#kernel.heap.release(address);
  }
}

/** One text at a time: in place when it lies in the kernel's memory, else in a copy that the next one overwrites. */
export class KernelText {
  readonly #kernel = threadKernel();
  readonly #block = new Block(this.#kernel);

  at(text: Uint8Array, length: number): TextSpan {
    if (text.buffer === this.#kernel.memory.buffer) return { address: text.byteOffset, length };
    const copied = text.length === length ? text : text.subarray(0, length);
    return { address: copyIn(this.#kernel, copied, this.#block.room(length + PADDING_BYTES)), length };
  }

  release(): void {
    this.#block.release();
  }
}

/** The bytes of a text, until the memory grows. */
export function textBytes({ address, length }: TextSpan): Uint8Array {
  return threadKernel().bytes.subarray(address, address + length);
}

function copyIn(kernel: Kernel, text: Uint8Array, address: number): number {
  kernel.bytes.set(text, address);
  kernel.bytes.fill(0, address + text.length, address + text.length + PADDING_BYTES);
  return address;
}
