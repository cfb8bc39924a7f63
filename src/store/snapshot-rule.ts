/**
 * Which captures of a site belong to one time. A template lives for months or years, a crawl for days: the
 * default cuts where a site was left alone for more than a month, so that a crawl is never cut in two and
 * two crawls are never mixed.
 */

/** `gap:DAYS` cuts where captures lie further apart; the calendar rules cut at its borders. */
export type SnapshotRule = 'all' | 'year' | 'month' | 'day' | `gap:${number}`;

export const DEFAULT_SNAPSHOT_RULE: SnapshotRule = 'gap:30';

/** Reads a rule as a user writes it; throws a RangeError that says what is accepted. */
export function parseSnapshotRule(text: string): SnapshotRule {
  if (text === 'all' || text === 'year' || text === 'month' || text === 'day') return text;
  const days = /^gap:([1-9]\d{0,4})$/.exec(text);
  if (days) return `gap:${Number(days[1])}`;
  throw new RangeError(`snapshot must be all, year, month, day or gap:DAYS (1 to 99999), not "${text}"`);
}

/** Snapshot of captures without a time, where their site has several. */
const UNDATED = 'undated';
const DAY_MS = 86_400_000;

/** The day of a time in milliseconds, counted from 1970; not finite without a time. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * Names the snapshots of a site by the days of its captures (not finite for captures without a time): by the calendar, or by
 * their first day for gaps. Captures without a time join the site's only snapshot, or make one of their own.
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
