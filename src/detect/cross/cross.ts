/**
 * The cross detector (Leśniak 2017): a page is compared with two pages of other URLs made from the same
 * template (up and down) and with the captures of its own URL before and after. What it shares with similar
 * pages is template, what stays with the URL over time but is on no similar page is content.
 *
 * The model keeps some sampled pages of the site as tokens with a signature of their layout; up and down are
 * the two most similar of them. The captures before and after come with the page, from whoever has the
 * archive; a capture of the same URL among the sampled pages serves too. Labelling costs a comparison of
 * signatures with each page kept and up to four diffs, whatever the size of the site.
 */
import { hashBytes, hashId, type Lanes } from '../../compare/byte-hash.ts';
import { LayerTokens } from '../../compare/layer-tokens.ts';
import { MinHash } from '../../compare/minhash.ts';
import { OccurrenceFinder } from '../../compare/occurrences.ts';
import {
  copyTokens,
  PageTokenReader,
  type PageTokens,
  type PlacedTokens,
  viewTokens,
} from '../../compare/page-tokens.ts';
import { PathTokens } from '../../compare/path-tokens.ts';
import { urlHash } from '../../compare/url-hash.ts';
import type { Range } from '../../model/range.ts';
import { sourceOffset } from '../../parse/text.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { Detector, LabelContext, ParsedPage } from '../detector.ts';
import { LearntPages } from '../learnt-pages.ts';
import { tileRanges } from '../ranges.ts';
import { ARM_COUNT, classifyBits, DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import { type CrossModel, decodeCrossModel, encodeCrossModel, type NeighbourPage } from './cross-model.ts';
import {
  type CrossOptions,
  checkCrossOptions,
  type LayoutTokens,
  SIGNATURE_PLACES,
} from './cross-settings.ts';
import { propagateClasses, TEMPLATE_CLASS, UNSURE_CLASS } from './propagate.ts';
import { voteForContent } from './reclassify.ts';
import { refineStretches } from './refine.ts';
import { subtreeCounts } from './site-counts.ts';
import { cutStretches, joinStretches, type TextStretch } from './text-stretches.ts';

export type { CrossModel } from './cross-model.ts';
export type { CrossOptions } from './cross-settings.ts';

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
  const comparer = new PageComparer();
  return {
    name: 'cross',
    wantsCaptures: true,
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
    kept.splice(place, 0, { hash, page: { url, time, signature, ...copyTokens(placed) } });
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

/** The arms of a page's cross; undefined where there is none. */
interface Cross {
  /** In the order of the bits: up, down, previous, next. */
  arms: (PageTokens | undefined)[];
  bits: number;
}

function labelCross(
  { page, tree }: ParsedPage,
  model: CrossModel,
  options: Required<CrossOptions>,
  comparer: PageComparer,
  context: LabelContext = {},
): Range[] {
  const captures = comparer.readCaptures(context);
  const placed = comparer.reader.read(tree);
  const size = tree.source.length;
  if (placed.tokenCount === 0) return tileRanges(size, []);
  const least =
    options.variant === 'T007' ? Math.min(RELAXED_THRESHOLD, options.threshold) : options.threshold;
  const cross = buildCross(page, comparer.sign(tree, model.layoutTokens), model, captures, least);
  if ((cross.bits & UP) === 0) {
    const alone = options.variant !== 'T007' || model.pages.length < MIN_SITE_PAGES;
    context.report?.(
      'no-similar-page',
      `no page of ${model.site} known to cross is similar enough to compare with: ${alone ? 'all is kept as unsure' : 'only what stands on many pages is template'}`,
    );
    if (alone) return [unsurePage(tree)];
  }
  const { bits, blockTokens } = comparer.compare(placed, cross);
  if (blockTokens > 0) {
    context.report?.(
      'diff-capped',
      `${blockTokens} of ${placed.tokenCount} tags and words were too dear to compare one by one and were compared by blocks`,
    );
  }
  const stretches = cutStretches(placed, bits);
  classify(stretches, { tree, placed, cross: cross.bits, model, options });
  return tileRanges(size, toRanges(tree, joinStretches(stretches), cross.bits));
}

/** Up and down: the most similar pages of other URLs; ties go to the page that comes first in the model. */
function buildCross(
  page: ParsedPage['page'],
  signature: Uint32Array,
  model: CrossModel,
  { previous, next }: { previous?: PageTokens; next?: PageTokens },
  threshold: number,
): Cross {
  const least = threshold * SIGNATURE_PLACES;
  let up: NeighbourPage | undefined;
  let down: NeighbourPage | undefined;
  let upEqual = 0;
  let downEqual = 0;
  let before = previous;
  let after = next;
  for (const candidate of model.pages) {
    if (candidate.url === page.url) {
      // a capture of the same page at another time
      if (candidate.time !== '' && candidate.time < page.time) before ??= candidate;
      else if (page.time !== '' && candidate.time > page.time) after ??= candidate;
      continue;
    }
    let equal = 0;
    for (let i = 0; i < SIGNATURE_PLACES; i++) if (candidate.signature[i] === signature[i]) equal++;
    if (equal < least || equal <= downEqual) continue;
    if (equal > upEqual) {
      down = up;
      downEqual = upEqual;
      up = candidate;
      upEqual = equal;
    } else {
      down = candidate;
      downEqual = equal;
    }
  }
  const arms = [up, down, before, after];
  const bits = (up ? UP : 0) | (down ? DOWN : 0) | (before ? PREVIOUS : 0) | (after ? NEXT : 0);
  return { arms, bits };
}

interface ClassifyContext {
  tree: Tree;
  placed: PlacedTokens;
  cross: number;
  model: CrossModel;
  options: Required<CrossOptions>;
}

/** Sets the label of every stretch, by the variant asked for. */
function classify(stretches: TextStretch[], context: ClassifyContext): void {
  const { tree, placed, cross, model, options } = context;
  const { variant, seed } = options;
  for (const stretch of stretches) stretch.label = classifyBits(cross, stretch.bits);
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

/** Elements that are template or unsure as a whole, and stretches where a text is of several classes. */
function toRanges(tree: Tree, stretches: readonly TextStretch[], cross: number): Range[] {
  const classes = propagateClasses(tree, stretches);
  const { kind, last, start, end, contentLow, contentHigh } = tree;
  const lanes: Lanes = { low: 0, high: 0 };
  const ranges: Range[] = [];
  let position = 0;
  for (let i = 0; i < stretches.length; ) {
    const stretch = stretches[i];
    if (stretch.label === 'content') {
      i++;
      continue;
    }
    // the highest element around it that is of its class
    const wanted = stretch.label === 'template' ? TEMPLATE_CLASS : UNSURE_CLASS;
    let whole = classes[stretch.node] === wanted ? stretch.node : -1;
    for (
      let above = tree.parent[stretch.node];
      above > 0 && classes[above] === wanted;
      above = tree.parent[above]
    ) {
      if (kind[above] === ELEMENT) whole = above;
    }
    let from: number;
    let to: number;
    let next = i + 1;
    let longest = stretch; // it speaks for the whole
    if (whole >= 0) {
      from = start[whole];
      to = end[whole];
      lanes.low = contentLow[whole];
      lanes.high = contentHigh[whole];
      for (; next < stretches.length && stretches[next].node < last[whole]; next++) {
        if (stretches[next].words > longest.words) longest = stretches[next];
      }
    } else {
      from = sourceOffset(tree, stretch.textStart, 'start');
      to = sourceOffset(tree, stretch.textEnd, 'end');
      hashBytes(tree.text, stretch.textStart, stretch.textEnd, lanes);
    }
    from = Math.max(from, position);
    if (to > from) {
      position = to;
      ranges.push({
        start: from,
        end: to,
        label: stretch.label,
        score: stretch.label === 'unsure' ? 0.5 : scoreOf(longest, cross),
        template: hashId(lanes.low, lanes.high),
        reason: reasonOf(longest, cross),
      });
    }
    i = next;
  }
  return ranges;
}

/** How much of the evidence says template: similar pages that have it, of those there are, or pages of the site. */
function scoreOf({ bits, share }: TextStretch, cross: number): number {
  const similar = Math.max(1, count(cross & (UP | DOWN)));
  return 0.5 + 0.5 * Math.max(share, count(bits & (UP | DOWN)) / similar);
}

function reasonOf({ bits, why }: TextStretch, cross: number): string {
  let reason = `on ${count(bits & (UP | DOWN))} of ${count(cross & (UP | DOWN))} similar pages`;
  const captures = count(cross & (PREVIOUS | NEXT));
  if (captures > 0) reason += `, in ${count(bits & (PREVIOUS | NEXT))} of ${captures} other captures`;
  return why === '' ? reason : `${reason}, ${why}`;
}

function unsurePage(tree: Tree): Range {
  const template = hashId(tree.contentLow[0], tree.contentHigh[0]);
  const reason = 'on 0 of 0 similar pages: nothing to compare with';
  return { start: 0, end: tree.source.length, label: 'unsure', score: 0, template, reason };
}

/** What comparing pages needs, kept from page to page. */
class PageComparer {
  readonly reader = new PageTokenReader();
  readonly #previousReader = new PageTokenReader();
  readonly #nextReader = new PageTokenReader();
  readonly #layouts = { layers: new LayerTokens(), paths: new PathTokens() };
  readonly #minHash = new MinHash({ permutations: SIGNATURE_PLACES });
  readonly #finder = new OccurrenceFinder();
  #occurs = new Uint8Array(4096);
  #bits = new Uint8Array(4096);

  sign(tree: Tree, kind: LayoutTokens): Uint32Array {
    const signature = new Uint32Array(SIGNATURE_PLACES);
    const layout = this.#layouts[kind];
    layout.make(tree);
    this.#minHash.sign(layout.tokens, layout.count, signature);
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

function count(bits: number): number {
  let sum = 0;
  for (let rest = bits; rest > 0; rest >>= 1) sum += rest & 1;
  return sum;
}

function comesBefore(hash: bigint, url: string, other: { hash: bigint; page: NeighbourPage }): boolean {
  return hash < other.hash || (hash === other.hash && url < other.page.url);
}
