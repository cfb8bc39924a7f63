import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ColumnBuffer } from './column-buffer.ts';
import { Database, quote } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const database = await Database.open();
afterAll(() => database.close());

test('rows of every type come back from Parquet as they went in', async () => {
  const buffer = new ColumnBuffer({
    a: 'UINTEGER',
    b: 'VARCHAR',
    c: 'WORD',
    d: 'BIGINT',
    e: 'FLOAT',
    f: 'BOOLEAN',
  });
  buffer.add(4294967295, "it's", 'ja', 2 ** 52, 0.5, true);
  buffer.add(0, 'Straße 東京', '', -1, 0, false);
  const path = join(folder, 'types.parquet');
  buffer.toParquet(path);
  expect(await database.rows(`SELECT * FROM read_parquet(${quote(path)})`)).toEqual([
    { a: 4294967295, b: "it's", c: 'ja', d: 2 ** 52, e: 0.5, f: true },
    { a: 0, b: 'Straße 東京', c: '', d: -1, e: 0, f: false },
  ]);
});

test('more rows than a chunk and more words than a byte keep their order', async () => {
  const buffer = new ColumnBuffer({ n: 'UINTEGER', word: 'WORD' });
  for (let n = 0; n < 5000; n++) buffer.add(n, `w${n % 700}`);
  const path = join(folder, 'many.parquet');
  buffer.toParquet(path);
  const rows = await database.rows<{ n: number; word: string }>(`SELECT * FROM read_parquet(${quote(path)})`);
  expect(rows).toHaveLength(5000);
  expect(rows.every(({ n, word }, k) => n === k && word === `w${n % 700}`)).toBe(true);
});

test('no rows make an empty file, and a cleared buffer starts anew', async () => {
  const buffer = new ColumnBuffer({ n: 'UINTEGER', word: 'WORD', text: 'VARCHAR' });
  buffer.add(1, 'a', 'b');
  buffer.clear();
  const path = join(folder, 'empty.parquet');
  buffer.toParquet(path);
  expect(await database.rows(`SELECT count(*) AS n FROM read_parquet(${quote(path)})`)).toEqual([{ n: 0 }]);
});

test('the same rows make the same bytes', () => {
  const files = ['one', 'two'].map((name) => join(folder, `${name}.parquet`));
  for (const path of files) {
    const buffer = new ColumnBuffer({ n: 'UINTEGER', text: 'VARCHAR', word: 'WORD' });
    for (let n = 0; n < 3000; n++) buffer.add(n, `page ${n}`, `reason ${n % 9}`);
    buffer.toParquet(path);
  }
  expect(readFileSync(files[0]).equals(readFileSync(files[1]))).toBe(true);
});
