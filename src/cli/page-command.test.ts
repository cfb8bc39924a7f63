import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';

const WORDS = 'The harbour was quiet in the morning, and the boats had not yet left for the open sea. ';
const MENU = ['Home', 'News', 'Sport', 'Weather', 'About us', 'Contact']
  .map((name, k) => `<li><a href="/${k}">${name}</a></li>`)
  .join('');
const HTML =
  `<!doctype html><html><head><title>The harbour</title></head><body><div id="nav" class="menu"><ul>${MENU}</ul></div>` +
  `<div id="main"><h1>The harbour</h1>${`<p>${WORDS.repeat(3)}</p>`.repeat(5)}</div>` +
  `<div id="footer" class="footer"><ul>${MENU}</ul><p>© 2024 <a href="/imprint">Imprint</a></p></div></body></html>`;

let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-page-'));
  writeFileSync(join(folder, 'harbour.html'), HTML);
  server = createServer((request, response) => {
    if (request.url === '/gone') response.writeHead(410).end();
    else if (request.url === '/moved') response.writeHead(301, { location: '/' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a single HTML file is judged out of the box: its text without its menus, and its sections', async () => {
  const result = await chaff(['page', join(folder, 'harbour.html')]);
  expect([result.code, result.stderr]).toEqual([0, 'captures read 1 = 1 judged + 0 skipped\n']);
  const [row] = rowsOf(result);
  expect(row.title).toBe('The harbour');
  expect(row.text).toContain('The harbour was quiet in the morning');
  expect(row.text).not.toContain('Weather');
  expect(row.text).not.toContain('Imprint');
  expect(row.templateLinks).toBe(1);
  expect(row.templateText).toBeGreaterThan(0);
  expect(row.templateText).toBeLessThan(0.5);
  const sections = row.sections as {
    label: string;
    start: number;
    end: number;
    place: string;
    words: number;
  }[];
  expect(sections.length).toBeGreaterThan(1);
  for (const { start, end } of sections)
    expect(0 <= start && start <= end && end <= Buffer.byteLength(HTML)).toBe(true);
  const menu = sections.find(({ label, place }) => label === 'template' && place.includes('#nav'));
  expect(menu?.words).toBe(7);
});

test('HTML on standard input is the page of the URL that is given', async () => {
  const result = await chaff(['page', '-', '--url', 'https://harbour.example/a'], HTML);
  expect(result.code).toBe(0);
  const [row] = rowsOf(result);
  expect([row.url, row.site]).toEqual(['https://harbour.example/a', 'harbour.example']);
  expect(row.text).not.toContain('Weather');
});

test('rows of JSON on standard input are answered row by row', async () => {
  const rows = ['a', 'b'].map((path) => JSON.stringify({ url: `https://h.example/${path}`, html: HTML }));
  const result = await chaff(['page', '-'], `${rows.join('\n')}\n`);
  expect(rowsOf(result).map(({ url }) => url)).toEqual(['https://h.example/a', 'https://h.example/b']);
});

test('formats: text, Markdown and HTML, to standard output or a file a page', async () => {
  const file = join(folder, 'harbour.html');
  const text = await chaff(['page', file, '--format', 'text']);
  expect(text.stdout).toMatch(/^# file:.*harbour\.html/);
  expect(text.stdout).not.toContain('Weather');
  const markdown = await chaff(['page', file, '--format', 'markdown']);
  expect(markdown.stdout).toContain('# The harbour');
  const html = await chaff(['page', file, '--format', 'html', '-o', join(folder, 'pages')]);
  expect(html.stdout).toBe('');
  const [{ name }] = [JSON.parse(readFileSync(join(folder, 'pages/index.jsonl'), 'utf8'))];
  expect(name).toMatch(/harbour\.html\.html$/);
  expect(readFileSync(join(folder, 'pages', name), 'utf8')).toContain('harbour was quiet');
});

test('archives are read, up to a limit, and accounted for', async () => {
  const { warc } = await writeSampleArchive(folder, { seed: 3, sites: 2, pagesPerSite: 6 });
  const all = await chaff(['page', warc, '-q']);
  expect(rowsOf(all).length).toBeGreaterThan(10);
  const some = await chaff(['page', warc, '--limit', '3']);
  expect(rowsOf(some)).toHaveLength(3);
});

test('URLs are fetched when they are named, as arguments, in a file and on standard input', async () => {
  const list = join(folder, 'urls.txt');
  writeFileSync(list, `# pages to read\n\n${base}/one\n${base}/two\n`);
  const urls = [`${base}/zero`, `${base}/one`, `${base}/two`];
  const files = await chaff(['page', `${base}/zero`, list, '--pause', '0']);
  expect(rowsOf(files).map(({ url }) => url)).toEqual(urls);
  expect(files.code).toBe(0);
  const piped = await chaff(['page', '-', '--pause', '0'], `${urls[1]}\n${urls[2]}\n`);
  expect(rowsOf(piped).map(({ url }) => url)).toEqual(urls.slice(1));
});

test('what cannot be fetched is reported, and the rest is judged', async () => {
  const result = await chaff(['page', `${base}/gone`, `${base}/there`, '--pause', '0']);
  expect(result.code).toBe(3);
  expect(rowsOf(result)).toHaveLength(1);
  expect(result.stderr).toMatch(/not-fetched .*the server answers 410/);
  expect(result.stderr).toMatch(/captures read 2 = 1 judged \+ 1 skipped \(1 not-fetched\)/);
});

test('smoothing, penalty and threshold change the verdict', async () => {
  const file = join(folder, 'harbour.html');
  const countSections = async (...args: string[]) =>
    (rowsOf(await chaff(['page', file, ...args]))[0].sections as unknown[]).length;
  expect(await countSections('--penalty', '1000')).toBeLessThanOrEqual(await countSections('--penalty', '0'));
  const everything = rowsOf(await chaff(['page', file, '--threshold', '0']))[0];
  expect(everything.templateText).toBe(1);
  for (const kind of ['merge', 'none', 'isotonic']) {
    expect((await chaff(['page', file, '--smoothing', kind])).code).toBe(0);
  }
});

test('a model of chaff train replaces the packaged one; other files are refused', async () => {
  const { warc } = await writeSampleArchive(folder, { seed: 8, sites: 4, pagesPerSite: 10, name: 'small' });
  const model = join(folder, 'model.json');
  await chaff(['train', warc, '-o', model, '--workers', '0', '--site-rows', '100', '-q']);
  expect(existsSync(model)).toBe(true);
  const own = await chaff(['page', join(folder, 'harbour.html'), '--model', model]);
  expect(rowsOf(own)).toHaveLength(1);
  const wrong = await chaff(['page', join(folder, 'harbour.html'), '--model', join(folder, 'urls.txt')]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/not a page-level model/)]);
  writeFileSync(model, readFileSync(model, 'utf8').replace('"threshold":0.5', '"threshold":"0.5"'));
  const damaged = await chaff(['page', join(folder, 'harbour.html'), '--model', model]);
  expect(damaged.code).toBe(2);
  expect(damaged.stderr).toContain(
    'model.json\' is invalid. threshold must be a number from 0 to 1, not "0.5".\n',
  );
});

test('--allow-redirects says where redirects may lead', async () => {
  const followed = await chaff(['page', `${base}/moved`, '--pause', '1']);
  expect(rowsOf(followed).map(({ url }) => url)).toEqual([`${base}/`]);
  const refused = await chaff(['page', `${base}/moved`, '--allow-redirects', 'none']);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(
    `it redirects to ${base}/, which is followed with --allow-redirects same-host; skipped`,
  );
});

test('wrong usage is refused', async () => {
  const file = join(folder, 'harbour.html');
  for (const args of [
    [file, '--no-such-option'],
    [file, '--smoothing', 'much'],
    [file, '--threshold', '2'],
    [file, '--tabs', '2'],
    [file, '--layout-time', '100'],
    [file, '--layout', 'browser', '--layout-time', '0'],
    [file, file, '--url', 'https://a.example/'],
    [file, '--url', 'not a url'],
    [file, '--model', join(folder, 'missing.json')],
    [file, '--site', 'layout'],
    [file, '--allow-redirects', 'everywhere'],
    [],
  ]) {
    expect((await chaff(['page', ...args])).code, args.join(' ')).toBe(2);
  }
});

test('odd pages: empty, one text, no body, a frameset', async () => {
  for (const html of ['<p>', 'only words', '<title>x</title>', '<frameset><frame src=a></frameset>']) {
    const result = await chaff(['page', '-', '--url', 'https://a.example/'], html);
    expect([0, 1, 3], html).toContain(result.code);
    for (const row of rowsOf(result)) expect(typeof row.text).toBe('string');
  }
});

test('a page that is lost is counted under what cost it, and the run goes on', async () => {
  const large = `<p>${'<b>word</b> '.repeat(100_000)}</p>`;
  const deep = `<div>${'<div>'.repeat(30)}deep${'</div>'.repeat(30)}</div>`;
  const rows = [large, HTML, deep].map(
    (html, k) => `${JSON.stringify({ url: `http://a.example/${k}`, html })}\n`,
  );
  const judge = (lines: string[], ...flags: string[]) => chaff(['page', '-', '-v', ...flags], lines.join(''));
  const slow = await judge(rows.slice(0, 1), '--max-page-ms', '1');
  expect(slow.stdout).toBe('');
  expect(slow.stderr).toContain('captures read 1 = 0 judged + 1 skipped (1 too-slow)');
  expect(slow.stderr).toContain('too-slow took longer than 1 ms; skipped');
  const small = await judge(rows, '--max-nodes', '2000', '--max-depth', '16');
  expect(rowsOf(small).map(({ url }) => url)).toEqual(['http://a.example/1', 'http://a.example/2']);
  expect(small.stderr).toContain('captures read 3 = 2 judged + 1 skipped (1 too-many-nodes)');
  expect(small.stderr).toContain('depth-capped elements deeper than 16 were taken as siblings');
  expect(small.code).toBe(3);
});
