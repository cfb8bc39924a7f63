/**
 * Groups the changes of single pages into changes of a site: rows of five classes for each site and snapshot of the
 * newer captures.
 *
 * - `redesign`: the site has a different template than before (redesigns.ts).
 * - `smaller-change`: the template changed more than it usually does, but is still the same one.
 * - `template`: the same text appeared on, or disappeared from, many URLs; one row for all of them.
 * - `slot`: text within a template that changes from page to page or day to day; one row for each place.
 * - `content`: all other changes; one row for each page.
 *
 * A template change is identified by the text that appeared (or disappeared), not by the text that it replaced: a
 * new footer is one row even if it replaces different text on every page. The database does the grouping and spills
 * to disk when memory is short; sums are integers, so that they do not depend on the order of rows.
 */
import { CHANGES_FILE, COMPARED_FILE } from './change-part.ts';
import { type Database, filesOf } from './database.ts';
import { REDESIGN_CLASSES, type RedesignClass, redesignTables, snapshotSums } from './redesigns.ts';

/** Classes of changes, in the order of the output. */
export const CHANGE_CLASSES = [...REDESIGN_CLASSES, 'template', 'slot', 'content'] as const;
/** One of `CHANGE_CLASSES`. */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** A change is a template change when it is on at least this many, and this share, of the compared URLs. */
const WIDE_MIN_URLS = 3;
const WIDE_SHARE = 0.05;
/**
 * A slot is a short block at one place, about once per page, with different text on different pages: at most this
 * many words, at most this many blocks per page, at least this many distinct texts per block.
 */
const SLOT_WORDS = 12;
const SLOT_BLOCKS = 1.5;
const SLOT_TEXTS = 3;

/** One row of the output; fields that its class does not have are null. */
export interface ChangeRow {
  class: ChangeClass;
  site: string;
  /** Snapshot of the newer captures. */
  snapshot: string;
  /** Day of the latest earlier capture that was compared; days of the first and last newer capture. */
  since: string;
  first: string;
  last: string;
  /** URLs with this change, and compared URLs; for a redesign without compared URLs, the pages of the snapshot. */
  pages: number;
  compared: number;
  /** `added`, `removed` or `changed`, and the place; for slots and templates. */
  kind: string | null;
  place: string | null;
  old: string | null;
  new: string | null;
  /** Number of blocks of text, for slots and content. */
  blocks: number | null;
  /**
   * Words that appeared and disappeared; for a redesign, template words that appeared and all words that
   * disappeared.
   */
  newWords: number | null;
  lostWords: number | null;
  /** For redesigns and smaller changes, if known; the first two require compared URLs. */
  newTemplateShare: number | null;
  layoutSimilarity: number | null;
  designKept: number | null;
  linksKept: number | null;
  /** Measures that show the change: some of `words`, `layout`, `design`, `links`, separated by spaces. */
  why: string | null;
  /** Confidence in [0, 1] that the site was redesigned; a redesign has at least 0.5. */
  confidence: number | null;
  /** URL and time of the page; for slots and templates, of the first page with the change. */
  url: string | null;
  time: string | null;
}

/**
 * Yields the rows of all sites, ordered by site, snapshot, class and pages; `folders` are those of committed tasks.
 */
export async function* readChanges(
  database: Database,
  { folders, only = CHANGE_CLASSES }: { folders: string[]; only?: readonly ChangeClass[] },
): AsyncGenerator<ChangeRow> {
  if (folders.length === 0) return;
  for (const sql of tables(folders, only)) await database.run(sql);
  const classes = CHANGE_CLASSES.flatMap((name, place) =>
    only.includes(name) ? [`SELECT ${place} AS class_place, * FROM (${CLASS_SQL[name]})`] : [],
  );
  if (classes.length === 0) return;
  const sql = `
    SELECT * EXCLUDE (class_place, tie) FROM (${classes.join(' UNION ALL ')})
    ORDER BY site, snapshot, class_place, pages DESC, tie, url, time`;
  for await (const batch of database.batches<ChangeRow>(sql)) yield* batch;
}

/** Counts the pages that were compared with an earlier capture. */
export async function countCompared(database: Database, folders: string[]): Promise<number> {
  if (folders.length === 0) return 0;
  const [{ n }] = await database.rows<{ n: number }>(
    `SELECT count(*) AS n FROM read_parquet(${filesOf(folders, COMPARED_FILE)})`,
  );
  return n;
}

function tables(folders: string[], only: readonly ChangeClass[]): string[] {
  // redesigns need only the counts per page, not the single changes
  const ofChanges = only.some((name) => !isOfTemplate(name)) ? changeTables(folders) : [];
  const ofRedesigns = only.some(isOfTemplate) ? redesignTables(folders) : [];
  return [...comparedTables(folders), ...ofChanges, ...ofRedesigns];
}

function isOfTemplate(name: ChangeClass): boolean {
  return REDESIGN_CLASSES.some((known) => known === name);
}

function comparedTables(folders: string[]): string[] {
  return [
    `CREATE VIEW compared AS SELECT * FROM read_parquet(${filesOf(folders, COMPARED_FILE)})`,
    `CREATE TABLE snapshots AS
       SELECT row_number() OVER (ORDER BY site, snapshot)::UINTEGER AS snapshot_id, * FROM (${snapshotSums('compared')})`,
  ];
}

function changeTables(folders: string[]): string[] {
  return [
    // the columns of a page that joins and groups need, as numbers
    `CREATE TABLE compared_ids AS
       SELECT c.page, s.snapshot_id, hash(c.url_key) AS url_id, left(c.time, 10) AS day
       FROM compared c JOIN snapshots s USING (site, snapshot)`,
    `CREATE VIEW changes AS
       SELECT snapshot_id, url_id, day, kind = 'removed' AS removed, CASE WHEN removed THEN old_key ELSE new_key END AS key,
         regexp_replace(place, '[0-9]{2,}', '*', 'g') AS spot,
         kind = 'changed' AND words <= ${SLOT_WORDS} AS is_short, c.*
       FROM read_parquet(${filesOf(folders, CHANGES_FILE)}) c JOIN compared_ids USING (page)`,
    `CREATE TABLE wide AS
       SELECT k.* FROM (
         SELECT snapshot_id, removed, key, count(DISTINCT url_id)::INTEGER AS pages
         FROM changes WHERE kind <> 'more' GROUP BY ALL HAVING pages >= ${WIDE_MIN_URLS}
       ) k JOIN snapshots USING (snapshot_id) WHERE k.pages >= ${WIDE_SHARE} * urls`,
    `CREATE TABLE slot_spots AS
       SELECT k.* FROM (
         SELECT snapshot_id, spot, count(DISTINCT url_id)::INTEGER AS pages,
           count(*) / count(DISTINCT page) AS blocks_a_page, count(DISTINCT key) AS texts
         FROM changes WHERE is_short GROUP BY ALL
         HAVING pages >= ${WIDE_MIN_URLS} AND blocks_a_page <= ${SLOT_BLOCKS} AND texts >= ${SLOT_TEXTS} * blocks_a_page
       ) k JOIN snapshots USING (snapshot_id) WHERE k.pages >= ${WIDE_SHARE} * urls`,
    `CREATE TABLE classed AS
       SELECT c.snapshot_id, c.url_id, c.day, c.page, c.ordinal, c.removed, c.key, c.kind, c.old_key, c.spot,
         c.new_words, c.lost_words,
         CASE
           WHEN s.pages IS NOT NULL AND 2 * coalesce(w.pages, 0) < s.pages THEN 'slot'
           WHEN w.pages IS NOT NULL THEN 'template'
           WHEN c.label = 'template' THEN 'slot'
           ELSE 'content'
         END AS class
       FROM changes c
         LEFT JOIN wide w ON w.snapshot_id = c.snapshot_id AND w.removed = c.removed AND w.key = c.key
         LEFT JOIN slot_spots s ON c.is_short AND s.snapshot_id = c.snapshot_id AND s.spot = c.spot`,
  ];
}

/** SQL for the first change in page order as one number, and for the row of that number. */
const FIRST = 'min((page::UBIGINT << 32) | ordinal)';
const IS_FIRST = (example: string) =>
  `c.page = (${example} >> 32)::UINTEGER AND c.ordinal = (${example} & 4294967295)::UINTEGER`;

const NO_REDESIGN = `NULL::DOUBLE AS "newTemplateShare", NULL::DOUBLE AS "layoutSimilarity",
      NULL::DOUBLE AS "designKept", NULL::DOUBLE AS "linksKept", NULL::VARCHAR AS why, NULL::DOUBLE AS confidence`;

const CLASS_SQL: Record<ChangeClass, string> = {
  redesign: templateSql('redesign'),
  'smaller-change': templateSql('smaller-change'),
  // show the replaced text only when it is the same on most pages
  template: `
    WITH pairs AS (
      SELECT snapshot_id, removed, key, kind, old_key, count(DISTINCT url_id)::INTEGER AS n, ${FIRST} AS example
      FROM classed WHERE class = 'template' GROUP BY ALL),
    usual AS (
      SELECT snapshot_id, removed, key, max(n) AS n, arg_max(kind, (n, kind, old_key)) AS kind,
        arg_max(example, (n, kind, old_key)) AS example
      FROM pairs GROUP BY ALL),
    rows AS (
      SELECT snapshot_id, removed, key, count(DISTINCT url_id)::INTEGER AS pages, min(day) AS first, max(day) AS last
      FROM classed WHERE class = 'template' GROUP BY ALL)
    SELECT 'template' AS class, s.site, s.snapshot, s.since, r.first, r.last, r.pages, s.urls AS compared,
      CASE WHEN 2 * u.n > r.pages THEN u.kind ELSE 'changed' END AS kind, c.place,
      CASE WHEN 2 * u.n > r.pages THEN nullif(c.old_text, '') END AS old, nullif(c.new_text, '') AS new,
      NULL::INTEGER AS blocks, c.new_words::BIGINT AS "newWords", c.lost_words::BIGINT AS "lostWords",
      ${NO_REDESIGN}, p.url, p.time,
      lpad(u.example::VARCHAR, 20, '0') AS tie
    FROM rows r JOIN usual u USING (snapshot_id, removed, key)
      JOIN changes c ON ${IS_FIRST('u.example')}
      JOIN compared p ON p.page = c.page
      JOIN snapshots s ON s.snapshot_id = r.snapshot_id`,
  slot: `
    WITH slots AS (
      SELECT snapshot_id, spot, count(DISTINCT url_id)::INTEGER AS pages, count(*)::INTEGER AS blocks,
        sum(new_words)::BIGINT AS new_words, sum(lost_words)::BIGINT AS lost_words,
        min(day) AS first, max(day) AS last, ${FIRST} AS example
      FROM classed WHERE class = 'slot' GROUP BY ALL)
    SELECT 'slot' AS class, s.site, s.snapshot, s.since, r.first, r.last, r.pages, s.urls AS compared, c.kind,
      r.spot AS place, nullif(c.old_text, '') AS old, nullif(c.new_text, '') AS new, r.blocks,
      r.new_words AS "newWords", r.lost_words AS "lostWords",
      ${NO_REDESIGN}, p.url, p.time, r.spot AS tie
    FROM slots r JOIN changes c ON ${IS_FIRST('r.example')}
      JOIN compared p ON p.page = c.page
      JOIN snapshots s ON s.snapshot_id = r.snapshot_id`,
  content: `
    WITH edits AS (
      SELECT snapshot_id, page, count(*)::INTEGER AS blocks, sum(new_words)::BIGINT AS new_words,
        sum(lost_words)::BIGINT AS lost_words, min(ordinal) AS example
      FROM classed WHERE class = 'content' GROUP BY ALL)
    SELECT 'content' AS class, s.site, s.snapshot, s.since, left(p.time, 10) AS first, left(p.time, 10) AS last,
      1 AS pages, s.urls AS compared, c.kind, c.place, nullif(c.old_text, '') AS old,
      nullif(c.new_text, '') AS new, r.blocks, r.new_words AS "newWords", r.lost_words AS "lostWords",
      ${NO_REDESIGN}, p.url, p.time,
      lpad((4294967295 - least(r.new_words + r.lost_words, 4294967295))::VARCHAR, 10, '0') AS tie
    FROM edits r JOIN changes c ON c.page = r.page AND c.ordinal = r.example
      JOIN compared p ON p.page = r.page
      JOIN snapshots s ON s.snapshot_id = r.snapshot_id`,
};

function templateSql(name: RedesignClass): string {
  return `
    SELECT '${name}' AS class, site, snapshot, since, first, last, pages, compared, NULL::VARCHAR AS kind,
      NULL::VARCHAR AS place, NULL::VARCHAR AS old, NULL::VARCHAR AS new, NULL::INTEGER AS blocks,
      new_template_words AS "newWords", lost_words AS "lostWords", round(new_share, 3) AS "newTemplateShare",
      round(alike, 3) AS "layoutSimilarity", round(kept, 3) AS "designKept", round(links_kept, 3) AS "linksKept", why, round(confidence, 2) AS confidence,
      NULL::VARCHAR AS url, NULL::VARCHAR AS time, '' AS tie
    FROM redesigns WHERE class = '${name}'`;
}
