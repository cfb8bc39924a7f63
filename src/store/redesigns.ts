/**
 * When a site was redesigned, as a whole or in part, and how surely.
 *
 * - `whole`: most of the template's words are new, or the layout or the design is another one. Lines are the same for all
 *   sites. It is told once, by the pages that were captured on both sides of it, and not again by those that are met later.
 * - `part`: less than that, but clearly more than this site usually changes from one snapshot to the next, on the pages
 *   that both have (`stepTables`): above the median of the site's other steps by at least a least share, and by three
 *   times their spread, so that what a site changes all the time, a slot or a front page, is no redesign of it.
 *   Without another step nothing is usual, and no part is found.
 *
 * Confidence means the same for both: the mean of what the known measures say, each from 0 (all is as before) over 0.5
 * (at its line for this size) to 1 (nothing is left). Cost: for each step a look at `NEAR_STEPS` to either side.
 */
import { formatCount } from '../model/count-of.ts';
import { SIGNATURE_COMPONENTS } from '../study/capture.ts';
import { type Database, filesOf } from './database.ts';
import { DESIGN_PAGES_FILE, DESIGN_VALUES_FILE, STEP_PAGES_FILE, STEP_VALUES_FILE } from './design-part.ts';

export const REDESIGN_SIZES = ['whole', 'part'] as const;
export type RedesignSize = (typeof REDESIGN_SIZES)[number];

/** Share of the template's words above which, when new, they make a redesign; docs/changes.md says why these two. */
const REDESIGN_NEW_SHARE = 0.5;
/** Mean similarity of layouts below which a site was redesigned though its words stayed. */
const REDESIGN_SIMILARITY = 0.25;
/** Share of the design kept below which a site was redesigned, whatever its URLs and words. */
const REDESIGN_KEPT = 0.6;
/** Fewer compared URLs tell nothing about a site. */
const REDESIGN_MIN_URLS = 3;

/** Snapshots of a site with which there is another step to compare a step with. */
export const PART_MIN_SNAPSHOTS = 3;
/** What `why` names, in this order. */
const MEASURES = ['words', 'layout', 'design'] as const;
/** Shares beyond what is usual that a part must reach; docs/changes.md says why these. */
const PART_SHARES = { words: 0.1, layout: 0.1, design: 0.05 } as const;
/** Fewer values that came and went, as many as stand on every page, are no redesign: a script more, a class less. */
const PART_MIN_VALUES = 3;
/** Spreads beyond the usual: three standard deviations, were the changes of a site normally distributed. */
const PART_SPREADS = 3 * 1.4826;
/** Steps to either side that tell what is usual. */
const NEAR_STEPS = 25;
/** Shares at which a step is a whole redesign: a part has its line no higher. */
const WHOLE_SHARES = {
  words: REDESIGN_NEW_SHARE,
  layout: 1 - REDESIGN_SIMILARITY,
  design: 1 - REDESIGN_KEPT,
} as const;

/**
 * Makes the table `redesigns`, a row for each site and snapshot that has one. Wants the view `compared` and the table
 * `snapshots` of changes.ts; `folders` are those of committed tasks.
 */
export function redesignTables(folders: string[]): string[] {
  return [
    ...designTables(folders),
    ...stepTables(folders),
    `CREATE TABLE redesigns AS ${wholeSql('snapshots')}`,
    `CREATE TABLE snapshots_since AS ${snapshotSums(SINCE_SQL)}`,
    `CREATE OR REPLACE TABLE redesigns AS ${wholeSql('snapshots_since')}`,
    `CREATE TABLE step_changes AS ${STEP_CHANGES_SQL}`,
    `CREATE TABLE step_lines AS ${STEP_LINES_SQL}`,
    `INSERT INTO redesigns ${PART_SQL}`,
  ];
}

/** How many sites have too few snapshots for what is usual to be known. */
export async function countFewSnapshots(database: Database, folders: string[]): Promise<number> {
  if (folders.length === 0) return 0;
  const [{ n }] = await database.rows<{ n: number }>(`SELECT count(*) AS n FROM (
    SELECT site FROM read_parquet(${filesOf(folders, DESIGN_PAGES_FILE)})
    GROUP BY site HAVING count(DISTINCT snapshot) < ${PART_MIN_SNAPSHOTS})`);
  return n;
}

/** What a share of something kept says for a redesign: 1 when nothing is left, 0.5 at the line, 0 when all is. */
function evidence(kept: string, line: number): string {
  return `CASE WHEN ${kept} <= ${line} THEN 1 - ${kept} / ${2 * line} ELSE (1 - ${kept}) / ${2 * (1 - line)} END`;
}

const wholeSql = (snapshots: string): string => `
  WITH measured AS (
    SELECT site, snapshot, s.urls, s.new_template_words, s.lost_words, d.kept, d.pages AS design_pages,
      coalesce(s.since, d.since) AS since, coalesce(s.first, d.first) AS first, coalesce(s.last, d.last) AS last,
      CASE WHEN s.urls >= ${REDESIGN_MIN_URLS} THEN s.new_template_words / greatest(s.template_words, 1) END AS new_share,
      CASE WHEN s.urls >= ${REDESIGN_MIN_URLS} THEN s.layout_components / (${SIGNATURE_COMPONENTS} * s.comparisons) END AS alike
    FROM ${snapshots} s FULL JOIN designs d USING (site, snapshot)),
  judged AS (
    SELECT *,
      concat_ws(' ', CASE WHEN new_share > ${REDESIGN_NEW_SHARE} THEN 'words' END,
        CASE WHEN alike < ${REDESIGN_SIMILARITY} THEN 'layout' END,
        CASE WHEN kept < ${REDESIGN_KEPT} THEN 'design' END) AS why,
      ${evidence('(1 - new_share)', 1 - REDESIGN_NEW_SHARE)} AS by_words,
      ${evidence('alike', REDESIGN_SIMILARITY)} AS by_layout, ${evidence('kept', REDESIGN_KEPT)} AS by_design
    FROM measured)
  SELECT site, snapshot, 'whole' AS size, since, first, last, coalesce(urls, design_pages) AS pages,
    coalesce(urls, 0) AS compared, new_template_words, lost_words, new_share, alike, kept, why,
    (coalesce(by_words, 0) + coalesce(by_layout, 0) + coalesce(by_design, 0))
      / ((by_words IS NOT NULL)::INTEGER + (by_layout IS NOT NULL)::INTEGER + (by_design IS NOT NULL)::INTEGER)
      AS confidence
  FROM judged WHERE why <> ''`;

/**
 * Comparisons across no earlier redesign: a page that was captured for the last time before it and is now met again shows
 * that one, which is told.
 */
const SINCE_SQL = `(
  SELECT c.* FROM compared c JOIN snapshots s USING (site, snapshot)
  WHERE NOT EXISTS (
    FROM redesigns r WHERE r.site = c.site AND r.first < s.first AND r.first > left(c.previous_time, 10)))`;

/** A row for each step and measure; steps that are whole redesigns, or lead across one, are not what is usual. */
const STEP_CHANGES_SQL = `
  UNPIVOT (
    SELECT site, snapshot, row_number() OVER (PARTITION BY site ORDER BY first_time, snapshot) AS number, values_changed,
      words, layout, design
    FROM steps s WHERE NOT EXISTS (
      FROM redesigns r WHERE r.site = s.site
        AND (r.snapshot = s.snapshot OR (r.first > s.since AND r.first <= s.first))))
  ON ${MEASURES.join(', ')} INTO NAME measure VALUE change`;

const shareOf = (shares: Record<(typeof MEASURES)[number], number>) =>
  `CASE measure ${MEASURES.map((name) => `WHEN '${name}' THEN ${shares[name]}`).join(' ')} END`;

/** Beside each change the line it has to reach. */
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
    SELECT *, usual + greatest(${shareOf(PART_SHARES)}, ${PART_SPREADS} * spread) AS line,
      least(line, ${shareOf(WHOLE_SHARES)}) AS halfway
    FROM spreads)
  SELECT site, snapshot, measure, usual, spread, line,
    change >= line AND (measure <> 'design' OR values_changed >= ${PART_MIN_VALUES}) AS tells,
    CASE WHEN change >= halfway THEN 1 - (1 - change) / (2 * (1 - halfway)) ELSE change / (2 * halfway) END AS evidence
  FROM lines`;

const PART_SQL = `
  WITH judged AS (
    SELECT site, snapshot, ${MEASURES.map(evidenceOf).join(', ')},
      concat_ws(' ', ${MEASURES.map((name) => `CASE WHEN bool_or(tells) FILTER (measure = '${name}') THEN '${name}' END`).join(', ')}) AS why
    FROM step_lines GROUP BY site, snapshot)
  SELECT site, snapshot, 'part' AS size, since, first, last, urls AS pages, urls AS compared, new_template_words,
    lost_words, words AS new_share, 1 - layout AS alike, 1 - design AS kept, why,
    (${MEASURES.map((name) => `coalesce(by_${name}, 0)`).join(' + ')})
      / (${MEASURES.map((name) => `(by_${name} IS NOT NULL)::INTEGER`).join(' + ')}) AS confidence
  FROM judged JOIN steps USING (site, snapshot) WHERE why <> ''`;

function evidenceOf(name: string): string {
  return `max(evidence) FILTER (measure = '${name}') AS by_${name}`;
}

/**
 * How much of its design a site kept from one snapshot to the next, whatever URLs either has. A snapshot's
 * design is the share of its pages that each design value stands on (study/design-values.ts). Of two
 * neighbours the share kept is Σ min / Σ max of these shares, over the values common in either: 1 when every value
 * stands on as many pages as before, 0 when none is left. A value that only some kinds of pages have weighs
 * less than one of the whole site, so that another mix of pages costs little.
 *
 * Shares are compared crosswise, as whole numbers: no order of rows can change a sum. Cost: one grouping
 * of the counts, and one of them taken twice.
 */

/** A value on one page in so many, at least, is common. */
export const COMMON_ONE_IN = 5;
/** Smaller snapshots say nothing about what is common; they are passed over. */
export const DESIGN_MIN_PAGES = 5;
/** The richer of the two must have so many common values. */
export const DESIGN_MIN_VALUES = 5;

/**
 * Makes the table `designs`: a row for each snapshot that has one to compare it with before it, with the days
 * of both, its pages and the share `kept`. `folders` are those of committed tasks.
 */
export function designTables(folders: string[]): string[] {
  return [
    `CREATE TABLE design_pairs AS
       SELECT *, lag(group_id) OVER neighbours AS old_group, lag(pages) OVER neighbours AS old_pages,
         lag(last_time) OVER neighbours AS old_time
       FROM (
         SELECT group_id, site, snapshot, sum(pages)::BIGINT AS pages, min(first_time) AS first_time,
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
       both_sides AS (
         SELECT group_id, value, sum(new_n)::BIGINT AS new_n, sum(old_n)::BIGINT AS old_n FROM sides GROUP BY ALL),
       common AS (
         SELECT group_id, new_n * old_pages AS new_part, old_n * pages AS old_part,
           ${COMMON_ONE_IN} * new_n >= pages AS in_new, ${COMMON_ONE_IN} * old_n >= old_pages AS in_old
         FROM both_sides JOIN design_pairs USING (group_id) WHERE in_new OR in_old),
       sums AS (
         SELECT group_id, sum(least(new_part, old_part)) AS kept_parts, sum(greatest(new_part, old_part)) AS parts,
           greatest(count(*) FILTER (in_new), count(*) FILTER (in_old)) AS common_values
         FROM common GROUP BY ALL)
       SELECT site, snapshot, left(old_time, 10) AS since, left(first_time, 10) AS first,
         left(last_time, 10) AS last, pages::INTEGER AS pages, kept_parts::DOUBLE / parts::DOUBLE AS kept
       FROM sums JOIN design_pairs USING (group_id) WHERE common_values >= ${DESIGN_MIN_VALUES}`,
  ];
}

/**
 * How much a site changed from snapshot to snapshot on the pages that both have: what the redesign of a part must show
 * by. A step leads from a snapshot to the next that has at least `STEP_MIN_PAGES` of its URLs, so that small snapshots are
 * passed over; a URL takes part when its capture in the one is followed by that in the other, so that no change of an
 * earlier step is counted again, and so that another mix of pages changes nothing.
 *
 * Of a step three shares are known: template words that are new, components of the signatures of layouts that differ, and design
 * values that were not kept, 1 − Σ min / Σ max of the pages that have them; beside it how many values came or went, a value
 * on half of the pages being half a one. Cost: as that of `designTables`, over the same pages.
 */

/** Fewer URLs in common, fewer words in the templates of a page say nothing about a site. */
const STEP_MIN_PAGES = DESIGN_MIN_PAGES;
const STEP_MIN_WORDS = 5;

/**
 * Makes the table `steps`: a row for each site and newer snapshot, with the days of both, its URLs and the shares
 * `words`, `layout` and `design` that changed, as far as they are known. Wants the view `compared` of changes.ts;
 * `folders` are those of committed tasks.
 */
export function stepTables(folders: string[]): string[] {
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
       common AS (
         SELECT new_group, old_pages, new_pages, new_n * old_pages AS new_part, old_n * new_pages AS old_part,
           ${COMMON_ONE_IN} * new_n >= new_pages AS in_new, ${COMMON_ONE_IN} * old_n >= old_pages AS in_old
         FROM counted JOIN step_pairs USING (new_group) WHERE in_new OR in_old)
       SELECT new_group, 1 - sum(least(new_part, old_part))::DOUBLE / sum(greatest(new_part, old_part))::DOUBLE AS design,
         sum(abs(new_part - old_part))::DOUBLE / any_value(old_pages * new_pages)::DOUBLE AS values_changed
       FROM common GROUP BY ALL
       HAVING greatest(count(*) FILTER (in_new), count(*) FILTER (in_old)) >= ${DESIGN_MIN_VALUES}`,
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
         1 - layout_components / (${SIGNATURE_COMPONENTS} * comparisons) AS layout, design, values_changed
       FROM step_pairs p LEFT JOIN words w USING (new_group) LEFT JOIN step_designs USING (new_group)`,
  ];
}

/**
 * SQL: what changed from the captures before it to each site snapshot, summed over its compared captures, which are those
 * of `compared`, a table or a query in brackets. Comparisons with an earlier snapshot count: a URL that was captured twice
 * within one says little about what happened before it.
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

/** A sum over comparisons with an earlier snapshot; over all where there are no such. */
function sumAcross(value: string, name = value): string {
  return `coalesce(sum(${value}) FILTER (crosses), sum(${value}))::BIGINT AS ${name}`;
}

/** How many of the sites have too few snapshots. */
export function sitesWithFewSnapshots(snapshots: readonly { site: string }[]): number {
  const counts = new Map<string, number>();
  for (const { site } of snapshots) counts.set(site, (counts.get(site) ?? 0) + 1);
  return [...counts.values()].filter((count) => count < PART_MIN_SNAPSHOTS).length;
}

/** Why no redesign of a part is looked for on some sites, without the full stop at its end. */
export function tellFewSnapshots(sites: number): string {
  const who = sites === 1 ? '1 site has' : `${formatCount(sites)} sites have`;
  const it = sites === 1 ? 'it usually changes' : 'they usually change';
  return `${who} fewer than three snapshots: what ${it} is not known, so redesigns of a part are not looked for there`;
}
