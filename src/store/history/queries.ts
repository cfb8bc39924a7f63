/**
 * The numbers of a history as queries over a finished folder, as study/queries.ts has those of the templates: the
 * figures of section 6 of Gibson, Punera and Tomkins. Times are seconds since 1970, and years and months those of UTC,
 * wherever the queries are asked.
 */
import type { StudyQuery } from '../study/queries.ts';

/** Seconds of an average year. */
const YEAR = 31_557_600;

/** What lies inside templates at each site snapshot: a point of Figures 10 to 12. */
const snapshots = (
  detector: string,
): string => `SELECT site, snapshot, median(moment)::BIGINT AS moment, count(*) AS pages,
    coalesce(sum(${detector}_links) / nullif(sum(links), 0), 0) AS links,
    coalesce(sum(${detector}_html_bytes) / nullif(sum(html_bytes), 0), 0) AS html,
    coalesce(sum(${detector}_text_bytes) / nullif(sum(text_bytes), 0), 0) AS text
  FROM pages JOIN history_captures USING (page) GROUP BY site, snapshot`;

/** A time in seconds as the database has times. */
const timeOf = (seconds: string): string => `make_timestamp((${seconds}) * 1000000)`;

const KINDS = ['links', 'html', 'text'] as const;

const KIND_PLACE = `list_position(['${KINDS.join("', '")}'], kind)`;

/** Seconds that snapshots must cover to tell what a year adds: of weeks it would be a guess, many times what was seen. */
const TREND_SECONDS = 365 * 86_400;

/** Share gained in a year, by least squares, and that relative to the mean share. */
const TREND = `count(*) AS points, avg(share) AS mean,
  CASE WHEN max(moment) - min(moment) >= ${TREND_SECONDS} THEN regr_slope(share, moment / ${YEAR}) END AS yearly,
  yearly / nullif(avg(share), 0) AS growth, regr_intercept(share, moment / ${YEAR}) AS at_1970,
  regr_r2(share, moment / ${YEAR}) AS r2`;

export const HISTORY_QUERIES = {
  snapshots: {
    name: 'snapshots',
    about:
      'Figures 10 to 12: the shares of links, HTML and text inside templates at each snapshot of each site.',
    sql: (detector) => `${snapshots(detector)} ORDER BY site, moment, snapshot`,
  },
  snapshotYears: {
    name: 'snapshot-years',
    about: 'Table 1: snapshots, sites and pages by year.',
    sql: (detector) => `WITH snapshots AS (${snapshots(detector)})
SELECT year(${timeOf('moment')}) AS year, count(*) AS snapshots, count(DISTINCT site) AS sites, sum(pages)::BIGINT AS pages
FROM snapshots GROUP BY ALL ORDER BY year`,
  },
  trends: {
    name: 'trends',
    about:
      'The trend lines of Figures 10 to 12: points of per cent a year by least squares, over all snapshots of all sites, and the growth relative to the mean; none when they cover less than a year.',
    sql: (detector) => `WITH snapshots AS (${snapshots(detector)}),
  points AS (UNPIVOT (SELECT moment, ${KINDS.join(', ')} FROM snapshots) ON ${KINDS.join(', ')} INTO NAME kind VALUE share)
SELECT kind, ${TREND} FROM points GROUP BY kind ORDER BY ${KIND_PLACE}`,
  },
  siteTrends: {
    name: 'site-trends',
    about: 'The same lines for each site that has two snapshots and more.',
    sql: (detector) => `WITH snapshots AS (${snapshots(detector)}),
  points AS (UNPIVOT (SELECT site, moment, ${KINDS.join(', ')} FROM snapshots) ON ${KINDS.join(', ')} INTO NAME kind VALUE share)
SELECT site, kind, ${TREND}, arg_min(share, moment) AS first, arg_max(share, moment) AS last
FROM points GROUP BY site, kind HAVING count(DISTINCT moment) > 1 ORDER BY site, ${KIND_PLACE}`,
  },
  periods: {
    name: 'periods',
    about:
      'Table 2: shares inside templates in the first and the second half of the time covered, cut at the turn of the year nearest to its middle, and in all of it; the mean over sites of the mean over their snapshots, so that neither large sites nor often crawled ones weigh more.',
    sql: (detector) => `WITH snapshots AS (${snapshots(detector)}),
  middle AS (SELECT year(${timeOf(`(min(moment) + max(moment) + ${YEAR}) // 2`)}) AS split FROM snapshots),
  named AS (
    SELECT *, CASE WHEN year(${timeOf('moment')}) < split THEN 'before ' || split ELSE 'from ' || split END AS period
    FROM snapshots, middle),
  sites AS (
    SELECT period, site, avg(links) AS links, avg(html) AS html, avg(text) AS text FROM named GROUP BY period, site
    UNION ALL SELECT 'all', site, avg(links), avg(html), avg(text) FROM named GROUP BY site)
SELECT period, count(*) AS sites, avg(links) AS links, avg(html) AS html, avg(text) AS text
FROM sites GROUP BY period ORDER BY period = 'all', period`,
  },
  durationsOverTime: {
    name: 'durations-over-time',
    about:
      'Figure 13: the average duration, in days, of the values that stood on some page at a time and were seen to come and to go, month by month.',
    sql: () => `WITH bracketed AS (FROM history_values WHERE bracketed),
  months AS (
    SELECT epoch(unnest(generate_series(date_trunc('month', ${timeOf('min(begins)::BIGINT')}),
      ${timeOf('max(ends)::BIGINT')}, INTERVAL 1 MONTH)))::BIGINT AS moment FROM bracketed)
SELECT moment, region, avg(days) AS days, count(*) AS active
FROM months JOIN bracketed ON moment BETWEEN begins AND ends GROUP BY moment, region ORDER BY region, moment`,
  },
  durations: {
    name: 'durations',
    about: 'Figure 14: how many values lasted how long, in steps of fifty days.',
    sql: () => `SELECT region, (floor(days / 50) * 50)::INTEGER AS days_from, count(*) AS count
FROM history_values WHERE bracketed GROUP BY ALL ORDER BY region, days_from`,
  },
  durationSummary: {
    name: 'duration-summary',
    about:
      'How long texts inside templates and outside lasted: the median, and the share that lasted two years and more.',
    sql: () => `SELECT region, count(*) AS count, median(days) AS median_days, avg(days) AS mean_days,
  avg((days >= 730)::INTEGER) AS two_years FROM history_values WHERE bracketed GROUP BY region ORDER BY region`,
  },
  magnitudes: {
    name: 'magnitudes',
    about:
      'Figure 15: how much pages changed from one capture to the next, 1 − 2·|A ∩ B| / (|A| + |B|) of their sets of words, with templates and without; captures that differ in no word are left out.',
    sql: () => `WITH changes AS (
  SELECT 'whole page' AS part, change FROM history_captures WHERE previous IS NOT NULL
  UNION ALL SELECT 'without templates', rest_change FROM history_captures WHERE previous IS NOT NULL),
counted AS (
  SELECT part, least(floor(change * 20) / 20, 0.95) AS magnitude_from, count(*) AS changes
  FROM changes WHERE change > 0 GROUP BY ALL)
SELECT *, changes / sum(changes) OVER (PARTITION BY part) AS share FROM counted ORDER BY part, magnitude_from`,
  },
  magnitudeSummary: {
    name: 'magnitude-summary',
    about: 'How many captures changed at all, how many by 65 per cent and more.',
    sql: () => `WITH changes AS (
  SELECT 'whole page' AS part, change FROM history_captures WHERE previous IS NOT NULL
  UNION ALL SELECT 'without templates', rest_change FROM history_captures WHERE previous IS NOT NULL)
SELECT part, count(*) AS compared, count(*) FILTER (change > 0) AS changed,
  count(*) FILTER (change >= 0.65) / nullif(count(*) FILTER (change > 0), 0) AS large
FROM changes GROUP BY part ORDER BY part`,
  },
  templateLives: {
    name: 'template-lives',
    about:
      'When each template came and went: half-way between the snapshots without it and with it; nothing is said about the first and the last snapshot of a site.',
    sql: (detector) => `WITH snapshots AS (
  SELECT site, snapshot, min(moment) AS first_moment, max(moment) AS last_moment,
    row_number() OVER (PARTITION BY site ORDER BY min(moment), snapshot) AS number
  FROM pages JOIN history_captures USING (page) GROUP BY site, snapshot),
lives AS (
  SELECT s.site, template, min(number) AS born, max(number) AS died, count(DISTINCT number) AS snapshots
  FROM ranges SEMI JOIN history_captures USING (page) JOIN pages p USING (page) JOIN snapshots s ON s.site = p.site AND s.snapshot = p.snapshot
  WHERE detector = '${detector}' AND label = 'template' AND template <> '' GROUP BY s.site, template)
SELECT l.site, l.template, l.snapshots, (before.last_moment + b.first_moment) / 2 AS born,
  (d.last_moment + after.first_moment) / 2 AS died,
  ((d.last_moment + after.first_moment) - (before.last_moment + b.first_moment)) / 2 / 86400 AS days
FROM lives l JOIN snapshots b ON b.site = l.site AND b.number = l.born JOIN snapshots d ON d.site = l.site AND d.number = l.died
  LEFT JOIN snapshots before ON before.site = l.site AND before.number = l.born - 1
  LEFT JOIN snapshots after ON after.site = l.site AND after.number = l.died + 1
ORDER BY l.site, born, died, l.template`,
  },
  redesigns: {
    name: 'redesigns',
    about:
      'When sites were redesigned: between which captures, as a whole or in part, by what evidence, and how surely.',
    sql: () =>
      `SELECT site, since, first, size, why, round(confidence::DOUBLE, 2) AS confidence, pages FROM history_redesigns ORDER BY site, first`,
  },
  leftOut: {
    name: 'left-out',
    about:
      'Pages that are in the archive but not in its history, by the reason: without a time, of a year outside those asked for, or at the very moment of another capture of the same page.',
    sql: () => `WITH years AS (
  SELECT year(${timeOf('min(moment)')}) AS first, year(${timeOf('max(moment)')}) AS last FROM history_captures)
SELECT CASE WHEN time = '' THEN 'no time'
    WHEN try_cast(left(time, 4) AS INTEGER) BETWEEN first AND last THEN 'same moment' ELSE 'other year' END AS why,
  count(*) AS pages, min(time) AS earliest, max(time) AS latest
FROM pages ANTI JOIN history_captures USING (page), years GROUP BY why ORDER BY why`,
  },
} as const satisfies Record<string, StudyQuery>;
