/**
 * The cross detector (Leśniak 2017) compares a page with two other pages made from the same template (up and
 * down) and with its own captures before and after. Text shared with similar pages is template; text that
 * stays with the page over time and is on no similar page is content. URLs with the same `pageKey` are one
 * page: otherwise another capture of the page would be the most similar page, and all content would be
 * template.
 *
 * The model keeps some sampled captures of the site as tokens, with a signature of their layout; up and down
 * are the two most similar ones. The caller has the archive, so it passes the captures before and after with
 * the page; a sampled capture of the same page can be used too. Labelling costs one comparison of signatures
 * with each kept capture and up to four diffs, whatever the size of the site.
 */
import { copyTokens } from '../../analysis/page-tokens.ts';
import type { Range } from '../../model/range.ts';
import {
  bucketCrosses,
  bucketsFor,
  compareInBuckets,
  labelMerged,
} from '../../research/thesis/bucket-crosses.ts';
import { classifyAsThesis } from '../../research/thesis/thesis-variants.ts';
import type { Detector, LabelContext, ParsedPage } from '../detector.ts';
import { LearntPages } from '../model-bytes.ts';
import { tileRanges } from '../ranges.ts';
import { classifyBits, explainCross, UP } from './bit-patterns.ts';
import { buildCross, PageComparer } from './build-cross.ts';
import {
  type CrossModel,
  decodeCrossModel,
  encodeCrossModel,
  KeptCaptures,
  type NeighbourPage,
  numberPages,
} from './cross-model.ts';
import { cutStretches, toRanges, unsurePage } from './cross-ranges.ts';
import { type CrossOptions, checkCrossOptions, thresholdOf } from './cross-settings.ts';
import { refineStretches, subtreeCounts } from './refine.ts';

/**
 * Maximum number of tokens of a page that is kept as a neighbour; a page of megabytes resembles no other
 * page.
 */
const MAX_NEIGHBOUR_TOKENS = 200_000;

/**
 * Minimum similarity for T007. Comparing with the nearest available page loses less than comparing with none.
 * (The thesis lowers its threshold to 0.3 for one of its four sites.)
 */
const RELAXED_THRESHOLD = 0.2;
/** Minimum number of pages in a model for frequency on the site to be meaningful. */
const MIN_SITE_PAGES = 8;

/** Returns a cross detector. */
export function crossDetector(options: CrossOptions = {}): Detector<CrossModel> {
  const checked = checkCrossOptions(options);
  const comparer = new PageComparer(checked);
  return {
    name: 'cross',
    wantsCaptures: true,
    learnsCaptures: true,
    learn: (site, pages) => learnCross(site, pages, checked, comparer),
    label: (page, model, context) => labelCross(page, model, checked, comparer, context),
    encode: encodeCrossModel,
    decode: decodeCrossModel,
  };
}

function learnCross(
  site: string,
  pages: Iterable<ParsedPage>,
  { neighbourPages, tokens }: Required<CrossOptions>,
  comparer: PageComparer,
): CrossModel {
  const learnt = new LearntPages({ captures: true });
  const kept = new KeptCaptures<NeighbourPage>(neighbourPages);
  for (const parsed of pages) {
    learnt.add(parsed);
    const { url, time } = parsed.page;
    const placed = comparer.reader.read(parsed.tree);
    if (placed.tokenCount === 0 || placed.tokenCount > MAX_NEIGHBOUR_TOKENS) continue;
    kept.add(parsed.page, () => {
      const signature = comparer.sign(parsed.tree, tokens);
      return { url, time, signature, ...copyTokens(placed) };
    });
  }
  return {
    detector: 'cross',
    site,
    pagesLearnt: learnt.count,
    firstTime: learnt.firstTime,
    lastTime: learnt.lastTime,
    names: learnt.names,
    templates: [],
    layoutTokens: tokens,
    pages: numberPages(kept.items()),
  };
}

function labelCross(
  { page, tree }: ParsedPage,
  model: CrossModel,
  options: Required<CrossOptions>,
  comparer: PageComparer,
  context: LabelContext = {},
): Range[] {
  const placed = comparer.reader.read(tree);
  const size = tree.source.length;
  if (placed.tokenCount === 0) return tileRanges(size, []);
  const rules = { threshold: leastSimilarity(model, options), down: options.down };
  const kind = model.layoutTokens;
  const signature = comparer.sign(tree, kind);
  const captures = comparer.readCaptures(context, { signature, kind, threshold: rules.threshold });
  const cross = buildCross(page, signature, model.pages, captures, rules);
  const crosses = options.buckets
    ? bucketCrosses(page, signature, model.pages, captures, bucketsFor(rules))
    : [cross];
  if (crosses.length === 0 || (cross.bits & UP) === 0) {
    const alone = options.variant !== 'T007' || subtreeCounts(model).pageCount < MIN_SITE_PAGES;
    context.report?.(
      'no-similar-page',
      `no sampled page of ${model.site} is similar enough for the cross detector: ${alone ? 'the page is kept as unsure' : 'only blocks on many pages are labelled template'}`,
    );
    if (alone) {
      context.explain?.({ crosses: [], stretches: [] });
      return [unsurePage(tree)];
    }
  }
  const merged = crosses.length > 1;
  const { bits, blockTokens } = merged
    ? compareInBuckets(placed, crosses, comparer)
    : comparer.compare(placed, crosses[0]);
  if (blockTokens > 0) {
    context.report?.(
      'diff-capped',
      `${blockTokens} of ${placed.tokenCount} tags and words were compared in blocks, because comparing them one by one would take too long`,
    );
  }
  const stretches = cutStretches(placed, bits);
  context.onPhase?.('annotate');
  const { seed, lengths, trainingRows, neighbours, trees } = options;
  const training = { seed, lengths, trainingRows, neighbours, trees, onPhase: context.onPhase };
  if (merged) labelMerged(stretches, { tree, placed, crosses, training });
  else for (const stretch of stretches) stretch.label = classifyBits(crosses[0].bits, stretch.bits);
  context.onPhase?.('classify');
  if (options.variant === 'T007') {
    const counts = subtreeCounts(model);
    refineStretches(stretches, { tree, placed, cross: crosses[0].bits, training, counts });
  } else classifyAsThesis(options.variant, stretches, { tree, placed, training });
  context.onPhase?.('classify');
  context.explain?.(explainCross(page, tree, stretches, crosses));
  const ranges = tileRanges(size, toRanges(tree, stretches, merged ? 0 : crosses[0].bits));
  context.onPhase?.('propagate');
  return ranges;
}

/** Returns the minimum similarity of all arms. */
function leastSimilarity({ site }: CrossModel, options: Required<CrossOptions>): number {
  const threshold = thresholdOf(site, options);
  return options.variant === 'T007' ? Math.min(RELAXED_THRESHOLD, threshold) : threshold;
}
