/**
 * The options of a run as plain data: they go to workers, into the fingerprint and into `run.json`. They are checked
 * once here; all later code trusts them.
 */

import type { FloorOptions } from '../detect/confidence-fallback.ts';
import type { DetectorName } from '../detect/detector.ts';
import type { DetectorOptions } from '../detect/index.ts';
import { parseTextSettings } from '../detect/text-settings.ts';
import { checkChoice, checkNumber } from '../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import { compilePattern } from '../model/url-filter.ts';
import {
  checkStatuses,
  checkWaczPages,
  type ReadOptions,
  type Statuses,
  type WaczPages,
} from '../read/read-options.ts';
import type { AskedHistory } from '../store/history/read-history.ts';
import { DEFAULT_SNAPSHOT_RULE, parseSnapshotRule, type SnapshotRule } from '../store/snapshot-rule.ts';
import { checkLinksBy, type LinksBy } from '../study/shares.ts';
import type { SiteCategory } from '../study/site-categories.ts';

/** Options of a run that change its result. */
export interface JobOptions {
  /** Detectors to run; the first one decides which text is kept. @default ['joint'] */
  detectors?: DetectorName[];
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** Minimum number of pages of a site and minimum remaining text of a page for trusting a verdict. */
  floors?: FloorOptions;
  /** Rule that assigns pages to sites. @default 'host' */
  site?: SiteRule;
  /** Rule that divides captures into snapshots. @default 'gap:30' */
  snapshot?: SnapshotRule;
  /** Maximum number of pages (distinct URLs) that a site snapshot is learnt from. @default 200 */
  sample?: number;
  /**
   * Status codes that make pages: those of success, or all, which includes error pages and redirects. @default '2xx'
   */
  statuses?: Statuses;
  /** For WACZ files: all pages, or only those listed in `pages/pages.jsonl` and `extraPages.jsonl`. @default 'all' */
  waczPages?: WaczPages;
  /** Whether a link is inside a template by its start tag, as in the paper, or by its first word. @default 'text' */
  linksBy?: LinksBy;
  /** Seed of the sample. @default 0 */
  seed?: number;
  /** Maximum number of pages to label; sites are still learnt from all their pages. @default all */
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
  /** Maximum number of annotated pages of each site and snapshot in the folder of a report. @default 0 */
  annotated?: number;
  /** Also report how pages and templates changed over these years; see docs/guides/watch-a-site.md. @default not */
  history?: AskedHistory;
  /** Categories of sites, for the shares by category. @default none */
  categories?: SiteCategory[];
  /** Collections of sites whose histories are compared. @default [] */
  collections?: SiteCategory[];
  /** Minimum number of pages of a site; captures of one URL are one page. @default 1 */
  minSitePages?: number;
  /** Maximum number of sites, drawn by the seed. @default all */
  drawSites?: number;
  /** Settings W.F.D.P of the text detector to compare on every site. @default none */
  compareSettings?: string[];
  /** The paper that `--preset` named, for `run.json` and the report. @default '' */
  preset?: string;
  /** Maximum number of pages of one part of the output, which is also one task. @default 2000 */
  partPages?: number;
}

/** The checked options of a run, with all defaults filled in. */
export interface Job extends Required<Omit<JobOptions, 'limit' | 'limits' | 'history' | 'drawSites'>> {
  history: AskedHistory | null;
  drawSites: number | null;
  limit: number | null;
  limits: Limits;
  /** Keep original bodies of pages whose source differs from them. */
  bodies?: boolean;
}

/** Which pages sites are learnt from: all, or those that `include` and `exclude` select. */
export const LEARN_FROM = ['all', 'selected'] as const;
/** One of `LEARN_FROM`. */
export type LearnFrom = (typeof LEARN_FROM)[number];

/** The detector that decides which text is kept, by default. */
export const DEFAULT_DETECTOR: DetectorName = 'joint';
/** Default of `sample`: most pages that a site snapshot is learnt from. */
export const DEFAULT_SAMPLE_PAGES = 200;
/** Default of `partPages`: about two seconds of work and a megabyte of output. */
export const DEFAULT_PART_PAGES = 2000;

/** Fills in all defaults; throws a RangeError that names the option and what it accepts. */
export function checkJob(options: JobOptions = {}): Job {
  const {
    detectors = [DEFAULT_DETECTOR],
    detectorOptions = {},
    floors = {},
    site = 'host',
    snapshot = DEFAULT_SNAPSHOT_RULE,
    sample = DEFAULT_SAMPLE_PAGES,
    statuses = '2xx',
    waczPages = 'all',
    linksBy = 'text',
    seed = 0,
    limit,
    include = [],
    exclude = [],
    learnFrom = 'all',
    limits = {},
    markdown = false,
    annotated = 0,
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
  checkWaczPages(waczPages);
  checkLinksBy(linksBy);
  checkWholeOption('sample', sample, 1);
  checkWholeOption('seed', seed, 0);
  checkWholeOption('annotated', annotated, 0);
  checkWholeOption('partPages', partPages, 1);
  if (limit !== undefined) checkWholeOption('limit', limit, 1);
  checkWholeOption('minSitePages', minSitePages, 1);
  if (drawSites !== undefined) checkWholeOption('drawSites', drawSites, 1);
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
    waczPages,
    linksBy,
    seed,
    limit: limit ?? null,
    include,
    exclude,
    learnFrom,
    limits: { ...DEFAULT_LIMITS, ...limits },
    markdown,
    annotated,
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

/** The job as written to `run.json`: a page-level model is represented by its card. */
export function describeJob(job: Job): Job & Record<string, unknown> {
  const { page } = job.detectorOptions;
  if (!page?.model) return { ...job };
  const described = { ...page, model: page.model.card };
  return { ...job, detectorOptions: { ...job.detectorOptions, page: described as never } };
}

/** The options for reading the archives of a job. All URLs are read unless sites are learnt from selected ones only. */
export function readOptionsOfJob(job: Job): ReadOptions {
  const { limits, site, bodies, statuses, waczPages } = job;
  const filter = job.learnFrom === 'selected' ? urlFilterOf(job) : {};
  return { limits, site, bodies, statuses, waczPages, ...filter };
}

/** Compiles the patterns of `include` and `exclude`. */
export function urlFilterOf({ include, exclude }: Pick<Job, 'include' | 'exclude'>): {
  include: RegExp[];
  exclude: RegExp[];
} {
  return { include: include.map(compilePattern), exclude: exclude.map(compilePattern) };
}

/** Whether unlabelled pages are read: those that `include` and `exclude` leave out. */
export function readsUnselected({ include, exclude, learnFrom }: Job): boolean {
  return learnFrom === 'all' && include.length + exclude.length > 0;
}

/** Number of pages to draw from each site snapshot, so that every detector has its sample. */
export function drawnPages({ sample, detectors, detectorOptions }: Job): number {
  const { dom, text } = detectorOptions;
  const own = [dom, text].map((options, k) =>
    detectors.includes(k === 0 ? 'dom' : 'text') ? (options?.samplePages ?? 0) : 0,
  );
  return Math.max(sample, ...own);
}

/**
 * The detectors of a report: the first one decides, the others list the templates of sites. The table of categories
 * compares dom and text, as the paper does.
 */
export function reportDetectors(first: DetectorName, { hasCategories = false } = {}): DetectorName[] {
  const others: DetectorName[] = first === 'joint' && !hasCategories ? ['dom'] : ['dom', 'text'];
  return [first, ...others.filter((name) => name !== first)];
}

/** Throws a RangeError unless an option is a whole number of at least `least`. */
export function checkWholeOption(name: string, value: number, least: number): void {
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
