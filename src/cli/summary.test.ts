import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { httpResponse, warcRecord } from '../../test/sample-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-no-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function archiveOf(name: string, responses: string[]): string {
  const path = join(folder, name);
  const records = responses.map((block, k) => warcRecord({ url: `http://a.example/${k}`, block }));
  writeFileSync(path, Buffer.concat(records));
  return path;
}

const html = '<p>A page.</p>';
const missing = httpResponse(html, 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html');
const picture = httpResponse('\x89PNG', 'HTTP/1.1 200 OK\r\nContent-Type: image/png');

test.each([
  [
    '404.warc',
    [missing, missing],
    [],
    'no pages: 2 of 2 captures are errors or redirects by their HTTP status; --statuses all',
  ],
  ['png.warc', [picture], [], 'no pages: 1 of 1 capture is not HTML'],
  [
    'page.warc',
    [httpResponse(html)],
    ['--include', 'nothing'],
    'no pages: 1 of 1 capture is left out by --include',
  ],
])('a run that finds no pages in %s says why', async (name, responses, options, reason) => {
  for (const command of ['strip', 'page']) {
    const { code, stderr } = await chaff([command, archiveOf(name, responses), ...options]);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  }
});

test('an empty file is one line, also with -q', async () => {
  const path = join(folder, 'empty.warc');
  writeFileSync(path, '');
  for (const quiet of [[], ['-q']]) {
    const { code, stderr } = await chaff(['strip', path, ...quiet]);
    expect([code, stderr]).toEqual([1, `chaff: ${path}: the file is empty\n`]);
  }
});

/** Commands over archives, with the options that they need besides an input; OUT is a new path. */
const COMMANDS = [
  ['report', '-o', 'OUT'],
  ['history', '-o', 'OUT'],
  ['plan', '-o', 'OUT'],
  ['strip', '-o', 'OUT.jsonl'],
  ['strip', '--model', 'none', '-o', 'OUT.jsonl'],
  ['label', '-o', 'OUT.jsonl'],
  ['page', '-o', 'OUT.jsonl'],
  ['fragments', '-o', 'OUT'],
  ['dedup', '-o', 'OUT.txt'],
  ['changes', '-o', 'OUT.txt'],
  ['groups', '-o', 'OUT.txt'],
  ['index', '-o', 'OUT.cdxj'],
  ['learn', '-o', 'OUT.model'],
];

test.each(COMMANDS)(
  '%s %s %s over nothing names the option, with -q, and leaves no output',
  async (...words) => {
    const archive = archiveOf('some.warc', [httpResponse(html), missing, picture, picture]);
    const target = join(folder, `out-${words.join('')}`);
    const args = words.map((word) => word.replace('OUT', target));
    const { code, stdout, stderr } = await chaff([...args, archive, '-q', '--include', 'tpyo']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^chaff: no pages: \d of 4 captures (is|are) left out by --include tpyo\n$/);
    expect(readdirSync(folder).filter((name) => name.startsWith('out-'))).toEqual([]);
    // the same output is free for the next try
    expect((await chaff([...args, archive, '-q'])).code).toBe(0);
    for (const name of readdirSync(folder))
      if (name.startsWith('out-')) rmSync(join(folder, name), { recursive: true });
  },
);

test('an archive without captures is no success', async () => {
  const path = join(folder, 'info.warc');
  writeFileSync(path, warcRecord({ type: 'warcinfo', block: Buffer.from('software: none') }));
  for (const command of [['strip'], ['page'], ['index']]) {
    const { code, stderr } = await chaff([...command, path, '-q']);
    expect([code, stderr]).toEqual([1, 'chaff: no pages: the input holds no captures of web pages\n']);
  }
});

test('sites that are too small are counted in pages, not in captures', async () => {
  const records = [0, 0, 0, 1, 2].map((k, n) =>
    warcRecord({
      url: `http://a.example/${k}`,
      time: `2020-01-0${n + 1}T00:00:00Z`,
      block: httpResponse(html),
    }),
  );
  const path = join(folder, 'repeated.warc');
  writeFileSync(path, Buffer.concat(records));
  const report = (...options: string[]) =>
    chaff(['report', path, '-q', '-o', join(folder, 'sites'), '--workers', '0', ...options]);
  const small = await report('--min-site-pages', '4', '--include', 'a.example');
  expect([small.code, small.stderr]).toEqual([
    1,
    'chaff: no pages: --min-site-pages 4 leaves out every site; the largest has 3 pages, where captures of one URL are one page\n',
  ]);
  const other = await report('--min-site-pages', '3', '--include', 'b.example');
  expect(other.stderr).toBe('chaff: no pages: 5 of 5 captures are left out by --include b.example\n');
});

test('a pipe whose rows give no page is no failure, because each row was answered', async () => {
  const row = { url: 'http://a.example/', html: '' };
  const { code, stderr } = await chaff(['label', '--model', 'none', '-', '-q'], `${JSON.stringify(row)}\n`);
  expect([code, stderr]).toEqual([0, '']);
});

test('a run that leaves out pages over a limit names the limit and its option', async () => {
  const path = archiveOf('large.warc', [httpResponse(`<p>${'word '.repeat(400)}`), httpResponse(html)]);
  for (const command of ['strip', 'page']) {
    const { code, stderr } = await chaff([command, path, '--max-page-bytes', '1500', '-v']);
    expect([command, code]).toEqual([command, 3]);
    expect(stderr).toContain('too-large: over --max-page-bytes 1,500 or --max-record-bytes 268,435,456\n');
    expect(stderr).toContain('too-large the body has 2003 bytes, over 1500 (--max-page-bytes)');
  }
});
