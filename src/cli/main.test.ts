import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-cli-'));
const at = (name: string) => join(folder, name);
const inline = ['--workers', '0', '-q'];
let archive = '';
let pageCount = 0;

beforeAll(async () => {
  const sample = await writeSampleArchive(folder, { sites: 2, pagesPerSite: 20, languages: ['en', 'ru'] });
  archive = sample.warc;
  pageCount = rowsOf(await chaff(['strip', archive, ...inline])).length;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('help names every command, with examples and exit codes', async () => {
  const { code, stdout } = await chaff(['--help']);
  expect(code).toBe(0);
  for (const name of ['report', 'strip', 'annotate', 'learn', 'label', 'index', 'sql', 'eval', 'demo']) {
    expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    const help = await chaff([name, '--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Examples:');
  }
  expect(stdout).toContain('Exit codes:');
});

test('help shows the defaults that the code uses', async () => {
  const { stdout } = await chaff(['report', '--help', 'all']);
  expect(stdout).toMatch(/--text-settings <W\.F\.D\.P>\s+text: .*\(default:\s+32\.10\.0\.200\)/s);
  expect(stdout).toMatch(/--max-page-bytes <n>[^-]*8388608/);
});

test.each([
  [['strip', 'x.warc', '--no-such-option'], /unknown option/],
  [['nonsense'], /unknown command/],
  [['help', 'stripp'], /unknown command 'stripp'\n\(Did you mean strip\?\)/],
  [['strip', 'x.warc', '--max-depth', '3'], /--max-depth <n>.*whole number from 8/],
  [['index', 'x.warc', '--site', 'host'], /unknown option/],
  [['strip'], /missing required argument/],
  [['strip', 'x.warc', '--detector', 'magic'], /dom, text, cross, page, none/],
  [['strip', 'x.warc', '--text-settings', '32.10'], /W\.F\.D\.P/],
  [['strip', 'x.warc', '--site', 'page'], /host, domain, path:N/],
  [['strip', 'x.warc', '--sample', '1.5'], /whole number from 2/],
  [['strip', 'x.warc', '--include', '('], /regular expression/i],
  [['strip', 'x.warc', '--format', 'warc', '--templates'], /--templates goes with/],
  [['report', '--compare-settings', 'x.warc'], /after the inputs/],
  [['learn', 'x.warc'], /-o, --output/],
])('wrong usage %j is refused with what was expected', async (args, message) => {
  const { code, stderr, stdout } = await chaff(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stdout).toBe('');
});

test('a row of strip has all that is promised', async () => {
  const rows = rowsOf(await chaff(['strip', archive, ...inline]));
  expect(rows).toHaveLength(pageCount);
  for (const row of rows) {
    expect(row).toMatchObject({
      url: expect.stringMatching(/^https?:/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      site: expect.any(String),
      title: expect.any(String),
      text: expect.any(String),
      file: archive,
      offset: expect.any(Number),
      length: expect.any(Number),
    });
    expect(row).not.toHaveProperty('kind');
  }
});

test('--include and --exclude take one value each, and leave the inputs after them alone', async () => {
  const urls = async (...args: string[]) =>
    rowsOf(await chaff(['strip', ...args, ...inline])).map((row) => String(row.url));
  const all = await urls(archive);
  const hosts = [...new Set(all.map((url) => new URL(url).host))];
  expect(hosts.length).toBe(2);
  const [first, second] = hosts.map((host) => host.replaceAll('.', '\\.'));
  expect(await urls('--exclude', first, archive)).toEqual(all.filter((url) => !url.includes(hosts[0])));
  expect(await urls('--exclude', first, '--exclude', second, archive)).toEqual([]);
  expect(await urls('--include', first, '--include', second, archive)).toEqual(all);
});

test('an archive on standard input gives the same pages', async () => {
  const { stdout } = await chaff(['strip', '-', ...inline], readFileSync(archive));
  const piped = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).text);
  const named = rowsOf(await chaff(['strip', archive, ...inline])).map((row) => row.text);
  expect(piped).toEqual(named);
});

test('templates come as rows of their own, once per site', async () => {
  const rows = rowsOf(await chaff(['strip', archive, '--templates', ...inline]));
  const templates = rows.filter((row) => row.kind === 'template');
  expect(templates.length).toBeGreaterThan(4);
  expect(new Set(templates.map((row) => `${row.site} ${row.template}`)).size).toBe(templates.length);
  expect(rows.filter((row) => row.kind === 'page')).toHaveLength(pageCount);
});

test('marking keeps all text', async () => {
  const marked = rowsOf(await chaff(['strip', archive, '--mark', ...inline]));
  const whole = rowsOf(await chaff(['strip', archive, '--detector', 'none', ...inline]));
  const bare = (text: unknown) =>
    String(text)
      .replace(/⟦(template|unsure): |⟧/g, '')
      .replace(/\s+/g, '');
  expect(marked.map((row) => bare(row.text)).join() === whole.map((row) => bare(row.text)).join()).toBe(true);
  expect(String(marked[0].text)).toContain('⟦template: ');
});

test('WARC conversion records, text, Markdown and HTML come out', async () => {
  const warc = at('wet.warc.gz');
  expect((await chaff(['strip', archive, '--format', 'warc', '-o', warc, ...inline])).code).toBe(0);
  const records = gunzipSync(readFileSync(warc)).toString();
  expect(records.match(/^WARC-Type: conversion\r$/gm)).toHaveLength(pageCount);
  for (const [format, ending] of [
    ['text', 'txt'],
    ['markdown', 'md'],
    ['html', 'html'],
  ]) {
    const out = at(format);
    await chaff(['strip', archive, '--format', format, '-o', out, ...inline]);
    const files = readdirSync(out, { recursive: true }).map(String);
    const pages = files.filter((name) => name.endsWith(`.${ending}`));
    const rows = readFileSync(join(out, 'index.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(rows.map(({ name }) => name).toSorted()).toEqual(pages.toSorted());
    expect(rows[0]).toMatchObject({ url: expect.stringMatching(/^https?:/), file: archive });
    expect(pages).toHaveLength(pageCount);
    expect((await chaff(['strip', archive, '--format', format, '--limit', '2', ...inline])).stdout).not.toBe(
      '',
    );
  }
});

test('a model labels pages on a pipe, row by row', async () => {
  const model = at('site.model');
  expect((await chaff(['learn', archive, '-o', model, ...inline])).code).toBe(0);
  const direct = rowsOf(await chaff(['label', '--model', model, archive, ...inline]));
  expect(direct).toHaveLength(pageCount);
  const [{ url, ranges }] = direct as {
    url: string;
    ranges: { start: number; end: number; label: string }[];
  }[];
  expect(ranges.map(({ label }) => label)).toContain('template');
  expect(ranges.every(({ start }, k) => start === (k === 0 ? 0 : ranges[k - 1].end))).toBe(true);

  const rangesOf = (rows: Record<string, unknown>[]) =>
    Object.fromEntries(rows.map((row) => [`${row.url} ${row.time}`, row.ranges]));
  expect(rangesOf(direct)).toEqual(rangesOf(rowsOf(await chaff(['label', archive, ...inline]))));

  const html = '<p>An unknown page</p>';
  const lines = [JSON.stringify({ url, html }), JSON.stringify({ url: 'http://other.example/', html })];
  const piped = await chaff(['strip', '--model', model, '-', '--workers', '0'], `${lines.join('\n')}\n`);
  expect(rowsOf(piped).map((row) => row.text)).toEqual(['An unknown page', 'An unknown page']);
  // joint judges a page of an unknown site by itself
  expect(piped.stderr).not.toContain('note');
  expect(piped.code).toBe(0);
  await chaff(['learn', archive, '-o', model, '--detector', 'dom', ...inline]);
  const byDom = await chaff(['strip', '--model', model, '-', '--workers', '0'], `${lines.join('\n')}\n`);
  expect(rowsOf(byDom).map((row) => row.text)).toEqual(['An unknown page', 'An unknown page']);
  expect(byDom.stderr).toContain('1 note: 1 too-few-pages');
  expect(byDom.code).toBe(0);
});

test('a row on a pipe that gives no page has no answer; an answer says which row it is to', async () => {
  const model = at('answers.model');
  await chaff(['learn', archive, '-o', model, ...inline]);
  const page = (html: string) => `${JSON.stringify({ url: 'http://other.example/', html })}\n`;
  const lines = [page('<p>one</p>'), 'no JSON\n', page(''), page('<p>ü</p>'), page('<p>four</p>')];
  for (const command of ['strip', 'label']) {
    const answered = await chaff([command, '--model', model, '-', '--workers', '0'], lines.join(''));
    const { stderr } = answered;
    const offsets = rowsOf(answered).map(({ offset }) => offset);
    const start = (k: number) => Buffer.byteLength(lines.slice(0, k).join(''));
    expect(offsets).toEqual([start(0), start(3), start(4)]);
    expect(stderr).toContain('captures read 4 = 3 labelled + 1 skipped (1 empty)');
    expect(stderr).toContain('1 bad-row');
  }
});

test('limits hold for pages that are labelled by a model', async () => {
  const model = at('limits.model');
  await chaff(['learn', archive, '-o', model, ...inline]);
  for (const command of ['strip', 'label']) {
    const byModel = (...flags: string[]) =>
      chaff([command, '--model', model, archive, '--workers', '0', ...flags]);
    const limited = await byModel('--limit', '2');
    expect(rowsOf(limited)).toHaveLength(2);
    expect(limited.stderr).toMatch(/= 2 labelled/);
    const few = await byModel('--max-nodes', '20');
    expect(rowsOf(few)).toEqual([]);
    expect(few.stderr).toMatch(new RegExp(`= 0 labelled .*\\b${pageCount} too-many-nodes`));
    const shallow = await byModel('--max-depth', '8');
    expect(rowsOf(shallow)).toHaveLength(pageCount);
    expect(shallow.stderr).toContain('depth-capped');
  }
});

test('a page that takes too long by a model is counted as that', async () => {
  const model = at('slow.model');
  await chaff(['learn', archive, '-o', model, ...inline]);
  const html = '<div><p>A page of many words and nodes.</p></div>'.repeat(40_000);
  const row = JSON.stringify({ url: 'http://other.example/', html });
  const slow = await chaff(['strip', '--model', model, '-', '--max-page-ms', '1'], `${row}\n`);
  expect(slow.stdout).toBe('');
  expect(slow.stderr).toContain('captures read 1 = 0 labelled + 1 skipped (1 too-slow)');
});

test('options of a detector that does not run are refused, and those of one that does are not', async () => {
  const refused = await chaff(['strip', archive, '--dom-lower', '0.2', ...inline]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    '--dom-lower is an option of dom, but the detector is joint: add --detector dom',
  );
  const report = await chaff(['report', archive, '-o', at('r'), '--text-settings', '16.5.0.50', ...inline]);
  expect(report.stderr).toContain('but the detector is joint and dom: add --detector text');
  const strip = ['strip', archive, '--limit', '1', ...inline];
  expect((await chaff([...strip, '--detector', 'dom', '--dom-lower', '0.2'])).code).toBe(0);
  expect((await chaff([...strip, '--preset', 'gibson-2005', '--dom-lower', '0.2'])).code).toBe(0);
  expect((await chaff([...strip, '--joint-dial', '2'])).code).toBe(0);
});

test('a detector that the model is not of is refused', async () => {
  const model = at('dom.model');
  await chaff(['learn', archive, '-o', model, '--detector', 'dom', ...inline]);
  const { code, stderr } = await chaff(['strip', '--model', model, '--detector', 'text', archive, ...inline]);
  expect(code).toBe(2);
  expect(stderr).toContain('dom.model is of dom, not of --detector text');
  const same = await chaff(['strip', '--model', model, '--detector', 'dom', archive, ...inline]);
  expect(rowsOf(same)).toHaveLength(pageCount);
});

test('pages are looked up in a model by the rule that its sites were made by', async () => {
  const model = at('path.model');
  await chaff(['learn', archive, '--site', 'path:1', '-o', model, ...inline]);
  const learnt = rowsOf(await chaff(['label', '--site', 'path:1', archive, ...inline]));
  const byModel = await chaff(['label', '--model', model, archive, ...inline]);
  const siteOf = (rows: Record<string, unknown>[]) => new Map(rows.map(({ url, site }) => [url, site]));
  expect(siteOf(rowsOf(byModel))).toEqual(siteOf(learnt));
  const other = await chaff(['label', '--model', model, '--site', 'domain', archive, ...inline]);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('path.model is of sites by path:1, not of --site domain');
});

test('annotated pages and their index are written', async () => {
  const out = at('annotated');
  expect((await chaff(['annotate', archive, '-o', out, '--limit', '5', ...inline])).code).toBe(0);
  expect(readdirSync(out).sort()).toEqual([
    '0000001.html',
    '0000002.html',
    '0000003.html',
    '0000004.html',
    '0000005.html',
    'index.html',
  ]);
});

test('an index is sorted and leads back to the same pages', async () => {
  const cdxj = at('sample.cdxj');
  expect((await chaff(['index', archive, '-o', cdxj, '-q'])).code).toBe(0);
  const lines = readFileSync(cdxj, 'utf8').trim().split('\n');
  expect(lines).toEqual(lines.toSorted());
  const texts = (rows: Record<string, unknown>[]) => rows.map((row) => row.text).sort();
  expect(texts(rowsOf(await chaff(['strip', cdxj, ...inline])))).toEqual(
    texts(rowsOf(await chaff(['strip', archive, ...inline]))),
  );
});

test.each([
  ['label', 'rows.jsonl.gz'],
  ['index', 'rows.cdxj.gz'],
])('%s compresses what is named %s', async (command, name) => {
  const quick = command === 'label' ? inline : ['-q'];
  const plain = await chaff([command, archive, ...quick]);
  expect((await chaff([command, archive, ...quick, '-o', at(name)])).code).toBe(0);
  expect(gunzipSync(readFileSync(at(name))).toString()).toBe(plain.stdout);
});

test('an index above its archives names them by their paths and leads back to them', async () => {
  mkdirSync(at('crawl'));
  copyFileSync(archive, at('crawl/some.warc.gz'));
  const made = await chaff(['index', at('crawl/some.warc.gz'), '-o', at('crawl.cdxj')]);
  expect(made.stderr).toMatch(/captures read (\d+) = \1 indexed \+ 0 skipped/);
  expect(readFileSync(at('crawl.cdxj'), 'utf8')).toContain('"filename":"crawl/some.warc.gz"');
  expect(rowsOf(await chaff(['strip', at('crawl.cdxj'), ...inline])).length).toBeGreaterThan(0);
});

test('an index leaves out what has no offset in a file, and says so', async () => {
  mkdirSync(at('mirror'));
  writeFileSync(at('mirror/a.html'), '<p>a</p>');
  const { stdout, stderr, code } = await chaff(['index', at('mirror')]);
  expect(stdout).toBe('');
  expect(stderr).toContain('captures read 1 = 0 indexed + 1 skipped (1 no-place)');
  expect(code).toBe(1);
});

test('report writes the folder, says the sum, and sql reads it', async () => {
  const out = at('sample.chaff');
  const first = await chaff(['report', archive, '-o', out, '--workers', '0', '--timings']);
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(/captures read \d+ = \d+ labelled \+ \d+ skipped/);
  expect(first.stderr).toContain(join(out, 'report.html'));
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  const counted = rowsOf(await chaff(['sql', out, 'select count(*) as n from pages']));
  expect((await chaff(['sql', out, "select 1 as a, 'x' as b", '--format', 'csv'])).stdout).toBe('a,b\n1,x\n');
  expect(counted[0].n).toBe(pageCount);
  const large = await chaff([
    'sql',
    out,
    'select 9007199254740991 as a, 9007199254740993 as b, [1::bigint] as c',
  ]);
  expect(large.stdout).toBe('{"a":9007199254740991,"b":"9007199254740993","c":[1]}\n');
  expect((await chaff(['sql', out, ''])).stderr).toContain('the query is empty');
  expect((await chaff(['sql', out, 'drop view pages'])).code).toBe(2);
  expect((await chaff(['sql', out, 'selec'])).code).toBe(2);
  expect((await chaff(['sql', folder, 'select 1'])).code).toBe(1);
});

test('damage is reported, the rest is read, and strict makes it a failure', async () => {
  const damaged = at('damaged.warc.gz');
  copyFileSync(archive, damaged);
  appendFileSync(damaged, Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]));
  const done = await chaff(['strip', damaged, '--workers', '0', '-v']);
  expect(done.code).toBe(3);
  expect(rowsOf(done)).toHaveLength(pageCount);
  expect(done.stderr).toMatch(/damaged\.warc\.gz:\d+/);
  expect((await chaff(['strip', damaged, '--strict', ...inline])).code).toBe(1);
});

test('nothing to read is a failure that says so', async () => {
  const { code, stderr } = await chaff(['strip', at('missing.warc.gz'), '--workers', '0']);
  expect(code).toBe(1);
  expect(stderr).toBe(`chaff: ${at('missing.warc.gz')}: no such file or folder\n`);
});
