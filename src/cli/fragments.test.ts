import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { httpHeadOf, warcRecord } from '../research/generated-sites/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-fragments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const quick = ['--workers', '0'];
const MENU = `<ul id="menu">${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `<li><a href="/section-${n}">Section ${n} of the site</a></li>`).join('')}</ul>`;
let files = 0;

/** Pages as an input of JSON lines. */
function pagesFile(pages: string[]): string {
  const path = join(folder, `pages-${files++}.jsonl`);
  const rows = pages.map((html, n) => JSON.stringify({ url: `http://a.example/${n}`, html }));
  writeFileSync(path, rows.map((row) => `${row}\n`).join(''));
  return path;
}

/** A page with a menu that all share, and words of its own. */
function page(n: number, shared = MENU): string {
  return `<html><body><h1>Page ${n}</h1>${shared}<div id="own">${`words of page ${n}, `.repeat(40)}</div></body></html>`;
}

async function fragments(pages: string[], ...args: string[]) {
  return chaff(['fragments', pagesFile(pages), ...quick, ...args]);
}

test('help has examples and the defaults that the code uses', async () => {
  const { code, stdout } = await chaff(['fragments', '--help', 'all']);
  expect(code).toBe(0);
  expect(stdout).toContain('Examples:');
  expect(stdout).toMatch(/--min-shared <n>[^-]*\(default: 2\)/);
  expect(stdout).toMatch(/--min-bytes <n>[^-]*\(default: 256\)/);
  expect((await chaff(['--help'])).stdout).toMatch(/^ {2}fragments\b/m);
});

test('the table shows what is shared, where it stands and what it saves, then a line of sums', async () => {
  const { code, stdout, stderr } = await fragments([page(1), page(2), page(3)]);
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('complete fragments');
  expect(lines[1]).toMatch(/^pages +members +bytes +saved +where +text$/);
  const saved = (2 * MENU.length).toLocaleString('en');
  expect(lines[2].trim()).toMatch(
    new RegExp(`^3 +3 +${MENU.length} +${saved} B +html > body > ul#menu +Section 1 of the site`),
  );
  expect(stdout).toMatch(
    /^complete: 1 class on 3 of 3 pages; \d\d % of the HTML lies in shared fragments, \d\d % of an average page; one copy of each saves [\d,]+ B$/m,
  );
  expect(stdout).toMatch(/^structural: no shared fragment of at least 256 B on 3 pages/m);
  expect(stderr).toBe('captures read 3 = 3 compared + 0 skipped\n');
});

test('jsonl and csv have the columns of the table of classes', async () => {
  const output = join(folder, 'out');
  const pages = pagesFile([page(1), page(2)]);
  const args = ['fragments', pages, ...quick, '-q', '-o', output];
  const rows = rowsOf(await chaff([...args, '--format', 'jsonl']));
  const columns = rowsOf(await chaff(['sql', output, 'describe fragment_classes']));
  expect(Object.keys(rows[0])).toEqual(columns.map(({ column_name }) => column_name));
  const { stdout } = await chaff([...args, '--format', 'csv', '--relation', 'both']);
  expect(stdout.split('\n')[0]).toBe(Object.keys(rows[0]).join(','));
});

test('one relation can be asked for alone, and the list cut', async () => {
  const args = ['--format', 'jsonl', '--relation', 'complete', '--min-bytes', '15'];
  const two = [page(1, `${MENU}<p>and this line too</p>`), page(2, `<p>and this line too</p><hr>${MENU}`)];
  const all = rowsOf(await fragments(two, ...args));
  expect(all.map(({ relation }) => relation)).toEqual(['complete', 'complete']);
  expect(Number(all[0].saved_bytes)).toBeGreaterThan(Number(all[1].saved_bytes));
  expect(rowsOf(await fragments(two, ...args, '--top', '1'))).toEqual(all.slice(0, 1));
});

test('text of a page cannot run in a spreadsheet nor steer a terminal', async () => {
  const starts = ['=', '+', '-', '@'];
  const hostile = starts.map(
    (start) =>
      `<div class="\u001b]0;x">${start}cmd|' /C calc'!A0 \u001b[2J\u202eevil ${'same words '.repeat(30)}</div>`,
  );
  // in another order on the other page, so that they stay apart
  const two = [page(1, hostile.join('<hr>')), page(2, hostile.toReversed().join('<br>'))];
  const csv = await fragments(two, '--format', 'csv', '--relation', 'complete');
  const table = await fragments(two, '--relation', 'complete');
  for (const start of starts) {
    expect(csv.stdout).toContain(`,'${start}cmd`);
    expect(table.stdout).toContain(` ${start}cmd`);
  }
  expect(csv.stdout).not.toMatch(/,[=+@-]cmd/);
  const jsonl = await fragments(two, '--format', 'jsonl', '--relation', 'complete');
  for (const { stdout } of [csv, table, jsonl]) {
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
  }
  expect(rowsOf(jsonl)[0].text).toContain('\u001b[2J\u202eevil');
});

test('a flag that would do nothing is refused, and says which one it needs', async () => {
  for (const [flag, value, needed] of [
    ['--include-style', 'ssi', '--includes'],
    ['--include-cost', '0', '--includes'],
    ['--dictionary-size', '4096', '--dictionary'],
    ['--selector-format', 'css', '--selectors'],
  ]) {
    const { code, stderr } = await fragments([page(1)], flag, value);
    expect([code, stderr]).toEqual([2, `chaff: ${flag} needs ${needed}\n`]);
  }
});

test('without -o nothing is left behind', async () => {
  const before = readdirSync(tmpdir()).filter((name) => /^chaff-[^-]{6}$/.test(name));
  await fragments([page(1), page(2)]);
  expect(readdirSync(tmpdir()).filter((name) => /^chaff-[^-]{6}$/.test(name))).toEqual(before);
});

test('one page shares nothing', async () => {
  const { code, stdout } = await fragments([page(1)]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^complete: no shared fragment of at least 256 B on 1 page; a smaller --min-bytes may find some$/m,
  );
});

test('a fragment that one page holds twice is shared', async () => {
  const [row] = rowsOf(
    await fragments([page(1, MENU + MENU)], '--format', 'jsonl', '--relation', 'complete'),
  );
  expect(row).toMatchObject({ pages: 1, members: 2 });
});

test('identical pages are shared as a whole', async () => {
  const args = ['--format', 'jsonl', '--min-bytes', '16'];
  const rows = rowsOf(await fragments([page(1), page(1), page(1)], ...args));
  expect(rows.map(({ relation }) => relation)).toEqual(['complete', 'structural']);
  for (const row of rows) expect(row).toMatchObject({ kind: 'primitive', members: 3, place: 'html' });
});

test('pages with nothing in common share nothing', async () => {
  const { code, stdout } = await fragments([page(1, '<br>'), `<table>${'<tr><td>x'.repeat(90)}</table>`]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^complete: no shared fragment of at least 256 B on 2 pages/m);
});

test('captures of one page are one, the last, unless all are asked for', async () => {
  const path = join(folder, 'captures.jsonl');
  const rows = ['2020-01-01', '2021-01-01'].map((day, k) =>
    JSON.stringify({
      url: `http://a.example/?PHPSESSID=${`a${k}`.repeat(16)}`,
      time: `${day}T00:00:00Z`,
      html: page(1),
    }),
  );
  writeFileSync(path, `${rows.join('\n')}\n`);
  const last = await chaff(['fragments', path, ...quick]);
  expect(last.stdout).toContain('complete: no shared fragment of at least 256 B on 1 page;');
  expect(last.stderr).toContain('captures read 2 = 1 compared + 1 skipped (1 superseded)');
  const all = await chaff(['fragments', path, ...quick, '--captures', 'all']);
  expect(all.stdout).toContain('complete: 1 class on 2 of 2 pages; 100 %');
});

test('an archive without captures and one without HTML are refused with the reason', async () => {
  const empty = join(folder, 'empty.warc');
  writeFileSync(empty, 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n');
  const images = join(folder, 'images.warc');
  const image = { type: 'response', time: '2020-01-01T00:00:00Z', url: 'http://a.example/x.png' } as const;
  const http = httpHeadOf('200 OK', [['Content-Type', 'image/png']]);
  writeFileSync(
    images,
    warcRecord({ ...image, contentType: 'application/http' }, http, Buffer.from('\x89PNG')),
  );
  for (const path of [empty, images]) {
    const output = join(folder, `empty-${files++}`);
    const run = await chaff(['fragments', path, ...quick, '-o', output]);
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(/no pages: (the input holds no captures|1 of 1 capture is not HTML)/);
  }
});

test('an empty file is not an archive, and says so', async () => {
  const run = await chaff(['fragments', pagesFile([]), ...quick, '-v']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('not-an-archive');
});

test('a file that cannot be read is a problem, listed with -v, and a failure if it is the only one', async () => {
  const run = await chaff(['fragments', join(folder, 'gone.warc'), ...quick, '-v']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('missing-file');
  const mixed = await chaff(['fragments', join(folder, 'gone.warc'), pagesFile([page(1)]), ...quick]);
  expect(mixed.code).toBe(3);
});

test('a page above the limits is skipped with a problem, and compared when they are raised', async () => {
  const row = (n: number) => `<p class="row">Row ${n % 5000} of a very long table of figures</p>`;
  let html = '';
  for (let n = 0; html.length < 10e6; n += 100)
    html += `<div>${Array.from({ length: 100 }, (_, k) => row(n + k)).join('')}</div>`;
  const path = join(folder, 'large.html');
  writeFileSync(path, `<html><body>${html}</body></html>`);
  const refused = await chaff(['fragments', path, ...quick]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('1 too-large\ntoo-large: over --max-page-bytes 8,388,608');
  const limits = ['--max-page-bytes', '20000000', '--max-nodes', '5000000', '--max-page-ms', '60000'];
  const taken = await chaff(['fragments', path, ...quick, ...limits, '--relation', 'complete']);
  expect(taken.code).toBe(0);
  expect(taken.stdout).toMatch(/^complete: \d+ classes? .*on 1 of 1 page; (99|100) %/m);
}, 120_000);

test('100,000 elements under one parent are compared', async () => {
  const items = (from: number) =>
    Array.from({ length: 100_000 }, (_, k) => `<b>${from + (k % 1000)}</b>`).join('');
  const run = await fragments(
    [items(0), items(500)],
    '--min-bytes',
    '1',
    '--format',
    'jsonl',
    '--relation',
    'complete',
  );
  expect(run.code).toBe(0);
  expect(rowsOf(run).length).toBeGreaterThan(0);
}, 60_000);

test.each([
  [['--min-shared', '1'], /whole number from 2/],
  [['--min-bytes', '0'], /whole number from 1/],
  [['--relation', 'same'], /complete, structural, both/],
  [['--captures', 'first'], /last, all/],
  [['--format', 'xml'], /table, jsonl, csv/],
])('wrong usage %j is refused with what was expected', async (args, message) => {
  const { code, stderr, stdout } = await chaff(['fragments', 'x.warc', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stdout).toBe('');
});

test('--timings says how long transforming, analysis and merging took', async () => {
  const { stderr } = await fragments([page(1), page(2)], '--timings');
  for (const stage of ['transform', 'analysis', 'composites'])
    expect(stderr).toMatch(new RegExp(`^  ${stage} +[\\d.]+ s`, 'm'));
});

test('a folder of another run is left alone, and a finished one answers at once', async () => {
  const output = join(folder, 'kept');
  const pages = pagesFile([page(1), page(2)]);
  const first = await chaff(['fragments', pages, ...quick, '-o', output]);
  const again = await chaff(['fragments', pages, ...quick, '-o', output]);
  expect(again.stdout).toBe(first.stdout);
  expect(again.stderr).toContain('resumed an earlier run of the same job');
  const other = await chaff(['fragments', pages, ...quick, '-o', output, '--min-shared', '3']);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain('other inputs or options');
  expect(existsSync(join(output, 'run.json'))).toBe(true);
});
