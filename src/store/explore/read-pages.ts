/**
 * Reads single pages of a finished folder: the location of their bytes, the ranges of each detector, the other
 * captures of their URL.
 */
import type { Range } from '../../model/range.ts';
import type { Role } from '../../model/role.ts';
import { quote } from '../database.ts';
import type { RunFile } from '../run-file.ts';

/** Query functions of a finished folder, such as an ExploreStore. */
export interface FolderTables {
  folder: string;
  run: RunFile;
  rows<T>(sql: string): Promise<T[]>;
}

/** One row of `pages`, without the columns of detectors. */
export interface PageCaptureRow {
  page: number;
  site: string;
  snapshot: string;
  url: string;
  urlKey: string;
  /** '' when the archive has none. */
  time: string;
  title: string;
  file: string;
  /** '' for a plain file. */
  entry: string;
  offset: number;
  length: number;
  payloadDigest: string;
  htmlBytes: number;
}

const COLUMNS = `page, site, snapshot, url, url_key AS "urlKey", time, title, file, entry, "offset", length,
  payload_digest AS "payloadDigest", html_bytes AS "htmlBytes"`;

/** Returns the row of a page; undefined when the folder has no such page. */
export async function readPageRow(tables: FolderTables, page: number): Promise<PageCaptureRow | undefined> {
  const rows = await tables.rows<PageCaptureRow>(`SELECT ${COLUMNS} FROM pages WHERE page = ${whole(page)}`);
  return rows[0];
}

/** Returns a sample of the pages of a site: the earliest capture of each of the URLs with the lowest hashes. */
export async function readSitePages(
  tables: FolderTables,
  site: string,
  { limit }: { limit: number },
): Promise<PageCaptureRow[]> {
  return tables.rows<PageCaptureRow>(
    `SELECT ${COLUMNS} FROM pages WHERE site = ${quote(site)}
     QUALIFY row_number() OVER (PARTITION BY url_key ORDER BY time, page) = 1
     ORDER BY md5(url_key), page LIMIT ${whole(limit)}`,
  );
}

/** Returns the numbers of captures by URL and time; undefined for those that the folder lacks. */
export async function readPageNumbers(
  tables: FolderTables,
  captures: readonly { url: string; time: string }[],
): Promise<(number | undefined)[]> {
  if (captures.length === 0) return [];
  const wanted = captures.map(({ url, time }) => `(${quote(url)}, ${quote(time)})`).join(', ');
  const rows = await tables.rows<{ page: number; url: string; time: string }>(
    `SELECT page, url, time FROM pages WHERE (url, time) IN (${wanted}) ORDER BY page`,
  );
  return captures.map(({ url, time }) => rows.find((row) => row.url === url && row.time === time)?.page);
}

/** Returns all captures of a page's URL, by time. */
export async function readPageCaptures(
  tables: FolderTables,
  { site, urlKey }: Pick<PageCaptureRow, 'site' | 'urlKey'>,
  { limit = 2000 } = {},
): Promise<PageCaptureRow[]> {
  return tables.rows<PageCaptureRow>(
    `SELECT ${COLUMNS} FROM pages WHERE site = ${quote(site)} AND url_key = ${quote(urlKey)}
     ORDER BY time, page LIMIT ${whole(limit)}`,
  );
}

/** Returns pages that may hold the body of a revisit: pages with its digest, or the capture that it names. */
export async function readOriginals(
  tables: FolderTables,
  { payloadDigest, url, time }: { payloadDigest: string; url: string; time: string },
): Promise<PageCaptureRow[]> {
  const digest = payloadDigest === '' ? 'false' : `payload_digest = ${quote(payloadDigest)}`;
  const capture = url === '' ? 'false' : `(url = ${quote(url)} AND time = ${quote(time)})`;
  return tables.rows<PageCaptureRow>(
    `SELECT ${COLUMNS} FROM pages WHERE ${digest} OR ${capture} ORDER BY time, page LIMIT 50`,
  );
}

/** Returns the ranges of a page by each detector, in the order of the run's options. */
export async function readRanges(
  tables: FolderTables,
  page: number,
): Promise<{ detector: string; ranges: Range[] }[]> {
  type Row = Omit<Range, 'role'> & { detector: string; role: Role | '' };
  const rows = await tables.rows<Row>(
    `SELECT detector, "start", "end", label, score, template, reason, role FROM ranges
     WHERE page = ${whole(page)} ORDER BY detector, "start"`,
  );
  return tables.run.options.detectors.map((detector) => ({
    detector,
    ranges: rows
      .filter((row) => row.detector === detector)
      .map(({ detector: _, role, score, ...range }) => ({
        ...range,
        score: Math.round(score * 10_000) / 10_000,
        ...(role === '' ? {} : { role }),
      })),
  }));
}

function whole(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`a whole number expected, not ${number}`);
  return number;
}

/** Returns the clean text of a page in the folder; '' when the folder has no text of it. */
export async function readStoredText(tables: FolderTables, page: number): Promise<string> {
  const rows = await tables.rows<{ text: string }>(
    `SELECT text FROM text WHERE page = ${whole(page)} LIMIT 1`,
  );
  return rows[0]?.text ?? '';
}

/**
 * Returns other URLs of the site with captures in the same two snapshots, with the earlier and the later capture of
 * each.
 */
export async function readPairs(
  tables: FolderTables,
  older: PageCaptureRow,
  newer: PageCaptureRow,
  { limit }: { limit: number },
): Promise<[older: PageCaptureRow, newer: PageCaptureRow][]> {
  const rows = await tables.rows<PageCaptureRow>(
    `WITH pairs AS (
       SELECT url_key, arg_min(page, time) FILTER (snapshot = ${quote(older.snapshot)}) AS first,
         arg_max(page, time) FILTER (snapshot = ${quote(newer.snapshot)}) AS second
       FROM pages WHERE site = ${quote(newer.site)} AND url_key <> ${quote(newer.urlKey)}
         AND snapshot IN (${quote(older.snapshot)}, ${quote(newer.snapshot)})
       GROUP BY url_key HAVING first IS NOT NULL AND second IS NOT NULL AND first <> second
       ORDER BY md5(url_key) LIMIT ${whole(limit)})
     SELECT ${COLUMNS} FROM pages WHERE page IN (SELECT first FROM pairs UNION SELECT second FROM pairs)
     ORDER BY url_key, time, page`,
  );
  const pairs: [PageCaptureRow, PageCaptureRow][] = [];
  for (let k = 0; k + 1 < rows.length; k += 2) {
    if (rows[k].urlKey === rows[k + 1].urlKey) pairs.push([rows[k], rows[k + 1]]);
  }
  return pairs;
}
