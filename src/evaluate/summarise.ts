/**
 * Computes the figures of a group of pages. Overlap, keep and drop are macro averages: each page with the figure
 * counts once, whatever its length. Block figures are over the blocks of all pages together, because many pages
 * lack a class of blocks.
 */
import { addBlockCounts, type BlockCounts, emptyBlockCounts } from './blocks.ts';
import { addUnitCounts, type UnitCounts } from './labelled-page.ts';
import { type ClassFigures, type Score, toClassFigures, toScore } from './overlap.ts';
import type { PageScore } from './score-page.ts';
import { type TemplateFigures, toTemplateFigures } from './template-counts.ts';

/** Figures of a group of pages; shares are from 0 to 1. */
export interface Figures {
  pages: number;
  /** Absent when no page of the group has gold text (snippets, blocks). */
  words?: Score;
  grams?: Score;
  keepRate?: number;
  dropRate?: number;
  /** Share of the characters of all pages together that the output lacks. */
  cutShare?: number;
  blocks?: BlockFigures;
  /** Rows, items and label–value pairs kept whole, over all pages together. */
  units?: UnitCounts;
  /** Words by class, over all pages together. */
  classes?: ClassFigures;
  /** Found templates, over all pages together. */
  templates?: TemplateFigures;
  /** Adjusted Rand index of sections, mean over pages. */
  randIndex?: number;
  /** Share of pages that were judged alone because of a floor. */
  fallbackShare: number;
}

/** Figures of gold blocks over all pages together. */
interface BlockFigures {
  content: Score;
  boilerplate: Score;
  counts: BlockCounts;
}

/** Minimum number of pages of a large site, on which a site-level method can work. */
export const LARGE_SITE_PAGES = 10;

const SITE_PAGES_CLASSES = ['1', '2-4', '5-9', '10-49', '50+'];

function sitePagesClass(pages: number): string {
  return SITE_PAGES_CLASSES[[2, 5, 10, 50].filter((least) => pages >= least).length];
}

/** Figures of all pages and of groups of pages. */
export interface Summary {
  all: Figures;
  /** Figures of pages of large sites, and of other sites. */
  large: Figures;
  small: Figures;
  bySet: Record<string, Figures>;
  largeBySet: Record<string, Figures>;
  byType: Record<string, Figures>;
  byLang: Record<string, Figures>;
  /** Figures by number of pages of the site: `1`, `2-4`, `5-9`, `10-49`, `50+`. */
  bySitePages: Record<string, Figures>;
  bySite: Record<string, Figures>;
  /** Figures by captures of the cross; for detectors with a cross. */
  byCross: Record<string, Figures>;
}

/** Returns the figures of all pages and of groups of pages. */
export function summarise(pages: readonly PageScore[]): Summary {
  const large = pages.filter((page) => page.sitePages >= LARGE_SITE_PAGES);
  return {
    all: toFigures(pages),
    large: toFigures(large),
    small: toFigures(pages.filter((page) => page.sitePages < LARGE_SITE_PAGES)),
    bySet: figuresBy(pages, (page) => page.set),
    largeBySet: figuresBy(large, (page) => page.set),
    byType: figuresBy(pages, (page) => page.type),
    byLang: figuresBy(pages, (page) => page.lang),
    bySitePages: figuresBy(pages, (page) => sitePagesClass(page.sitePages), SITE_PAGES_CLASSES),
    bySite: figuresBy(pages, (page) => page.site),
    byCross: figuresBy(pages, (page) => page.cross ?? ''),
  };
}

/** Returns the figures of a group of pages. */
export function toFigures(pages: readonly PageScore[]): Figures {
  const figures: Figures = {
    pages: pages.length,
    fallbackShare: mean(pages.map(({ fellBack }) => (fellBack ? 1 : 0))) ?? 0,
  };
  const words = meanScore(pages.flatMap((page) => page.words ?? []));
  const grams = meanScore(pages.flatMap((page) => page.grams ?? []));
  const keepRate = mean(pages.flatMap(({ kept }) => (kept.total > 0 ? kept.hits / kept.total : [])));
  const dropRate = mean(
    pages.flatMap(({ dropped }) => (dropped.total > 0 ? dropped.hits / dropped.total : [])),
  );
  const cutShare = toCutShare(pages);
  const blocks = toBlockFigures(pages.flatMap((page) => page.blocks ?? []));
  if (words) figures.words = words;
  if (grams) figures.grams = grams;
  if (keepRate !== undefined) figures.keepRate = keepRate;
  if (dropRate !== undefined) figures.dropRate = dropRate;
  if (cutShare !== undefined) figures.cutShare = cutShare;
  if (blocks) figures.blocks = blocks;
  const units = pages.flatMap((page) => page.units ?? []);
  if (units.length > 0) figures.units = addUnitCounts(units);
  const classes = toClassFigures(pages.flatMap((page) => page.classes ?? []));
  if (classes) figures.classes = classes;
  const templates = toTemplateFigures(pages.flatMap((page) => page.templates ?? []));
  if (templates) figures.templates = templates;
  const randIndex = mean(pages.flatMap((page) => page.randIndex ?? []));
  if (randIndex !== undefined) figures.randIndex = randIndex;
  return figures;
}

/** Groups pages by a key, in the given order or that of the keys; pages with key '' are in no group. */
function figuresBy(
  pages: readonly PageScore[],
  keyOf: (page: PageScore) => string,
  order: readonly string[] = [],
): Record<string, Figures> {
  const groups = new Map<string, PageScore[]>();
  for (const page of pages) {
    const key = keyOf(page);
    if (key === '') continue;
    const group = groups.get(key);
    if (group) group.push(page);
    else groups.set(key, [page]);
  }
  const sorted = [...groups].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b) || (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, group]) => [key, toFigures(group)]));
}

function toCutShare(pages: readonly PageScore[]): number | undefined {
  let kept = 0;
  let whole = 0;
  for (const { outputChars, pageChars = 0 } of pages) {
    if (pageChars > 0) kept += outputChars;
    whole += pageChars;
  }
  return whole === 0 ? undefined : Math.max(0, 1 - kept / whole);
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanScore(scores: readonly Score[]): Score | undefined {
  if (scores.length === 0) return undefined;
  return {
    precision: mean(scores.map(({ precision }) => precision))!,
    recall: mean(scores.map(({ recall }) => recall))!,
    f1: mean(scores.map(({ f1 }) => f1))!,
  };
}

function toBlockFigures(pages: readonly BlockCounts[]): BlockFigures | undefined {
  if (pages.length === 0) return undefined;
  const counts = emptyBlockCounts();
  for (const page of pages) addBlockCounts(counts, page);
  const { contentKept, contentLost, boilerplateKept, boilerplateGone } = counts;
  return {
    content: toScore(contentKept, contentKept + boilerplateKept, contentKept + contentLost),
    boilerplate: toScore(boilerplateGone, boilerplateGone + contentLost, boilerplateGone + boilerplateKept),
    counts,
  };
}
