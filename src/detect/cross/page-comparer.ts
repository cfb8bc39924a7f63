/** A page against the arms of its cross: which of them each of its tags and words occurs in. */
import { LayoutSigner, type LayoutTokens } from '../../compare/layout-signer.ts';
import { OccurrenceFinder, type OccurrenceOptions } from '../../compare/occurrences.ts';
import {
  PageTokenReader,
  type PageTokens,
  type PlacedTokens,
  viewTokens,
} from '../../compare/page-tokens.ts';
import type { Tree } from '../../parse/tree.ts';
import type { LabelContext } from '../detector.ts';
import { ARM_COUNT } from './bit-patterns.ts';
import { SIGNATURE_PLACES } from './cross-settings.ts';

/** The arms of a page's cross; undefined where there is none. */
export interface Cross {
  /** In the order of the bits: up, down, previous, next. */
  arms: (PageTokens | undefined)[];
  bits: number;
}

/** What comparing pages needs, kept from page to page. */
export class PageComparer {
  readonly reader = new PageTokenReader();
  readonly #previousReader = new PageTokenReader();
  readonly #nextReader = new PageTokenReader();
  readonly #signer = new LayoutSigner({ permutations: SIGNATURE_PLACES });
  readonly #finder: OccurrenceFinder;
  #occurs = new Uint8Array(4096);
  #bits = new Uint8Array(4096);

  constructor(options: OccurrenceOptions = {}) {
    this.#finder = new OccurrenceFinder(options);
  }

  sign(tree: Tree, kind: LayoutTokens): Uint32Array {
    const signature = new Uint32Array(SIGNATURE_PLACES);
    this.#signer.sign(tree, kind, signature);
    return signature;
  }

  /** Views that hold until the captures of another page are read. */
  readCaptures({ previous, next }: LabelContext): { previous?: PageTokens; next?: PageTokens } {
    return {
      previous: previous && viewTokens(this.#previousReader.read(previous.tree)),
      next: next && viewTokens(this.#nextReader.read(next.tree)),
    };
  }

  /** The arms that each token occurs in. */
  compare(placed: PlacedTokens, { arms }: Cross): { bits: Uint8Array; blockTokens: number } {
    const { tokenCount } = placed;
    if (this.#bits.length < tokenCount) {
      this.#bits = new Uint8Array(2 * tokenCount);
      this.#occurs = new Uint8Array(2 * tokenCount);
    }
    const bits = this.#bits;
    const occurs = this.#occurs;
    bits.fill(0, 0, tokenCount);
    let blockTokens = 0;
    for (let arm = 0; arm < ARM_COUNT; arm++) {
      const other = arms[arm];
      if (!other) continue;
      blockTokens = Math.max(blockTokens, this.#finder.find(placed, other, occurs).blockTokens);
      for (let token = 0; token < tokenCount; token++) bits[token] |= occurs[token] << arm;
    }
    return { bits, blockTokens };
  }
}
