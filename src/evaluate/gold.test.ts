import { expect, test } from 'vitest';
import { parseGold } from './gold.ts';

const parse = (...lines: string[]) => parseGold(new TextEncoder().encode(lines.join('\n')), 'gold.jsonl');

test('a row gives what its set knows', () => {
  const { rows, problems } = parse(
    '{"url":"http://a.example/1","site":"a.example","set":"s","text":"Τα νέα","comments":"so so","lang":"Greek","type":"article"}',
    '{"url":"http://a.example/2","blocks":[[0,"Home"],[2,"Story"]],"drop":["Advertisement"," "]}',
  );
  expect(problems).toEqual([]);
  expect(rows[0]).toMatchObject({ text: 'Τα νέα', comments: 'so so', lang: 'Greek', type: 'article' });
  expect(rows[1]).toEqual({
    url: 'http://a.example/2',
    site: '',
    set: '',
    keep: [],
    drop: ['Advertisement'],
    blocks: [
      { label: 0, text: 'Home' },
      { label: 2, text: 'Story' },
    ],
  });
});

test('attribute values join the snippets to keep, each once', () => {
  const { rows } = parse('{"url":"u:1","keep":["$5"],"attributes":{"price":["$5"],"name":"Pen","size":[]}}');
  expect(rows[0].keep).toEqual(['$5', 'Pen']);
});

test('a bad row is reported with its line and costs no other row', () => {
  const { rows, problems } = parse(
    '{"url":"u:1"}',
    '',
    '{"url":',
    '[]',
    '{"text":"no url"}',
    '{"url":"u:2","keep":"x"}',
    '{"url":"u:2","blocks":[[9,"x"]]}',
    '{"url":"u:2","attributes":{"a":1}}',
    '{"url":"u:1","text":"again"}',
    '{"url":"u:3"}',
  );
  expect(rows.map(({ url }) => url)).toEqual(['u:1', 'u:3']);
  expect(problems.map(({ code }) => code)).toEqual(Array(7).fill('bad-row'));
  expect(problems[0]).toMatchObject({ file: 'gold.jsonl', offset: 15 });
  expect(problems.map(({ message }) => message.split(' left out')[0])).toEqual(
    [3, 4, 5, 6, 7, 8, 9].map((line) => `line ${line}`),
  );
  expect(problems[6].message).toBe('line 9 left out: url already on line 1');
});

test('a row may name the time of its capture; rows of other times are other pages', () => {
  const text = [
    '{"url":"http://a.example/","time":"2016-09-21T22:45:49Z"}',
    '{"url":"http://a.example/","time":"20161022030429"}',
    '{"url":"http://a.example/"}',
    '{"url":"http://a.example/","time":"2016-09-21T22:45:49Z"}',
    '{"url":"http://a.example/","time":"soon"}',
  ].join('\n');
  const { rows, problems } = parseGold(new TextEncoder().encode(text), 'gold.jsonl');
  expect(rows.map(({ time }) => time)).toEqual(['2016-09-21T22:45:49Z', '2016-10-22T03:04:29Z', undefined]);
  expect(problems.map(({ message }) => message)).toEqual([
    'line 4 left out: url already on line 1',
    expect.stringContaining('line 5 left out: time must be ISO 8601'),
  ]);
});
