/**
 * What shows, capture by capture, that a site was redesigned: how many of the template's words the capture before does
 * not have, and how similar the layouts are. Of the older capture that takes its tokens and the signature of its layout
 * only, which can be kept where the capture itself would have to be read and parsed again.
 *
 * The same counts as `PageChangeFinder` has, at a fraction of its cost: what the older capture has too is neither read
 * nor compared word by word (capture-reader.ts), there is one token diff and no blocks; and neither diff nor signature
 * where nothing changed.
 */

import { IS_TAG } from '../analysis/collapsed-sequence.ts';
import { LayoutSigner } from '../analysis/layout-signer.ts';
import { countEqual } from '../analysis/minhash.ts';
import { OccurrenceFinder } from '../analysis/page-diff.ts';
import type { PageTags } from '../analysis/page-tags.ts';
import type { PageTokens } from '../analysis/page-tokens.ts';
import type { Range } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { CaptureReader } from './capture-reader.ts';
import { LabelCounter } from './label-counter.ts';
import { type ChangeSums, SIMILARITY_PLACES } from './page-changes.ts';

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
  readonly #reader = new CaptureReader();
  readonly #olderReader = new CaptureReader();
  readonly #occurrences = new OccurrenceFinder();
  readonly #counter = new LabelCounter();
  readonly #signer = new LayoutSigner({ permutations: SIMILARITY_PLACES });
  /** Numbers tags by itself, and so would make the other forget what it knows of them. */
  readonly #olderSigner = new LayoutSigner({ permutations: SIMILARITY_PLACES });
  /** The newer capture's, then the older one's. */
  readonly #signatures = new Uint32Array(2 * SIMILARITY_PLACES);
  #current: { tree: Tree; tokens: PageTokens; older: CaptureTokens | undefined } | undefined;

  /**
   * Takes the newer capture, and the older one if there is one; what it gives holds until the next. `tags` have read
   * the newer one, if others want them too.
   */
  read(tree: Tree, older?: CaptureTokens, tags?: PageTags): CaptureTokens {
    const same = older !== undefined && isSame(tree, older);
    const tokens = same ? this.#reader.copy(older.tokens) : this.#reader.read(tree, older?.tokens);
    this.#current = { tree, tokens, older };
    if (same) this.#signatures.set(older.signature);
    else this.#signer.signPaths(tree, tags, this.#signatures);
    return captureTokens(tree, tokens, this.#signatures.subarray(0, SIMILARITY_PLACES));
  }

  /** What an older capture is compared by when only its tree is at hand; holds until the next. */
  readOlder(tree: Tree): CaptureTokens {
    this.#olderSigner.sign(tree, 'paths', this.#signatures, SIMILARITY_PLACES);
    return captureTokens(tree, this.#olderReader.read(tree), this.#signatures.subarray(SIMILARITY_PLACES));
  }

  /** What of the capture read last, whose labels are `ranges`, is new; undefined when it has no older one. */
  count(ranges: readonly Range[]): ChangeSums | undefined {
    const { tree, tokens, older } = this.#current!;
    if (!older) return undefined;
    const counter = this.#counter;
    counter.open(tree, tokens, ranges);
    if (isSame(tree, older)) counter.addNodes(1, tree.nodeCount, 0, false);
    else this.#countEntries();
    this.#signatures.set(older.signature, SIMILARITY_PLACES);
    const { templateWords, newTemplateWords, contentWords, newContentWords } = counter;
    const layoutPlaces = countEqual(this.#signatures, 0, SIMILARITY_PLACES, SIMILARITY_PLACES);
    return { templateWords, newTemplateWords, contentWords, newContentWords, layoutPlaces };
  }

  #countEntries(): void {
    const { entries, olderEntries, places, subtrees } = this.#reader;
    const { occurs } = this.#occurrences.match(entries, olderEntries);
    const counter = this.#counter;
    for (let entry = 0; entry < entries.count; entry++) {
      const isNew = occurs[entry] === 0;
      if (entries.words[entry] > 0) counter.addSubtree(places[entry], subtrees[entry], isNew);
      else if ((entries.flags[entry] & IS_TAG) === 0) counter.addWord(places[entry], isNew);
    }
  }
}

function captureTokens(tree: Tree, tokens: PageTokens, signature: Uint32Array): CaptureTokens {
  const { contentLow, contentHigh } = tree;
  return { tokens, signature, wholeLow: contentLow[0], wholeHigh: contentHigh[0] };
}

function isSame({ contentLow, contentHigh }: Tree, { wholeLow, wholeHigh }: CaptureTokens): boolean {
  return contentLow[0] === wholeLow && contentHigh[0] === wholeHigh;
}
