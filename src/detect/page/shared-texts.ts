/**
 * Texts that recur on the pages of a site at any position: the label of a field, the words of a button, a
 * line that differs only in a number (all digits are equal). They are template even when the markup around
 * them changes from page to page, which dom misses, and when they are shorter than the windows of the text
 * detector.
 *
 * A text is a text node; 52 bits of its hash are kept. Memory: one number for each distinct text.
 */
import { hashBytes, type Lanes } from '../../analysis/byte-hash.ts';
import { TEXT, type Tree } from '../../parse/tree.ts';

/** Minimum share of the pages with a frequent text; it must be on two pages at least. */
const FREQUENT_SHARE = 0.1;

/** Maximum bytes of a text that are hashed. */
const MAX_BYTES = 1 << 16;

class TextHasher {
  readonly #scratch = new Uint8Array(MAX_BYTES);
  readonly #lanes: Lanes = { low: 0, high: 0 };

  /** Returns the hash of a text node's text with all digits equal: a whole number below 2^52. */
  hash({ text, textStart }: Tree, node: number): number {
    const scratch = this.#scratch;
    const end = Math.min(textStart[node + 1], textStart[node] + MAX_BYTES);
    let length = 0;
    for (let at = textStart[node]; at < end; at++) {
      const byte = text[at];
      if (length === 0 && byte === SPACE) continue;
      scratch[length++] = byte >= ZERO && byte <= NINE ? ZERO : byte;
    }
    const { low, high } = hashBytes(scratch, 0, length, this.#lanes);
    return (high >>> 0) * 0x100000 + (low & 0xfffff);
  }
}

const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/** Counts the pages of a site with each text. */
export class TextCounter {
  readonly #hasher = new TextHasher();
  readonly #pagesWith = new Map<number, number>();
  #pages = 0;

  /** Counts the distinct texts of a page. */
  add(tree: Tree): void {
    const own = new Set<number>();
    for (let node = 0; node < tree.nodeCount; node++) {
      if (tree.kind[node] === TEXT && tree.textStart[node + 1] > tree.textStart[node]) {
        own.add(this.#hasher.hash(tree, node));
      }
    }
    for (const hash of own) this.#pagesWith.set(hash, (this.#pagesWith.get(hash) ?? 0) + 1);
    this.#pages++;
  }

  /** Returns the hashes of the texts on enough pages, ascending. */
  frequent(share = FREQUENT_SHARE): number[] {
    const least = Math.max(2, this.#pages * share);
    const hashes: number[] = [];
    for (const [hash, pages] of this.#pagesWith) if (pages >= least) hashes.push(hash);
    return hashes.sort((a, b) => a - b);
  }
}

/** Measures how much of the text of a node recurs on the site. */
export class FrequentTexts {
  readonly #hashes: Set<number>;
  readonly #hasher = new TextHasher();
  /** By node: bytes of frequent texts before it. */
  #before = new Int32Array(0);

  constructor(hashes: Iterable<number>) {
    this.#hashes = new Set(hashes);
  }

  /** Reads a page; `share` then answers for its nodes. */
  read(tree: Tree): void {
    const { nodeCount, kind, textStart } = tree;
    if (this.#before.length <= nodeCount) this.#before = new Int32Array(nodeCount * 2 + 1);
    const before = this.#before;
    for (let node = 0; node < nodeCount; node++) {
      const bytes = kind[node] === TEXT ? textStart[node + 1] - textStart[node] : 0;
      const isFrequent = bytes > 0 && this.#hashes.has(this.#hasher.hash(tree, node));
      before[node + 1] = before[node] + (isFrequent ? bytes : 0);
    }
  }

  /** Returns the share of a node's text that recurs; 0 without text. */
  share({ textStart, last }: Tree, node: number): number {
    const bytes = textStart[last[node]] - textStart[node];
    return bytes === 0 ? 0 : (this.#before[last[node]] - this.#before[node]) / bytes;
  }
}
