/**
 * The thesis' third stage (Leśniak 2017, section 2.4): on a cluster every LSH bucket goes to a machine of its own,
 * which builds the crosses of the pages in it; a page that fell into several buckets comes back with several
 * annotations, and they are merged. What all of them say, the text is; where one says template and another content
 * a random forest decides, trained on what they agree on. One that is unsure contradicts nobody.
 *
 * A bucket needs none of the others, and merging is a union of what was said about each token: the same in any
 * order and grouping, so that one worker or many, a bucket each, give the same labels. The thesis proposes this
 * and did not test it.
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

/** What was said about a token, by bits: both are a contradiction, none is unsure. */
export const SAID_CONTENT = 1;
const SAID_TEMPLATE = 2;

/** Different crosses of a page that are compared, those of the first bands: each costs up to four diffs. */
const MOST_CROSSES = 8;

/** How signatures fall into buckets, and what makes a neighbour in one. */
export interface Buckets extends Bands, CrossRules {}

export function bucketsFor(rules: CrossRules): Buckets {
  return { ...rules, ...chooseBands({ threshold: rules.threshold, permutations: SIGNATURE_PLACES }) };
}

/** The different crosses of a page, one for each bucket that it shares with a similar page; by band. */
export function bucketCrosses(
  page: ParsedPage['page'],
  signature: Uint32Array,
  pages: readonly KeptPage[],
  captures: Captures,
  { bands, rows, ...rules }: Buckets,
): Cross[] {
  const crosses: Cross[] = [];
  const key = pageKey(page.url);
  for (let band = 0; band < bands && crosses.length < MOST_CROSSES; band++) {
    // captures of the page itself are known without a bucket
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

/** What a cross says about every token; of several, what all of them say together. */
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

/** Compares a page with all its crosses, one after the other; `bits` is what was said about each token. */
export function compareInBuckets(placed: PlacedTokens, crosses: readonly Cross[], comparer: PageComparer) {
  const classes = new Uint8Array(placed.tokenCount);
  let blockTokens = 0;
  for (const cross of crosses) {
    blockTokens = Math.max(blockTokens, addClasses(classes, placed, cross, comparer));
  }
  return { bits: classes, blockTokens };
}

export interface MergeContext {
  tree: Tree;
  placed: PlacedTokens;
  crosses: readonly Cross[];
  training: TrainingOptions;
}

/** Labels stretches whose `bits` are what was said about them, and says why. */
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
          : `${stretch.label} by the tables, as far as ${crosses.length} crosses tell`;
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
