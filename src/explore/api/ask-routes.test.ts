import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreSample } from '../../../test/explore-folder.ts';
import { Database } from '../../store/database.ts';
import type { AskResult } from '../../store/explore/ask-folder.ts';
import type { AskFacts } from './ask-routes.ts';

let sample: ExploredSample;

beforeAll(async () => {
  sample = await exploreSample();
});
afterAll(() => sample?.close());

const ask = (query: unknown, options: RequestInit = {}) =>
  sample.ask('/api/ask', { method: 'POST', body: JSON.stringify({ query }), ...options });
const exported = (query: string, format: string) =>
  sample.ask(`/api/ask/export?${new URLSearchParams({ query, format })}`);

test('a query is answered with columns, rows and whether there are more', async () => {
  const answer = (await (await ask('SELECT 1 AS a, [2] AS b, 9007199254740993 AS c')).json()) as AskResult;
  expect(answer).toMatchObject({ rows: [[1, [2], '9007199254740993']], more: false });
  expect(answer.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  const many = (await (await ask('FROM range(6000)')).json()) as AskResult;
  expect(many.rows).toHaveLength(5000);
  expect(many.more).toBe(true);
});

test('wrong queries return the message of the database', async () => {
  for (const [query, words] of [
    ['SELEC 1', /syntax error/],
    ['SELECT nothing FROM pages', /nothing/],
    ['SELECT 1; SELECT 2', /one query at a time/],
    ['', /empty/],
    [17, /empty/],
  ] as const) {
    const answer = await ask(query);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toMatch(words);
  }
});

test('a query reads nothing outside the folder and writes nothing', async () => {
  const secret = join(sample.folder, '../secret.csv');
  writeFileSync(secret, 'a\nsecret\n');
  for (const query of [
    `SELECT * FROM read_csv('${secret}')`,
    `SELECT * FROM '${secret}'`,
    `SELECT content FROM read_text('${sample.folder}/../secret.csv')`,
    "SELECT content FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT getenv('HOME')",
    `COPY (SELECT 1) TO '${sample.folder}/out.csv'`,
    'CREATE TABLE t AS SELECT 1',
    "ATTACH '/tmp/x.db'",
    'INSTALL httpfs',
    "SET memory_limit = '1TB'",
    'PRAGMA version; SELECT 1',
  ]) {
    const answer = await ask(query);
    expect([query, answer.status]).toEqual([query, 400]);
    expect(await answer.text()).not.toContain('secret\\n');
  }
});

test('a cancelled query stops, and the next one is answered', async () => {
  const stop = new AbortController();
  const endless = ask('SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b', {
    signal: stop.signal,
  });
  const refused = expect(endless).rejects.toThrow(/abort/i);
  setTimeout(() => stop.abort(), 300);
  await refused;
  // queries wait for each other: this one is answered when the endless one has ended
  expect((await ask('SELECT 1')).status).toBe(200);
}, 20_000);

test('all rows come as CSV, JSON lines and Parquet', async () => {
  const query = `SELECT range AS n, 'a,"b"' AS t, [range::INTEGER] AS l FROM range(7000)`;
  const csv = await exported(query, 'csv');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="chaff-query.csv"');
  const lines = (await csv.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(7001);
  expect(lines[1]).toBe('0,"a,""b""",[0]');
  const rows = (await (await exported(query, 'jsonl')).text()).trimEnd().split('\n');
  expect(JSON.parse(rows[6999])).toEqual({ n: 6999, t: 'a,"b"', l: [6999] });
  const file = join(sample.folder, '../export.parquet');
  writeFileSync(file, new Uint8Array(await (await exported(query, 'parquet')).arrayBuffer()));
  const database = await Database.open();
  try {
    const [sum] = await database.rows(
      `SELECT count(*) AS n, sum(n) AS total, max(len(l)) AS l FROM '${file}'`,
    );
    expect(sum).toMatchObject({ n: 7000, l: 1 });
  } finally {
    database.close();
  }
});

test('the queries of the report are ready, and those that need more say what', async () => {
  const { queries, tables } = (await (await sample.ask('/api/ask')).json()) as AskFacts;
  expect(tables.find(({ name }) => name === 'ranges')?.columns).toContain('template');
  const ready = queries.filter(({ needs }) => needs === '');
  expect(ready.length).toBeGreaterThan(8);
  expect(queries.find(({ name }) => name === 'redesigns')?.needs).toBe('chaff history');
  expect(queries.find(({ name }) => name === 'category-shares')?.needs).toBe('chaff report --categories');
});

test('an export of a wrong query is refused', async () => {
  const wrong = await exported('SELECT nothing FROM nowhere', 'csv');
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({ error: expect.stringContaining('nowhere') });
});
