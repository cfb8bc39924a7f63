/**
 * Signatures of layouts: MinHash over the tokens of a page's tags. There are two kinds of tokens, and
 * signatures of different kinds cannot be compared. Keeps its memory from page to page.
 */
import type { Tree } from '../parse/tree.ts';
import { LayerTokens } from './layer-tokens.ts';
import { MinHash, type MinHashOptions } from './minhash.ts';
import type { PageTags } from './page-tags.ts';
import { PathTokens } from './path-tokens.ts';

/**
 * `paths`: tags and classes from the root down (path-tokens.ts), which do not change with the length of a
 * page; `layers`: numbered, as Leśniak's thesis has them (layer-tokens.ts).
 */
export const LAYOUT_TOKENS = ['paths', 'layers'] as const;
export type LayoutTokens = (typeof LAYOUT_TOKENS)[number];

export class LayoutSigner {
  readonly #paths = new PathTokens();
  readonly #layers = new LayerTokens();
  readonly #minHash: MinHash;

  constructor(options: MinHashOptions = {}) {
    this.#minHash = new MinHash(options);
  }

  /** Writes the signature of a page to `out` from `start`. */
  sign(tree: Tree, kind: LayoutTokens, out: Uint32Array, start = 0): void {
    if (kind === 'paths') {
      this.signPaths(tree, undefined, out, start);
      return;
    }
    this.#layers.make(tree);
    this.#minHash.sign(this.#layers.tokens, this.#layers.count, out, start);
  }

  /** Writes that of the kind `paths`; `tags` have read the page, when others want them too. */
  signPaths(tree: Tree, tags: PageTags | undefined, out: Uint32Array, start = 0): void {
    this.#paths.make(tree, tags);
    this.#minHash.sign(this.#paths.tokens, this.#paths.count, out, start);
  }
}
