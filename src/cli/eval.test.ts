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
  expect(stdout).toMatch(/^T006 +\d/m);
  const wrong = await chaff(['eval', archive, '--gold', gold, '--detectors', 'page-rough']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('page-basic, page-merge');
});

test('gold beside the archive is found, and outputs of others are scored with the same code', async () => {
  const outputs = join(folder, 'outputs');
  const beside = join(folder, 'beside.warc.gz');
  const saved = ['eval', archive, '--gold', gold, '--detectors', 'dom', '-q', '--save', outputs];
  expect((await chaff(saved)).code).toBe(0);
  const again = ['eval', archive, '--gold', gold, '--detectors', 'none', '-q', '--json', '--outputs'];
  const { stdout } = await chaff([...again, `copy=${join(outputs, 'dom.jsonl')}`]);
  const { detectors, comparison } = JSON.parse(stdout);
  expect(detectors.map(({ label }: { label: string }) => label)).toEqual(['copy', 'none']);
  expect(detectors[0].summary.all.words.f1).toBe(1);
  expect(comparison.groups[0].contenders[1].baseAhead.mean).toBeGreaterThan(0.05);
  const { code, stderr } = await chaff(['eval', beside]);
  expect(code).not.toBe(0);
  expect(stderr).toContain('beside.jsonl');
});

test('whole sites are measured without gold', async () => {
  const { code, stdout } = await chaff(['eval', archive, '--no-gold', '--detectors', 'dom', '-q', '--json']);
  expect(code).toBe(0);
  const { labels, totals } = JSON.parse(stdout);
  expect(labels).toEqual(['dom', 'none']);
  expect(totals[0]).toMatchObject({ pages: 12, repeatedChars: 0, uniqueParagraphs: 12, uniqueKept: 12 });
  expect(totals[1].repeatedChars).toBe(12 * 'Home page of the siteAll the news of today'.length);
});

test('the curve has a column per number of pages known', async () => {
  const base = ['eval', archive, '--gold', gold, '--detectors', 'dom', '-q'];
  const { stdout } = await chaff([...base, '--pages-known', '2,6,all', '--min-pages', '0']);
  expect(stdout).toMatch(/^words F1 +pages known of the host: +pages +2 +6 +all$/m);
  expect(stdout).toMatch(/^all pages +dom +12 +\d+\.\d +100\.0 +100\.0$/m);
  const wrong = await chaff([...base, '--pages-known', '0']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('whole numbers from 1')]);
});

test('floors of a set go by its name and hold for detectors of ours alone', async () => {
  const gate = join(folder, 'floors.json');
  const base = [
    'eval',
    archive,
    '--gold',
    gold,
    '--detectors',
    'dom',
    '-q',
    '--gate',
    gate,
    '--corpus',
    'mine',
  ];
  expect((await chaff([...base, '--update'])).code).toBe(0);
  const { code, stderr } = await chaff(base);
  expect([code, stderr]).toEqual([0, expect.stringContaining('gate passed: 5 floors of mine checked')]);
});

test('a convention and roles can be chosen', async () => {
  const base = ['eval', archive, '--gold', gold, '--detectors', 'joint', '-q'];
  expect((await chaff([...base, '--convention', 'scrapinghub', '--without', 'title,comments'])).code).toBe(0);
  const unknown = await chaff([...base, '--convention', 'nobody']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('scrapinghub')]);
  const both = await chaff([...base, '--convention', 'daniel', '--no-conventions']);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--no-conventions')]);
});
