import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-eval-'));
const archive = join(folder, 'pages.jsonl');
const gold = join(folder, 'gold.jsonl');

beforeAll(() => {
  const story = (index: number) => Array.from({ length: 40 }, (_, at) => `w${index}x${at}`).join(' ');
  const pages = Array.from({ length: 12 }, (_, index) => ({
    url: `http://large.example/${index}`,
    html: `<ul><li><a href="/">Home page of the site</a><li>All the news of today</ul><p>${story(index)}</p>`,
  }));
  writeFileSync(archive, pages.map((page) => JSON.stringify(page)).join('\n'));
  writeFileSync(gold, pages.map(({ url }, index) => JSON.stringify({ url, text: story(index) })).join('\n'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('templates, anchors, links and sections are scored on request', async () => {
  const base = ['eval', archive, '--gold', gold, '--detectors', 'dom', '-q'];
  expect((await chaff(base)).stdout).not.toContain('anchor P');
  const { code, stdout } = await chaff([...base, '--templates']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^all pages +dom +(100\.0 +){9}1\.000$/m);
  expect(stdout).toMatch(/^ +none +(0\.0 +){9}/m);
});

test('one half of the hosts is scored, and no floors are held against it', async () => {
  const base = ['eval', archive, '--gold', gold, '--detectors', 'dom', '-q'];
  expect((await chaff([...base, '--half', 'odd'])).stdout).toContain('0 gold pages');
  expect((await chaff([...base, '--half', 'even'])).stdout).toContain('12 gold pages, 12 scored');
  const { code, stderr } = await chaff([...base, '--half', 'even', '--gate', 'x.json', '--corpus', 'x']);
  expect(code).toBe(2);
  expect(stderr).toContain('--half cannot go with --gate');
});

test('variants go by their names, and a name nobody knows is refused with the list', async () => {
  const { code, stdout } = await chaff([
    'eval',
    archive,
    '--gold',
    gold,
    '--detectors',
    'T001',
    'T006',
    '-q',
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +T006 +12 /m);
  const wrong = await chaff(['eval', archive, '--gold', gold, '--detectors', 'page-rough']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('page-basic, page-merge');
});
