import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from './database.ts';

let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(() => database.close());

test('`objects` returns the same rows as `rows`, in the same order', async () => {
  const sql = `SELECT k AS number, -k AS below, k * 10000000000 AS large, k / 7 AS ratio, (k / 7)::FLOAT AS short,
      'text "' || k || '" \\ é 漢 😀' || chr(10) || chr(9) || chr(1) AS text, CASE WHEN k % 3 = 0 THEN NULL ELSE k END AS some
    FROM range(10000) t(k) ORDER BY hash(k)`;
  type Row = Record<'number' | 'below' | 'large' | 'ratio' | 'short' | 'text' | 'some', unknown>;
  const columns = ['number', 'below', 'large', 'ratio', 'short', 'text', 'some'] as const;
  expect(await database.objects<Row>(sql, columns)).toEqual(await database.rows(sql));
});

test('columns that are not named are left out, and an empty result has no rows', async () => {
  const sql = 'SELECT k AS a, k + 1 AS b FROM range(2) t(k)';
  expect(await database.objects<{ b: number }>(sql, ['b'])).toEqual([{ b: 1 }, { b: 2 }]);
  expect(await database.objects<{ b: number }>(`${sql} WHERE k < 0`, ['b'])).toEqual([]);
});

test('a query gets the memory that it needs, and no more', async () => {
  const small = await Database.open({ memoryMb: 8, mostMb: 1024 });
  const sql = 'SELECT len(list(k)) AS n FROM range(1000000) t(k)';
  expect(await small.rows(sql)).toEqual([{ n: 1000000 }]);
  const [{ bound }] = await small.rows<{ bound: string }>("SELECT current_setting('memory_limit') AS bound");
  small.close();
  expect(parseFloat(bound)).toBeGreaterThan(8);
  expect(parseFloat(bound)).toBeLessThan(128);
});

test('a query that needs more than the highest limit fails', async () => {
  const small = await Database.open({ memoryMb: 2, mostMb: 4 });
  await expect(small.rows('SELECT len(list(k)) AS n FROM range(1000000) t(k)')).rejects.toThrow(
    'Out of Memory',
  );
  small.close();
});

test('a database without a spill folder spills nowhere', async () => {
  const small = await Database.open({ memoryMb: 16 });
  const [{ folder }] = await small.rows<{ folder: string }>(
    "SELECT current_setting('temp_directory') AS folder",
  );
  expect(folder).toBe('');
  await expect(small.rows('SELECT k FROM range(20000000) t(k) ORDER BY hash(k) OFFSET 100')).rejects.toThrow(
    'Out of Memory',
  );
  small.close();
});
