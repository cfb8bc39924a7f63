/** What the report tells about the history of an archive, by the queries of queries.ts. */
import type { OutputFolder } from '../open-folder.ts';
import type { RedesignSize } from '../redesigns.ts';
import { HISTORY_QUERIES } from './queries.ts';

export interface History {
  detector: string;
  snapshots: {
    site: string;
    snapshot: string;
    moment: number;
    pages: number;
    links: number;
    html: number;
    text: number;
  }[];
  snapshotYears: { year: number; snapshots: number; sites: number; pages: number }[];
  trends: Trend[];
  siteTrends: (Trend & { site: string; first: number; last: number })[];
  periods: { period: string; sites: number; links: number; html: number; text: number }[];
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
  return {
    detector,
    snapshots,
    snapshotYears: await ask(folder, q.snapshotYears.sql(detector)),
    trends: await ask(folder, q.trends.sql(detector)),
    siteTrends: await ask(folder, q.siteTrends.sql(detector)),
    periods: await ask(folder, q.periods.sql(detector)),
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
