/**
 * Signatures of layouts: MinHash over the tokens of a page's tags. There are two kinds of tokens, and
 * signatures of different kinds cannot be compared. Keeps its memory from page to page.
 */
import type { Tree } from '../parse/tree.ts';
import { LayerTokens } from './layer-tokens.ts';
import { MinHash, type MinHashOptions } from './minhash.ts';
import { PathTokens } from './path-tokens.ts';

/**
 * `paths`: tags and classes from the root down (path-tokens.ts), which do not change with the length of a
 * page; `layers`: numbered, as Leśniak's thesis has them (layer-tokens.ts).
 */
export const LAYOUT_TOKENS = ['paths', 'layers'] as const;
export type LayoutTokens = (typeof LAYOUT_TOKENS)[number];

export class LayoutSigner {
  readonly #makers = { paths: new PathTokens(), layers: new LayerTokens() };
  readonly #minHash: MinHash;

  constructor(options: MinHashOptions = {}) {
    this.#minHash = new MinHash(options);
  }

  /** Writes the signature of a page to `out` from `start`. */
  sign(tree: Tree, kind: LayoutTokens, out: Uint32Array, start = 0): void {
    const maker = this.#makers[kind];
    maker.make(tree);
    this.#minHash.sign(maker.tokens, maker.count, out, start);
  }
}
