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
import { join } from 'node:path';
import { quoteFiles } from './database.ts';
import { DESIGN_PAGES_FILE, designValueFiles } from './design-part.ts';

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
  const pages = folders.map((folder) => join(folder, DESIGN_PAGES_FILE));
  return [
    `CREATE TABLE design_pairs AS
       SELECT *, lag(group_id) OVER neighbours AS old_group, lag(pages) OVER neighbours AS old_pages,
         lag(last_time) OVER neighbours AS old_time
       FROM (
         SELECT group_id, site, snapshot, sum(pages)::BIGINT AS pages, min(first_time) AS first_time,
           max(last_time) AS last_time
         FROM read_parquet(${quoteFiles(pages)}) GROUP BY ALL HAVING sum(pages) >= ${DESIGN_MIN_PAGES})
       WINDOW neighbours AS (PARTITION BY site ORDER BY first_time, snapshot)`,
    `CREATE TABLE design_values AS
       SELECT group_id, value, sum(pages)::BIGINT AS pages
       FROM read_parquet(${quoteFiles(folders.flatMap(designValueFiles))})
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
