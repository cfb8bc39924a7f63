/**
 * The host side of the kernel: one instance per thread, with one memory. The kernel is an AssemblyScript module
 * (`assembly/`) without state outside that memory, and knows nothing of Node. Kernel functions take and return
 * addresses; TypeScript reads the memory through typed arrays.
 *
 * When the memory grows, every typed array over it becomes empty. So a view that outlives one call is registered with
 * `onGrow`, which makes it anew; `bytes`, `words` and `results` are made anew here.
 */
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { Heap } from './heap.ts';
import type { KernelFunctions } from './kernel-functions.ts';
import { HEAP_AT, RESULT_WORDS, RESULTS_AT } from './layout.ts';

/** Reserved for the heap at the start: enough for the default limits, so that the memory seldom grows. */
const INITIAL_BYTES = 512 * 1024 * 1024;
/** As much as a 32-bit address reaches. */
const MAXIMUM_BYTES = 4 * 1024 * 1024 * 1024;
const WASM_PAGE_BYTES = 65_536;

export type PageRoom = Pick<Limits, 'pageBytes' | 'nodes'>;

export class Kernel {
  readonly functions: KernelFunctions;
  readonly memory: WebAssembly.Memory;
  readonly heap: Heap;
  /** The whole memory. */
  bytes: Uint8Array<ArrayBuffer>;
  words: Int32Array<ArrayBuffer>;
  /** Words that the last kernel function left. */
  results: Int32Array<ArrayBuffer>;
  readonly #growListeners = new Set<() => void>();

  /** Pages up to this size have room from the start; for a larger page room is made. */
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
