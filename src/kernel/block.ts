/** A block of the kernel's memory that is taken anew when more room is needed. */
import type { Kernel } from './kernel.ts';

export class Block {
  readonly #kernel: Kernel;
  #address = 0;
  #sizeBytes = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The address of at least so many bytes, left from earlier use. They hold until the next call. */
  room(sizeBytes: number): number {
    if (sizeBytes <= this.#sizeBytes) return this.#address;
    this.release();
    // half as much again: sizes grow in steps
    this.#sizeBytes = Math.ceil(sizeBytes * 1.5);
    this.#address = this.#kernel.heap.take(this.#sizeBytes);
    return this.#address;
  }

  release(): void {
    if (this.#sizeBytes > 0) this.#kernel.heap.release(this.#address);
    this.#sizeBytes = 0;
  }
}
