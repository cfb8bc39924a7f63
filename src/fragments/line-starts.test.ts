import { expect, test } from 'vitest';
import { LineStarts } from './digest.ts';

test.each([
  ['one line', 'abc', [0, 3], ['1:1', '1:4']],
  [
    'lines and their ends',
    'a\nbc\n\nd',
    [0, 1, 2, 4, 5, 6, 7],
    ['1:1', '1:2', '2:1', '2:3', '3:1', '4:1', '4:2'],
  ],
  ['back to an earlier line', 'a\nb\nc', [4, 0, 2], ['3:1', '1:1', '2:1']],
  ['carriage returns before line feeds', 'a\r\nb', [2, 3], ['1:3', '2:1']],
  ['carriage returns alone', 'a\rb', [2], ['2:1']],
  ['columns are bytes', 'é\nüb', [4, 5], ['2:2', '2:3']],
  ['an empty page', '', [0], ['1:1']],
])('%s', (_, text, offsets, places) => {
  const lines = new LineStarts();
  lines.read(Buffer.from(`${'x\n'.repeat(3000)}`));
  lines.read(Buffer.from(text));
  const [line, column] = [new Uint32Array(offsets.length), new Uint32Array(offsets.length)];
  lines.find(Uint32Array.from(offsets), offsets.length, line, column);
  expect(offsets.map((__, k) => `${line[k]}:${column[k]}`)).toEqual(places);
});
