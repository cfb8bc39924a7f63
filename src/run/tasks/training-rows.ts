/**
 * Rows for training a page-level model, as a task saves them: the head of each node, then its features, all 32-bit
 * numbers in one file. If a site gives more rows than needed, those with the smallest hashes are kept, so that the
 * selection depends on neither order nor workers.
 *
 * Memory: twice the kept rows.
 */
import { mix32 } from '../../analysis/byte-hash.ts';

/** Name of the row file in a task's folder. */
export const TRAINING_ROWS_FILE = 'training-rows.bin';

/** Columns of the head, which precedes the features of a row: page number, area in square pixels, class. */
export const ROW_HEAD = { page: 0, area: 1, class: 2 } as const;
/** Numbers before the features of a row. */
export const HEAD_WIDTH = 3;

/** Sampling key of a row: a hash of the page's URL and the node's position in the page. */
export function rowKey(urlHash: number, row: number): number {
  return mix32(urlHash ^ Math.imul(row + 1, 0x9e3779b1)) >>> 0;
}

/** Keeps the rows with the smallest keys. */
export class RowSampler {
  readonly #most: number;
  /** Numbers per row. */
  readonly stride: number;
  #keys: Float64Array;
  #rows: Float32Array;
  #count = 0;

  /** `width`: features of a row; `most`: rows to keep. */
  constructor(width: number, most: number) {
    this.#most = most;
    this.stride = HEAD_WIDTH + width;
    const capacity = Math.min(most * 2, 1024);
    this.#keys = new Float64Array(capacity);
    this.#rows = new Float32Array(capacity * this.stride);
  }

  /** Adds a row: its key, its head, and the features at `offset` of `values`. */
  add(key: number, head: readonly number[], values: Float32Array, offset: number): void {
    if (this.#count === this.#most * 2) this.#keepSmallest();
    else if (this.#count === this.#keys.length) this.#grow();
    const at = this.#count * this.stride;
    this.#keys[this.#count++] = key;
    for (let k = 0; k < HEAD_WIDTH; k++) this.#rows[at + k] = head[k];
    this.#rows.set(values.subarray(offset, offset + this.stride - HEAD_WIDTH), at + HEAD_WIDTH);
  }

  /** Returns the kept rows in the order of `add`, and empties the sampler. */
  take(): Float32Array {
    if (this.#count > this.#most) this.#keepSmallest();
    const rows = this.#rows.slice(0, this.#count * this.stride);
    this.#count = 0;
    return rows;
  }

  #keepSmallest(): void {
    const sorted = this.#keys.slice(0, this.#count).sort();
    const highest = sorted[this.#most - 1];
    // of the rows with the highest kept key, only the first `spare` ones are kept
    let spare = this.#most;
    for (let k = 0; k < this.#most && sorted[k] < highest; k++) spare--;
    let kept = 0;
    for (let row = 0; row < this.#count; row++) {
      const key = this.#keys[row];
      if (key > highest || (key === highest && spare-- <= 0)) continue;
      this.#keys[kept] = key;
      this.#rows.copyWithin(kept * this.stride, row * this.stride, (row + 1) * this.stride);
      kept++;
    }
    this.#count = kept;
  }

  #grow(): void {
    const capacity = Math.min(this.#most * 2, this.#keys.length * 2);
    const keys = new Float64Array(capacity);
    const rows = new Float32Array(capacity * this.stride);
    keys.set(this.#keys);
    rows.set(this.#rows);
    this.#keys = keys;
    this.#rows = rows;
  }
}
