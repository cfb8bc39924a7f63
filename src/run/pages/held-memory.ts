/**
 * Memory for what is held and let go together: pieces are cut from a few large blocks, which are kept for the
 * next time. A page on its own would take a dozen allocations, and memory that comes and goes calls the collector.
 * A thread has one for all its tasks; blocks that only an unusual site needed are given back step by step.
 */

const BLOCK_BYTES = 4 * 1024 * 1024;
/** Any typed array may start at a multiple of this. */
const ALIGNMENT = 8;

export class HeldMemory {
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** The block that is cut from, and what is cut of it already. */
  #block = 0;
  #cutBytes = 0;

  /** A piece that nobody else has until `letGo`; what stands in it is left from before. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    // a large one is better on its own than in what is left of a block
    if (bytes > BLOCK_BYTES / 4) return new Uint8Array(bytes);
    if (this.#cutBytes + bytes > BLOCK_BYTES) {
      this.#block++;
      this.#cutBytes = 0;
    }
    this.#blocks[this.#block] ??= new Uint8Array(BLOCK_BYTES);
    const start = this.#cutBytes;
    this.#cutBytes = Math.ceil((start + bytes) / ALIGNMENT) * ALIGNMENT;
    return this.#blocks[this.#block].subarray(start, start + bytes);
  }

  /** The pieces are free to be given again; of the blocks that nobody needed meanwhile half are kept. */
  letGo(): void {
    const neededBlocks = this.#cutBytes === 0 ? 0 : this.#block + 1;
    const spareBlocks = this.#blocks.length - neededBlocks;
    if (neededBlocks > 0) this.#blocks.length -= Math.ceil(spareBlocks / 2);
    this.#block = 0;
    this.#cutBytes = 0;
  }
}
