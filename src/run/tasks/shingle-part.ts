/**
 * The shingles that a task leaves, all numbers doubles as they lie in memory: of each page its number, words,
 * digest, how many hashes, and these.
 */
import type { Shingles } from '../../analysis/shingles.ts';

export const SHINGLES_FILE = 'shingles.bin';

export interface PageShingles extends Shingles {
  page: number;
}

/** Shingles on their way to a file. */
export class ShinglePart {
  #numbers = new Float64Array(1 << 10);
  #count = 0;

  add(page: number, { wordCount, digest, hashes }: Shingles): void {
    const size = 4 + hashes.length;
    if (this.#count + size > this.#numbers.length) {
      const larger = new Float64Array(2 * this.#numbers.length + size);
      larger.set(this.#numbers.subarray(0, this.#count));
      this.#numbers = larger;
    }
    this.#numbers.set([page, wordCount, digest, hashes.length], this.#count);
    this.#numbers.set(hashes, this.#count + 4);
    this.#count += size;
  }

  encode(): Uint8Array {
    return new Uint8Array(this.#numbers.buffer, 0, this.#count * Float64Array.BYTES_PER_ELEMENT);
  }
}

/** The pages of a part, in order. */
export function* decodeShingles(bytes: Uint8Array): Generator<PageShingles> {
  if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0) throw new Error('a part of shingles is damaged');
  // a copy, so that numbers lie where they may
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  for (let at = 0; at < numbers.length; ) {
    const [page, wordCount, digest, size] = numbers.subarray(at, at + 4);
    const hashes = numbers.subarray(at + 4, at + 4 + size);
    if (hashes.length !== size) throw new Error('a part of shingles is damaged');
    yield { page, wordCount, digest, hashes };
    at += 4 + size;
  }
}
