/**
 * The heap of the kernel's memory. The host takes and releases its blocks; the kernel never does. Blocks are
 * few and large (the page workspace, chunks of an arena, tables), so a sorted list of the free ones is
 * enough. The memory grows if no free block is large enough, and never shrinks; bytes that were never written
 * take no physical memory.
 */
import type { Kernel } from './kernel.ts';

/** Blocks start and end at multiples of this many bytes. */
const GRANULE_BYTES = 4096;
const WASM_PAGE_BYTES = 65_536;

interface FreeBlock {
  address: number;
  sizeBytes: number;
}

/** Allocates blocks of the kernel's memory. */
export class Heap {
  /** Free blocks by address; neighbours are merged. */
  readonly #free: FreeBlock[];
  /** Sizes of the blocks in use, by address. */
  readonly #used = new Map<number, number>();
  readonly #memory: WebAssembly.Memory;
  readonly #onGrow: () => void;

  constructor(memory: WebAssembly.Memory, firstAddress: number, onGrow: () => void) {
    this.#memory = memory;
    this.#onGrow = onGrow;
    this.#free = [{ address: firstAddress, sizeBytes: memory.buffer.byteLength - firstAddress }];
  }

  /** Returns the address of a block that belongs to the caller until `release`. Its bytes are undefined. */
  take(sizeBytes: number): number {
    const wanted = Math.max(1, Math.ceil(sizeBytes / GRANULE_BYTES)) * GRANULE_BYTES;
    let index = this.#free.findIndex((block) => block.sizeBytes >= wanted);
    if (index < 0) index = this.#grow(wanted);
    const block = this.#free[index];
    const { address } = block;
    block.address += wanted;
    block.sizeBytes -= wanted;
    if (block.sizeBytes === 0) this.#free.splice(index, 1);
    this.#used.set(address, wanted);
    return address;
  }

  /** Bytes of all blocks in use. */
  get usedBytes(): number {
    let sum = 0;
    for (const sizeBytes of this.#used.values()) sum += sizeBytes;
    return sum;
  }

  /** Releases a block. */
  release(address: number): void {
    const sizeBytes = this.#used.get(address);
    if (sizeBytes === undefined) throw new RangeError(`no block was taken at address ${address}`);
    this.#used.delete(address);
    this.#addFree({ address, sizeBytes });
  }

  #addFree(block: FreeBlock): number {
    const free = this.#free;
    let index = free.findIndex(({ address }) => address > block.address);
    if (index < 0) index = free.length;
    free.splice(index, 0, block);
    const next = free[index + 1];
    if (next && block.address + block.sizeBytes === next.address) {
      block.sizeBytes += next.sizeBytes;
      free.splice(index + 1, 1);
    }
    const previous = free[index - 1];
    if (!previous || previous.address + previous.sizeBytes !== block.address) return index;
    previous.sizeBytes += block.sizeBytes;
    free.splice(index, 1);
    return index - 1;
  }

  /** Grows the memory by at least this many bytes and returns the index of the free block at its end. */
  #grow(sizeBytes: number): number {
    const address = this.#memory.buffer.byteLength;
    this.#memory.grow(Math.ceil(sizeBytes / WASM_PAGE_BYTES));
    this.#onGrow();
    return this.#addFree({ address, sizeBytes: this.#memory.buffer.byteLength - address });
  }
}

/** A block of the kernel's memory that is replaced by a larger one when more room is needed. */
export class Block {
  readonly #kernel: Kernel;
  #address = 0;
  #sizeBytes = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Address of the block; 0 before the first `room`. */
  get address(): number {
    return this.#address;
  }

  /**
   * Returns the address of at least this many bytes. The first `keepBytes` keep their value, all others are
   * undefined.
   */
  room(sizeBytes: number, keepBytes = 0): number {
    if (sizeBytes <= this.#sizeBytes) return this.#address;
    const before = this.#address;
    // take half as much again, so that growing step by step stays linear
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

  /** Frees the block; `room` allocates it again. */
  release(): void {
    if (this.#sizeBytes > 0) this.#kernel.heap.release(this.#address);
    this.#sizeBytes = 0;
  }
}
