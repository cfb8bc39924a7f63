import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { JsonRows } from './json-rows.ts';

const NO_BYTES = new Uint8Array(0);

/** The lines of these rows, with their texts given as bytes. */
function linesOf(rows: { text: string }[], json = new JsonRows(16)): string[] {
  for (const row of rows) json.add({ ...row, text: '' }, Buffer.from(wellFormedJson(row.text).slice(1, -1)));
  return json.lines.toString().split('\n').slice(0, -1);
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'a.example',
    '"',
    '\\',
    '\u0001',
    '\ud800',
    '\ufffd',
    'é漢😀',
    'x'.repeat(600),
    '\n'.repeat(600),
  ),
);
const values = fc.oneof(
  texts,
  fc.constantFrom<unknown>(
    0,
    9,
    10,
    99,
    100,
    2 ** 31,
    1e12,
    1e12 + 1,
    2 ** 53 - 1,
    2 ** 53,
    -1,
    0.5,
    true,
    null,
    undefined,
    ['a', 1],
  ),
  fc.nat(),
);

test('lines are the rows as well-formed JSON', () => {
  const rows = fc.array(
    fc.record(
      { page: values, site: texts, 'a "key"': values, text: texts, more: values },
      { requiredKeys: ['text'] },
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(rows, (rows) => {
      expect(linesOf(rows)).toEqual(rows.map((row) => wellFormedJson(row)));
    }),
  );
});

test('keys keep their order in each row', () => {
  const rows = [
    { a: 'x', b: 'y', text: '', c: 'z' },
    { b: 'y', a: 'x', text: '', d: 'z' },
    { text: '', a: 'x', c: 'z' },
    { text: '', a: 'x', c: 'z' },
  ];
  expect(linesOf(rows)).toEqual(rows.map((row) => JSON.stringify(row)));
});

test('rows added after clearing equal the first ones', () => {
  const json = new JsonRows(1024);
  json.add({ site: 'a.example', text: '' }, NO_BYTES);
  json.clear();
  expect(json.size).toBe(0);
  json.add({ text: '', site: 'a.example' }, Buffer.from('overwrites'));
  json.clear();
  expect(linesOf([{ site: 'a.example', text: '' } as { text: string }], json)).toEqual([
    '{"site":"a.example","text":""}',
  ]);
});

test('a row without an empty text is refused, and nothing is added', () => {
  const json = new JsonRows(64);
  expect(() => json.add({ page: 1 }, NO_BYTES)).toThrow('empty text');
  expect(() => json.add({ page: 1, text: 'x' }, NO_BYTES)).toThrow('empty text');
  expect(json.size).toBe(0);
});
