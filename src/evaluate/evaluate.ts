/**
 * Scores detectors against gold: runs them over the archives, compares each gold page's clean text with
 * its row, and sums up. `none`, which keeps the whole text, always runs beside them: it is the figure a
 * detector must beat, and its recall and keep rate are the ceiling that the gold allows.
 */
import type { DetectorName } from '../detect/detector.ts';
import { makeDetector } from '../detect/index.ts';
import type { Problem } from '../model/problem.ts';
import { siteOf } from '../model/site.ts';
import { isSelected } from '../model/url-filter.ts';
import { digestCorpus, type GoldRow, goldName, type HostHalf, hostHalf, readGold } from './gold.ts';
import { type LabelCorpusOptions, labelCorpus } from './label-corpus.ts';
import { sectionFinder } from './page-segments.ts';
import { judgePage, type PageScore, scorePage, setClasses } from './score-page.ts';
import { type Summary, summarise } from './summarise.ts';

export interface DetectorChoice {
  name: DetectorName;
  /** The detector's own options. */
  options?: Record<string, unknown>;
  /** What to call it in tables and floors. @default its name */
  label?: string;
}

export interface EvaluateOptions extends Omit<LabelCorpusOptions, 'sectionFinders'> {
  /** Archives as the user names them: files, globs, folders. */
  archives: string[];
  /** Gold files. */
  gold: string[];
  /** @default dom and text */
  detectors?: DetectorChoice[];
  /** Whether to score the templates and sections found, too: it takes as long again. @default false */
  templates?: boolean;
  /** Learn sites from all their pages, or only from those that `include` and `exclude` select. @default 'all' */
  learnFrom?: 'all' | 'selected';
  /** Score only pages of hosts in this half; all pages are learnt from. @default both */
  half?: HostHalf;
  /** Called after every scored page. */
  onProgress?: (progress: { scored: number; goldPages: number; site: string }) => void;
}

export interface DetectorResult {
  label: string;
  name: DetectorName;
  options: Record<string, unknown>;
  summary: Summary;
  pages: PageScore[];
}

export interface EvalResult {
  /** Of the archives and the gold; see gold.ts. */
  digest: string;
  goldPages: number;
  /** Gold rows without a page, and why. */
  missing: { url: string; time?: string; reason: string }[];
  sites: number;
  learntPages: number;
  problems: Problem[];
  /** One per choice, then `none`. */
  detectors: DetectorResult[];
}

export async function evaluate({
  archives,
  gold,
  detectors = [{ name: 'dom' }, { name: 'text' }],
  templates = false,
  half,
  include = [],
  exclude = [],
  learnFrom = 'all',
  onProgress,
  ...labelOptions
}: EvaluateOptions): Promise<EvalResult> {
  const choices = withNone(detectors);
  const problems: Problem[] = [];
  const rows = await readGoldFiles(gold, problems);
  for (const [name, { url }] of [...rows]) {
    const isOfHalf = half === undefined || hostHalf(siteOf(url)) === half;
    if (!isOfHalf || !isSelected(url, { include, exclude })) rows.delete(name);
  }
  const rowsOf = new Map<string, GoldRow[]>();
  for (const row of rows.values()) rowsOf.set(row.url, [...(rowsOf.get(row.url) ?? []), row]);
  const scores = choices.map((): PageScore[] => []);
  const skipped = new Map<string, string>();
  const scored = new Set<GoldRow>();
  let digest = '';
  let sites = 0;
  let learntPages = 0;

  const made = choices.map(({ name, options = {} }) => makeDetector(name, options));
  const sectionFinders = templates ? choices.map(sectionFinder) : undefined;
  const reading = learnFrom === 'selected' ? { ...labelOptions, include, exclude } : labelOptions;
  for await (const event of labelCorpus(archives, made, rowsOf, { ...reading, sectionFinders })) {
    // at once: spooled copies are gone when the corpus is done
    if (event.kind === 'inputs') digest = await digestCorpus([...event.paths, ...gold]);
    else if (event.kind === 'problem') problems.push(event.problem);
    else if (event.kind === 'skip') skipped.set(event.url, event.code);
    else if (event.kind === 'site') {
      sites++;
      learntPages += event.learntPages;
    } else {
      const { row } = event;
      const truth = event.leaves && judgePage(event.leaves, row);
      const page = event.outputs.map((output) => scorePage(output, row, truth));
      setClasses(page);
      for (const [index, score] of page.entries()) scores[index].push(score);
      scored.add(row);
      onProgress?.({ scored: scored.size, goldPages: rows.size, site: event.outputs[0].site });
    }
  }

  const missing = [...rows.values()]
    .filter((row) => !scored.has(row))
    .map(({ url, time }) => ({
      url,
      ...(time !== undefined && { time }),
      reason: skipped.get(url) ?? 'not in the archives',
    }));
  return {
    digest,
    goldPages: rows.size,
    missing,
    sites,
    learntPages,
    problems,
    detectors: choices.map(({ name, label = name, options = {} }, index) => ({
      label,
      name,
      options,
      summary: summarise(scores[index]),
      pages: scores[index],
    })),
  };
}

function withNone(detectors: readonly DetectorChoice[]): DetectorChoice[] {
  const none = detectors.find(({ name }) => name === 'none') ?? { name: 'none' as const };
  // last: what it kept is the whole page
  const choices = [...detectors.filter((choice) => choice !== none), none];
  const labels = choices.map(({ name, label = name }) => label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined)
    throw new RangeError(`detectors must have different labels, "${twice}" stands twice`);
  return choices;
}

/** The rows of all files by the capture that they are of. */
async function readGoldFiles(files: readonly string[], problems: Problem[]): Promise<Map<string, GoldRow>> {
  const rows = new Map<string, GoldRow>();
  for (const file of files) {
    const gold = await readGold(file);
    problems.push(...gold.problems);
    for (const row of gold.rows) {
      if (!rows.has(goldName(row))) rows.set(goldName(row), row);
      else
        problems.push({
          code: 'bad-row',
          file,
          url: row.url,
          message: 'left out: url already in another file',
        });
    }
  }
  return rows;
}
