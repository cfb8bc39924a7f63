/**
 * The cross detector (Leśniak 2017): a page is compared with two other pages made from the same
 * template (up and down) and with its own captures before and after. What it shares with similar
 * pages is template, what stays with the page over time but is on no similar page is content. URLs of one `pageKey`
 * are one page: another visit would else be the most similar page there is, and all content template.
 *
 * The model keeps some sampled pages of the site as tokens with a signature of their layout; up and down are
 * the two most similar of them. The captures before and after come with the page, from whoever has the
 * archive; a capture of the same page among the sampled ones serves too. Labelling costs a comparison of
 * signatures with each page kept and up to four diffs, whatever the size of the site.
 */
import { copyTokens, type PlacedTokens } from '../../compare/page-tokens.ts';
import { urlHash } from '../../compare/url-hash.ts';
import { pageKey } from '../../model/page-key.ts';
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { Detector, LabelContext, ParsedPage } from '../detector.ts';
import { LearntPages } from '../learnt-pages.ts';
import { tileRanges } from '../ranges.ts';
import { classifyBits, UP } from './bit-patterns.ts';
import { type Buckets, bucketCrosses, bucketsFor, compareInBuckets, labelMerged } from './bucket-crosses.ts';
import { buildCross } from './build-cross.ts';
import { type CrossModel, decodeCrossModel, encodeCrossModel, type NeighbourPage } from './cross-model.ts';
import { toRanges, unsurePage } from './cross-ranges.ts';
import { type CrossOptions, checkCrossOptions } from './cross-settings.ts';
import { PageComparer } from './page-comparer.ts';
import { voteForContent } from './reclassify.ts';
import { refineStretches } from './refine.ts';
import { subtreeCounts } from './site-counts.ts';
import { cutStretches, joinStretches, type TextStretch } from './text-stretches.ts';

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
  const comparer = new PageComparer({ runs: checked.variant === 'T007' ? 'texts' : 'words' });
  const buckets = checked.buckets ? bucketsFor(checked.threshold) : undefined;
  return {
    name: 'cross',
    wantsCaptures: true,
    learn: (site, pages) => learnCross(site, pages, checked, comparer),
    label: (page, model, context) => labelCross(page, model, { ...checked, buckets }, comparer, context),
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
  const learnt = new LearntPages();
  const kept: { page: NeighbourPage; hash: bigint }[] = []; // smallest hash first
  for (const parsed of pages) {
    learnt.add(parsed);
    const { url, time } = parsed.page;
    const placed = comparer.reader.read(parsed.tree);
    if (placed.tokenCount === 0 || placed.tokenCount > MAX_NEIGHBOUR_TOKENS) continue;
    const hash = urlHash(url);
    let place = kept.length;
    while (place > 0 && comesBefore(hash, url, kept[place - 1])) place--;
    if (place >= neighbourPages) continue;
    const signature = comparer.sign(parsed.tree, tokens);
    const page = { url, key: pageKey(url), time, signature, ...copyTokens(placed) };
    kept.splice(place, 0, { hash, page });
    if (kept.length > neighbourPages) kept.pop();
  }
  return {
    detector: 'cross',
    site,
    pagesLearnt: learnt.count,
    firstTime: learnt.firstTime,
    lastTime: learnt.lastTime,
    templates: [],
    layoutTokens: tokens,
    pages: kept.map(({ page }) => page),
  };
}

type LabelOptions = Omit<Required<CrossOptions>, 'buckets'> & { buckets: Buckets | undefined };

function labelCross(
  { page, tree }: ParsedPage,
  model: CrossModel,
  options: LabelOptions,
  comparer: PageComparer,
  context: LabelContext = {},
): Range[] {
  const captures = comparer.readCaptures(context);
  const placed = comparer.reader.read(tree);
  const size = tree.source.length;
  if (placed.tokenCount === 0) return tileRanges(size, []);
  const least =
    options.variant === 'T007' ? Math.min(RELAXED_THRESHOLD, options.threshold) : options.threshold;
  const signature = comparer.sign(tree, model.layoutTokens);
  const cross = buildCross(page, signature, model.pages, captures, least);
  const crosses = options.buckets && bucketCrosses(page, signature, model.pages, captures, options.buckets);
  if ((cross.bits & UP) === 0 || crosses?.length === 0) {
    const alone = options.variant !== 'T007' || model.pages.length < MIN_SITE_PAGES;
    context.report?.(
      'no-similar-page',
      `no page of ${model.site} known to cross is similar enough to compare with: ${alone ? 'all is kept as unsure' : 'only what stands on many pages is template'}`,
    );
    if (alone) return [unsurePage(tree)];
  }
  const merged = crosses && compareInBuckets(placed, crosses, comparer);
  const { bits, blockTokens } = merged ?? comparer.compare(placed, cross);
  if (blockTokens > 0) {
    context.report?.(
      'diff-capped',
      `${blockTokens} of ${placed.tokenCount} tags and words were too dear to compare one by one and were compared by blocks`,
    );
  }
  const stretches = cutStretches(placed, bits);
  if (crosses) labelMerged(stretches, { tree, placed, crosses, seed: options.seed });
  else for (const stretch of stretches) stretch.label = classifyBits(cross.bits, stretch.bits);
  classify(stretches, { tree, placed, cross: cross.bits, model, options });
  return tileRanges(size, toRanges(tree, joinStretches(stretches), cross.bits));
}

interface ClassifyContext {
  tree: Tree;
  placed: PlacedTokens;
  cross: number;
  model: CrossModel;
  options: LabelOptions;
}

/** From what the patterns say to the label of every stretch, by the variant asked for. */
function classify(stretches: TextStretch[], context: ClassifyContext): void {
  const { tree, placed, cross, model, options } = context;
  const { variant, seed } = options;
  if (variant === 'T001') return;
  if (variant === 'T002') {
    for (const stretch of stretches) if (stretch.label === 'unsure') stretch.label = 'template';
    return;
  }
  if (variant === 'T007') {
    refineStretches(stretches, { tree, placed, cross, seed, counts: subtreeCounts(model) });
    return;
  }
  const layers = variant === 'T003' ? 1 : variant === 'T004' ? 2 : 3;
  const classifier = variant === 'T006' ? 'forest' : 'neighbours';
  const votes = voteForContent(tree, placed, stretches, { layers, classifier, seed });
  if (votes === undefined) return;
  for (let i = 0; i < stretches.length; i++) stretches[i].label = votes[i] > 0.5 ? 'content' : 'template';
}

function comesBefore(hash: bigint, url: string, other: { hash: bigint; page: NeighbourPage }): boolean {
  return hash < other.hash || (hash === other.hash && url < other.page.url);
}
