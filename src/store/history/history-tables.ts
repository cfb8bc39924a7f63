/**
 * The tables of `history/`, made at the end of a run over captures of several times:
 *
 * - `captures`: what each capture says beside the capture of its page before it;
 * - `values`: how long a text stood on a page, inside templates and outside, where it was seen to come and to go;
 * - `redesigns`: when the sites were redesigned, by what evidence and how surely.
 *
 * Captures of one page are those whose URLs agree without case, session and escapes; of several at one moment the first
 * in page order counts; those without a time, or with one outside the years asked for, are left out.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { changeMagnitude } from '../../study/page-values.ts';
import { readChanges } from '../changes.ts';
import { ColumnBuffer, copyToParquet, type Schema } from '../column-buffer.ts';
import { type Database, quote } from '../database.ts';
import { VALUES_FILE, WordSets } from './value-part.ts';

export interface HistoryOptions {
  /** Folders of the committed label tasks. */
  folders: readonly string[];
  /** Years that count, both included. */
  fromYear: number;
  toYear: number;
}

const CAPTURE_SCHEMA = {
  page: 'UINTEGER',
  url_key: 'VARCHAR',
  moment: 'BIGINT',
  template_value: 'VARCHAR',
  rest_value: 'VARCHAR',
  words: 'UINTEGER',
  rest_words: 'UINTEGER',
  /** Whether there is a capture before it, that capture and its time, and the magnitudes of change in millionths. */
  compared: 'BOOLEAN',
  previous: 'UINTEGER',
  previous_moment: 'BIGINT',
  change: 'UINTEGER',
  rest_change: 'UINTEGER',
} as const satisfies Schema;

const CAPTURE_COLUMNS = `page, url_key, moment, template_value, rest_value, words, rest_words,
  CASE WHEN compared THEN previous END AS previous,
  CASE WHEN compared THEN (moment - previous_moment) / 86400 END AS days,
  CASE WHEN compared THEN change / 1000000 END AS change,
  CASE WHEN compared THEN rest_change / 1000000 END AS rest_change`;

/** Captures gathered before they go to the database, which writes to disk what exceeds its memory. */
const FLUSH_ROWS = 20_000;

const REDESIGN_SCHEMA = {
  site: 'VARCHAR',
  snapshot: 'VARCHAR',
  since: 'VARCHAR',
  first: 'VARCHAR',
  pages: 'UINTEGER',
  why: 'VARCHAR',
  confidence: 'FLOAT',
} as const satisfies Schema;

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
  await publish('captures', (path) => writeCaptures(database, options, path));
  const captures = join(target, 'captures.parquet');
  await publish('values', (path) => copyToParquet(database, valuesSql(captures), path));
  await publish('redesigns', (path) => writeRedesigns(database, options, path));
}

interface CaptureRow {
  task: number;
  page: number;
  url_key: string;
  site: string;
  moment: number;
  template_value: string;
  rest_value: string;
  words_at: number;
  words: number;
  rest_words: number;
}

async function writeCaptures(
  database: Database,
  { folders, fromYear, toYear }: HistoryOptions,
  path: string,
): Promise<void> {
  const parts = folders.map(
    (folder, task) => `SELECT ${task} AS task, * FROM read_parquet(${quote(join(folder, VALUES_FILE))})`,
  );
  const table = new ColumnBuffer(CAPTURE_SCHEMA);
  const sets = new WordSets(folders);
  // rows are written by one connection while another reads those that follow
  const writer = await database.connect();
  try {
    await table.toTable(database, 'passing');
    const rows = database.batches<CaptureRow>(
      `SELECT * FROM (
         SELECT v.*, site, epoch(try_cast(time AS TIMESTAMP))::BIGINT AS moment
         FROM (${parts.join(' UNION ALL ')}) v JOIN pages USING (page)
         WHERE try_cast(left(time, 4) AS INTEGER) BETWEEN ${fromYear} AND ${toYear})
       WHERE moment IS NOT NULL
       QUALIFY row_number() OVER (PARTITION BY site, url_key, moment ORDER BY page) = 1
       ORDER BY site, url_key, moment`,
    );
    let before: ComparedCapture | undefined;
    for await (const batch of rows) {
      for (const row of batch) {
        const capture = withWords(sets, row);
        const isSamePage = before?.row.url_key === row.url_key && before.row.site === row.site;
        addCapture(table, capture, isSamePage ? before : undefined);
        before = capture;
      }
      if (table.rowCount < FLUSH_ROWS) continue;
      await table.appendTo(writer, 'passing');
      table.clear();
    }
    await table.appendTo(writer, 'passing');
    await copyToParquet(database, `SELECT ${CAPTURE_COLUMNS} FROM passing`, path);
  } finally {
    sets.close();
    writer.closeSync();
    await database.run('DROP TABLE IF EXISTS passing');
  }
}

/** A capture with its sets of words, which are read once and compared twice: with what was before and what follows. */
interface ComparedCapture {
  row: CaptureRow;
  words: Uint32Array;
  restWords: Uint32Array;
}

function withWords(sets: WordSets, row: CaptureRow): ComparedCapture {
  const { task, words_at, words, rest_words } = row;
  const both = sets.read(task, words_at, words + rest_words);
  return { row, words: both.subarray(0, words), restWords: both.subarray(words) };
}

function addCapture(
  table: ColumnBuffer,
  { row, words, restWords }: ComparedCapture,
  previous: ComparedCapture | undefined,
): void {
  const { page, url_key, moment, template_value, rest_value } = row;
  const own = [page, url_key, moment, template_value, rest_value, words.length, restWords.length];
  if (!previous) {
    table.add(...own, false, 0, 0, 0, 0);
    return;
  }
  const whole = Math.round(1e6 * changeMagnitude(words, previous.words));
  const rest = Math.round(1e6 * changeMagnitude(restWords, previous.restWords));
  table.add(...own, true, previous.row.page, previous.row.moment, whole, rest);
}

/**
 * Bracketed values (section 6.2): runs of captures with one value that is neither the first nor the last of its page. A
 * value began half-way between the last capture without it and the first with it, and ended likewise. (The paper
 * prints half the difference for both, which is no date.) Nothing is a value too: it ends the one before it and begins
 * the one after, but it is no text that lasted, so that it is never bracketed itself.
 */
function valuesSql(captures: string): string {
  return `WITH seen AS (
    SELECT site, c.url_key, moment, page, region, value FROM (
      UNPIVOT (SELECT page, url_key, moment, template_value AS "template", rest_value AS rest FROM read_parquet(${quote(captures)}))
      ON "template", rest INTO NAME region VALUE value) c JOIN pages USING (page)),
  marked AS (
    SELECT *, value IS DISTINCT FROM lag(value) OVER history AS starts,
      first_value(value) OVER whole AS first_value, last_value(value) OVER whole AS last_value
    FROM seen WINDOW history AS (PARTITION BY site, url_key, region ORDER BY moment, page),
      whole AS (PARTITION BY site, url_key, region ORDER BY moment, page ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)),
  numbered AS (
    SELECT *, sum(starts::INTEGER) OVER (PARTITION BY site, url_key, region ORDER BY moment, page ROWS UNBOUNDED PRECEDING) AS run
    FROM marked),
  runs AS (
    SELECT site, url_key, region, run, any_value(value) AS value, min(moment) AS first_moment, max(moment) AS last_moment,
      count(*)::UINTEGER AS captures, any_value(first_value) AS first_value, any_value(last_value) AS last_value
    FROM numbered GROUP BY ALL),
  placed AS (
    SELECT *, lag(last_moment) OVER w AS before, lead(first_moment) OVER w AS after
    FROM runs WINDOW w AS (PARTITION BY site, url_key, region ORDER BY run))
  SELECT site, url_key, region, value, captures, first_moment, last_moment,
    value <> '' AND value <> first_value AND value <> last_value AS bracketed,
    (first_moment + before) / 2 AS begins, (last_moment + after) / 2 AS ends,
    CASE WHEN bracketed THEN ((last_moment + after) - (first_moment + before)) / 2 / 86400 END AS days
  FROM placed ORDER BY site, url_key, region, first_moment`;
}

async function writeRedesigns(
  database: Database,
  { folders, fromYear, toYear }: HistoryOptions,
  path: string,
): Promise<void> {
  const table = new ColumnBuffer(REDESIGN_SCHEMA);
  for await (const row of readChanges(database, { folders: [...folders], only: ['redesign'] })) {
    const { site, snapshot, since, first, pages, why, confidence } = row;
    const year = Number(String(first).slice(0, 4));
    if (year < fromYear || year > toYear) continue;
    table.add(site, snapshot, since ?? '', first ?? '', pages, why ?? '', confidence ?? 0);
  }
  await table.toParquet(database, path);
}

/** Archives of the web began in 1996: what is dated earlier is dated wrongly. */
export const FIRST_HISTORY_YEAR = 1996;
