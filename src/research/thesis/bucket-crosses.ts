/**
 * The third stage of the thesis (Leśniak 2017, section 2.4): on a cluster every LSH bucket goes to its own
 * machine, which builds the crosses of the pages in it. A page in several buckets gets several annotations,
 * which are merged. When all of them give one class, the text has it. Where one says template and another
 * content, a random forest decides, trained on the texts on which they agree. An unsure annotation
 * contradicts none.
 *
 * A bucket needs no other bucket, and merging is a union of the classes of each token, so any order, grouping
 * and number of workers gives the same labels. The thesis proposes this stage and did not test it.
 */
import { type Bands, chooseBands } from '../../analysis/minhash.ts';
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import { classifyBits, UP } from '../../detect/cross/bit-patterns.ts';
import {
  buildCross,
  type Captures,
  type Cross,
  type CrossRules,
  type PageComparer,
} from '../../detect/cross/build-cross.ts';
import type { KeptPage } from '../../detect/cross/cross-model.ts';
import type { TextStretch } from '../../detect/cross/cross-ranges.ts';
import { SIGNATURE_PLACES } from '../../detect/cross/cross-settings.ts';
import { type TrainingOptions, voteForContent } from '../../detect/cross/reclassify.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import { pageKey } from '../../model/page-key.ts';
import type { Tree } from '../../parse/tree.ts';

/** Bits of the classes that crosses gave a token: both bits are a contradiction, none is unsure. */
export const SAID_CONTENT = 1;
const SAID_TEMPLATE = 2;

/** Maximum number of different crosses of a page, from the first bands; each costs up to four diffs. */
const MAX_CROSSES = 8;

/** How signatures are assigned to buckets, and rules for neighbours within one. */
export interface StretchBuckets extends Bands, CrossRules {}

/** Returns the buckets for rules. */
export function bucketsFor(rules: CrossRules): StretchBuckets {
  return { ...rules, ...chooseBands({ threshold: rules.threshold, permutations: SIGNATURE_PLACES }) };
}

/**
 * Returns the different crosses of a page, by band: one for each bucket that it shares with a similar page.
 */
export function bucketCrosses(
  page: ParsedPage['page'],
  signature: Uint32Array,
  pages: readonly KeptPage[],
  captures: Captures,
  { bands, rows, ...rules }: StretchBuckets,
): Cross[] {
  const crosses: Cross[] = [];
  const key = pageKey(page.url);
  for (let band = 0; band < bands && crosses.length < MAX_CROSSES; band++) {
    // captures of the page itself are found without a bucket
    const inBucket = pages.filter(
      (other) => other.key === key || agreeInBand(other.signature, signature, band * rows, rows),
    );
    const cross = buildCross(page, signature, inBucket, captures, rules);
    if ((cross.bits & UP) === 0) continue;
    const isKnown = ({ arms }: Cross) => [0, 1].every((k) => arms[k]?.tokens === cross.arms[k]?.tokens);
    if (!crosses.some(isKnown)) crosses.push(cross);
  }
  return crosses;
}

/** Adds the class that a cross gives to every token to the classes of other crosses. */
export function addClasses(
  classes: Uint8Array,
  placed: PlacedTokens,
  cross: Cross,
  comparer: PageComparer,
): number {
  const { bits, blockTokens } = comparer.compare(placed, cross);
  for (let token = 0; token < placed.tokenCount; token++) {
    const label = classifyBits(cross.bits, bits[token]);
    if (label !== 'unsure') classes[token] |= label === 'content' ? SAID_CONTENT : SAID_TEMPLATE;
  }
  return blockTokens;
}

/**
 * Compares a page with all its crosses, one after another; `bits` of the result has the classes of each
 * token.
 */
export function compareInBuckets(placed: PlacedTokens, crosses: readonly Cross[], comparer: PageComparer) {
  const classes = new Uint8Array(placed.tokenCount);
  let blockTokens = 0;
  for (const cross of crosses) {
    blockTokens = Math.max(blockTokens, addClasses(classes, placed, cross, comparer));
  }
  return { bits: classes, blockTokens };
}

/** The page whose annotations are merged. */
export interface MergeContext {
  tree: Tree;
  placed: PlacedTokens;
  crosses: readonly Cross[];
  training: TrainingOptions;
}

/** Labels stretches by the classes in their `bits`, and sets their reasons. */
export function labelMerged(stretches: TextStretch[], context: MergeContext): void {
  const { tree, placed, crosses, training } = context;
  let contradicted = false;
  for (const stretch of stretches) {
    if (stretch.bits === SAID_CONTENT) stretch.label = 'content';
    else if (stretch.bits === SAID_TEMPLATE) stretch.label = 'template';
    contradicted ||= stretch.bits === (SAID_CONTENT | SAID_TEMPLATE);
  }
  const votes = contradicted
    ? voteForContent(tree, placed, stretches, {
        ...training,
        layers: 3,
        unsureOnly: true,
      })
    : undefined;
  for (const [i, stretch] of stretches.entries()) {
    if (stretch.bits !== (SAID_CONTENT | SAID_TEMPLATE)) {
      stretch.why =
        stretch.label === 'unsure'
          ? `in no table by any of ${crosses.length} crosses`
          : `${stretch.label} by the tables, as far as ${crosses.length} crosses show`;
      continue;
    }
    stretch.why = `${crosses.length} crosses contradict each other`;
    if (votes === undefined) continue;
    stretch.label = votes[i] > 0.5 ? 'content' : 'template';
    stretch.why += ': as the texts that look like it';
  }
}

function agreeInBand(one: Uint32Array, other: Uint32Array, from: number, rows: number): boolean {
  for (let i = from; i < from + rows; i++) if (one[i] !== other[i]) return false;
  return true;
}
