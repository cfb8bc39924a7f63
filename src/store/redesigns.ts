/**
 * When a site was redesigned, as a whole or in part, and how surely.
 *
 * - `whole`: most of the template's words are new, or the layout or the design is another one. Lines are the same for all
 *   sites. It is told once, by the pages that were captured on both sides of it, and not again by those that are met later.
 * - `part`: less than that, but clearly more than this site usually changes from one snapshot to the next, on the pages
 *   that both have (redesign-steps.ts): above the median of the site's other steps by at least a least share, and by three
 *   times their spread, so that what a site changes all the time, a slot or a front page, is no redesign of it.
 *   Without another step nothing is usual, and no part is found.
 *
 * Confidence means the same for both: the mean of what the known measures say, each from 0 (all is as before) over 0.5
 * (at its line for this size) to 1 (nothing is left). Cost: for each step a look at `NEAR_STEPS` to either side.
 */
import { join } from 'node:path';
import { SIGNATURE_COMPONENTS } from '../study/capture.ts';
import { type Database, quoteFiles } from './database.ts';
import { DESIGN_PAGES_FILE } from './design-part.ts';
import { designTables } from './designs.ts';
import { stepTables } from './redesign-steps.ts';
import { snapshotSums } from './snapshot-sums.ts';

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
  const files = folders.map((folder) => join(folder, DESIGN_PAGES_FILE));
  const [{ n }] = await database.rows<{ n: number }>(`SELECT count(*) AS n FROM (
    SELECT site FROM read_parquet(${quoteFiles(files)})
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
