/** A page against the arms of its cross: which of them each of its tags and words occurs in. */

import { CAPTURES_TRIED, leastEqual } from '../../analysis/choose-arms.ts';
import { LayoutSigner, type LayoutTokens } from '../../analysis/layout-signer.ts';
import { OccurrenceFinder, type Occurrences } from '../../analysis/page-diff.ts';
import {
  PageTokenReader,
  type PageTokens,
  type PlacedTokens,
  viewTokens,
} from '../../analysis/page-tokens.ts';
import { WordMatcher } from '../../analysis/word-matches.ts';
import type { Tree } from '../../parse/tree.ts';
import type { LabelContext, ParsedPage } from '../detector.ts';
import { ARM_COUNT } from './bit-patterns.ts';
import { type Captures, countEqualPlaces } from './build-cross.ts';
import { type CrossDiff, type CrossVariant, SIGNATURE_PLACES } from './cross-settings.ts';

/** A capture that a page is compared with. */
export interface Arm {
  url: string;
  time: string;
  /** Estimated similarity of its layout to that of the page, in [0, 1]. */
  similarity: number;
  tokens: PageTokens;
}

/** The arms of a page's cross; undefined where there is none. */
export interface Cross {
  /** In the order of the bits: up, down, previous, next. */
  arms: (Arm | undefined)[];
  bits: number;
}

/** Finds the tokens of a page that occur in another. */
interface Matcher {
  find(page: PlacedTokens, other: PageTokens, occurs: Uint8Array): Occurrences;
}

/** What comparing pages needs, kept from page to page. */
export class PageComparer {
  readonly reader = new PageTokenReader();
  readonly #previousReader = new PageTokenReader();
  readonly #nextReader = new PageTokenReader();
  readonly #signer = new LayoutSigner({ permutations: SIGNATURE_PLACES });
  readonly #matcher: Matcher;
  #occurs = new Uint8Array(4096);
  #bits = new Uint8Array(4096);

  constructor({ diff, variant }: { diff: CrossDiff; variant: CrossVariant }) {
    this.#matcher =
      diff === 'lxml'
        ? new WordMatcher()
        : new OccurrenceFinder({ runs: variant === 'T007' ? 'texts' : 'words' });
  }

  sign(tree: Tree, kind: LayoutTokens): Uint32Array {
    const signature = new Uint32Array(SIGNATURE_PLACES);
    this.#signer.sign(tree, kind, signature);
    return signature;
  }

  /** The nearest similar captures on either side, as views that hold until those of another page are read. */
  readCaptures(
    { earlier, later }: LabelContext,
    { signature, kind, threshold }: { signature: Uint32Array; kind: LayoutTokens; threshold: number },
  ): Captures {
    const least = leastEqual(threshold, SIGNATURE_PLACES);
    const find = (captures: Iterable<ParsedPage>, reader: PageTokenReader): Arm | undefined => {
      let tried = 0;
      for (const { page, tree } of captures) {
        const equal = countEqualPlaces(this.sign(tree, kind), signature);
        if (equal >= least) {
          const { url, time } = page;
          return { url, time, similarity: equal / SIGNATURE_PLACES, tokens: viewTokens(reader.read(tree)) };
        }
        if (++tried === CAPTURES_TRIED) break;
      }
      return undefined;
    };
    return {
      previous: earlier && find(earlier, this.#previousReader),
      next: later && find(later, this.#nextReader),
      hasEarlier: earlier !== undefined,
      hasLater: later !== undefined,
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
      blockTokens = Math.max(blockTokens, this.#matcher.find(placed, other.tokens, occurs).blockTokens);
      for (let token = 0; token < tokenCount; token++) bits[token] |= occurs[token] << arm;
    }
    return { bits, blockTokens };
  }
}
