/**
 * Scores contenders against gold: runs detectors over the archives, takes the texts that other extractors made of
 * the same pages, compares each with the gold row, and sums up. `none`, which keeps the whole text, always runs
 * beside them as the baseline; its recall and keep rate are the ceiling that the gold allows. Several sets are
 * scored one by one, so that a host in two sets is not learnt from both, and are then summed up together.
 */
import { createHash } from 'node:crypto';
import type { DetectorName } from '../detect/detector.ts';
import { makeDetector } from '../detect/index.ts';
import type { Problem } from '../model/problem.ts';
import { siteOf } from '../model/site.ts';
import { isSelected } from '../model/url-filter.ts';
import { conventionOf, rolesToAdd, rolesToLeaveOut, withTitleOf } from './conventions.ts';
import type { ExtractorRows } from './extractor-rows.ts';
import { digestCorpus, type GoldRow, goldName, type HostHalf, hostHalf, readGold } from './gold.ts';
import { type LabelCorpusOptions, labelCorpus } from './label-corpus.ts';
import { sectionFinder } from './page-segments.ts';
import { labelLeaves, type PageOutput, type PageScore, scorePage, setWholePage } from './score-page.ts';
import { type Summary, summarise } from './summarise.ts';

/** A detector to score, with its options. */
export interface DetectorChoice {
  name: DetectorName;
  /** Options of the detector. */
  options?: Record<string, unknown>;
  /** Name in tables and floors. @default its name */
  label?: string;
  /** Whether it learns from no page, so that each page is judged alone. @default false */
  isAlone?: boolean;
}

/** Archives, gold and contenders of an evaluation. */
export interface EvaluateOptions extends Omit<LabelCorpusOptions, 'sectionFinders' | 'rolesToChange'> {
  /** Archives as the user names them: files, globs, folders. */
  archives: string[];
  /** Gold files. */
  gold: string[];
  /** Name of the set of all rows. @default the set named in the row */
  set?: string;
  /** Detectors to score. @default joint and dom */
  detectors?: DetectorChoice[];
  /** Texts of other extractors; a page without a row counts as an empty text. @default none */
  extractors?: readonly ExtractorRows[];
  /** Whether to adapt outputs to what the set counts as content (conventions.ts). @default true */
  conventions?: boolean;
  /** Set whose convention applies to all rows. @default the set of each row */
  convention?: string;
  /** Whether to score found templates and sections too, which doubles the time. @default false */
  templates?: boolean;
  /** Learn sites from all their pages, or only from those that `include` and `exclude` select. @default 'all' */
  learnFrom?: 'all' | 'selected';
  /** Score only pages of hosts in this half; detectors learn from all pages. @default both */
  half?: HostHalf;
  /** Called after every scored page. */
  onProgress?: (progress: { scored: number; goldPages: number; site: string }) => void;
  /** Called with the text of each detector for each page. */
  onText?: (label: string, row: { url: string; text: string }) => void;
}

/** Scores of a contender: a detector, or an extractor whose texts were given. */
export interface DetectorResult {
  label: string;
  name: DetectorName | 'extractor';
  options: Record<string, unknown>;
  summary: Summary;
  pages: PageScore[];
}

/** Scores of all contenders, and the gold and archives that they belong to. */
export interface EvalResult {
  /** Digest of the archives and the gold; see gold.ts. */
  digest: string;
  goldPages: number;
  /** Gold rows without a page, and the reason. */
  missing: { url: string; time?: string; reason: string }[];
  sites: number;
  learntPages: number;
  problems: Problem[];
  /** One entry per detector, one per extractor, then `none`. */
  detectors: DetectorResult[];
}

/** Scores detectors and extractors on the pages of gold rows, and sums up by contender. */
export async function evaluate({
  archives,
  gold,
  set,
  detectors = [{ name: 'joint' }, { name: 'dom' }],
  extractors = [],
  conventions = true,
  convention,
  templates = false,
  half,
  include = [],
  exclude = [],
  learnFrom = 'all',
  onProgress,
  onText,
  ...labelOptions
}: EvaluateOptions): Promise<EvalResult> {
  const choices = withNone(detectors, extractors);
  const problems: Problem[] = [];
  const rows = await readGoldFiles(gold, problems);
  for (const [name, { url }] of [...rows]) {
    const isOfHalf = half === undefined || hostHalf(siteOf(url)) === half;
    if (!isOfHalf || !isSelected(url, { include, exclude })) rows.delete(name);
  }
  if (set !== undefined) for (const row of rows.values()) row.set = set;
  const rowsOf = new Map<string, GoldRow[]>();
  for (const row of rows.values()) rowsOf.set(row.url, [...(rowsOf.get(row.url) ?? []), row]);
  const contenders: Omit<DetectorResult, 'summary' | 'pages'>[] = [
    ...choices.map(({ name, label = name, options: { model: _, ...options } = {} }) => ({
      label,
      name,
      // leave the model out: it is hundreds of kilobytes of data
      options,
    })),
    ...extractors.map(({ label }) => ({ label, name: 'extractor' as const, options: {} })),
  ];
  // `none` is last: it keeps the whole page
  contenders.push(...contenders.splice(choices.length - 1, 1));
  const scores = contenders.map((): PageScore[] => []);
  const skipped = new Map<string, string>();
  const scored = new Set<GoldRow>();
  let digest = '';
  let sites = 0;
  let learntPages = 0;

  const made = choices.map(({ name, options = {}, isAlone = false }) => {
    const detector = makeDetector(name, options);
    return isAlone ? { ...detector, samplePages: 0, wantsCaptures: false } : detector;
  });
  const sectionFinders = templates ? choices.map(sectionFinder) : undefined;
  const reading = learnFrom === 'selected' ? { ...labelOptions, include, exclude } : labelOptions;
  const conventionFor = ({ set }: GoldRow) => (conventions ? conventionOf(convention ?? set) : undefined);
  const rolesToChange = (row: GoldRow) => ({
    leaveOut: rolesToLeaveOut(conventionFor(row), row.type),
    add: rolesToAdd(conventionFor(row)),
  });
  const labelling = { ...reading, sectionFinders, rolesToChange };
  for await (const event of labelCorpus(archives, made, rowsOf, labelling)) {
    // compute the digest now, because spooled copies are removed at the end of the corpus
    if (event.kind === 'inputs') digest = await digestCorpus([...event.paths, ...gold]);
    else if (event.kind === 'problem') problems.push(event.problem);
    else if (event.kind === 'skip') skipped.set(event.url, event.code);
    else if (event.kind === 'site') {
      sites++;
      learntPages += event.learntPages;
    } else {
      const { row } = event;
      const truth = event.leaves && labelLeaves(event.leaves, row);
      const whole = event.outputs.at(-1)!;
      const theirs = extractors.map(({ rows }): PageOutput => {
        const found = rows.get(row.url) ?? { text: '' };
        const text = withTitleOf(found, conventionFor(row));
        const { url, time, site, sitePages } = whole;
        return { url, time, site, sitePages, text, fellBack: false };
      });
      for (const [index, { text }] of onText ? event.outputs.entries() : []) {
        onText?.(choices[index].label ?? choices[index].name, { url: row.url, text });
      }
      const outputs = [...event.outputs.slice(0, -1), ...theirs, whole];
      const page = outputs.map((output) => scorePage(output, row, truth));
      setWholePage(page);
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
    detectors: contenders.map((contender, index) => ({
      ...contender,
      summary: summarise(scores[index]),
      pages: scores[index],
    })),
  };
}

/** Joins the results of several sets, which must have the same contenders. */
export function joinResults(results: readonly EvalResult[]): EvalResult {
  if (results.length === 1) return results[0];
  const labels = new Set(results.flatMap(({ detectors }) => detectors.map(({ label }) => label)));
  labels.delete('none');
  const sum = (field: 'goldPages' | 'sites' | 'learntPages') =>
    results.reduce((total, result) => total + result[field], 0);
  const digests = results.map(({ digest }) => digest).sort();
  return {
    digest: `sha256:${createHash('sha256').update(digests.join('\n')).digest('hex')}`,
    goldPages: sum('goldPages'),
    missing: results.flatMap(({ missing }) => missing),
    sites: sum('sites'),
    learntPages: sum('learntPages'),
    problems: results.flatMap(({ problems }) => problems),
    detectors: [...labels, 'none'].map((label) => {
      const own = results.flatMap(({ detectors }) => detectors.find((one) => one.label === label) ?? []);
      const pages = own.flatMap((one) => one.pages);
      return { ...own[0], summary: summarise(pages), pages };
    }),
  };
}

function withNone(
  detectors: readonly DetectorChoice[],
  extractors: readonly ExtractorRows[],
): DetectorChoice[] {
  const none = detectors.find(({ name }) => name === 'none') ?? { name: 'none' as const };
  // `none` is last: it keeps the whole page
  const choices = [...detectors.filter((choice) => choice !== none), none];
  const labels = [...choices.map(({ name, label = name }) => label), ...extractors.map(({ label }) => label)];
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined)
    throw new RangeError(`detectors must have different labels: "${twice}" is given twice`);
  return choices;
}

/** Reads the gold rows of all files by capture. */
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
