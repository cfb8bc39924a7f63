/**
 * The figures of a history as SQL queries over a finished folder, after section 6 of Gibson, Punera and Tomkins;
 * study/study-queries.ts has those of templates. Times are seconds since 1970; years and months are in UTC,
 * whatever the time zone of the machine.
 */
import type { RedesignClass } from '../redesigns.ts';
import type { StudyQuery } from '../study/study-queries.ts';

/** Seconds of an average year. */
const YEAR = 31_557_600;

/** Detectors that judge each page alone, for which no snapshot is too small. */
const NEED_NO_SITE = ['page', 'none'];

const redesignsSql = (name: RedesignClass): string =>
  `SELECT site, since, first, why, round(confidence::DOUBLE, 2) AS confidence, pages, changed
FROM history_redesigns WHERE class = '${name}' ORDER BY site, first`;

/**
 * SQL for the template shares of each site snapshot: the points of Figures 10 to 12. They are shares of the average
 * page, as in section 4; pages without links or text do not count for those. Pooled shares are of all pages
 * together. A small snapshot has too few pages to learn from, so that its shares are not those of the detector.
 */
const snapshots = (
  detector: string,
): string => `SELECT site, snapshot, moment, pages, links, html, text, links_pooled, html_pooled, text_pooled, small
  FROM (
    SELECT site, snapshot, median(moment)::BIGINT AS moment, sum(${detector}_links) / nullif(sum(links), 0) AS links_pooled,
      sum(${detector}_html_bytes) / nullif(sum(html_bytes), 0) AS html_pooled,
      sum(${detector}_text_bytes) / nullif(sum(text_bytes), 0) AS text_pooled,
      ${NEED_NO_SITE.includes(detector) ? 'false' : "bool_or(list_contains(string_split(problems, ' '), 'too-few-pages'))"} AS small
    FROM pages JOIN history_captures USING (page) GROUP BY site, snapshot)
  JOIN (
    SELECT site, snapshot, count(*) AS pages, avg(links) AS links, avg(html) AS html, avg(text) AS text
    FROM (
      SELECT site, snapshot, avg(${detector}_links / nullif(links, 0)) AS links,
        avg(${detector}_html_bytes / nullif(html_bytes, 0)) AS html, avg(${detector}_text_bytes / nullif(text_bytes, 0)) AS text
      FROM pages p JOIN history_captures USING (page) GROUP BY site, snapshot, p.url_key)
    GROUP BY site, snapshot)
  USING (site, snapshot)`;

/** Options of history queries besides the detector. */
export interface HistoryQueryOptions {
  /** Periods of Table 2. @default two periods, divided at the turn of the year nearest to the middle */
  periods?: readonly Period[];
  /** Whether to show collections of sites side by side. @default false */
  collections?: boolean;
}

/** Years from `fromYear` to `toYear`, both included. */
export interface Period {
  fromYear: number;
  toYear: number;
}

/** SQL for the groups of sites of a table: collections, categories, or all sites as one group. */
const groupsOf = (table: 'collections' | 'categories' | undefined): string =>
  table === undefined
    ? "SELECT DISTINCT site, '' AS collection FROM pages"
    : `SELECT site, ${table === 'collections' ? 'collection' : 'category AS collection'} FROM ${table}`;

/** SQL for Table 2 by groups of sites. */
const periodsSql = (
  detector: string,
  groups: 'collections' | 'categories' | undefined,
  periods: readonly Period[] = [],
): string => {
  const named =
    periods.length === 0
      ? `SELECT *, CASE WHEN year(${timeOf('moment')}) < split THEN 'before ' || split ELSE 'from ' || split END AS period
    FROM grouped, (SELECT year(${timeOf(`(min(moment) + max(moment) + ${YEAR}) // 2`)}) AS split FROM grouped)`
      : `SELECT * FROM grouped JOIN (VALUES ${periods
          .map(
            ({ fromYear, toYear }) =>
              `('${fromYear === toYear ? fromYear : `${fromYear}–${toYear}`}', ${fromYear}, ${toYear})`,
          )
          .join(', ')}) AS asked(period, from_year, to_year)
      ON year(${timeOf('moment')}) BETWEEN from_year AND to_year`;
  return `WITH grouped AS (FROM (${snapshots(detector)}) JOIN (${groupsOf(groups)}) USING (site) WHERE NOT small),
  named AS (${named}),
  sites AS (
    SELECT collection, period, site, avg(links) AS links, avg(html) AS html, avg(text) AS text
    FROM named GROUP BY collection, period, site
    UNION ALL SELECT collection, 'all', site, avg(links), avg(html), avg(text) FROM grouped GROUP BY collection, site)
SELECT collection, period, count(*) AS sites, avg(links) AS links, avg(html) AS html, avg(text) AS text
FROM sites GROUP BY collection, period ORDER BY collection, period = 'all', period`;
};

/** SQL that converts seconds since 1970 to a DuckDB time. */
const timeOf = (seconds: string): string => `make_timestamp((${seconds}) * 1000000)`;

const KINDS = ['links', 'html', 'text'] as const;

const KIND_PLACE = `list_position(['${KINDS.join("', '")}'], kind)`;

/** Seconds that snapshots must cover for a trend; from a few weeks, the gain per year would be a guess. */
const TREND_SECONDS = 365 * 86_400;

/** SQL for the gain per year by least squares, and the same relative to the mean share. */
const TREND = `count(*) AS points, avg(share) AS mean,
  CASE WHEN max(moment) - min(moment) >= ${TREND_SECONDS} THEN regr_slope(share, moment / ${YEAR}) END AS yearly,
  yearly / nullif(avg(share), 0) AS growth, regr_intercept(share, moment / ${YEAR}) AS at_1970,
  regr_r2(share, moment / ${YEAR}) AS r2`;

/** A query of a history, with options besides those of a `StudyQuery`. */
export interface HistoryQuery extends Omit<StudyQuery, 'sql'> {
  sql: (detector: string, mostOfASite?: number, options?: HistoryQueryOptions) => string;
}

/** All queries of a history by name. */
export const HISTORY_QUERIES = {
  snapshots: {
    name: 'snapshots',
    about:
      'Figures 10 to 12: the shares of links, HTML and text inside templates at each snapshot of each site, of its average page and of all its pages together (pooled). A small snapshot had too few pages to learn from and is not part of trends and periods.',
    sql: (detector) => `${snapshots(detector)} ORDER BY site, moment, snapshot`,
  },
  snapshotYears: {
    name: 'snapshot-years',
    about:
      'Table 1: snapshots, sites and pages by year; a page counts once in each snapshot. The row without a year is the total.',
    sql: (
      detector,
      _most?: number,
      { collections = false }: HistoryQueryOptions = {},
    ) => `SELECT collection, year, count(*) AS snapshots,
  count(DISTINCT site) AS sites, sum(pages)::BIGINT AS pages, count(*) / count(DISTINCT site) AS snapshots_per_site
FROM (
  SELECT collection, year(${timeOf('moment')}) AS year, site, pages
  FROM (${snapshots(detector)}) JOIN (${groupsOf(collections ? 'collections' : undefined)}) USING (site))
GROUP BY GROUPING SETS ((collection, year), (collection)) ORDER BY collection, year IS NULL, year`,
  },
  trends: {
    name: 'trends',
    about:
      'The trend lines of Figures 10 to 12: percentage points a year by least squares, over all snapshots of all sites, and the growth relative to the mean; empty when they cover less than a year.',
    sql: (detector) => `WITH snapshots AS (${snapshots(detector)}),
  points AS (UNPIVOT (SELECT moment, ${KINDS.join(', ')} FROM snapshots WHERE NOT small) ON ${KINDS.join(', ')} INTO NAME kind VALUE share)
SELECT kind, ${TREND} FROM points GROUP BY kind ORDER BY ${KIND_PLACE}`,
  },
  siteTrends: {
    name: 'site-trends',
    about: 'The same lines for each site that has two snapshots and more.',
    sql: (detector) => `WITH snapshots AS (${snapshots(detector)}),
  points AS (UNPIVOT (SELECT site, moment, ${KINDS.join(', ')} FROM snapshots WHERE NOT small) ON ${KINDS.join(', ')} INTO NAME kind VALUE share)
SELECT site, kind, ${TREND}, arg_min(share, moment) AS first, arg_max(share, moment) AS last
FROM points GROUP BY site, kind HAVING count(DISTINCT moment) > 1 ORDER BY site, ${KIND_PLACE}`,
  },
  periods: {
    name: 'periods',
    about:
      'Table 2: shares inside templates in the first and second half of the time covered, divided at the turn of the year nearest to its middle, or in the periods of `--periods`, and in total. Means over sites of the means over their snapshots, so that large or often crawled sites do not weigh more.',
    sql: (detector, _most?: number, { collections = false, periods }: HistoryQueryOptions = {}) =>
      periodsSql(detector, collections ? 'collections' : undefined, periods),
  },
  categoryPeriods: {
    name: 'category-periods',
    about: 'The same by category; the column is named `collection`.',
    needs: 'categories',
    sql: (detector, _most?: number, { periods }: HistoryQueryOptions = {}) =>
      periodsSql(detector, 'categories', periods),
  },
  durationsOverTime: {
    name: 'durations-over-time',
    about:
      'Figure 13: month by month, the average duration in days of the bracketed values that were on some page.',
    sql: () => `WITH bracketed AS (FROM history_values WHERE bracketed),
  months AS (
    SELECT epoch(unnest(generate_series(date_trunc('month', ${timeOf('min(begins)::BIGINT')}),
      ${timeOf('max(ends)::BIGINT')}, INTERVAL 1 MONTH)))::BIGINT AS moment FROM bracketed)
SELECT moment, region, avg(days) AS days, count(*) AS active
FROM months JOIN bracketed ON moment BETWEEN begins AND ends GROUP BY moment, region ORDER BY region, moment`,
  },
  durations: {
    name: 'durations',
    about: 'Figure 14: number of bracketed values by duration, in steps of fifty days.',
    sql: () => `SELECT region, (floor(days / 50) * 50)::INTEGER AS days_from, count(*) AS count
FROM history_values WHERE bracketed GROUP BY ALL ORDER BY region, days_from`,
  },
  durationSummary: {
    name: 'duration-summary',
    about:
      'Durations of texts inside and outside templates: the median, and the share that lasted two years and more.',
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
    about: 'How many captures changed at all, and how many by 65 per cent and more.',
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
      'Births and deaths of templates: half-way between the snapshots without and with it; empty for the first and the last snapshot of a site.',
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
    about: 'Redesigns of sites: between which captures, by what evidence, and with what confidence.',
    sql: () => redesignsSql('redesign'),
  },
  smallerChanges: {
    name: 'smaller-changes',
    about:
      'When the template of a site changed more than it usually does, but less than in a redesign: between which captures, and by what evidence.',
    sql: () => redesignsSql('smaller-change'),
  },
  leftOut: {
    name: 'left-out',
    about:
      'Pages of the archive that are not in its history, by reason: no time, a year that was not asked for, or the same time as another capture of the page.',
    sql: () => `WITH years AS (
  SELECT year(${timeOf('min(moment)')}) AS first, year(${timeOf('max(moment)')}) AS last FROM history_captures)
SELECT CASE WHEN time = '' THEN 'no time'
    WHEN try_cast(left(time, 4) AS INTEGER) BETWEEN first AND last THEN 'same moment' ELSE 'other year' END AS why,
  count(*) AS pages, min(time) AS earliest, max(time) AS latest
FROM pages ANTI JOIN history_captures USING (page), years GROUP BY why ORDER BY why`,
  },
} as const satisfies Record<string, HistoryQuery>;
