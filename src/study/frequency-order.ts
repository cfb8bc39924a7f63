/**
 * Which of a site's hashes is the most frequent while pages lose them. A heap whose entries may be out of date: counts only
 * fall, so one that is met on top with another count sinks to where it belongs.
 */

/** More pages first, then nearer to the start, then the smaller number. */
export function comesFirst(a: number, b: number, pages: Float64Array, offset: Float64Array): boolean {
  if (pages[a] !== pages[b]) return pages[a] > pages[b];
  if (offset[a] !== offset[b]) return offset[a] < offset[b];
  return a < b;
}

/** A heap of hashes, most frequent on top; counts only fall, so an entry out of date sinks when it is met. */
export class FrequencyOrder {
  readonly #holding: Float64Array;
  readonly #heap: number[];
  readonly #count: Float64Array; // as the heap knows it
  readonly #offset: Float64Array;

  /** Of some hashes, whose list it takes over, or of all that are held; `scratch` is its own as long as it is used. */
  constructor(
    holding: Float64Array,
    offset: Float64Array,
    hashes = Array.from(holding, (_, hash) => hash).filter((hash) => holding[hash] > 0),
    scratch: Float64Array = new Float64Array(holding.length),
  ) {
    this.#holding = holding;
    this.#offset = offset;
    this.#count = scratch;
    this.#heap = hashes;
    for (const hash of hashes) scratch[hash] = holding[hash];
    for (let at = (this.#heap.length >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  first(): number {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined) return -1;
      if (this.#count[top] === this.#holding[top] && this.#holding[top] > 0) return top;
      this.#count[top] = this.#holding[top];
      if (this.#holding[top] <= 0) {
        const last = this.#heap.pop()!;
        if (this.#heap.length === 0) return -1;
        this.#heap[0] = last;
      }
      this.#sink(0);
    }
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const hash = heap[from];
    for (let at = from; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) {
        heap[at] = hash;
        return;
      }
      const other = child + 1;
      if (other < heap.length && comesFirst(heap[other], heap[child], this.#count, this.#offset))
        child = other;
      if (!comesFirst(heap[child], hash, this.#count, this.#offset)) {
        heap[at] = hash;
        return;
      }
      heap[at] = heap[child];
      at = child;
    }
  }
}
