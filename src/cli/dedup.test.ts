import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { warcRecord } from '../../test/sample-archives.ts';
import { generateSite } from '../research/generated-sites/site-generator.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-dedup-'));
const at = (name: string) => join(folder, name);
const inline = ['--workers', '0'];
const quiet = [...inline, '-q'];
const jsonl = [...quiet, '--format', 'jsonl'];
let archive = '';

interface SamplePage {
  url: string;
  time?: string;
  html: string;
}

function warc(name: string, pages: SamplePage[]): string {
  writeFileSync(at(name), Buffer.concat(pages.map((page) => warcRecord(page))));
  return at(name);
}

/** Words that no other number has. */
function story(number: number, words = 60): string {
  return Array.from({ length: words }, (_, i) => `word${number}x${i}`).join(' ');
}

/** A page of a site, whose menu and footer are longer than what the page says. */
function pageOf(host: string, path: string, text: string, time?: string): SamplePage {
  const menu = Array.from({ length: 100 }, (_, i) => `<li><a href="/${i}">${host} menu ${i} of ${host}</a>`);
  const html = `<!doctype html><title>${path}</title><nav><ul>${menu.join('')}</ul></nav><main><p>${text}</p></main><footer>${story(host.length * 1000, 40)}</footer>`;
  return { url: `http://${host}/${path}`, time, html };
}

/** Two sites of twelve pages; stories 1 to 3 are on both, and story 4 twice on the first. */
function samplePages(): SamplePage[] {
  const pages: SamplePage[] = [];
  for (let i = 1; i <= 12; i++) {
    pages.push(pageOf('a.example', `story-${i}`, story(i), `2020-01-02T00:00:${10 + i}Z`));
    const other = i <= 3 ? i : 100 + i;
    pages.push(pageOf('other.example', `item-${i}`, story(other), `2020-01-01T00:00:${10 + i}Z`));
  }
  pages.push(
    pageOf('a.example', 'again', story(4).toUpperCase().replaceAll(' ', ', '), '2020-01-03T00:00:00Z'),
  );
  pages.push(pageOf('a.example', 'empty', 'too few words', '2020-01-03T00:00:01Z'));
  pages.push(pageOf('a.example', 'void', 'none here', '2020-01-03T00:00:02Z'));
  return pages;
}

beforeAll(() => {
  archive = warc('stories.warc', samplePages());
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the same text in two templates is one group, and the earliest capture represents it', async () => {
  const rows = rowsOf(await chaff(['dedup', archive, ...jsonl]));
  expect(rows).toHaveLength(8);
  expect(rows.slice(0, 2)).toEqual([
    {
      kind: 'first',
      group: 1,
      pages: 2,
      sites: 2,
      site: 'other.example',
      url: 'http://other.example/item-1',
      time: '2020-01-01T00:00:11Z',
      words: 60,
      matching: 8,
      stored: 8,
      exact: true,
    },
    {
      kind: 'copy',
      group: 1,
      pages: 2,
      sites: 2,
      site: 'a.example',
      url: 'http://a.example/story-1',
      time: '2020-01-02T00:00:11Z',
      words: 60,
      matching: 8,
      stored: 8,
      exact: true,
    },
  ]);
  expect(rows.filter(({ group }) => group === 4).map(({ url }) => url)).toEqual([
    'http://a.example/story-4',
    'http://a.example/again',
  ]);
});

test('with the template left in, pages of one site look alike and copies do not', async () => {
  const rows = rowsOf(await chaff(['dedup', archive, '--detector', 'none', ...jsonl]));
  const groups = new Set(rows.map(({ group }) => group));
  expect(groups.size).toBe(2);
  expect(rows.every(({ sites }) => sites === 1)).toBe(true);
});

test('the sums are printed, with pages of too few words counted separately', async () => {
  const { code, stdout, stderr } = await chaff(['dedup', archive, ...inline]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^group 1: 2 pages of 2 sites\n +first {2}2020-01-01T00:00:11Z {2}http:\/\/other.example\/item-1\n +copy /,
  );
  expect(stderr).toBe(
    '4 of 27 pages are near-duplicates of another one; 4 groups; 2 pages with fewer than 6 words not compared\n' +
      'captures read 27 = 27 compared + 0 skipped\n',
  );
});

test('pages with nothing of their own are duplicates when they are the same throughout', async () => {
  const none = ['x', 'y', 'z'].map((path) => pageOf('a.example', path, 'sorry', '2020-01-03T00:01:00Z'));
  const rows = rowsOf(await chaff(['dedup', warc('none-left.warc', [...samplePages(), ...none]), ...jsonl]));
  const [first, ...copies] = rows.filter(({ url }) => /[xyz]$/.test(url as string));
  expect([first.kind, first.pages, first.words]).toEqual(['first', 3, 0]);
  expect(copies.map(({ kind, exact }) => [kind, exact])).toEqual(Array(2).fill(['copy', true]));
});

test('--across-sites counts only groups of several sites', async () => {
  const rows = rowsOf(await chaff(['dedup', archive, '--across-sites', ...jsonl]));
  expect(new Set(rows.map(({ group }) => group))).toEqual(new Set([1, 2, 3]));
  const all = rowsOf(await chaff(['dedup', archive, '--across-sites', '--all', ...jsonl]));
  expect(all.find(({ url }) => url === 'http://a.example/again')).toMatchObject({
    kind: 'single',
    group: null,
  });
});

test('--all lists every page once, those that are alone last', async () => {
  const rows = rowsOf(await chaff(['dedup', archive, '--all', ...jsonl]));
  expect(new Set(rows.map(({ url }) => url)).size).toBe(27);
  expect(rows).toHaveLength(27);
  expect(rows.slice(8).every(({ group, pages }) => group === null && pages === 1)).toBe(true);
  const short = rows.filter(({ kind }) => kind === 'short');
  expect(short.map(({ url, words, stored }) => [url, words, stored])).toEqual([
    ['http://a.example/empty', 0, 1],
    ['http://a.example/void', 0, 1],
  ]);
});

test('--keep lists one URL of each group and every page that is alone', async () => {
  const { stdout } = await chaff(['dedup', archive, '--keep', at('keep.txt'), ...quiet]);
  expect(stdout).toContain('group 1');
  const urls = readFileSync(at('keep.txt'), 'utf8').trimEnd().split('\n');
  expect(urls).toHaveLength(23);
  expect(new Set(urls).size).toBe(23);
  expect(urls).not.toContain('http://a.example/again');
  expect(urls).toContain('http://a.example/void');
  const piped = await chaff(['dedup', archive, '--keep', '-', ...quiet]);
  expect(piped.stdout.trimEnd().split('\n')).toEqual(urls);
});

test('of a URL the last capture counts, or all of them', async () => {
  const captures = ['2019', '2020', '2021'].flatMap((year) =>
    [1, 2, 3, 4, 5].map((i) => pageOf('c.example', `p${i}`, story(i), `${year}-01-02T03:04:0${i}Z`)),
  );
  const history = warc('history.warc', captures);
  const last = await chaff(['dedup', history, ...inline, '--format', 'jsonl']);
  expect(last.stdout).toBe('');
  expect(last.stderr).toContain('captures read 15 = 5 compared + 10 skipped (10 superseded)');
  const all = rowsOf(await chaff(['dedup', history, '--captures', 'all', ...jsonl]));
  expect(all.map(({ kind }) => kind)).toEqual(Array(5).fill(['first', 'copy', 'copy']).flat());
  const kept = await chaff(['dedup', history, '--captures', 'all', '--keep', '-', ...quiet]);
  expect(kept.stdout.trimEnd().split('\n')).toHaveLength(5);
});

test('csv has a column for every value', async () => {
  const { stdout } = await chaff(['dedup', archive, '--all', '--format', 'csv', ...quiet]);
  expect(stdout).toMatch(/^kind,group,pages,sites,site,url,time,words,matching,stored,exact\n/);
});

test('numbers of the shingling are options; --match 8 asks for all of them', async () => {
  const edited = story(1).replace('word1x30', 'changed');
  const pages = [...samplePages(), pageOf('other.example', 'edited', edited, '2020-01-03T00:00:03Z')];
  const input = warc('edited.warc', pages);
  const urls = async (...args: string[]) =>
    rowsOf(await chaff(['dedup', input, ...args, ...jsonl])).map(({ url }) => url);
  expect(await urls()).toContain('http://other.example/edited');
  expect(await urls('--hashes', '60', '--match', '60', '--shingle', '2')).not.toContain(
    'http://other.example/edited',
  );
});

test('wrong usage is refused before anything is read', async () => {
  const wrong = await chaff(['dedup', at('missing.warc'), '--match', '9', ...quiet]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    'chaff: --match 9 is more than the 8 hashes stored for each page (--hashes)\n',
  ]);
  expect((await chaff(['dedup', archive, '--keep', join(archive, 'x'), ...quiet])).code).toBe(2);
  expect((await chaff(['dedup', archive, '--shingle', '0', ...quiet])).code).toBe(2);
});

test('an archive without pages has no groups; one that cannot be read fails', async () => {
  const empty = warc('none.warc', []);
  expect((await chaff(['dedup', empty, ...quiet])).stdout).toBe('');
  expect((await chaff(['dedup', at('missing.warc'), ...quiet])).code).not.toBe(0);
});

test('control characters of a URL reach neither the screen nor the list to keep', async () => {
  const hostile = (n: number) => pageOf('h.example', `\u001b[2J${n}`, story(1));
  const input = warc('hostile.warc', [1, 2].map(hostile));
  const { stdout } = await chaff(['dedup', input, '--keep', at('hostile.txt'), ...quiet]);
  expect(stdout).not.toContain('\u001b');
  expect(readFileSync(at('hostile.txt'), 'utf8')).not.toContain('\u001b');
});

test('pages of a second layout are not copies because of their footer', async () => {
  const site = { seed: 3, host: 'shop.example', pages: 250, kinds: ['product', 'landing'] as const };
  const pages = Array.from(generateSite(site), ({ url, time, source }) => ({
    url,
    time,
    html: Buffer.from(source).toString(),
  }));
  const shop = warc('shop.warc', pages);
  const copiesBy = async (...options: string[]) => {
    const rows = rowsOf(await chaff(['dedup', shop, ...jsonl, ...options]));
    return rows.filter(({ kind, url }) => kind === 'copy' && `${url}`.includes('/landing/'));
  };
  // by dom alone, what ten of 250 pages share is content
  expect((await copiesBy('--detector', 'dom')).length).toBeGreaterThan(5);
  expect(await copiesBy()).toEqual([]);
});
