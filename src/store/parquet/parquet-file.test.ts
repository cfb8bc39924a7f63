import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ColumnBuffer, type Schema } from '../../../test/column-buffer.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { Database, quote } from '../database.ts';
import { ParquetFile } from './parquet-file.ts';
import { GROUP_ROWS } from './parquet-metadata.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-parquet-'));
const database = await Database.open();
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const EVERY_TYPE = {
  a: 'UTINYINT',
  b: 'USMALLINT',
  c: 'UINTEGER',
  d: 'BIGINT',
  e: 'UBIGINT',
  f: 'FLOAT',
  g: 'BOOLEAN',
  h: 'VARCHAR',
  i: 'WORD',
} as const satisfies Schema;

type Value = number | bigint | string | boolean | null;

let files = 0;

function write(schema: Schema, rows: readonly Value[][]): string {
  const buffer = new ColumnBuffer(schema);
  for (const row of rows) buffer.add(...row);
  const path = join(folder, `${files++}.parquet`);
  buffer.toParquet(path);
  return path;
}

/** Rows as the database reads them, 64-bit numbers as BigInt. */
async function read(path: string): Promise<Value[][]> {
  const reader = await database.connection.runAndReadAll(`FROM read_parquet(${quote(path)})`);
  return reader.getRows() as Value[][];
}

test('values of every type are read back, also the least and the largest', async () => {
  const rows = [
    [0, 0, 0, -(2n ** 63n), 0n, -0.5, false, '', ''],
    [255, 65535, 4294967295, 2n ** 63n - 1n, 2n ** 64n - 1n, Math.fround(3.4e38), true, 'text', 'word'],
    [1, 1, 2147483648, 0n, 2n ** 63n, Math.fround(1e-45), false, 'text', 'another'],
  ];
  expect(await read(write(EVERY_TYPE, rows))).toEqual(rows);
});

test('columns have the types that the database gives its own files', async () => {
  const path = write(EVERY_TYPE, [[1, 2, 3, 4, 5, 6, true, 'h', 'i']]);
  const own = join(folder, 'own.parquet');
  const types = Object.values(EVERY_TYPE).map((type) => (type === 'WORD' ? 'VARCHAR' : type));
  const columns = Object.keys(EVERY_TYPE).map((name, k) => `1::${types[k]} AS ${name}`);
  await database.run(`COPY (SELECT ${columns.join(', ')}) TO ${quote(own)} (FORMAT parquet)`);
  const schemaOf = (file: string) =>
    database.rows(
      `SELECT name, type, repetition_type, num_children, converted_type, logical_type
       FROM parquet_schema(${quote(file)}) WHERE type IS NOT NULL`,
    );
  const schema = await schemaOf(path);
  expect(schema).toHaveLength(types.length);
  expect(schema).toEqual(await schemaOf(own));
  expect(await database.rows(`DESCRIBE FROM read_parquet(${quote(path)})`)).toEqual(
    await database.rows(`DESCRIBE FROM read_parquet(${quote(own)})`),
  );
});

test('a table without rows keeps its columns', async () => {
  const path = write(EVERY_TYPE, []);
  expect(await read(path)).toEqual([]);
  const described = await database.rows<{ column_type: string }>(
    `DESCRIBE FROM read_parquet(${quote(path)})`,
  );
  expect(described.map(({ column_type }) => column_type)).toEqual(
    Object.values(EVERY_TYPE).map((type) => (type === 'WORD' ? 'VARCHAR' : type)),
  );
});

test('any number of random rows is read back', async () => {
  const random = seededRandom(11);
  const below = (limit: number) => Math.floor(random() * limit);
  // few and many values, in long and short runs, and any of 32 and 64 bits
  const makeRow = (row: number): Value[] => [
    below(3) === 0 ? below(256) : 7,
    row % 500,
    below(2) === 0 ? below(2 ** 32) : row,
    BigInt(below(2 ** 32)) * BigInt(below(2 ** 21)) - 2n ** 52n,
    BigInt(below(2 ** 32)) * 2n ** 32n + BigInt(below(2 ** 32)),
    Math.fround(random()),
    below(9) === 0,
    below(4) === 0 ? null : below(2) === 0 ? `t${below(40)}` : `u${random()}`,
    `w${(row >> 4) % (1 + below(300))}`,
  ];
  for (const count of [1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 130, 257, 1000, 5003]) {
    const rows = Array.from({ length: count }, (_, row) => makeRow(row));
    expect(await read(write(EVERY_TYPE, rows))).toEqual(rows);
  }
});

test('rows beyond a group go to the next, with the words and bounds of each', async () => {
  const count = 2 * GROUP_ROWS + 5;
  const schema = { n: 'UINTEGER', word: 'WORD', text: 'VARCHAR' } as const satisfies Schema;
  const buffer = new ColumnBuffer(schema);
  for (let n = 0; n < count; n++) buffer.add(n, `w${n >> 12}`, `text ${n % 1000}`);
  const path = join(folder, 'groups.parquet');
  buffer.toParquet(path);
  const [found] = await database.rows(
    `SELECT count(*) AS rows, bool_and(n = file_row_number AND word = 'w' || (n >> 12) AND text = 'text ' || n % 1000) AS same
     FROM read_parquet(${quote(path)}, file_row_number = true)`,
  );
  expect(found).toEqual({ rows: count, same: true });
  const groups = await database.rows(
    `SELECT row_group_num_rows AS rows, stats_min_value AS least, stats_max_value AS largest, stats_null_count AS nulls
     FROM parquet_metadata(${quote(path)}) WHERE path_in_schema = 'n' ORDER BY row_group_id`,
  );
  expect(groups).toEqual([
    { rows: GROUP_ROWS, least: '0', largest: `${GROUP_ROWS - 1}`, nulls: 0 },
    { rows: GROUP_ROWS, least: `${GROUP_ROWS}`, largest: `${2 * GROUP_ROWS - 1}`, nulls: 0 },
    { rows: 5, least: `${2 * GROUP_ROWS}`, largest: `${count - 1}`, nulls: 0 },
  ]);
  const distinct = await database.rows<{ words: number }>(
    `SELECT stats_distinct_count AS words FROM parquet_metadata(${quote(path)})
     WHERE path_in_schema = 'word' ORDER BY row_group_id`,
  );
  expect(distinct.map(({ words }) => words)).toEqual([30, 30, 1]);
});

test('rows are added group by group, and what was added stays', async () => {
  const buffer = new ColumnBuffer({ n: 'UINTEGER', word: 'WORD', text: 'VARCHAR' });
  const path = join(folder, 'added.parquet');
  const file = new ParquetFile(path, buffer.columns);
  for (let group = 0; group < 3; group++) {
    for (let n = 0; n < 10; n++) buffer.add(10 * group + n, `w${group}`, `t${group}`);
    file.add(buffer.rowCount);
    buffer.clear();
  }
  file.close();
  const rows = await read(path);
  expect(rows).toEqual(
    Array.from({ length: 30 }, (_, n) => [n, `w${Math.floor(n / 10)}`, `t${Math.floor(n / 10)}`]),
  );
});

test('texts of all kinds of characters are read back, plain and from a dictionary', async () => {
  const texts = [
    '',
    'plain',
    'it\'s "quoted"',
    'nul \0 inside',
    '\t\r\n\u0001\u001f\u007f',
    'Straße café ñ',
    'ελληνικά русский עברית العربية हिन्दी',
    '東京 한국어 ไทย',
    '😀👩‍👩‍👧‍👦🏳️‍🌈',
    'a bom \ufeff \ufffd \uffff \ue000',
    'e\u0301 combining',
  ];
  const schema = { text: 'VARCHAR', word: 'WORD' } as const satisfies Schema;
  const plain = texts.map((text) => [text, text]);
  expect(await read(write(schema, plain))).toEqual(plain);
  const repeated = Array.from({ length: 500 }, (_, row) => Array(2).fill(texts[(row * 7) % texts.length]));
  expect(await read(write(schema, repeated))).toEqual(repeated);
});

test('half of a surrogate pair becomes the replacement character, also where it is the largest', async () => {
  const path = write({ text: 'VARCHAR' }, [['a\ud83d'], ['\udc00'], ['\ufffe']]);
  expect(await read(path)).toEqual([['a\ufffd'], ['\ufffd'], ['\ufffe']]);
  const [{ n }] = await database.rows(
    `SELECT count(*) AS n FROM read_parquet(${quote(path)}) WHERE text = chr(65534)`,
  );
  expect(n).toBe(1);
});

test('many very long texts are read back', async () => {
  const long = 'ä'.repeat(3_000_000);
  const rows = [[long], ['short'], [`${long}!`], [null], ['']];
  expect(await read(write({ text: 'VARCHAR' }, rows))).toEqual(rows);
  // more than a page of them
  const many = Array.from({ length: 3000 }, (_, row) => [`${row} ${'lorem ipsum '.repeat(100)}`]);
  expect(await read(write({ text: 'VARCHAR' }, many))).toEqual(many);
});

test('columns may be all null, or null now and then', async () => {
  const schema = { none: 'VARCHAR', some: 'VARCHAR', few: 'VARCHAR' } as const satisfies Schema;
  const rows = Array.from({ length: 1000 }, (_, row) => [
    null,
    row % 3 === 0 ? null : `text ${row}`,
    row % 100 === 0 ? 'seldom' : null,
  ]);
  const path = write(schema, rows);
  expect(await read(path)).toEqual(rows);
  const nulls = await database.rows<{ nulls: number }>(
    `SELECT stats_null_count AS nulls FROM parquet_metadata(${quote(path)})`,
  );
  expect(nulls.map(({ nulls }) => nulls)).toEqual([1000, 334, 990]);
});

test('NaN and both zeros are read back and found', async () => {
  const rows = [[Number.NaN], [0], [-0], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY]];
  const path = write({ f: 'FLOAT' }, rows);
  expect(await read(path)).toEqual(rows);
  const counts = async (file: string) =>
    database.rows(
      `SELECT count(*) FILTER (isnan(f)) AS nan, count(*) FILTER (f = 0) AS zeros FROM read_parquet(${quote(file)})`,
    );
  expect(await counts(path)).toEqual([{ nan: 1, zeros: 2 }]);
  const zeros = write({ f: 'FLOAT' }, [[-0], [0]]);
  expect(await database.rows(`SELECT count(*) AS n FROM read_parquet(${quote(zeros)}) WHERE f = 0`)).toEqual([
    { n: 2 },
  ]);
});

test('every value is found by a query that skips row groups by their bounds', async () => {
  const random = seededRandom(5);
  const values = Array.from({ length: 60 }, () =>
    String.fromCodePoint(
      ...Array.from(
        { length: 3 },
        () => [0x41, 0xe9, 0xd7ff, 0xe000, 0xffee, 0x1f600, 0x10fffd][Math.floor(random() * 7)],
      ),
    ),
  );
  const schema = { text: 'VARCHAR', n: 'BIGINT', u: 'UBIGINT' } as const satisfies Schema;
  const buffer = new ColumnBuffer(schema);
  const path = join(folder, 'bounds.parquet');
  const file = new ParquetFile(path, buffer.columns);
  const rows = values.map((text) => {
    const any = BigInt(Math.floor(random() * 2 ** 32)) * 2n ** 32n + BigInt(Math.floor(random() * 2 ** 32));
    return [text, BigInt.asIntN(64, any), any] as const;
  });
  for (const [row, values] of rows.entries()) {
    buffer.add(...values);
    if (row % 5 < 4) continue;
    file.add(buffer.rowCount);
    buffer.clear();
  }
  file.close();
  for (const [text, n, u] of rows) {
    const found = await database.rows(
      `SELECT DISTINCT 1 AS found FROM read_parquet(${quote(path)}) WHERE text = ${quote(text)} AND n = ${n} AND u = ${u}::UBIGINT`,
    );
    expect(found).toEqual([{ found: 1 }]);
  }
});

test('a table may have many columns', async () => {
  const names = Array.from({ length: 200 }, (_, k) => `column ${k}`);
  const path = write(Object.fromEntries(names.map((name) => [name, 'UINTEGER'])), [names.map((_, k) => k)]);
  expect(await database.rows(`FROM read_parquet(${quote(path)})`)).toEqual([
    Object.fromEntries(names.map((name, k) => [name, k])),
  ]);
});

test('a file that cannot be written leaves nothing behind for the next', async () => {
  const buffer = new ColumnBuffer({ n: 'UINTEGER', text: 'VARCHAR' });
  buffer.add(1, 'text');
  const broken = new ParquetFile(join(folder, 'broken.parquet'), buffer.columns);
  buffer.columns[1].texts[0] = 5 as unknown as string;
  expect(() => broken.add(1)).toThrow();
  const next = write({ n: 'UINTEGER' }, [[7]]);
  broken.close();
  expect(await read(next)).toEqual([[7]]);
});

test('the same rows make the same bytes', () => {
  const rows = Array.from({ length: 3000 }, (_, n) => [n, `page ${n}`, `reason ${n % 9}`]);
  const paths = [0, 1].map(() => write({ n: 'UINTEGER', text: 'VARCHAR', word: 'WORD' }, rows));
  expect(readFileSync(paths[0]).equals(readFileSync(paths[1]))).toBe(true);
});
