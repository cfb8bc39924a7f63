/**
 * Chooses the cross of a page from the captures in the model and the captures passed with the page. The rules
 * are those of analysis/choose-arms.ts, which `groups --crosses` follows too.
 */
import {
  ArmChooser,
  CAPTURES_TRIED,
  type DownRule,
  leastEqual,
  timeOf,
  UNDATED,
} from '../../analysis/choose-arms.ts';
import { LayoutSigner, type LayoutTokens } from '../../analysis/layout-signer.ts';
import { OccurrenceFinder, type Occurrences } from '../../analysis/page-diff.ts';
import {
  PageTokenReader,
  type PageTokens,
  type PlacedTokens,
  viewTokens,
} from '../../analysis/page-tokens.ts';
import { WordMatcher } from '../../analysis/word-matches.ts';
import { pageKey } from '../../model/page-key.ts';
import type { Tree } from '../../parse/tree.ts';
import type { LabelContext, ParsedPage } from '../detector.ts';
import { ARM_COUNT, DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import type { KeptPage } from './cross-model.ts';
import { type CrossDiff, type CrossVariant, SIGNATURE_PLACES } from './cross-settings.ts';

/**
 * The nearest similar captures passed with the page. On a side without any, captures of the model are used.
 */
export interface Captures {
  previous?: Arm;
  next?: Arm;
  /** Whether any captures before, or after, were passed. */
  hasEarlier?: boolean;
  hasLater?: boolean;
}

/** Rules by which the arms of a cross are chosen. */
export interface CrossRules {
  /** Minimum similarity of all four arms. */
  threshold: number;
  down: DownRule;
}

/** Returns the cross of a page. */
export function buildCross(
  { url, time }: ParsedPage['page'],
  signature: Uint32Array,
  pages: readonly KeptPage[],
  captures: Captures,
  { threshold, down: downRule }: CrossRules,
): Cross {
  const key = pageKey(url);
  const timeMs = timeOf(time);
  const least = leastEqual(threshold, SIGNATURE_PLACES);
  const chooser = new ArmChooser(downRule);
  chooser.start(timeMs);
  let before: Arm | undefined;
  let after: Arm | undefined;
  let beforeMs = Number.NEGATIVE_INFINITY;
  let afterMs = Number.POSITIVE_INFINITY;
  for (const [k, page] of pages.entries()) {
    const equal = countEqualPlaces(page.signature, signature);
    if (equal < least) continue;
    if (page.key !== key) {
      chooser.offer({ capture: k, page: page.number, time: page.timeMs, equal });
      continue;
    }
    // a capture of the same page at another time
    if (page.timeMs === UNDATED || timeMs === UNDATED) continue;
    if (page.timeMs < timeMs && page.timeMs > beforeMs) {
      before = toArm(page, equal);
      beforeMs = page.timeMs;
    } else if (page.timeMs > timeMs && page.timeMs < afterMs) {
      after = toArm(page, equal);
      afterMs = page.timeMs;
    }
  }
  const { up, down } = chooser;
  const arms = [
    up && toArm(pages[up.capture], up.equal),
    down && toArm(pages[down.capture], down.equal),
    captures.hasEarlier ? captures.previous : before,
    captures.hasLater ? captures.next : after,
  ];
  let bits = 0;
  for (const [k, bit] of [UP, DOWN, PREVIOUS, NEXT].entries()) if (arms[k]) bits |= bit;
  return { arms, bits };
}

function toArm(page: KeptPage, equal: number): Arm {
  return { url: page.url, time: page.time, similarity: equal / SIGNATURE_PLACES, tokens: page };
}

function countEqualPlaces(one: Uint32Array, other: Uint32Array): number {
  let equal = 0;
  for (let i = 0; i < SIGNATURE_PLACES; i++) if (one[i] === other[i]) equal++;
  return equal;
}

/** Compares a page with the arms of its cross to find the arms in which each of its tags and words occurs. */

/** A capture that a page is compared with. */
export interface Arm {
  url: string;
  time: string;
  /** Estimated similarity of its layout to the layout of the page, in [0, 1]. */
  similarity: number;
  tokens: PageTokens;
}

/** The arms of a page's cross. */
export interface Cross {
  /** In the order of the bits: up, down, previous, next; undefined for an absent arm. */
  arms: (Arm | undefined)[];
  bits: number;
}

/** Finds the tokens of a page that occur in another page. */
interface Matcher {
  find(page: PlacedTokens, other: PageTokens, occurs: Uint8Array): Occurrences;
}

/** Compares pages one after another and reuses its memory. */
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

  /** Returns the layout signature of a tree. */
  sign(tree: Tree, kind: LayoutTokens): Uint32Array {
    const signature = new Uint32Array(SIGNATURE_PLACES);
    this.#signer.sign(tree, kind, signature);
    return signature;
  }

  /**
   * Reads the nearest similar captures on either side. The result is valid until the captures of another page
   * are read.
   */
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

  /** Returns for each token the bits of the arms in which it occurs. */
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
