/**
 * Reads the figures and tables about the history of an archive for the report, by the queries of
 * history-queries.ts.
 */
import type { OutputFolder } from '../open-folder.ts';
import { HISTORY_QUERIES, type HistoryQueryOptions, type Period } from './history-queries.ts';

/**
 * What to do with small snapshots, which have too few pages to learn from: draw them differently, or leave them
 * out.
 */
export const SMALL_SNAPSHOTS = ['mark', 'leave-out'] as const;
/** One of `SMALL_SNAPSHOTS`. */
export type SmallSnapshots = (typeof SMALL_SNAPSHOTS)[number];

/** Options of a user for the history. */
export interface AskedHistory {
  /** First and last year of the captures to use. */
  fromYear: number;
  toYear: number;
  /** Periods of Table 2. @default two halves of the time covered */
  periods?: Period[];
  /** What to do with snapshots of too few pages. @default 'mark' */
  smallSnapshots?: SmallSnapshots;
}

/** Figures and tables about the history of an archive. */
export interface History {
  detector: string;
  /** Options of the queries of its tables. */
  queryOptions: HistoryQueryOptions;
  snapshots: {
    site: string;
    snapshot: string;
    moment: number;
    pages: number;
    /** Template shares of the average page; null when no page has links, or text. */
    links: number | null;
    html: number | null;
    text: number | null;
    /** Template shares of all pages together. */
    links_pooled: number | null;
    html_pooled: number | null;
    text_pooled: number | null;
    /** Whether the snapshot has too few pages to learn from. */
    small: boolean;
  }[];
  /** Whether small snapshots are drawn. */
  smallSnapshots: SmallSnapshots;
  /** Counts by collection ('' when there are none) and year; the row without a year is the total. */
  snapshotYears: {
    collection: string;
    year: number | null;
    snapshots: number;
    sites: number;
    pages: number;
    snapshots_per_site: number;
  }[];
  trends: Trend[];
  siteTrends: (Trend & { site: string; first: number; last: number })[];
  periods: PeriodRow[];
  /** Periods by category, when categories were given. */
  categoryPeriods: PeriodRow[];
  durationsOverTime: { moment: number; region: ValueRegion; days: number; active: number }[];
  durations: { region: ValueRegion; days_from: number; count: number }[];
  durationSummary: {
    region: ValueRegion;
    count: number;
    median_days: number;
    mean_days: number;
    two_years: number;
  }[];
  magnitudes: { part: Part; magnitude_from: number; changes: number; share: number }[];
  magnitudeSummary: { part: Part; compared: number; changed: number; large: number | null }[];
  templateLives: {
    site: string;
    template: string;
    snapshots: number;
    born: number | null;
    died: number | null;
    days: number | null;
  }[];
  redesigns: Redesign[];
  /** Template changes that are not redesigns, in the same form. */
  smallerChanges: Redesign[];
  /** Pages that the history leaves out, and the reason. */
  leftOut: {
    why: 'no time' | 'other year' | 'same moment';
    pages: number;
    earliest: string;
    latest: string;
  }[];
}

/** Template shares of a group of sites in a period. */
export interface PeriodRow {
  /** Collection or category; '' for all sites. */
  collection: string;
  period: string;
  sites: number;
  links: number | null;
  html: number | null;
  text: number | null;
}

/** A redesign or smaller change of a site. */
export interface Redesign {
  site: string;
  /** Last day of the old design, first day of the new one. */
  since: string;
  first: string;
  why: string;
  confidence: number;
  pages: number;
  /** Changed share of each measure, such as `words 0.03 layout 0.12`. */
  changed: string;
}

/** Part of a page whose values are followed: words inside templates, or the rest. */
export type ValueRegion = 'template' | 'rest';
/** Part of a page whose changes are measured. */
export type Part = 'whole page' | 'without templates';

/** Line of least squares through the template shares of snapshots. */
export interface Trend {
  kind: 'links' | 'html' | 'text';
  points: number;
  mean: number;
  /**
   * Gain of the share per year, and the same relative to the mean; null when the snapshots cover less than a year.
   */
  yearly: number | null;
  growth: number | null;
  at_1970: number | null;
  r2: number | null;
}

/** Maximum number of points and rows that are read; the tables have all. */
const MAX_ROWS = 100_000;

/** Part of a history that a terminal shows. */
export type HistoryOutline = Pick<
  History,
  'detector' | 'snapshots' | 'redesigns' | 'smallerChanges' | 'leftOut'
>;

/** Reads the outline of a folder's history; undefined when the folder has no history. */
export async function readHistoryOutline(folder: OutputFolder): Promise<HistoryOutline | undefined> {
  if (!folder.has('captures', 'history')) return undefined;
  const detector = folder.detectors[0];
  const q = HISTORY_QUERIES;
  return {
    detector,
    snapshots: await ask(folder, q.snapshots.sql(detector)),
    redesigns: await ask(folder, q.redesigns.sql()),
    smallerChanges: await ask(folder, q.smallerChanges.sql()),
    leftOut: await ask(folder, q.leftOut.sql()),
  };
}

/** Reads the history of a folder; undefined when the folder has no history. */
export async function readHistory(folder: OutputFolder): Promise<History | undefined> {
  const outline = await readHistoryOutline(folder);
  if (outline === undefined) return undefined;
  const { detector, snapshots, redesigns, smallerChanges, leftOut } = outline;
  const q = HISTORY_QUERIES;
  const asked = folder.run.options.history as Partial<AskedHistory> | null;
  const options: HistoryQueryOptions = { collections: folder.has('collections'), periods: asked?.periods };
  return {
    detector,
    queryOptions: options,
    snapshots,
    smallSnapshots: asked?.smallSnapshots ?? 'mark',
    snapshotYears: await ask(folder, q.snapshotYears.sql(detector, undefined, options)),
    trends: await ask(folder, q.trends.sql(detector)),
    siteTrends: await ask(folder, q.siteTrends.sql(detector)),
    periods: await ask(folder, q.periods.sql(detector, undefined, options)),
    categoryPeriods: folder.has('categories')
      ? await ask(folder, q.categoryPeriods.sql(detector, undefined, options))
      : [],
    durationsOverTime: await ask(folder, q.durationsOverTime.sql()),
    durations: await ask(folder, q.durations.sql()),
    durationSummary: await ask(folder, q.durationSummary.sql()),
    magnitudes: await ask(folder, q.magnitudes.sql()),
    magnitudeSummary: await ask(folder, q.magnitudeSummary.sql()),
    templateLives: await ask(folder, q.templateLives.sql(detector)),
    redesigns,
    smallerChanges,
    leftOut,
  };
}

function ask<T>(folder: OutputFolder, sql: string): Promise<T[]> {
  return folder.ask<T>(`FROM (${sql}) LIMIT ${MAX_ROWS}`);
}
