/**
 * Divides the captures of a site into snapshots. A template lives for months or years, a crawl takes days: the
 * default starts a new snapshot after a gap of more than 30 days, so that a crawl is never divided and two crawls
 * are never mixed.
 */

/**
 * `gap:DAYS` starts a new snapshot after a gap of more than DAYS days; the others after a year, month or day of
 * the calendar.
 */
export type SnapshotRule = 'all' | 'year' | 'month' | 'day' | `gap:${number}`;

/** Rule of `--snapshot` when the user gives none. */
export const DEFAULT_SNAPSHOT_RULE: SnapshotRule = 'gap:30';

/** Parses the value of `--snapshot`; throws a RangeError that lists the accepted values. */
export function parseSnapshotRule(text: string): SnapshotRule {
  if (text === 'all' || text === 'year' || text === 'month' || text === 'day') return text;
  const days = /^gap:([1-9]\d{0,4})$/.exec(text);
  if (days) return `gap:${Number(days[1])}`;
  throw new RangeError(`snapshot must be all, year, month, day or gap:DAYS (1 to 99999), not "${text}"`);
}

/** Snapshot of captures without a time, on sites with several snapshots. */
const UNDATED = 'undated';
const DAY_MS = 86_400_000;

/** Returns the day of a time in milliseconds, counted from 1970-01-01; not finite for captures without a time. */
export function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * Returns the snapshot of each day of a site's captures (not finite for captures without a time), named by the
 * calendar or, for gaps, by its first day. Captures without a time join the only snapshot of the site, or form one
 * of their own.
 */
export function nameSnapshots(rule: SnapshotRule, days: readonly number[]): Map<number, string> {
  const names = new Map<number, string>();
  const sorted = days.filter(Number.isFinite).sort((a, b) => a - b);
  let first = 0;
  for (const [k, day] of sorted.entries()) {
    if (k === 0 || (rule.startsWith('gap:') && day - sorted[k - 1] > Number(rule.slice('gap:'.length))))
      first = day;
    names.set(day, rule === 'all' ? 'all' : snapshotName(rule, rule.startsWith('gap:') ? first : day));
  }
  const distinct = new Set(names.values());
  const undated = rule === 'all' ? 'all' : distinct.size === 1 ? [...distinct][0] : UNDATED;
  for (const day of days) if (!Number.isFinite(day)) names.set(day, undated);
  return names;
}

function snapshotName(rule: SnapshotRule, day: number): string {
  const digits = rule === 'year' ? 4 : rule === 'month' ? 7 : 10;
  return new Date(day * DAY_MS).toISOString().slice(0, digits);
}
