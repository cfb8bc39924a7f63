/**
 * Scores outputs on whole sites without gold, by two figures:
 *
 * - repeated: the share of the output's characters in lines that are in the outputs of many pages of the site (at
 *   least 5, and 5 % of them). Such lines are boilerplate that was not removed.
 * - unique kept: of the paragraphs (lines of at least 12 words) that only one page of the site has, the share whose
 *   words are in that page's output unchanged. Such paragraphs are content that must not be lost.
 *
 * The whole page scores 1 in the second figure and high in the first; an empty output scores 0 in the
 * second and has no first figure.
 */
import { makeDetector } from '../detect/index.ts';
import type { Problem } from '../model/problem.ts';
import type { DetectorChoice } from './evaluate.ts';
import type { ExtractorRows } from './extractor-rows.ts';
import { type LabelCorpusOptions, labelCorpus } from './label-corpus.ts';

/** A line repeats when it is on at least this many pages, and this share of the pages of its site. */
const REPEATED_PAGES = 5;
const REPEATED_SHARE = 0.05;
/** Minimum words of a paragraph, separated by white space. */
const PARAGRAPH_WORDS = 12;

/** Counts of one contender on one site. */
export interface LeakCounts {
  /** Pages of the site. */
  pages: number;
  /** Characters of the output, and how many of them are in repeated lines. */
  outputChars: number;
  repeatedChars: number;
  /** Paragraphs of only one page, and how many of them were kept. */
  uniqueParagraphs: number;
  uniqueKept: number;
}

/** Counts of all contenders on one site. */
interface SiteLeaks {
  site: string;
  /** One entry per contender. */
  counts: LeakCounts[];
}

/** Counts by site and in total. */
export interface LeakResult {
  /** Names of contenders; `none` is last. */
  labels: string[];
  sites: SiteLeaks[];
  /** Sums over all sites. */
  totals: LeakCounts[];
  problems: Problem[];
}

/** Archives and contenders of a measurement without gold. */
export interface MeasureLeaksOptions extends Omit<LabelCorpusOptions, 'sectionFinders' | 'rolesToChange'> {
  /** Archives as the user names them: files, globs, folders. */
  archives: string[];
  detectors: readonly DetectorChoice[];
  extractors?: readonly ExtractorRows[];
  onProgress?: (progress: { scored: number; site: string }) => void;
  /** Called with the text of each detector for each page. */
  onText?: (label: string, row: { url: string; text: string }) => void;
}

/** Runs detectors over whole sites and counts repeated text and lost paragraphs. */
export async function measureLeaks({
  archives,
  detectors,
  extractors = [],
  onProgress,
  onText,
  ...labelOptions
}: MeasureLeaksOptions): Promise<LeakResult> {
  const choices = [...detectors.filter(({ name }) => name !== 'none'), { name: 'none' as const }];
  const ownLabels = choices.map(({ name, label = name }: DetectorChoice) => label);
  const labels = [...ownLabels.slice(0, -1), ...extractors.map(({ label }) => label), 'none'];
  const made = choices.map(({ name, options = {} }: DetectorChoice) => makeDetector(name, options));
  const problems: Problem[] = [];
  const sites: SiteLeaks[] = [];
  let scored = 0;
  let site = '';
  /** Texts of the pages of the current site, a list per contender. */
  let texts = labels.map((): string[] => []);
  const closeSite = () => {
    if (texts[0].length > 0) sites.push({ site, counts: countLeaks(texts) });
    texts = labels.map(() => []);
  };
  for await (const event of labelCorpus(archives, made, 'every', labelOptions)) {
    if (event.kind === 'problem') problems.push(event.problem);
    else if (event.kind === 'site') {
      closeSite();
      site = event.site;
    } else if (event.kind === 'page') {
      const { url } = event.row;
      const own = event.outputs.map(({ text }) => text);
      if (onText) for (const [index, text] of own.entries()) onText(ownLabels[index], { url, text });
      const theirs = extractors.map(({ rows }) => rows.get(url)?.text ?? '');
      for (const [index, text] of [...own.slice(0, -1), ...theirs, own.at(-1)!].entries()) {
        texts[index].push(text);
      }
      onProgress?.({ scored: ++scored, site });
    }
  }
  closeSite();
  return { labels, sites, totals: sumLeaks(sites, labels.length), problems };
}

/** Joins the results of several archives, which must have the same contenders. */
export function joinLeaks(results: readonly LeakResult[]): LeakResult {
  const { labels } = results[0];
  const other = results.find((result) => result.labels.join() !== labels.join());
  if (other) {
    throw new RangeError(
      `archives must have the same contenders, not ${labels.join(', ')} and ${other.labels.join(', ')}`,
    );
  }
  const sites = results.flatMap((result) => result.sites);
  const problems = results.flatMap((result) => result.problems);
  return { labels, sites, totals: sumLeaks(sites, labels.length), problems };
}

/** Returns the sums over sites by contender. */
function sumLeaks(sites: readonly SiteLeaks[], contenders: number): LeakCounts[] {
  return Array.from({ length: contenders }, (_, index) => {
    const sum = emptyCounts(0);
    for (const { counts } of sites) {
      for (const field of Object.keys(sum) as (keyof LeakCounts)[]) sum[field] += counts[index][field];
    }
    return sum;
  });
}

/**
 * Counts the figures of one site. `texts` has the texts of all pages by contender; the last contender keeps
 * everything.
 */
export function countLeaks(texts: readonly (readonly string[])[]): LeakCounts[] {
  const whole = texts.at(-1)!;
  const pagesWithWhole = countPagesWithLine(whole);
  const paragraphs = whole.map((text) => [
    ...new Set(
      linesOf(text)
        .filter((line) => line.split(' ').length >= PARAGRAPH_WORDS)
        .map(foldLine)
        .filter((line) => pagesWithWhole.get(line) === 1),
    ),
  ]);
  const leastPages = Math.max(REPEATED_PAGES, REPEATED_SHARE * whole.length);
  return texts.map((pages) => {
    const counts = emptyCounts(pages.length);
    const pagesWith = countPagesWithLine(pages);
    for (const [page, text] of pages.entries()) {
      for (const line of linesOf(text)) {
        counts.outputChars += line.length;
        if (pagesWith.get(foldLine(line))! >= leastPages) counts.repeatedChars += line.length;
      }
      const words = ` ${foldLine(text)} `;
      counts.uniqueParagraphs += paragraphs[page].length;
      counts.uniqueKept += paragraphs[page].filter((line) => words.includes(` ${line} `)).length;
    }
    return counts;
  });
}

function countPagesWithLine(pages: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of pages) {
    for (const line of new Set(linesOf(text).map(foldLine))) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

/** Returns the lines with text, white space collapsed. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

/**
 * Returns letters and digits in lower case with single spaces, so that lines are equal despite punctuation and
 * markup.
 */
function foldLine(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim();
}

function emptyCounts(pages: number): LeakCounts {
  return { pages, outputChars: 0, repeatedChars: 0, uniqueParagraphs: 0, uniqueKept: 0 };
}
