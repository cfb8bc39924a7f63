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

/**
 * SQL that makes the view `sited`: the candidates with their snapshot. A snapshot is named by the calendar,
 * or by its first day for gaps. Captures without a time join the site's only snapshot, or make one of
 * their own, `undated`.
 */
export function snapshotSql(rule: SnapshotRule): string[] {
  if (rule === 'all') return [`CREATE VIEW sited AS SELECT *, 'all' AS snapshot FROM candidates`];
  return [
    `CREATE TABLE days AS SELECT DISTINCT site, left(time, 10) AS day FROM candidates WHERE time <> ''`,
    `CREATE TABLE dated AS ${rule.startsWith('gap:') ? gapSql(rule) : calendarSql(rule)}`,
    `CREATE TABLE undated AS SELECT site, any_value(snapshot) AS snapshot FROM dated
       GROUP BY site HAVING count(DISTINCT snapshot) = 1`,
    `CREATE VIEW sited AS
       SELECT c.*, CASE WHEN c.time <> '' THEN dated.snapshot ELSE coalesce(undated.snapshot, 'undated') END AS snapshot
       FROM candidates c
         LEFT JOIN dated ON dated.site = c.site AND dated.day = left(c.time, 10)
         LEFT JOIN undated ON undated.site = c.site`,
  ];
}

function calendarSql(rule: SnapshotRule): string {
  const digits = rule === 'year' ? 4 : rule === 'month' ? 7 : 10;
  return `SELECT site, day, left(day, ${digits}) AS snapshot FROM days`;
}

function gapSql(rule: SnapshotRule): string {
  const gapDays = Number(rule.slice('gap:'.length));
  return `
    SELECT site, day, max(first_day) OVER (PARTITION BY site ORDER BY day) AS snapshot FROM (
      SELECT site, day, CASE WHEN before IS NULL OR day::DATE - before::DATE > ${gapDays} THEN day END AS first_day
      FROM (SELECT site, day, lag(day) OVER (PARTITION BY site ORDER BY day) AS before FROM days))`;
}
