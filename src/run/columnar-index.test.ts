/** A columnar index that is larger than the memory of the database is sorted with temporary files. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { removeSpoolFile } from '../read/spool.ts';
import { Database, quote } from '../store/database.ts';
import { writeIndexLines } from './columnar-index.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes minutes

const folder = mkdtempSync(join(tmpdir(), 'chaff-columnar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('lines of 300 MB are written in the order of the archives', async () => {
  const parquet = join(folder, 'index.parquet');
  const rows = 150_000;
  const database = await Database.open();
  await database.run(`
    COPY (SELECT 'http://a.example/' || i || '?' || repeat('q', 2000) AS url, TIMESTAMP '2024-01-01' AS fetch_time,
        'archive-' || (hash(i) % 9) || '.warc.gz' AS warc_filename,
        i AS warc_record_offset, 100 AS warc_record_length
      FROM range(${rows}) AS t(i)) TO ${quote(parquet)} (ROW_GROUP_SIZE 4096)`);
  database.close();
  const path = await writeIndexLines(parquet);
  let count = 0;
  let last = '';
  const text = readFileSync(path);
  removeSpoolFile(path);
  for (let at = 0; at < text.length; count++) {
    const end = text.indexOf(10, at);
    const line = JSON.parse(text.toString('latin1', text.indexOf('{', at), end));
    const key = `${line.filename} ${String(line.offset).padStart(9, '0')}`;
    if (key <= last) throw new Error(`${key} after ${last}`);
    last = key;
    at = end + 1;
  }
  expect(count).toBe(rows);
});
