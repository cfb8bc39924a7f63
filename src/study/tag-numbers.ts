/**
 * Numbers the start tags of pages, byte for byte: pages of a site are made of the same few hundred, and what is to be
 * read in a tag needs reading once. A tag is known by a 64-bit hash of its bytes and its element's name.
 */
import { hashQuickly, type Lanes } from '../compare/byte-hash.ts';
import { HashCounter } from '../compare/hash-counter.ts';

export class TagNumbers {
  readonly #tags = new HashCounter();
  readonly #lanes: Lanes = { low: 0, high: 0 };

  /** Tags that are known. */
  get count(): number {
    return this.#tags.size;
  }

  /** The number of the start tag at `[start, end)`: `count`, as it was before, when it is a new one. */
  numberOf(source: DataView, start: number, end: number, name: number): number {
    const { low, high } = hashQuickly(source, start, end, this.#lanes);
    return this.#tags.add(low ^ name, high, 0);
  }

  /** Forgets all tags and keeps the room. */
  clear(): void {
    this.#tags.clear();
  }
}
