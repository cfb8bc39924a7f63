/** What the report tells about the history of an archive, by the queries of queries.ts. */
import type { OutputFolder } from '../open-folder.ts';
import type { RedesignSize } from '../redesigns.ts';
import { HISTORY_QUERIES, type HistoryQueryOptions, type Period } from './history-queries.ts';

/** Small snapshots, which had too few pages to learn from: drawn apart from the others, or not at all. */
export const SMALL_SNAPSHOTS = ['mark', 'leave-out'] as const;
export type SmallSnapshots = (typeof SMALL_SNAPSHOTS)[number];

/** What is asked of a history. */
export interface AskedHistory {
  /** Years that count, both included. */
  fromYear: number;
  toYear: number;
  /** Periods of Table 2. @default two halves of the time covered */
  periods?: Period[];
  /** @default 'mark' */
  smallSnapshots?: SmallSnapshots;
}

export interface History {
  detector: string;
  /** What the queries of its tables were asked with. */
  queryOptions: HistoryQueryOptions;
  snapshots: {
    site: string;
    snapshot: string;
    moment: number;
    pages: number;
    /** Of its average page; null where no page has links, or text. */
    links: number | null;
    html: number | null;
    text: number | null;
    /** Of all its pages together. */
    links_pooled: number | null;
    html_pooled: number | null;
    text_pooled: number | null;
    /** Whether it had too few pages to learn from. */
    small: boolean;
  }[];
  /** Whether small snapshots are drawn. */
  smallSnapshots: SmallSnapshots;
  /** By collection, whose name is empty when there are none; the row without a year is the total. */
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
  /** By category, where categories were given. */
  categoryPeriods: PeriodRow[];
  durationsOverTime: { moment: number; region: Region; days: number; active: number }[];
  durations: { region: Region; days_from: number; count: number }[];
  durationSummary: {
    region: Region;
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
  /** Pages of the archive that its history leaves out. */
  leftOut: {
    why: 'no time' | 'other year' | 'same moment';
    pages: number;
    earliest: string;
    latest: string;
  }[];
}

export interface PeriodRow {
  /** Or category; empty for all sites. */
  collection: string;
  period: string;
  sites: number;
  links: number | null;
  html: number | null;
  text: number | null;
}

export interface Redesign {
  site: string;
  /** Last day of the old design, first day of the new one. */
  since: string;
  first: string;
  size: RedesignSize;
  why: string;
  confidence: number;
  pages: number;
}

export type Region = 'template' | 'rest';
export type Part = 'whole page' | 'without templates';

export interface Trend {
  kind: 'links' | 'html' | 'text';
  points: number;
  mean: number;
  /** Share gained in a year, and that relative to the mean; null when the snapshots cover less than a year. */
  yearly: number | null;
  growth: number | null;
  at_1970: number | null;
  r2: number | null;
}

/** Points and rows that are drawn and told; the tables hold all. */
const MOST_ROWS = 100_000;

/** What a terminal shows of a history. */
export type HistoryOutline = Pick<History, 'detector' | 'snapshots' | 'redesigns' | 'leftOut'>;

/** The outline of a folder's history; undefined when none was gathered. */
export async function readHistoryOutline(folder: OutputFolder): Promise<HistoryOutline | undefined> {
  if (!folder.has('captures', 'history')) return undefined;
  const detector = folder.detectors[0];
  const q = HISTORY_QUERIES;
  return {
    detector,
    snapshots: await ask(folder, q.snapshots.sql(detector)),
    redesigns: await ask(folder, q.redesigns.sql()),
    leftOut: await ask(folder, q.leftOut.sql()),
  };
}

/** The history of a folder; undefined when none was gathered. */
export async function readHistory(folder: OutputFolder): Promise<History | undefined> {
  const outline = await readHistoryOutline(folder);
  if (outline === undefined) return undefined;
  const { detector, snapshots, redesigns, leftOut } = outline;
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
    leftOut,
  };
}

function ask<T>(folder: OutputFolder, sql: string): Promise<T[]> {
  return folder.ask<T>(`FROM (${sql}) LIMIT ${MOST_ROWS}`);
}
