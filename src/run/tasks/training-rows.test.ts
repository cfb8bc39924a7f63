import { expect, test } from 'vitest';
import { HEAD_WIDTH, RowSampler, rowKey } from './training-rows.ts';

const HEAD = [1, 2, 3];

test('all rows are kept while there are few', () => {
  const sampler = new RowSampler(2, 10);
  sampler.add(5, HEAD, Float32Array.of(9, 7, 8), 1);
  expect([...sampler.take()]).toEqual([...HEAD, 7, 8]);
  expect(sampler.take()).toHaveLength(0);
});

test('of many rows those with the smallest keys are kept, in the order they came', () => {
  const keys = Array.from({ length: 5000 }, (_, row) => rowKey(77, row));
  const sampler = new RowSampler(1, 300);
  for (const [row, key] of keys.entries()) sampler.add(key, HEAD, Float32Array.of(row), 0);
  const highest = [...keys].sort((a, b) => a - b)[299];
  const expected = keys.flatMap((key, row) => (key <= highest ? [row] : []));
  const rows = sampler.take();
  const kept = expected.map((_, k) => rows[k * (HEAD_WIDTH + 1) + HEAD_WIDTH]);
  expect(rows).toHaveLength(300 * (HEAD_WIDTH + 1));
  expect(kept).toEqual(expected);
});

test('rows of equal keys are kept up to the bound', () => {
  const sampler = new RowSampler(1, 3);
  for (let row = 0; row < 50; row++) sampler.add(row === 20 ? 0 : 1, HEAD, Float32Array.of(row), 0);
  const rows = sampler.take();
  expect([0, 1, 2].map((k) => rows[k * (HEAD_WIDTH + 1) + HEAD_WIDTH])).toContain(20);
  expect(rows).toHaveLength(3 * (HEAD_WIDTH + 1));
});
