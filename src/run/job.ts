/**
 * What is asked of a run, as plain data: it goes to workers, into the fingerprint and into `run.json`.
 * Checked once here; everything after trusts it.
 */

import type { FloorOptions } from '../detect/confidence-fallback.ts';
import type { DetectorName } from '../detect/detector.ts';
import type { DetectorOptions } from '../detect/index.ts';
import { parseTextSettings } from '../detect/text-settings.ts';
import { checkChoice, checkNumber } from '../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import { compilePattern } from '../model/url-filter.ts';
import { checkStatuses, type ReadOptions, type Statuses } from '../read/read-options.ts';
import type { AskedHistory } from '../store/history/read-history.ts';
import { DEFAULT_SNAPSHOT_RULE, parseSnapshotRule, type SnapshotRule } from '../store/snapshot-rule.ts';
import { checkLinksBy, type LinksBy } from '../study/shares.ts';
import type { SiteCategory } from '../study/site-categories.ts';

/** Options of a run that change its result. */
export interface JobOptions {
  /** Detectors to run; the first one decides what text is kept. @default ['joint'] */
  detectors?: DetectorName[];
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** When a site has too few pages, or a page too little left, to be sure. */
  floors?: FloorOptions;
  /** @default 'host' */
  site?: SiteRule;
  /** @default 'gap:30' */
  snapshot?: SnapshotRule;
  /** Pages (distinct URLs) a site snapshot is learnt from. @default 200 */
  sample?: number;
  /** Whose status codes make pages: those of success, or all, so that error pages and redirects count too. @default '2xx' */
  statuses?: Statuses;
  /** Whether a link is inside a template by its start tag, as in the paper, or by its first word. @default 'text' */
  linksBy?: LinksBy;
  /** Seed of the sample. @default 0 */
  seed?: number;
  /** Most pages to label; sites are learnt from all their pages. @default all */
  limit?: number;
  /** Label only URLs that match one of these regular expressions (flag `u`). @default all */
  include?: string[];
  /** Do not label URLs that match one of these regular expressions. @default none */
  exclude?: string[];
  /** Learn sites from all their pages, or only from those that `include` and `exclude` select. @default 'all' */
  learnFrom?: LearnFrom;
  limits?: Partial<Limits>;
  /** Add Markdown to the text rows. @default false */
  markdown?: boolean;
  /** Also tell how pages and templates changed over these years; see docs/history.md. @default not */
  history?: AskedHistory;
  /** Categories of sites, for the shares by category. @default none */
  categories?: SiteCategory[];
  /** Collections of sites, whose histories are shown side by side. @default [] */
  collections?: SiteCategory[];
  /** Only sites of so many pages, in all their captures, and more. @default 1 */
  minSitePages?: number;
  /** So many sites only, drawn by the seed. @default all */
  drawSites?: number;
  /** Settings W.F.D.P of the text detector to try on every site beside each other. @default none */
  compareSettings?: string[];
  /** The paper whose options were asked for by `--preset`, for `run.json` and the report. @default '' */
  preset?: string;
  /** Most pages of one part of the output, which is also what a worker takes at a time. @default 2000 */
  partPages?: number;
}

export interface Job extends Required<Omit<JobOptions, 'limit' | 'limits' | 'history' | 'drawSites'>> {
  history: AskedHistory | null;
  drawSites: number | null;
  limit: number | null;
  limits: Limits;
  /** Keep bodies as they were served with pages whose source differs. */
  bodies?: boolean;
}

export const LEARN_FROM = ['all', 'selected'] as const;
export type LearnFrom = (typeof LEARN_FROM)[number];

/** Decides which text is kept, unless the caller names another one. */
export const DEFAULT_DETECTOR: DetectorName = 'joint';
export const DEFAULT_SAMPLE_PAGES = 200;
/** A second or two of work, a megabyte of output. */
const DEFAULT_PART_PAGES = 2000;

/** The job with all defaults filled in; throws a RangeError that names the option and what it accepts. */
export function checkJob(options: JobOptions = {}): Job {
  const {
    detectors = [DEFAULT_DETECTOR],
    detectorOptions = {},
    floors = {},
    site = 'host',
    snapshot = DEFAULT_SNAPSHOT_RULE,
    sample = DEFAULT_SAMPLE_PAGES,
    statuses = '2xx',
    linksBy = 'text',
    seed = 0,
    limit,
    include = [],
    exclude = [],
    learnFrom = 'all',
    limits = {},
    markdown = false,
    categories = [],
    collections = [],
    minSitePages = 1,
    drawSites,
    compareSettings = [],
    history,
    preset = '',
    partPages = DEFAULT_PART_PAGES,
  } = options;
  if (detectors.length === 0) throw new RangeError('detectors must name at least one detector');
  if (new Set(detectors).size !== detectors.length) {
    throw new RangeError(`detectors must differ, not "${detectors.join(', ')}"`);
  }
  checkStatuses(statuses);
  checkLinksBy(linksBy);
  checkWhole('sample', sample, 1);
  checkWhole('seed', seed, 0);
  checkWhole('partPages', partPages, 1);
  if (limit !== undefined) checkWhole('limit', limit, 1);
  checkWhole('minSitePages', minSitePages, 1);
  if (drawSites !== undefined) checkWhole('drawSites', drawSites, 1);
  for (const pattern of [...include, ...exclude]) compilePattern(pattern);
  checkChoice('learnFrom', learnFrom, LEARN_FROM);
  checkCompared(compareSettings, sample);
  return {
    detectors,
    detectorOptions,
    floors,
    site: parseSiteRule(site),
    snapshot: parseSnapshotRule(snapshot),
    sample,
    statuses,
    linksBy,
    seed,
    limit: limit ?? null,
    include,
    exclude,
    learnFrom,
    limits: { ...DEFAULT_LIMITS, ...limits },
    markdown,
    categories,
    collections,
    minSitePages,
    drawSites: drawSites ?? null,
    compareSettings,
    history: history ?? null,
    preset,
    partPages,
  };
}

/** The job as `run.json` tells it: of a page-level model its card. */
export function describeJob(job: Job): Job & Record<string, unknown> {
  const { page } = job.detectorOptions;
  if (!page?.model) return { ...job };
  const told = { ...page, model: page.model.card };
  return { ...job, detectorOptions: { ...job.detectorOptions, page: told as never } };
}

/** What the reader needs to know of a job. It reads all URLs unless sites are learnt from the selected ones only. */
export function readOptionsOf(job: Job): ReadOptions {
  const { limits, site, bodies, statuses } = job;
  return { limits, site, bodies, statuses, ...(job.learnFrom === 'selected' ? urlFilterOf(job) : {}) };
}

export function urlFilterOf({ include, exclude }: Pick<Job, 'include' | 'exclude'>): {
  include: RegExp[];
  exclude: RegExp[];
} {
  return { include: include.map(compilePattern), exclude: exclude.map(compilePattern) };
}

/** Whether pages are read that are not labelled: those that `include` and `exclude` leave out. */
export function readsUnselected({ include, exclude, learnFrom }: Job): boolean {
  return learnFrom === 'all' && include.length + exclude.length > 0;
}

/** Pages that must be drawn of each site snapshot so that every detector has its sample. */
export function drawnPages({ sample, detectors, detectorOptions }: Job): number {
  const { dom, text } = detectorOptions;
  const own = [dom, text].map((options, k) =>
    detectors.includes(k === 0 ? 'dom' : 'text') ? (options?.samplePages ?? 0) : 0,
  );
  return Math.max(sample, ...own);
}

/**
 * The detectors of a report: the one that decides, then those that list the templates of sites. The table of categories
 * compares dom and text, as the paper does.
 */
export function reportDetectors(first: DetectorName, { hasCategories = false } = {}): DetectorName[] {
  const others: DetectorName[] = first === 'joint' && !hasCategories ? ['dom'] : ['dom', 'text'];
  return [first, ...others.filter((name) => name !== first)];
}

export function checkWhole(name: string, value: number, least: number): void {
  checkNumber(name, value, { min: least, max: 0xffffffff, whole: true });
}

function checkCompared(settings: readonly string[], sample: number): void {
  if (new Set(settings).size !== settings.length) {
    throw new RangeError(`compareSettings must differ, not "${settings.join(', ')}"`);
  }
  for (const one of settings) {
    const { samplePages = 0 } = parseTextSettings(one);
    if (samplePages > sample) {
      throw new RangeError(
        `compareSettings: ${one} samples ${samplePages} pages of a site; the sample must be as large, not ${sample}`,
      );
    }
  }
}
