/**
 * Finds when a site was redesigned, and when its template changed less than that.
 *
 * A template is described by its design (class names, ids, files: study/design-values.ts) and by the targets of its
 * links. The changed share is the mean of both, on the pages that two snapshots have in common (`stepTables`);
 * without such pages, on all pages of the two snapshots (`designTables`).
 *
 * - `redesign`: a quarter of the template changed, beyond the usual change of this site from one snapshot to the
 *   next. A front page exchanges links and boxes all the time, so the usual change must be known: it is the median
 *   of the other steps. New words together with a new layout are a redesign too. Neither alone suffices: a text may
 *   be rewritten, and one more box around a page changes all its paths.
 * - `smaller-change`: less than a redesign, but one measure changed clearly more than usual: it exceeds the median
 *   of the other steps by a minimal share and by three times their spread. Without other steps there is no usual
 *   change.
 *
 * Confidence is defined alike for both: 0 when all is as before, 0.5 at the threshold of a redesign, 1 when nothing
 * is left. Cost: for each step, comparison with `NEAR_STEPS` on either side.
 */
import { formatCount } from '../model/count-of.ts';
import { SIGNATURE_COMPONENTS } from '../study/capture.ts';
import { FIRST_LINK_VALUE, FIRST_TAG_STYLE_VALUE } from '../study/design-values.ts';
import { type Database, filesOf } from './database.ts';
import { DESIGN_PAGES_FILE, DESIGN_VALUES_FILE, STEP_PAGES_FILE, STEP_VALUES_FILE } from './design-part.ts';

/** Classes of changes of a site's template. */
export const REDESIGN_CLASSES = ['redesign', 'smaller-change'] as const;
/** One of `REDESIGN_CLASSES`. */
export type RedesignClass = (typeof REDESIGN_CLASSES)[number];

/** Share of the template that a redesign changes beyond the usual; docs/research/changes.md gives the reason. */
const REDESIGN_SHARE = 0.25;
/** Highest usual change; when the other steps exceed it, they may be redesigns themselves. */
const MAX_USUAL_CHANGE = 0.3;
/** Usual change where it is unknown: at the first step of a site, or for pages without a URL in common. */
const UNKNOWN_USUAL = 0.2;
/** Minimum number of values that appeared or disappeared in a redesign, however few values a site has. */
const REDESIGN_MIN_VALUES = 2;
/** Minimum number of compared URLs of a site for a decision. */
const REDESIGN_MIN_URLS = 3;
/**
 * Changed shares of words and layout that count as new; at these shares of design and links, a change is always
 * reported.
 */
const WHOLE_SHARES = { words: 0.5, layout: 0.75, design: 0.4, links: 0.5 } as const;

/** Minimum number of snapshots of a site, so that a step can be compared with another step. */
const PART_MIN_SNAPSHOTS = 3;
/** Measures that `why` names, in this order. */
const MEASURES = ['words', 'layout', 'design', 'links'] as const;
/** Shares beyond the usual that a smaller change must reach; docs/research/changes.md gives the reason. */
const PART_SHARES = { words: 0.1, layout: 0.1, design: 0.05, links: 0.1 } as const;
/**
 * Minimum number of values that appeared or disappeared in a smaller change, so that one script more or one class less
 * is not a change.
 */
const PART_MIN_VALUES = 3;
/** Spreads beyond the usual: three standard deviations if changes were normally distributed. */
const PART_SPREADS = 3 * 1.4826;
/** Steps on either side from which the usual change is computed. */
const NEAR_STEPS = 25;
/**
 * Returns the SQL that makes the table `redesigns`, a row for each site and snapshot with a redesign or smaller
 * change. Requires the view `compared` and the table `snapshots` of change-rows.ts; `folders` are those of
 * committed tasks.
 */
export function redesignTables(folders: string[]): string[] {
  return [
    ...designTables(folders),
    ...stepTables(folders),
    `CREATE TABLE gaps AS ${GAPS_SQL}`,
    `CREATE TABLE judged_gaps AS ${JUDGED_SQL}`,
    `CREATE TABLE redesigns AS SELECT 'redesign' AS class, * FROM judged_gaps g
       WHERE confidence >= 0.5 AND ${NO_OTHER_WITHIN('judged_gaps', 'confidence >= 0.5')}`,
    `CREATE TABLE step_changes AS ${STEP_CHANGES_SQL}`,
    `CREATE TABLE step_lines AS ${STEP_LINES_SQL}`,
    `INSERT INTO redesigns ${SMALLER_SQL}`,
  ];
}

/** Counts the sites with too few snapshots for a usual change. */
export async function countFewSnapshots(database: Database, folders: string[]): Promise<number> {
  if (folders.length === 0) return 0;
  const [{ n }] = await database.rows<{ n: number }>(`SELECT count(*) AS n FROM (
    SELECT site FROM read_parquet(${filesOf(folders, DESIGN_PAGES_FILE)})
    GROUP BY site HAVING count(DISTINCT snapshot) < ${PART_MIN_SNAPSHOTS})`);
  return n;
}

/**
 * SQL for the confidence from a changed share: 0 for no change, 0.5 at the threshold `line`, 1 when nothing is
 * left.
 */
function evidence(changed: string, line: string | number): string {
  return `CASE WHEN ${changed} >= ${line} THEN 1 - (1 - ${changed}) / (2 * (1 - ${line})) ELSE ${changed} / (2 * ${line}) END`;
}

/** Changes at each snapshot: on the pages of its step, or on whole snapshots when it has no step. */
const GAPS_SQL = `
  SELECT site, snapshot, since, first, last, urls AS pages, urls AS compared, new_template_words, lost_words,
    words, layout, design, links, values_changed, since AS oldest, true AS is_step
  FROM steps
  UNION ALL
  SELECT site, snapshot, coalesce(s.since, d.since), coalesce(s.first, d.first), coalesce(s.last, d.last),
    coalesce(s.urls, d.pages), coalesce(s.urls, 0), s.new_template_words, s.lost_words,
    CASE WHEN s.urls >= ${REDESIGN_MIN_URLS} THEN s.new_template_words / greatest(s.template_words, 1) END,
    CASE WHEN s.urls >= ${REDESIGN_MIN_URLS} THEN 1 - s.layout_components / (${SIGNATURE_COMPONENTS} * s.comparisons) END,
    1 - d.kept, 1 - d.links_kept, d.values_changed, coalesce(o.oldest, d.since), false
  FROM snapshots s FULL JOIN designs d USING (site, snapshot)
    LEFT JOIN (SELECT site, snapshot, left(min(previous_time), 10) AS oldest FROM compared GROUP BY ALL) o USING (site, snapshot)
    ANTI JOIN steps USING (site, snapshot)`;

/** Gaps with the changed share of the template, the usual share, and the confidence that follows. */
const JUDGED_SQL = `
  WITH numbered AS (
    SELECT *, coalesce((design + links) / 2, design, links) AS template,
      row_number() OVER (PARTITION BY site, is_step ORDER BY first, snapshot) AS number
    FROM gaps),
  usual AS (
    SELECT a.site, a.snapshot, median(b.template) AS usual
    FROM numbered a JOIN numbered b ON b.site = a.site AND a.is_step AND b.is_step
      AND b.number <> a.number AND b.number BETWEEN a.number - ${NEAR_STEPS} AND a.number + ${NEAR_STEPS}
    GROUP BY ALL),
  lines AS (
    SELECT n.*, least(coalesce(u.usual, ${UNKNOWN_USUAL}), ${MAX_USUAL_CHANGE}) AS usual,
      least(coalesce(u.usual, ${UNKNOWN_USUAL}), ${MAX_USUAL_CHANGE}) * ${1 - REDESIGN_SHARE} + ${REDESIGN_SHARE} AS line
    FROM numbered n LEFT JOIN usual u USING (site, snapshot)),
  said AS (
    SELECT *, CASE WHEN values_changed >= ${REDESIGN_MIN_VALUES} THEN ${evidence('template', 'line')} ELSE 0 END AS by_template,
      CASE WHEN words IS NOT NULL AND layout IS NOT NULL
        THEN least(${evidence('words', WHOLE_SHARES.words)}, ${evidence('layout', WHOLE_SHARES.layout)}) END AS by_others
    FROM lines)
  SELECT site, snapshot, since, first, last, pages, compared, new_template_words, lost_words, words AS new_share,
    1 - layout AS alike, 1 - design AS kept, 1 - links AS links_kept, oldest,
    concat_ws(' ', CASE WHEN words >= ${WHOLE_SHARES.words} THEN 'words' END,
      CASE WHEN layout >= ${WHOLE_SHARES.layout} THEN 'layout' END, CASE WHEN design >= line THEN 'design' END,
      CASE WHEN links >= line THEN 'links' END) AS why,
    greatest(coalesce(by_template, 0), coalesce(by_others, 0)) AS confidence
  FROM said`;

/**
 * True when no redesign lies between the days of the gap `g`; pages that were captured again only later would show
 * an earlier redesign once more.
 */
const NO_OTHER_WITHIN = (table: string, condition = 'true') => `NOT EXISTS (
  FROM ${table} r WHERE r.site = g.site AND ${condition.replace('confidence', 'r.confidence')} AND r.since >= g.oldest AND r.first < g.first)`;

/** A row for each step and measure, without steps that are redesigns or span one. */
const STEP_CHANGES_SQL = `
  UNPIVOT (
    SELECT site, snapshot, row_number() OVER (PARTITION BY site ORDER BY first_time, snapshot) AS number, values_changed,
      words, layout, design, links
    FROM steps s WHERE NOT EXISTS (
      FROM redesigns r WHERE r.site = s.site
        AND (r.snapshot = s.snapshot OR (r.first > s.since AND r.first <= s.first))))
  ON ${MEASURES.join(', ')} INTO NAME measure VALUE change`;

const shareOf = (shares: Record<(typeof MEASURES)[number], number>) =>
  `CASE measure ${MEASURES.map((name) => `WHEN '${name}' THEN ${shares[name]}`).join(' ')} END`;

/** Each change with the threshold that it must reach. */
const STEP_LINES_SQL = `
  WITH pairs AS (
    SELECT a.site, a.snapshot, a.measure, a.values_changed, a.change, b.change AS other
    FROM step_changes a JOIN step_changes b ON b.site = a.site AND b.measure = a.measure
      AND b.number <> a.number AND b.number BETWEEN a.number - ${NEAR_STEPS} AND a.number + ${NEAR_STEPS}),
  centres AS (SELECT site, snapshot, measure, median(other) AS usual FROM pairs GROUP BY ALL),
  spreads AS (
    SELECT site, snapshot, measure, values_changed, change, usual, median(abs(other - usual)) AS spread
    FROM pairs JOIN centres USING (site, snapshot, measure) GROUP BY ALL),
  lines AS (
    SELECT *, usual + greatest(${shareOf(PART_SHARES)}, ${PART_SPREADS} * spread) AS line FROM spreads)
  SELECT site, snapshot, measure, usual, spread, line,
    change >= line AND (measure NOT IN ('design', 'links') OR values_changed >= ${PART_MIN_VALUES}) AS is_reason
  FROM lines`;

/**
 * Gaps that are not a redesign and span none, in which a measure is clearly above the usual, or large when no usual is
 * known.
 */
const SMALLER_SQL = `
  WITH reasons AS (
    SELECT site, snapshot, ${MEASURES.map((name) => `bool_or(is_reason) FILTER (measure = '${name}') AS ${name}_changed`).join(', ')}
    FROM step_lines GROUP BY site, snapshot),
  named AS (
    SELECT g.* EXCLUDE (why), concat_ws(' ', ${MEASURES.map(reasonSql).join(', ')}) AS why
    FROM judged_gaps g JOIN gaps USING (site, snapshot) LEFT JOIN reasons USING (site, snapshot)
    WHERE NOT EXISTS (FROM redesigns r WHERE r.site = g.site AND r.snapshot = g.snapshot)
      AND ${NO_OTHER_WITHIN('redesigns')})
  SELECT 'smaller-change', site, snapshot, since, first, last, pages, compared, new_template_words, lost_words, new_share,
    alike, kept, links_kept, oldest, why, least(confidence, 0.49)
  FROM named WHERE why <> ''`;

function reasonSql(name: (typeof MEASURES)[number]): string {
  return `CASE WHEN coalesce(${name}_changed, gaps.${name} >= ${WHOLE_SHARES[name]}) THEN '${name}' END`;
}

/**
 * Computes the share of its design that a site kept from one snapshot to the next, whatever URLs either has. The
 * design of a snapshot is the share of its pages that have each design value (study/design-values.ts). The kept
 * share of two successive snapshots is Σ min / Σ max of these shares, over the values common in either: 1 when
 * every value is on as many pages as before, 0 when none is left. A value that only some kinds of pages have weighs
 * less than one of the whole site, so that a different mix of pages changes little.
 *
 * Shares are compared crosswise as integers, so that sums do not depend on the order of rows. Cost: one grouping of
 * the counts, and one over the counts taken twice.
 */

/** A value is common when it is on at least one page in this many. */
const COMMON_ONE_IN = 5;
/** Minimum number of pages of a snapshot; smaller snapshots are skipped. */
const DESIGN_MIN_PAGES = 5;
/** Minimum number of common values of the snapshot with more values. */
const DESIGN_MIN_VALUES = 5;

/**
 * Returns the SQL that makes the table `designs`: a row for each snapshot with an earlier one to compare, with the
 * days of both, its number of pages and the share `kept`. `folders` are those of committed tasks.
 */
export function designTables(folders: string[]): string[] {
  return [
    `CREATE TABLE design_pairs AS
       SELECT *, lag(group_id) OVER neighbours AS old_group, lag(new_pages) OVER neighbours AS old_pages,
         lag(last_time) OVER neighbours AS old_time
       FROM (
         SELECT group_id, site, snapshot, sum(pages)::BIGINT AS new_pages, min(first_time) AS first_time,
           max(last_time) AS last_time
         FROM read_parquet(${filesOf(folders, DESIGN_PAGES_FILE)}) GROUP BY ALL HAVING sum(pages) >= ${DESIGN_MIN_PAGES})
       WINDOW neighbours AS (PARTITION BY site ORDER BY first_time, snapshot)`,
    `CREATE TABLE design_values AS
       SELECT group_id, value, sum(pages)::BIGINT AS pages
       FROM read_parquet(${filesOf(folders, DESIGN_VALUES_FILE)})
       WHERE group_id IN (SELECT group_id FROM design_pairs) GROUP BY ALL`,
    `CREATE TABLE designs AS
       WITH sides AS (
         SELECT p.group_id, v.value, v.pages AS new_n, 0::BIGINT AS old_n
         FROM design_pairs p JOIN design_values v ON v.group_id = p.group_id WHERE p.old_group IS NOT NULL
         UNION ALL
         SELECT p.group_id, v.value, 0::BIGINT AS new_n, v.pages AS old_n
         FROM design_pairs p JOIN design_values v ON v.group_id = p.old_group),
       counted AS (
         SELECT group_id, value, sum(new_n)::BIGINT AS new_n, sum(old_n)::BIGINT AS old_n FROM sides GROUP BY ALL),
       ${keptShares('group_id', 'design_pairs')}
       SELECT site, snapshot, left(old_time, 10) AS since, left(first_time, 10) AS first,
         left(last_time, 10) AS last, new_pages::INTEGER AS pages, kept, links_kept, values_changed
       FROM shares JOIN design_pairs USING (group_id) WHERE kept IS NOT NULL OR links_kept IS NOT NULL`,
  ];
}

/**
 * SQL that continues a query with the values `counted` on both sides of each row of the table `pairs`, named by
 * `key`: as `shares`, the kept shares of design and links, and the number of values that appeared or disappeared.
 *
 * It leaves out colours and fonts of tags where one side has none. They have then moved to or from the style sheet;
 * whether the pages look different cannot be decided without it.
 */
function keptShares(key: string, pairs: string): string {
  const isTagStyle = `value >= ${FIRST_TAG_STYLE_VALUE} AND value < ${FIRST_LINK_VALUE}`;
  return `common AS (
         SELECT ${key}, value >= ${FIRST_LINK_VALUE} AS is_link, old_pages, new_pages, new_n * old_pages AS new_part,
           old_n * new_pages AS old_part, ${COMMON_ONE_IN} * new_n >= new_pages AS in_new, ${COMMON_ONE_IN} * old_n >= old_pages AS in_old
         FROM counted JOIN ${pairs} USING (${key}) WHERE in_new OR in_old
         WINDOW of_pair AS (PARTITION BY ${key})
         QUALIFY NOT (${isTagStyle}) OR
           (bool_or(in_new AND ${isTagStyle}) OVER of_pair AND bool_or(in_old AND ${isTagStyle}) OVER of_pair)),
       shares AS (
         SELECT ${key}, ${keptSql('NOT is_link')} AS kept, ${keptSql('is_link')} AS links_kept,
           sum(abs(new_part - old_part))::DOUBLE / any_value(old_pages * new_pages)::DOUBLE AS values_changed
         FROM common GROUP BY ALL)`;
}

/** SQL for the kept share of the common values of one kind; null when neither snapshot has enough values. */
function keptSql(kind: string): string {
  return `(CASE WHEN greatest(count(*) FILTER (in_new AND ${kind}), count(*) FILTER (in_old AND ${kind})) >= ${DESIGN_MIN_VALUES}
    THEN sum(least(new_part, old_part)) FILTER (${kind})::DOUBLE / sum(greatest(new_part, old_part)) FILTER (${kind})::DOUBLE END)`;
}

/**
 * Computes how much a site changed between snapshots on the pages that both have. A step leads from a snapshot to
 * the next one that has at least `STEP_MIN_PAGES` of its URLs, so that small snapshots are skipped. A URL takes
 * part when its captures in the two snapshots are successive, so that changes of an earlier step do not count again
 * and a different mix of pages has no effect.
 *
 * Each step has three changed shares: new template words, different components of layout signatures, and design
 * values that were not kept (1 − Σ min / Σ max over the pages that have them); and the number of values that
 * appeared or disappeared, where a value on half of the pages counts half. Cost: that of `designTables`, over the
 * same pages.
 */

/** Minimum number of common URLs of a step, and minimum words in the templates of a page. */
const STEP_MIN_PAGES = DESIGN_MIN_PAGES;
const STEP_MIN_WORDS = 5;

/**
 * Returns the SQL that makes the table `steps`: a row for each site and newer snapshot, with the days of both, the
 * number of URLs and the changed shares `words`, `layout` and `design`, if known. Requires the view `compared` of
 * change-rows.ts; `folders` are those of committed tasks.
 */
function stepTables(folders: string[]): string[] {
  return [
    `CREATE TABLE step_pairs AS
       WITH spans AS (
         SELECT group_id, site, snapshot, min(first_time) AS first_time, max(last_time) AS last_time
         FROM read_parquet(${filesOf(folders, DESIGN_PAGES_FILE)}) GROUP BY ALL),
       counted AS (
         SELECT old_group, new_group, sum(old_pages)::BIGINT AS old_pages, sum(new_pages)::BIGINT AS new_pages
         FROM read_parquet(${filesOf(folders, STEP_PAGES_FILE)}) GROUP BY ALL
         HAVING least(sum(old_pages), sum(new_pages)) >= ${STEP_MIN_PAGES})
       SELECT old_group, new_group, n.site, n.snapshot, old_pages, new_pages, o.first_time AS old_first,
         o.last_time AS old_last, n.first_time, n.last_time
       FROM counted JOIN spans o ON o.group_id = old_group JOIN spans n ON n.group_id = new_group AND n.site = o.site
       QUALIFY row_number() OVER (PARTITION BY new_group ORDER BY o.first_time DESC, o.snapshot DESC) = 1`,
    `CREATE TABLE step_designs AS
       WITH counted AS (
         SELECT v.new_group, value, sum(v.new_pages)::BIGINT AS new_n, sum(v.old_pages)::BIGINT AS old_n
         FROM read_parquet(${filesOf(folders, STEP_VALUES_FILE)}) v SEMI JOIN step_pairs USING (old_group, new_group)
         GROUP BY ALL),
       ${keptShares('new_group', 'step_pairs')}
       SELECT new_group, 1 - kept AS design, 1 - links_kept AS links, values_changed FROM shares`,
    `CREATE TABLE steps AS
       WITH words AS (
         SELECT new_group, count(DISTINCT url_key)::INTEGER AS urls, left(max(previous_time), 10) AS since,
           left(min(time), 10) AS first, left(max(time), 10) AS last, count(*) AS comparisons,
           sum(template_words)::BIGINT AS template_words, sum(new_template_words)::BIGINT AS new_template_words,
           sum(lost_words)::BIGINT AS lost_words, sum(layout_components)::BIGINT AS layout_components
         FROM compared c JOIN step_pairs p ON p.site = c.site AND p.snapshot = c.snapshot
           AND c.previous_time BETWEEN p.old_first AND p.old_last
         GROUP BY ALL HAVING urls >= ${STEP_MIN_PAGES})
       SELECT p.site, p.snapshot, p.first_time, coalesce(w.since, left(p.old_last, 10)) AS since,
         coalesce(w.first, left(p.first_time, 10)) AS first, coalesce(w.last, left(p.last_time, 10)) AS last,
         coalesce(w.urls, p.new_pages::INTEGER) AS urls, new_template_words, lost_words,
         CASE WHEN template_words >= ${STEP_MIN_WORDS} * comparisons THEN new_template_words / template_words END AS words,
         1 - layout_components / (${SIGNATURE_COMPONENTS} * comparisons) AS layout, design, links, values_changed
       FROM step_pairs p LEFT JOIN words w USING (new_group) LEFT JOIN step_designs USING (new_group)`,
  ];
}

/**
 * SQL for the changes of each site snapshot since the previous captures, summed over its compared captures;
 * `compared` is a table or a query in brackets. Only comparisons with an earlier snapshot count, if there are any:
 * a URL captured twice within a snapshot shows little about earlier changes.
 */
export function snapshotSums(compared: string): string {
  return `
    SELECT site, snapshot, left(coalesce(max(previous_time) FILTER (crosses), min(previous_time)), 10) AS since,
      left(min(time), 10) AS first, left(max(time), 10) AS last, count(DISTINCT url_key)::INTEGER AS urls,
      ${sumAcross('template_words')}, ${sumAcross('new_template_words')}, ${sumAcross('lost_words')},
      ${sumAcross('layout_components')}, ${sumAcross('1', 'comparisons')}
    FROM (SELECT *, previous_time < min(time) OVER (PARTITION BY site, snapshot) AS crosses FROM ${compared})
    GROUP BY site, snapshot`;
}

/** SQL for a sum over comparisons with an earlier snapshot; over all comparisons when there are none. */
function sumAcross(value: string, name = value): string {
  return `coalesce(sum(${value}) FILTER (crosses), sum(${value}))::BIGINT AS ${name}`;
}

/** Counts the sites that have too few of the given snapshots. */
export function sitesWithFewSnapshots(snapshots: readonly { site: string }[]): number {
  const counts = new Map<string, number>();
  for (const { site } of snapshots) counts.set(site, (counts.get(site) ?? 0) + 1);
  return [...counts.values()].filter((count) => count < PART_MIN_SNAPSHOTS).length;
}

/** Returns the sentence, without full stop, that says why smaller changes are not reported for some sites. */
export function describeFewSnapshots(sites: number): string {
  const who = sites === 1 ? '1 site has' : `${formatCount(sites)} sites have`;
  const it = sites === 1 ? 'it usually changes' : 'they usually change';
  return `${who} fewer than three snapshots: what ${it} is not known, so smaller changes are not looked for there`;
}
