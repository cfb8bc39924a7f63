/**
 * Makes the tables of `history/` at the end of a run over captures of several times:
 *
 * - `captures`: each capture compared with the previous capture of its page;
 * - `values`: how long a text was on a page, inside and outside templates, when its first and last day are known;
 * - `redesigns`: redesigns and smaller changes of the template of each site, with evidence and confidence.
 *
 * Captures belong to one page when their URLs are equal without case, session and escapes. Of several captures of
 * one moment the first in page order counts. Captures without a time, or with a time outside the chosen years, are
 * left out.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { changeMagnitude } from '../../study/page-values.ts';
import { readChanges } from '../change-rows.ts';
import { type Database, quoteFiles, quoteList } from '../database.ts';
import { REDESIGN_CLASSES } from '../redesigns.ts';
import { u32 } from '../table.ts';
import { copyToParquet, TableRows } from '../table-rows.ts';
import { HISTORY_REDESIGNS } from '../tables.ts';
import { VALUES_FILE, WordSets } from './value-part.ts';

/** Task folders and years of a history. */
export interface HistoryOptions {
  /** Folders of the committed label tasks. */
  folders: readonly string[];
  /** First and last year of the captures to use. */
  fromYear: number;
  toYear: number;
}

/**
 * Columns of magnitudes of change in millionths, a row for each capture in the order of `captures_in_order`; 0 for
 * first captures.
 */
const MAGNITUDE_COLUMNS = {
  change: u32(),
  rest_change: u32(),
};

const CAPTURE_COLUMNS = `page, url_key, moment, template_value, rest_value, words, rest_words, previous,
  (moment - previous_moment) / 86400 AS days,
  CASE WHEN previous IS NOT NULL THEN change / 1000000 END AS change,
  CASE WHEN previous IS NOT NULL THEN rest_change / 1000000 END AS rest_change`;

/** Rows of magnitudes in memory before they are added to the database, which spills to disk. */
const FLUSH_ROWS = 20_000;

/** Writes the tables into `draft` and moves them to `target`. The views of the folder must exist. */
export async function writeHistory(
  database: Database,
  { draft, target, ...options }: HistoryOptions & { draft: string; target: string },
): Promise<void> {
  mkdirSync(target, { recursive: true });
  const publish = async (name: string, write: (path: string) => Promise<void>): Promise<void> => {
    const path = join(draft, `history-${name}.parquet`);
    await write(path);
    renameSync(path, join(target, `${name}.parquet`));
  };
  try {
    await database.run(capturesSql(options));
    await publish('captures', (path) => writeCaptures(database, options.folders, path));
    await publish('values', (path) => copyToParquet(database, VALUES_SQL, path));
  } finally {
    await database.run('DROP TABLE IF EXISTS captures_in_order');
  }
  await publish('redesigns', (path) => writeRedesigns(database, options.folders, path));
}

/**
 * SQL for the captures ordered by page and time, pages numbered from 1. Rows are sorted once, which DuckDB can do
 * on disk, and then read in order: windows over partitions would hold all of them with their texts in memory.
 */
function capturesSql({ folders, fromYear, toYear }: HistoryOptions): string {
  const files = folders.map((folder) => join(folder, VALUES_FILE));
  return `CREATE TABLE captures_in_order AS
    WITH sorted AS (
      SELECT v.* EXCLUDE (filename), (list_position(${quoteList(files)}, filename) - 1)::UINTEGER AS task, site,
        epoch(try_cast(time AS TIMESTAMP))::BIGINT AS moment
      FROM read_parquet(${quoteFiles(files)}, filename = true) v JOIN pages USING (page)
      WHERE try_cast(left(time, 4) AS INTEGER) BETWEEN ${fromYear} AND ${toYear}
        AND epoch(try_cast(time AS TIMESTAMP)) IS NOT NULL
      ORDER BY site, url_key, moment, page),
    marked AS (
      SELECT *, ${IS_OF_PAGE_BEFORE} AND moment = lag(moment) OVER () AS is_repeated FROM sorted),
    linked AS (
      SELECT * EXCLUDE (is_repeated), ${IS_OF_PAGE_BEFORE} AS is_later, lag(page) OVER () AS page_before,
        lag(moment) OVER () AS moment_before
      FROM marked WHERE is_repeated IS NOT TRUE)
    SELECT * EXCLUDE (is_later, page_before, moment_before),
      (sum((is_later IS NOT TRUE)::INTEGER) OVER (ROWS UNBOUNDED PRECEDING))::UINTEGER AS number,
      CASE WHEN is_later THEN page_before END AS previous,
      CASE WHEN is_later THEN moment_before END AS previous_moment
    FROM linked`;
}

/** SQL for a value of the previous row; null for the first. */
const IS_OF_PAGE_BEFORE = 'site = lag(site) OVER () AND url_key = lag(url_key) OVER ()';

/**
 * Writes `captures`. Texts stay in the database; only the location of each capture's words is read, and two numbers
 * are written back.
 */
async function writeCaptures(database: Database, folders: readonly string[], path: string): Promise<void> {
  const magnitudes = new TableRows(MAGNITUDE_COLUMNS);
  const sets = new WordSets(folders);
  // one connection writes rows while another reads the following ones
  const writer = await database.connect();
  try {
    await magnitudes.toTable(database, 'magnitudes');
    const places = database.numbers(
      `SELECT task, words_at::DOUBLE, words, rest_words, (previous IS NOT NULL)::UTINYINT FROM captures_in_order`,
    );
    let before = NO_WORDS;
    for await (const { columns, rowCount } of places) {
      const [task, wordsAt, words, restWords, isCompared] = columns as WordPlaces;
      for (let row = 0; row < rowCount; row++) {
        const both = sets.read(task[row], wordsAt[row], words[row] + restWords[row]);
        const own = { words: both.subarray(0, words[row]), restWords: both.subarray(words[row]) };
        if (isCompared[row] === 0) magnitudes.add({ change: 0, rest_change: 0 });
        else
          magnitudes.add({
            change: inMillionths(own.words, before.words),
            rest_change: inMillionths(own.restWords, before.restWords),
          });
        before = own;
      }
      if (magnitudes.rowCount < FLUSH_ROWS) continue;
      await magnitudes.appendTo(writer, 'magnitudes');
      magnitudes.clear();
    }
    await magnitudes.appendTo(writer, 'magnitudes');
    const both = 'captures_in_order POSITIONAL JOIN magnitudes';
    await copyToParquet(database, `SELECT ${CAPTURE_COLUMNS} FROM ${both}`, path);
  } finally {
    sets.close();
    writer.closeSync();
    await database.run('DROP TABLE IF EXISTS magnitudes');
  }
}

/**
 * Columns: the task, index of the words, their number, number of words outside templates, whether a previous
 * capture exists.
 */
type WordPlaces = [Uint32Array, Float64Array, Uint32Array, Uint32Array, Uint8Array];

const NO_WORDS: Record<'words' | 'restWords', Uint32Array> = {
  words: new Uint32Array(0),
  restWords: new Uint32Array(0),
};

function inMillionths(words: Uint32Array, before: Uint32Array): number {
  return Math.round(1e6 * changeMagnitude(words, before));
}

/**
 * SQL for bracketed values (section 6.2): runs of captures with one value that is neither the first nor the last of
 * its page. A value begins half-way between the last capture without it and the first with it, and ends likewise.
 * (The paper prints half the difference for both, which is not a date.) An empty text is a value too: it ends the one
 * before it and begins the one after it, but it is never bracketed itself, because it is not text that lasted.
 */
const VALUES_SQL = `WITH seen AS (${['rest', 'template'].map(runsOf).join(' UNION ALL ')}),
  runs AS (
    SELECT number, region, run, any_value(value) AS value, min(moment) AS first_moment, max(moment) AS last_moment,
      count(*)::UINTEGER AS captures
    FROM seen GROUP BY number, region, run),
  placed AS (
    SELECT *, lag(last_moment) OVER w AS before, lead(first_moment) OVER w AS after,
      first_value(value) OVER whole AS first_value, last_value(value) OVER whole AS last_value
    FROM runs WINDOW w AS (PARTITION BY number, region ORDER BY run),
      whole AS (PARTITION BY number, region ORDER BY run ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  SELECT site, url_key, region, value, captures, first_moment, last_moment,
    value <> '' AND value <> first_value AND value <> last_value AS bracketed,
    (first_moment + before) / 2 AS begins, (last_moment + after) / 2 AS ends,
    CASE WHEN bracketed THEN ((last_moment + after) - (first_moment + before)) / 2 / 86400 END AS days
  FROM placed JOIN (SELECT number, site, url_key FROM captures_in_order WHERE previous IS NULL) USING (number)
  ORDER BY number, region, first_moment`;

/** SQL for the captures in order, with the number of their run of equal values of a region. */
function runsOf(region: string): string {
  return `SELECT number, '${region}' AS region, moment, value, sum(starts::INTEGER) OVER (ROWS UNBOUNDED PRECEDING) AS run
    FROM (
      SELECT number, moment, ${region}_value AS value,
        previous IS NULL OR ${region}_value <> lag(${region}_value) OVER () AS starts
      FROM captures_in_order)`;
}

/** SQL for the compared captures without those of other years, which the tasks have compared too. */
async function writeRedesigns(database: Database, folders: readonly string[], path: string): Promise<void> {
  const table = new TableRows(HISTORY_REDESIGNS.columns);
  for await (const row of readChanges(database, { folders: [...folders], only: REDESIGN_CLASSES })) {
    const { site, snapshot, since, first, pages, why, confidence, newTemplateShare: words } = row;
    const { layoutSimilarity: layout, designKept: design, linksKept: links } = row;
    const shares = { words, layout: lost(layout), design: lost(design), links: lost(links) };
    table.add({
      site,
      snapshot,
      since: since ?? '',
      first: first ?? '',
      pages,
      class: row.class,
      why: why ?? '',
      confidence: confidence ?? 0,
      changed: Object.entries(shares)
        .flatMap(([name, share]) =>
          share === null || share === undefined ? [] : `${name} ${rounded(share)}`,
        )
        .join(' '),
    });
  }
  table.toParquet(path);
}

/** What a kept share leaves. */
function lost(kept: number | null | undefined): number | null {
  return typeof kept === 'number' ? 1 - kept : null;
}

function rounded(share: number): number {
  return Math.round(100 * share) / 100;
}

/** First year of the history; web archives began in 1996, so that earlier dates are wrong. */
export const FIRST_HISTORY_YEAR = 1996;
