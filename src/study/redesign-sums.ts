/**
 * What shows, capture by capture, that a site was redesigned: how many of the template's words the capture before does
 * not have, and how similar the layouts are. Of the older capture that takes its tokens and the signature of its layout
 * only, which can be kept where the capture itself would have to be read and parsed again.
 *
 * The same counts as `PageChangeFinder` has, at a third of its cost: one token diff, no blocks; and neither diff nor
 * signature where nothing changed.
 */
import { LayoutSigner } from '../compare/layout-signer.ts';
import { countEqual } from '../compare/minhash.ts';
import { OccurrenceFinder } from '../compare/occurrences.ts';
import { PageTokenReader, type PageTokens, type PlacedTokens, viewTokens } from '../compare/page-tokens.ts';
import type { Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { type ChangeSums, countWords, SIMILARITY_PLACES, templateTokens } from './page-changes.ts';

/** What a capture is compared by. */
export interface CaptureTokens {
  tokens: PageTokens;
  /** Of the layout, `SIMILARITY_PLACES` long. */
  signature: Uint32Array;
  /** Content hash of the whole page. */
  wholeLow: number;
  wholeHigh: number;
}

/** Compares page after page; keeps its memory. */
export class RedesignCounter {
  readonly #newReader = new PageTokenReader();
  readonly #oldReader = new PageTokenReader();
  readonly #occurrences = new OccurrenceFinder();
  readonly #signer = new LayoutSigner({ permutations: SIMILARITY_PLACES });
  /** The newer capture's, then the older one's. */
  readonly #signatures = new Uint32Array(2 * SIMILARITY_PLACES);
  #occurs = new Uint8Array(4096);
  #current: { tree: Tree; placed: PlacedTokens } | undefined;

  /** Takes the newer capture, and the older one if there is one; what it gives holds until the next. */
  read(tree: Tree, older?: CaptureTokens): CaptureTokens {
    const placed = this.#newReader.read(tree);
    this.#current = { tree, placed };
    if (older && isSame(tree, older)) this.#signatures.set(older.signature);
    else this.#signer.sign(tree, 'paths', this.#signatures);
    return captureTokens(tree, placed, this.#signatures.subarray(0, SIMILARITY_PLACES));
  }

  /** What an older capture is compared by when only its tree is at hand; holds until the next. */
  readOlder(tree: Tree): CaptureTokens {
    this.#signer.sign(tree, 'paths', this.#signatures, SIMILARITY_PLACES);
    return captureTokens(tree, this.#oldReader.read(tree), this.#signatures.subarray(SIMILARITY_PLACES));
  }

  /** What of the capture read last, whose labels are `ranges`, is new. */
  count(ranges: readonly Range[], older: CaptureTokens): ChangeSums {
    const { tree, placed } = this.#current!;
    if (this.#occurs.length < placed.tokenCount) this.#occurs = new Uint8Array(2 * placed.tokenCount);
    const occurs = this.#occurs.subarray(0, placed.tokenCount);
    if (isSame(tree, older)) occurs.fill(1);
    else this.#occurrences.find(placed, older.tokens, occurs);
    this.#signatures.set(older.signature, SIMILARITY_PLACES);
    return {
      ...countWords({ placed, occurs }, templateTokens({ tree, placed }, ranges)),
      layoutPlaces: countEqual(this.#signatures, 0, SIMILARITY_PLACES, SIMILARITY_PLACES),
    };
  }
}

function captureTokens(tree: Tree, placed: PlacedTokens, signature: Uint32Array): CaptureTokens {
  const { contentLow, contentHigh } = tree;
  return { tokens: viewTokens(placed), signature, wholeLow: contentLow[0], wholeHigh: contentHigh[0] };
}

function isSame({ contentLow, contentHigh }: Tree, { wholeLow, wholeHigh }: CaptureTokens): boolean {
  return contentLow[0] === wholeLow && contentHigh[0] === wholeHigh;
}
