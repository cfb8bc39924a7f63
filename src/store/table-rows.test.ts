import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Database, quote } from './database.ts';
import { bool, f32, i64, text, u32, word } from './table.ts';
import { TableRows } from './table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const database = await Database.open();
afterAll(() => database.close());

test('rows of every type are read back from Parquet unchanged', async () => {
  const buffer = new TableRows({
    a: u32(),
    b: text(),
    c: word(),
    d: i64(),
    e: f32(),
    f: bool(),
  });
  buffer.add({ a: 4294967295, b: "it's", c: 'ja', d: 2 ** 52, e: 0.5, f: true });
  // names count, not their order
  buffer.add({ f: false, e: 0, d: -1, c: '', b: 'Straße 東京', a: 0 });
  const path = join(folder, 'types.parquet');
  buffer.toParquet(path);
  expect(await database.rows(`SELECT * FROM read_parquet(${quote(path)})`)).toEqual([
    { a: 4294967295, b: "it's", c: 'ja', d: 2 ** 52, e: 0.5, f: true },
    { a: 0, b: 'Straße 東京', c: '', d: -1, e: 0, f: false },
  ]);
});

test('more rows than a chunk and more words than a byte keep their order', async () => {
  const buffer = new TableRows({ n: u32(), word: word() });
  for (let n = 0; n < 5000; n++) buffer.add({ n, word: `w${n % 700}` });
  const path = join(folder, 'many.parquet');
  buffer.toParquet(path);
  const rows = await database.rows<{ n: number; word: string }>(`SELECT * FROM read_parquet(${quote(path)})`);
  expect(rows).toHaveLength(5000);
  expect(rows.every(({ n, word }, k) => n === k && word === `w${n % 700}`)).toBe(true);
});

test('no rows make an empty file, and a cleared buffer starts again', async () => {
  const buffer = new TableRows({ n: u32(), word: word(), text: text() });
  buffer.add({ n: 1, word: 'a', text: 'b' });
  buffer.clear();
  const path = join(folder, 'empty.parquet');
  buffer.toParquet(path);
  expect(await database.rows(`SELECT count(*) AS n FROM read_parquet(${quote(path)})`)).toEqual([{ n: 0 }]);
});

test('the same rows make the same bytes', () => {
  const files = ['one', 'two'].map((name) => join(folder, `${name}.parquet`));
  for (const path of files) {
    const buffer = new TableRows({ n: u32(), text: text(), word: word() });
    for (let n = 0; n < 3000; n++) buffer.add({ n, text: `page ${n}`, word: `reason ${n % 9}` });
    buffer.toParquet(path);
  }
  expect(readFileSync(files[0]).equals(readFileSync(files[1]))).toBe(true);
});

test('a row of the wrong shape does not compile', () => {
  const rows = new TableRows({ n: u32(), name: text(), isNew: bool() });
  rows.add({ n: 1, name: 'a', isNew: true });
  // @ts-expect-error a column is missing
  rows.add({ n: 1, name: 'a' });
  // @ts-expect-error there is no such column
  rows.add({ n: 1, name: 'a', isNew: true, more: 1 });
  // @ts-expect-error of another type
  rows.add({ n: 'a', name: 'a', isNew: true });
  expect(rows.rowCount).toBe(4);
});
