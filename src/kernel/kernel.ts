/**
 * The host side of the kernel: one instance per thread, with one memory. The kernel is an AssemblyScript
 * module (`assembly/`) that has no state outside its memory and does not depend on Node. Kernel functions
 * take and return addresses; TypeScript reads the memory through typed arrays.
 *
 * When the memory grows, every typed array over it becomes empty. A view that outlives one call must
 * therefore be registered with `onGrow`, which makes it again; `bytes`, `words` and `results` are made again
 * here.
 */
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { Heap } from './heap.ts';
import type { KernelFunctions } from './kernel-functions.ts';
import { HEAP_AT, RESULT_WORDS, RESULTS_AT } from './layout.ts';

/**
 * Bytes reserved for the heap at the start: enough for the default limits, so that the memory rarely grows.
 */
const INITIAL_BYTES = 512 * 1024 * 1024;
/** The whole range of a 32-bit address. */
const MAXIMUM_BYTES = 4 * 1024 * 1024 * 1024;
const WASM_PAGE_BYTES = 65_536;

/** Size of a page that a workspace has room for. */
export type PageRoom = Pick<Limits, 'pageBytes' | 'nodes'>;

/** One instance of the kernel with its memory and heap. */
export class Kernel {
  readonly functions: KernelFunctions;
  readonly memory: WebAssembly.Memory;
  readonly heap: Heap;
  /** The whole memory, as bytes and as words of four bytes. */
  bytes: Uint8Array<ArrayBuffer>;
  words: Int32Array<ArrayBuffer>;
  /** Words that the last kernel function has returned. */
  results: Int32Array<ArrayBuffer>;
  readonly #growListeners = new Set<() => void>();

  /** Pages up to this size have room from the start; room for a larger page is made on demand. */
  readonly startRoom: PageRoom;

  constructor(
    module: WebAssembly.Module,
    initialBytes = INITIAL_BYTES,
    startRoom: PageRoom = DEFAULT_LIMITS,
  ) {
    this.startRoom = startRoom;
    this.memory = new WebAssembly.Memory({
      initial: Math.ceil((HEAP_AT + initialBytes) / WASM_PAGE_BYTES),
      maximum: MAXIMUM_BYTES / WASM_PAGE_BYTES,
    });
    const instance = new WebAssembly.Instance(module, { env: { memory: this.memory } });
    this.functions = instance.exports as unknown as KernelFunctions;
    [this.bytes, this.words, this.results] = this.#views();
    this.heap = new Heap(this.memory, HEAP_AT, () => this.#grew());
  }

  /** Calls `makeViews` whenever the memory has grown, until the returned function is called. */
  onGrow(makeViews: () => void): () => void {
    this.#growListeners.add(makeViews);
    return () => this.#growListeners.delete(makeViews);
  }

  #grew(): void {
    [this.bytes, this.words, this.results] = this.#views();
    for (const makeViews of this.#growListeners) makeViews();
  }

  #views(): [Uint8Array<ArrayBuffer>, Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>] {
    const { buffer } = this.memory;
    return [new Uint8Array(buffer), new Int32Array(buffer), new Int32Array(buffer, RESULTS_AT, RESULT_WORDS)];
  }
}
