import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { runReport } from '../run/report-run.ts';
import { FolderSql } from './folder-sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-sql-'));
let sql: FolderSql;

beforeAll(async () => {
  const { warc } = await writeSampleArchive(folder, { sites: 1, pagesPerSite: 6, languages: ['en'] });
  await runReport([warc], { output: join(folder, 'a.chaff'), workers: 0 });
  sql = await FolderSql.open(join(folder, 'a.chaff'));
});
afterAll(() => {
  sql.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a signal stops a query that computes', async () => {
  const query = 'SELECT count(*) FROM range(1000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 3';
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('asked to stop')), 200);
  await expect(sql.query(query, { signal: stop.signal }).then(({ rows }) => last(rows))).rejects.toThrow(
    /interrupt|asked to stop/i,
  );
});

test('rows interrupted by a signal throw at the end', async () => {
  const stop = new AbortController();
  const { rows } = await sql.query('SELECT a.range FROM range(100000000) a', { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('asked to stop')), 200);
  await expect(last(rows)).rejects.toThrow(/interrupt|asked to stop/i);
});

async function last<T>(rows: AsyncIterable<T>): Promise<T | undefined> {
  let found: T | undefined;
  for await (const batch of rows) found = batch;
  return found;
}
