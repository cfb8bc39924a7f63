/**
 * `--preset ma-gu-2005` on an archive of five captures that is counted by hand. The three blocks and their sizes, which
 * are bytes of names, attribute names, attribute values and texts:
 *
 *   A  <div class="menu"><p>…a…</p></div>   3 + 5 + 4 + 1 + 300 = 313
 *   B  <ul><li>…b…</li></ul>                2 + 2 + 260         = 264
 *   C  <p>…c…</p>                           1 + 254             = 255: one below MIN_FRAG_SIZE
 *
 * A and B stand side by side on /1 and /2, A alone on /3, B alone on /4; /1 was captured twice, the second time with
 * other words around. C is on all of them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../../test/command-line.ts';
import { httpHeadOf, warcRecord } from '../../research/generated-sites/write-archive.ts';

const scratch = mkdtempSync(join(tmpdir(), 'chaff-ma-gu-'));
const archive = join(scratch, 'five.warc');
const A = `<div class="menu"><p>${'a'.repeat(300)}</p></div>`;
const B = `<ul><li>${'b'.repeat(260)}</li></ul>`;
const C = `<p>${'c'.repeat(254)}</p>`;

beforeAll(() => {
  const captures: [path: string, time: string, html: string][] = [
    ['1', '2005-04-01T00:00:00Z', `first\n${A}${B}${C}`],
    ['1', '2005-04-02T00:00:00Z', `once more\n${A}${B}${C}`],
    ['2', '2005-04-01T00:00:00Z', `second\n${A}${B}${C}`],
    ['3', '2005-04-01T00:00:00Z', `third\n${A}${C}`],
    ['4', '2005-04-01T00:00:00Z', `fourth\n${B}${C}`],
  ];
  const records = captures.map(([path, time, html]) => {
    const url = `http://example.com/${path}`;
    const head = { type: 'response', time, url, contentType: 'application/http; msgtype=response' } as const;
    const http = httpHeadOf('200 OK', [['Content-Type', 'text/html; charset=utf-8']]);
    return warcRecord(head, http, Buffer.from(html));
  });
  writeFileSync(archive, Buffer.concat(records));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function classesOf(name: string, ...options: string[]): Promise<string[]> {
  const folder = join(scratch, name);
  const run = await chaff([
    'fragments',
    archive,
    '-o',
    folder,
    '--workers',
    '0',
    '-q',
    '--relation',
    'complete',
    ...options,
  ]);
  expect(run.stderr).toBe('');
  const rows = rowsOf(
    await chaff([
      'sql',
      folder,
      'select parts, members, avg_complete_bytes, structural_bytes from fragment_classes order by all',
    ]),
  );
  return rows.map((row) => Object.values(row).join(' '));
}

test('every capture is a page, and classes are merged only when all their members are adjacent', async () => {
  // A: /1, /1, /2, /3; B: /1, /1, /2, /4. Both have four members, but A is once without B: no merge (section 3.3).
  // Structural sizes: div class p = 9, ul li = 4.
  expect(await classesOf('preset', '--preset', 'ma-gu-2005')).toEqual(['1 4 264 4', '1 4 313 9']);
});

test('by the definitions the two are one composite on three pages', async () => {
  // what is left, A on /3 and B on /4, is less than M
  expect(await classesOf('exact', '--preset', 'ma-gu-2005', '--composites', 'exact')).toEqual(['2 3 577 13']);
});

test('the newest capture of a page counts without the preset', async () => {
  expect(await classesOf('default')).toEqual(['2 2 577 13']);
});

test('members carry size, parent, lines and columns', async () => {
  // after `first\n`, in line 2: A is 18 + 3 + 300 + 4 + 6 = 331 bytes of source, B 4 + 4 + 260 + 5 + 5 = 278
  const sql = `select node, sibling, parent, "end" - "start" as bytes, complete_bytes, start_line, start_column, end_line,
    end_column from fragment_members where page = (select min(page) from fragment_members) order by node`;
  const rows = rowsOf(await chaff(['sql', join(scratch, 'preset'), sql]));
  // nodes: 1 html, 2 head, 3 body, 4 text, 5 div, 6 p, 7 text, 8 ul, 9 li, 10 text
  expect(rows.map((row) => Object.values(row).map(Number))).toEqual([
    [5, 8, 3, 331, 313, 2, 1, 2, 332],
    [8, 11, 3, 278, 264, 2, 332, 2, 610],
  ]);
});

test('run.json names the preset and what it has set', () => {
  const { options } = JSON.parse(readFileSync(join(scratch, 'preset', 'run.json'), 'utf8'));
  expect(options).toMatchObject({
    preset: 'ma-gu-2005',
    captures: 'all',
    minShared: 2,
    minBytes: 256,
    composites: 'merged',
    relations: ['complete'],
  });
});
