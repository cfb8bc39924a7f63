import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { TextRows } from './json-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-text-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(rows: { row: object; text: string }[]): { file: Buffer; lines: string[] } {
  const path = join(folder, 'rows.jsonl.gz');
  const writer = new TextRows(path);
  for (const { row, text } of rows) writer.add(row, Buffer.from(JSON.stringify(text).slice(1, -1)));
  writer.close();
  const file = readFileSync(path);
  return { file, lines: file.length === 0 ? [] : gunzipSync(file).toString().split('\n').slice(0, -1) };
}

/** The places of a gzip file where a member begins, header with no name. */
function members(file: Buffer): number {
  const magic = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]);
  let count = 0;
  for (let at = file.indexOf(magic); at >= 0; at = file.indexOf(magic, at + 1)) count++;
  return count;
}

test('a row equals the output of JSON.stringify, whatever its text', () => {
  const controls = String.fromCharCode(...Array.from({ length: 0x21 }, (_, code) => code), 0x7f);
  const texts = [
    '',
    'plain',
    `say "hi" \\ back${controls}`,
    'é – 漢字 😀\u2028',
    'x\n'.repeat(100_000),
    '\x01'.repeat(70_000),
  ];
  const rows = texts.map((text, page) => ({
    row: { page, title: `"text":"" ${page}`, text: '', file: 'a' },
    text,
  }));
  const { lines } = write(rows);
  expect(lines).toEqual(rows.map(({ row, text }) => JSON.stringify({ ...row, text })));
});

test('rows are compressed in blocks of a million bytes', () => {
  const row = { text: '' };
  const shell = JSON.stringify(row).length + 1;
  for (const character of ['a', '\n', 'é', '漢', '😀']) {
    const width = Buffer.byteLength(JSON.stringify(character)) - 2;
    const half = character.repeat(Math.ceil(((1 << 19) - shell) / width));
    const less = character.repeat(Math.floor(((1 << 19) - shell - 1) / width));
    const one = { row, text: 'x' };
    expect(members(write([{ row, text: half }, { row, text: half }, one]).file)).toBe(2);
    expect(members(write([{ row, text: less }, { row, text: less }, one]).file)).toBe(1);
  }
});

test('no rows make an empty file', () => {
  expect(write([]).file.length).toBe(0);
});

test('a row without a place for its text is refused', () => {
  expect(() => write([{ row: { page: 1 }, text: 'x' }])).toThrow('empty text');
});
