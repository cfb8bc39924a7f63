/**
 * The tables of `history/`, made at the end of a run over captures of several times:
 *
 * - `captures`: what each capture says beside the capture of its page before it;
 * - `values`: how long a text stood on a page, inside templates and outside, where it was seen to come and to go;
 * - `redesigns`: when the sites were redesigned, as a whole or in part, by what evidence and how surely.
 *
 * Captures of one page are those whose URLs agree without case, session and escapes; of several at one moment the first
 * in page order counts; those without a time, or with one outside the years asked for, are left out.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { changeMagnitude } from '../../study/page-values.ts';
import { readChanges } from '../change-rows.ts';
import { type Database, quoteFiles, quoteList } from '../database.ts';
import { u32 } from '../table.ts';
import { copyToParquet, TableRows } from '../table-rows.ts';
import { HISTORY_REDESIGNS } from '../tables.ts';
import { VALUES_FILE, WordSets } from './value-part.ts';

export interface HistoryOptions {
  /** Folders of the committed label tasks. */
  folders: readonly string[];
  /** Years that count, both included. */
  fromYear: number;
  toYear: number;
}

/** Magnitudes of change in millionths, a row for each capture in the order of `captures_in_order`; 0 without one before. */
const MAGNITUDE_COLUMNS = {
  change: u32(),
  rest_change: u32(),
};

const CAPTURE_COLUMNS = `page, url_key, moment, template_value, rest_value, words, rest_words, previous,
  (moment - previous_moment) / 86400 AS days,
  CASE WHEN previous IS NOT NULL THEN change / 1000000 END AS change,
  CASE WHEN previous IS NOT NULL THEN rest_change / 1000000 END AS rest_change`;

/** Magnitudes gathered before they go to the database, which writes to disk what exceeds its memory. */
const FLUSH_ROWS = 20_000;

/** Writes the tables into `draft` and puts them into `target` by renaming. The views of a folder must be there. */
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
 * The captures of one page after the other, by time, pages numbered from 1. Rows are sorted once, which the database does on disk as
 * well as in memory, and then gone over: windows over partitions would hold all of them, texts and all.
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
    told AS (
      SELECT *, ${IS_OF_PAGE_BEFORE} AND moment = lag(moment) OVER () AS is_told FROM sorted),
    linked AS (
      SELECT * EXCLUDE (is_told), ${IS_OF_PAGE_BEFORE} AS is_later, lag(page) OVER () AS page_before,
        lag(moment) OVER () AS moment_before
      FROM told WHERE is_told IS NOT TRUE)
    SELECT * EXCLUDE (is_later, page_before, moment_before),
      (sum((is_later IS NOT TRUE)::INTEGER) OVER (ROWS UNBOUNDED PRECEDING))::UINTEGER AS number,
      CASE WHEN is_later THEN page_before END AS previous,
      CASE WHEN is_later THEN moment_before END AS previous_moment
    FROM linked`;
}

/** Of rows in order; null for the first. */
const IS_OF_PAGE_BEFORE = 'site = lag(site) OVER () AND url_key = lag(url_key) OVER ()';

/** Texts stay in the database: only what says where the words of a capture lie comes here, and two numbers go back. */
async function writeCaptures(database: Database, folders: readonly string[], path: string): Promise<void> {
  const magnitudes = new TableRows(MAGNITUDE_COLUMNS);
  const sets = new WordSets(folders);
  // rows are written by one connection while another reads those that follow
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

/** Columns: the task, where its words begin, how many they are, how many of the rest follow, whether there is one before. */
type WordPlaces = [Uint32Array, Float64Array, Uint32Array, Uint32Array, Uint8Array];

interface CaptureWords {
  words: Uint32Array;
  restWords: Uint32Array;
}

const NO_WORDS: CaptureWords = { words: new Uint32Array(0), restWords: new Uint32Array(0) };

function inMillionths(words: Uint32Array, before: Uint32Array): number {
  return Math.round(1e6 * changeMagnitude(words, before));
}

/**
 * Bracketed values (section 6.2): runs of captures with one value that is neither the first nor the last of its page. A
 * value began half-way between the last capture without it and the first with it, and ended likewise. (The paper
 * prints half the difference for both, which is no date.) Nothing is a value too: it ends the one before it and begins
 * the one after, but it is no text that lasted, so that it is never bracketed itself.
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

/** The captures in order, those that follow each other with one value of a region by the number of their run. */
function runsOf(region: string): string {
  return `SELECT number, '${region}' AS region, moment, value, sum(starts::INTEGER) OVER (ROWS UNBOUNDED PRECEDING) AS run
    FROM (
      SELECT number, moment, ${region}_value AS value,
        previous IS NULL OR ${region}_value <> lag(${region}_value) OVER () AS starts
      FROM captures_in_order)`;
}

/** Captures of years that are not asked for are not among what the tasks have compared. */
async function writeRedesigns(database: Database, folders: readonly string[], path: string): Promise<void> {
  const table = new TableRows(HISTORY_REDESIGNS.columns);
  for await (const row of readChanges(database, { folders: [...folders], only: ['redesign'] })) {
    const { site, snapshot, since, first, pages, size, why, confidence } = row;
    table.add({
      site,
      snapshot,
      since: since ?? '',
      first: first ?? '',
      pages,
      size: size ?? 'whole',
      why: why ?? '',
      confidence: confidence ?? 0,
    });
  }
  table.toParquet(path);
}

/** Archives of the web began in 1996: what is dated earlier is dated wrongly. */
export const FIRST_HISTORY_YEAR = 1996;
