/** A block of the kernel's memory that is taken anew when more room is needed. */
import type { Kernel } from './kernel.ts';

export class Block {
  readonly #kernel: Kernel;
  #address = 0;
  #sizeBytes = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The address of at least so many bytes, left from earlier use. Of the bytes so far, the first `keepBytes` are kept. */
  room(sizeBytes: number, keepBytes = 0): number {
    if (sizeBytes <= this.#sizeBytes) return this.#address;
    const before = this.#address;
    // half as much again: sizes grow in steps
    const enlarged = Math.ceil(sizeBytes * 1.5);
    if (keepBytes === 0) this.release();
    this.#address = this.#kernel.heap.take(enlarged);
    if (keepBytes > 0) {
      this.#kernel.bytes.copyWithin(this.#address, before, before + keepBytes);
      this.#kernel.heap.release(before);
    }
    this.#sizeBytes = enlarged;
    return this.#address;
  }

  release(): void {
    if (this.#sizeBytes > 0) this.#kernel.heap.release(this.#address);
    this.#sizeBytes = 0;
  }
}
