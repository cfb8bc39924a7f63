/**
 * Which complete shared fragments are worth a file, and where they occur. Fragments of a class are equal as
 * trees, yet may differ in bytes (order of attributes, white space); an include is one byte string, so each
 * byte string, a *variant*, is counted and judged alone:
 *
 *     worth a file  ⇔  (uses − 1) × bytes  >  uses × (bytes of the tag + cost of an include)
 *
 * Occurrences are found by the content hash of their first node, which the tree has already, and settled by
 * a digest of their bytes. Memory: 20 bytes for a variant seen once, an entry for one seen again.
 */
import { HashCounter } from '../../analysis/hash-tables.ts';
import type { Tree } from '../../parse/tree.ts';
import { contentId } from './include-syntax.ts';

/** A stretch of a page by offsets of its source, as bytes of an include. */
export type Slice = (start: number, end: number) => Uint8Array;

export interface Variant {
  /** Digest of its bytes. */
  id: string;
  bytes: number;
  uses: number;
  /** Longest chain of includes from its file on, 1 when it includes nothing; 0 until the file is written. */
  depth: number;
  /** Includes that its own costs, itself counted. */
  includes: number;
}

/** A variant where it occurs, `[start, end)` of a source. */
export interface Occurrence {
  variant: Variant;
  start: number;
  end: number;
}

/** Lengths tried for one content hash: equal trees seldom come in more than a few ways to write them. */
const MAX_LENGTHS = 32;

export class FragmentTable {
  readonly #seen = new HashCounter();
  readonly #variants = new Map<string, Variant>();
  /** By content hash of the first node, the source lengths of variants that start with it. */
  readonly #lengths = new Map<number, Set<number>>();

  /** Counts a use of the fragment `[start, end)` whose first node is `node`. */
  count(tree: Tree, node: number, end: number, slice: Slice): void {
    const start = tree.start[node];
    const bytes = slice(start, end);
    const id = contentId(bytes);
    const variant = this.#variants.get(id);
    if (variant !== undefined) variant.uses++;
    else if (this.#sawBefore(id)) {
      this.#variants.set(id, { id, bytes: bytes.length, uses: 2, depth: 0, includes: 0 });
    } else return;
    const key = contentKey(tree, node);
    const lengths = this.#lengths.get(key);
    if (lengths === undefined) this.#lengths.set(key, new Set([end - start]));
    else if (lengths.size < MAX_LENGTHS) lengths.add(end - start);
  }

  /** Drops what is not worth a file; gives the number that is. */
  choose(tagBytes: number, includeCostBytes: number): number {
    this.#seen.clear();
    for (const [id, { bytes, uses }] of this.#variants) {
      if ((uses - 1) * bytes <= uses * (tagBytes + includeCostBytes)) this.#variants.delete(id);
    }
    for (const [key, lengths] of this.#lengths) {
      this.#lengths.set(key, new Set([...lengths].sort((a, b) => b - a)));
    }
    return this.#variants.size;
  }

  /** The longest chosen fragment that starts with a node, ends by `limit` and suits. */
  find(
    tree: Tree,
    node: number,
    limit: number,
    slice: Slice,
    suits: (variant: Variant) => boolean,
  ): Occurrence | undefined {
    const lengths = this.#lengths.get(contentKey(tree, node));
    if (lengths === undefined) return undefined;
    const start = tree.start[node];
    for (const length of lengths) {
      const end = start + length;
      if (end > limit) continue;
      const variant = this.#variants.get(contentId(slice(start, end)));
      if (variant !== undefined && suits(variant)) return { variant, start, end };
    }
    return undefined;
  }

  #sawBefore(id: string): boolean {
    const low = Number.parseInt(id.slice(0, 8), 16) | 0;
    const high = Number.parseInt(id.slice(8, 16), 16) | 0;
    this.#seen.add(low, high, 0);
    return this.#seen.occurrencesOf(low, high) > 1;
  }
}

/** 53 bits of a node's content hash, as a number. */
function contentKey(tree: Tree, node: number): number {
  return (tree.contentHigh[node] & 0x1fffff) * 0x100000000 + (tree.contentLow[node] >>> 0);
}
