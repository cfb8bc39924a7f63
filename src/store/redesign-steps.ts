/**
 * How much a site changed from snapshot to snapshot on the pages that both have: what the redesign of a part must show
 * by. A step leads from a snapshot to the next that has at least `STEP_MIN_PAGES` of its URLs, so that small snapshots are
 * passed over; a URL takes part when its capture in the one is followed by that in the other, so that no change of an
 * earlier step is counted again, and so that another mix of pages changes nothing.
 *
 * Of a step three shares are known: template words that are new, places of the layouts that differ, and design
 * values that were not kept, 1 − Σ min / Σ max of the pages that have them; beside it how many values came or went, a value
 * on half of the pages being half a one. Cost: as that of designs.ts, over the same pages.
 */
import { join } from 'node:path';
import { SIGNATURE_COMPONENTS } from '../study/capture.ts';
import { quoteFiles } from './database.ts';
import { DESIGN_PAGES_FILE, designStepFiles, STEP_PAGES_FILE } from './design-part.ts';
import { COMMON_ONE_IN, DESIGN_MIN_PAGES, DESIGN_MIN_VALUES } from './designs.ts';

/** Fewer URLs in common, fewer words in the templates of a page say nothing about a site. */
const STEP_MIN_PAGES = DESIGN_MIN_PAGES;
const STEP_MIN_WORDS = 5;

/**
 * Makes the table `steps`: a row for each site and newer snapshot, with the days of both, its URLs and the shares
 * `words`, `layout` and `design` that changed, as far as they are known. Wants the view `compared` of changes.ts;
 * `folders` are those of committed tasks.
 */
export function stepTables(folders: string[]): string[] {
  const filesOf = (name: string) => quoteFiles(folders.map((folder) => join(folder, name)));
  return [
    `CREATE TABLE step_pairs AS
       WITH spans AS (
         SELECT group_id, site, snapshot, min(first_time) AS first_time, max(last_time) AS last_time
         FROM read_parquet(${filesOf(DESIGN_PAGES_FILE)}) GROUP BY ALL),
       counted AS (
         SELECT old_group, new_group, sum(old_pages)::BIGINT AS old_pages, sum(new_pages)::BIGINT AS new_pages
         FROM read_parquet(${filesOf(STEP_PAGES_FILE)}) GROUP BY ALL
         HAVING least(sum(old_pages), sum(new_pages)) >= ${STEP_MIN_PAGES})
       SELECT old_group, new_group, n.site, n.snapshot, old_pages, new_pages, o.first_time AS old_first,
         o.last_time AS old_last, n.first_time, n.last_time
       FROM counted JOIN spans o ON o.group_id = old_group JOIN spans n ON n.group_id = new_group AND n.site = o.site
       QUALIFY row_number() OVER (PARTITION BY new_group ORDER BY o.first_time DESC, o.snapshot DESC) = 1`,
    `CREATE TABLE step_designs AS
       WITH counted AS (
         SELECT v.new_group, value, sum(v.new_pages)::BIGINT AS new_n, sum(v.old_pages)::BIGINT AS old_n
         FROM read_parquet(${quoteFiles(folders.flatMap(designStepFiles))}) v SEMI JOIN step_pairs USING (old_group, new_group)
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
