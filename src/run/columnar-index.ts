/**
 * Converts the columnar index of Common Crawl (Parquet, one row per capture) to lines of CDXJ, so that both indexes
 * have one reader. Lines are in the order of the archives, in which records are read.
 */
import { closeSync } from 'node:fs';
import { writeFully } from '../model/write-fully.ts';
import { makeSpoolFile, removeSpoolFile } from '../read/spool.ts';
import { Database, quoteFile } from '../store/database.ts';

/** Memory of the sort: 4 million rows need less than the first limit, and larger ones spill to disk. */
const SORT_MB = 512;
const MAX_SORT_MB = 4096;

const NEEDED = ['url', 'fetch_time', 'warc_filename', 'warc_record_offset', 'warc_record_length'];
/** Optional fields of a line: the first listed column that the file has and that is not NULL in the row. */
const OPTIONAL = {
  status: ['fetch_status'],
  // the type detected from the body is more reliable than the server's header
  mime: ['content_mime_detected', 'content_mime_type'],
  digest: ['content_digest'],
};

/**
 * Writes the lines to a temporary file, which the caller removes. Throws an Error when the file is not such an index.
 */
export async function writeIndexLines(parquet: string): Promise<string> {
  const { path, fd } = makeSpoolFile();
  const database = await Database.open({
    spillFolder: `${path}-spill`,
    memoryMb: SORT_MB,
    mostMb: MAX_SORT_MB,
  });
  try {
    const from = `read_parquet(${quoteFile(parquet)})`;
    const described = await database.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${from}`);
    const columns = new Set(described.map(({ column_name }) => column_name));
    const missing = NEEDED.filter((column) => !columns.has(column));
    if (missing.length > 0) throw new Error(`the Parquet file lacks the columns ${missing.join(', ')}`);
    const optional = Object.entries(OPTIONAL)
      .map(([name, among]) => [name, among.filter((column) => columns.has(column))] as const)
      .filter(([, among]) => among.length > 0)
      .map(([name, among]) => `${name}: coalesce(${among.join(', ')})`);
    const line = [
      'url: url',
      'filename: warc_filename',
      '"offset": warc_record_offset',
      'length: warc_record_length',
      ...optional,
    ];
    const query = `
      SELECT '- ' || strftime(CAST(fetch_time AS TIMESTAMP), '%Y%m%d%H%M%S') || ' '
        || CAST(to_json({${line.join(', ')}}) AS VARCHAR) AS line
      FROM ${from} WHERE ${NEEDED.map((column) => `${column} IS NOT NULL`).join(' AND ')}
      ORDER BY warc_filename, warc_record_offset`;
    for await (const rows of database.batches<{ line: string }>(query)) {
      writeFully(fd, Buffer.from(rows.map((row) => `${row.line}\n`).join('')));
    }
    return path;
  } catch (error) {
    removeSpoolFile(path);
    throw error;
  } finally {
    database.close();
    closeSync(fd);
  }
}
