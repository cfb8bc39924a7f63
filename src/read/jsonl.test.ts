import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Input } from './raw-record.ts';
import { closeInput, readPages } from './read-captures.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const row = (fields: object) => JSON.stringify({ url: 'http://a.example/', html: '<p>text', ...fields });

/** The events of a good row, the given row and another good row. */
function readBetween(odd: string) {
  const path = join(folder, 'rows.jsonl');
  const text = `${row({ url: 'http://a.example/1' })}\n${odd}\n${row({ url: 'http://a.example/3' })}\n`;
  writeFileSync(path, text);
  const input: Input = { name: 'rows.jsonl', path, format: 'jsonl', sizeBytes: text.length, spooled: false };
  const events = [...readPages(input)];
  closeInput(input);
  return {
    pages: events.flatMap((event) => (event.kind === 'page' ? [event.page] : [])),
    problems: events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : event.problems)),
  };
}

const oddTimes: [name: string, time: string][] = [
  ['an object without toString', '{"toString":null}'],
  ['a deeply nested list', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['true', 'true'],
  ['half a character', '"\\ud800"'],
];

for (const [name, time] of oddTimes) {
  test(`a row whose time is ${name} is a page without a time, and reading continues after it`, () => {
    const { pages, problems } = readBetween(`{"url":"http://a.example/2","html":"<p>text","time":${time}}`);
    expect(pages.map(({ url, time }) => [url, time])).toEqual([
      ['http://a.example/1', ''],
      ['http://a.example/2', ''],
      ['http://a.example/3', ''],
    ]);
    expect(problems).toMatchObject([{ code: 'bad-date' }]);
    expect(problems[0].message.isWellFormed()).toBe(true);
  });
}

test('a row that is not a JSON object with url and html costs only itself', () => {
  const odd = ['[', '{"url":1,"html":"x"}', '{"html":"x"}', '{"url":"http://a/","html":{}}', 'null'];
  odd.push(`${'['.repeat(200_000)}`);
  for (const text of odd) {
    const { pages, problems } = readBetween(text);
    expect(pages.map(({ url }) => url)).toEqual(['http://a.example/1', 'http://a.example/3']);
    expect(problems).toMatchObject([
      { code: 'bad-row', offset: row({ url: 'http://a.example/1' }).length + 1 },
    ]);
  }
});

test('a lone surrogate in a URL is replaced, so that all output text is well formed', () => {
  const { pages } = readBetween('{"url":"http://a.example/\\udc00","html":"<p>\\ud800"}');
  expect(pages[1].url).toBe('http://a.example/\ufffd');
  expect(Buffer.from(pages[1].source).toString()).toBe('<p>\ufffd');
});
