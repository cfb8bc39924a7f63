import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressLine } from './progress.ts';

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
