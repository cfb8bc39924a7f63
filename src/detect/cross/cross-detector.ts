/**
 * The cross detector (Leśniak 2017): a page is compared with two other pages made from the same
 * template (up and down) and with its own captures before and after. What it shares with similar
 * pages is template, what stays with the page over time but is on no similar page is content. URLs of one `pageKey`
 * are one page: another visit would else be the most similar page there is, and all content template.
 *
 * The model keeps some sampled captures of the site as tokens with a signature of their layout; up and down are
 * the two most similar of them. The caller passes the captures before and after with the page, since it has the
 * archive; a capture of the same page among the sampled ones serves too. Labelling costs a comparison of
 * signatures with each capture kept and up to four diffs, whatever the size of the site.
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

/** Tokens of a page that is kept to compare with: a page of megabytes is like no other. */
const MAX_NEIGHBOUR_TOKENS = 200_000;

/**
 * Least similarity for T007: comparing with the nearest page there is loses less than comparing with none
 * (the thesis lowers its threshold to 0.3 for one of its four sites).
 */
const RELAXED_THRESHOLD = 0.2;
/** Pages a model must keep for "on many pages" to say something. */
const MIN_SITE_PAGES = 8;

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
      `no page of ${model.site} known to cross is similar enough to compare with: ${alone ? 'all is kept as unsure' : 'only what stands on many pages is template'}`,
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
      `${blockTokens} of ${placed.tokenCount} tags and words were too dear to compare one by one and were compared by blocks`,
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

/** What all arms must have at least. */
function leastSimilarity({ site }: CrossModel, options: Required<CrossOptions>): number {
  const threshold = thresholdOf(site, options);
  return options.variant === 'T007' ? Math.min(RELAXED_THRESHOLD, threshold) : threshold;
}
