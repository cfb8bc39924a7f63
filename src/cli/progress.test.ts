import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { describe, progressLine } from './progress.ts';

test.each([
  [undefined, 79],
  [0, 79],
  [20, 19],
])('a line on a terminal of %j columns does not wrap', (columns, most) => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
  const pages = Number.MAX_SAFE_INTEGER;
  progressLine(stderr).update({
    stage: 'a stage with a name as long as a line '.repeat(3),
    done: 1,
    total: 2,
    pages,
    bytes: 0,
  });
  expect(String(stderr.read()).replace('\r\x1b[K', '')).toHaveLength(most);
});

test('the line shows the elapsed time, and the remaining time once it can be estimated', () => {
  const half = { stage: 'label', done: 5, total: 10, pages: 1, bytes: 0 };
  expect(describe(half, 70, 60)).toMatch(/ 50 % {2}70 s, about 60 s left {2}1 page$/);
  expect(describe({ ...half, done: 0 }, 12, 10)).toMatch(/ 0 % {2}12 s {2}1 page$/);
  expect(describe({ ...half, done: 1 }, 1800, 1800)).toContain('30 min, about 4 h 30 min left');
});

test('the clock moves while nothing is reported, and stops when the line is cleared', async () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const line = progressLine(stderr);
  line.update({ stage: 'label', done: 0, total: 1, pages: 0, bytes: 0 });
  await new Promise((resolve) => setTimeout(resolve, 2200));
  line.clear();
  const drawn = String(stderr.read()).split('label').length - 1;
  expect(drawn).toBeGreaterThanOrEqual(2);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(stderr.read()).toBeNull();
});
