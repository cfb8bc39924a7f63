/**
 * The signatures that a task leaves: all numbers of 32 bits, as they lie in memory.
 *
 *   count · kinds · permutations · page numbers · signatures of the first kind · of the second …
 */

export const SIGNATURES_FILE = 'signatures.bin';
const HEAD = 3;

/** Signatures on their way to a file. */
export class SignaturePart {
  /** By kind of token, page by page; the place to fill begins at `next`. */
  readonly signatures: Uint32Array[];
  readonly #pages: Uint32Array;
  readonly #permutations: number;
  #count = 0;

  constructor(mostPages: number, kinds: number, permutations: number) {
    this.signatures = Array.from({ length: kinds }, () => new Uint32Array(mostPages * permutations));
    this.#pages = new Uint32Array(mostPages);
    this.#permutations = permutations;
  }

  /** Where the signature of the next page belongs. */
  get next(): number {
    return this.#count * this.#permutations;
  }

  /** Keeps what was filled in as the signature of a page. */
  commit(page: number): void {
    this.#pages[this.#count++] = page;
  }

  encode(): Uint8Array {
    const parts = [
      Uint32Array.of(this.#count, this.signatures.length, this.#permutations),
      this.#pages.subarray(0, this.#count),
      ...this.signatures.map((column) => column.subarray(0, this.next)),
    ];
    return Buffer.concat(
      parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    );
  }
}

export interface DecodedSignatures {
  pages: Uint32Array;
  permutations: number;
  signatures: Uint32Array[];
}

export function decodeSignatures(bytes: Uint8Array): DecodedSignatures {
  // a copy, so that numbers lie where they may
  const words = new Uint32Array(new Uint8Array(bytes).buffer);
  const [count, kinds, permutations] = words;
  if (words.length !== HEAD + count * (1 + kinds * permutations))
    throw new Error('a signature part is damaged');
  const first = HEAD + count;
  const size = count * permutations;
  return {
    pages: words.subarray(HEAD, first),
    permutations,
    signatures: Array.from({ length: kinds }, (_, k) =>
      words.subarray(first + k * size, first + (k + 1) * size),
    ),
  };
}
