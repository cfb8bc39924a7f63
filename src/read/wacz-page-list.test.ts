import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { gzipEach, httpResponse, type SampleRecord, warcRecord, zipOf } from '../../test/sample-archives.ts';
import { DEFAULT_LIMITS } from '../model/limits.ts';
import type { Page } from '../model/page.ts';
import type { Problem } from '../model/problem.ts';
import { openArchive } from '../run/library/open-archive.ts';
import { memorySource } from './byte-source.ts';
import { closeInputs, openInputs } from './open-inputs.ts';
import { surveyInput } from './read-captures.ts';
import { WaczPageList } from './wacz-page-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' });
const TIME = '2024-05-06T07:08:09Z';
const at = (path: string) => `https://a.example${path}`;

/** A page with words of its own, long enough for a survey to guess its end. */
function capture(path: string, fields: Partial<SampleRecord> = {}): Buffer {
  const words = Array.from({ length: 400 }, (_, k) => `${path.slice(1)}word${(k * k * 31) % 997}`).join(' ');
  const title = path === '/untitled' ? '' : `<title>Page ${path}</title>`;
  return warcRecord({
    url: at(path),
    time: TIME,
    html: `<html><head>${title}</head><body><p>${words}</p>`,
    ...fields,
  });
}

interface Lists {
  pages?: (object | string)[];
  extraPages?: (object | string)[];
  deflate?: boolean;
}

let made = 0;
function wacz(records: Buffer[], { pages, extraPages, deflate = false }: Lists): string {
  const listOf = (name: string, rows?: (object | string)[]) => {
    const lines = rows?.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))) ?? [];
    return rows
      ? [{ name: `pages/${name}.jsonl`, bytes: Buffer.from(`${[HEADER, ...lines].join('\n')}\n`), deflate }]
      : [];
  };
  const archive = { name: 'archive/data.warc.gz', bytes: gzipEach(records) };
  const path = join(folder, `${++made}.wacz`);
  writeFileSync(path, zipOf([archive, ...listOf('pages', pages), ...listOf('extraPages', extraPages)]));
  return path;
}

/** Reads all pages; a survey, with guesses and without, must find the same pages and problems. */
async function readListed(path: string) {
  const problems: Problem[] = [];
  const archive = openArchive(path, { waczPages: 'listed', onProblem: (problem) => problems.push(problem) });
  const pages: Page[] = [];
  for await (const page of archive) pages.push(page);
  const { inputs } = await openInputs([path]);
  for (const guesses of [undefined, { count: 0 }]) {
    const events = [...surveyInput(inputs[0], { waczPages: 'listed' }, guesses)];
    const found = events.flatMap((event) => (event.kind === 'page' ? [event.capture.offset] : []));
    expect(found.sort()).toEqual(pages.map(({ offset }) => offset).sort());
    const own = events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : event.problems));
    expect(own).toEqual(problems);
  }
  closeInputs(inputs);
  return {
    urls: pages.map(({ url }) => url.slice(at('').length)),
    times: pages.map(({ time }) => time),
    extras: pages.map(({ extra }) => extra),
    problems,
    codes: problems.map(({ code }) => code),
    skipped: archive.skipped,
    captures: archive.captureCount,
  };
}

test.each([false, true])(
  'only listed pages are read, the others are filtered (deflated: %s)',
  async (deflate) => {
    const records = ['/', '/frame', '/about', '/ad'].map((path) => capture(path));
    const lists = {
      pages: [{ id: 'one', url: at('/'), title: 'Home', ts: '2024-05-06T07:08:09.654Z', text: 'any' }],
      extraPages: [{ id: 2, url: at('/about#team'), ts: TIME }],
      deflate,
    };
    const read = await readListed(wacz(records, lists));
    expect(read.urls).toEqual(['/', '/about']);
    expect(read.extras).toEqual([{ id: 'one', title: 'Home' }, { id: 2 }]);
    expect(read.skipped).toEqual({ filtered: 2 });
    expect(read.captures).toBe(4);
    expect(read.problems).toEqual([]);
  },
);

test('by default all captures are read, without the keys of the lists', async () => {
  const pages: Page[] = [];
  for await (const page of openArchive(
    wacz([capture('/'), capture('/b')], { pages: [{ id: 'x', url: at('/') }] }),
  )) {
    pages.push(page);
  }
  expect(pages.map(({ extra }) => extra)).toEqual([undefined, undefined]);
});

test('of several captures of a URL, those near the time of a row are read; without a time, all of them', async () => {
  const times = ['2024-05-01T00:00:00Z', TIME, '2024-06-01T00:00:00Z'];
  const records = times.map((time) => capture('/', { time }));
  const timed = await readListed(wacz(records, { pages: [{ url: at('/'), ts: '2024-05-06T07:08:40Z' }] }));
  expect(timed.times).toEqual([TIME]);
  expect(timed.skipped).toEqual({ filtered: 2 });
  const untimed = await readListed(wacz(records, { pages: [{ url: at('/') }] }));
  expect(untimed.times).toEqual(times);
});

test('a row belongs to the capture nearest in time', async () => {
  const rows = [
    { id: 'late', url: at('/'), ts: '2024-05-06T07:08:39Z' },
    { id: 'early', url: at('/'), ts: '2024-05-06T07:08:10Z' },
    { id: 'again', url: at('/'), ts: '2024-05-06T07:08:10Z' },
    { id: 'any', url: at('/') },
  ];
  const times = [TIME, '2024-05-06T07:08:41Z', '2024-06-01T00:00:00Z'];
  const read = await readListed(
    wacz(
      times.map((time) => capture('/', { time })),
      { pages: rows },
    ),
  );
  expect(read.extras).toEqual([{ id: 'early' }, { id: 'late' }, { id: 'any' }]);
  expect(read.codes).toEqual([]);
});

test('a listed page that the archive lacks is a problem with its URL, time and row', async () => {
  const redirect = 'HTTP/1.1 301 Moved Permanently\r\nLocation: /c\r\n\r\n';
  const records = [capture('/a'), capture('/b', { block: redirect }), capture('/c')];
  const rows = [
    { url: at('/a') },
    { url: at('/gone'), ts: TIME },
    { url: at('/a'), ts: '2023-01-01T00:00:00Z' },
    { url: at('/b') },
  ];
  const read = await readListed(wacz(records, { pages: rows, extraPages: [{ url: at('/more') }] }));
  expect(read.urls).toEqual(['/a']);
  expect(read.codes).toEqual(['missing-page', 'missing-page', 'missing-page', 'missing-page']);
  expect(read.problems[0]).toMatchObject({ entry: 'pages/pages.jsonl', url: at('/gone'), time: TIME });
  expect(read.problems[0].offset).toBe(HEADER.length + JSON.stringify(rows[0]).length + 2);
  expect(read.problems.map(({ message }) => /redirect/.test(message))).toEqual([false, false, true, false]);
  expect(read.problems[3]).toMatchObject({ entry: 'pages/extraPages.jsonl', url: at('/more') });
});

test('bad lines are problems, and the lines after them are read', async () => {
  const rows = [
    '{"url": ',
    '[1]',
    '',
    { title: 'no address' },
    { url: at('/a'), ts: 'yesterday' },
    { url: at('/b'), ts: {} },
  ];
  const read = await readListed(wacz([capture('/a'), capture('/b')], { pages: rows }));
  expect(read.urls).toEqual(['/a', '/b']);
  expect(read.codes).toEqual(['bad-row', 'bad-row', 'bad-row', 'bad-date', 'bad-date']);
  expect(read.problems[0]).toMatchObject({ entry: 'pages/pages.jsonl', offset: HEADER.length + 1 });
});

test('a first line with a url is a row, not a header', () => {
  const list = new WaczPageList();
  const text = `${JSON.stringify({ url: at('/') })}\n`;
  list.read(memorySource(Buffer.from(text)), {
    file: 'x',
    entry: 'pages/pages.jsonl',
    limits: DEFAULT_LIMITS,
    survey: false,
  });
  expect(list.find(at('/'), TIME)).toMatchObject({ url: at('/'), offset: 0 });
});

test('many rows of one URL take no longer than rows of different URLs', () => {
  const list = new WaczPageList();
  const count = 100_000;
  const rows = Array.from(
    { length: count },
    (_, k) => `{"url":"${at('/')}","ts":"${new Date(k * 5000).toISOString()}"}\n`,
  );
  const context = { file: 'x', entry: 'pages/pages.jsonl', limits: DEFAULT_LIMITS, survey: false };
  list.read(memorySource(Buffer.from(`{}\n${rows.join('')}`)), context);
  const found = new Set(
    rows.map((_, k) => list.find(at('/'), `${new Date(k * 5000).toISOString().slice(0, 19)}Z`)!),
  );
  expect(found.size).toBe(count);
  expect(list.missing(found)).toEqual([]);
});

test('a WACZ without a list gives a problem, and all its captures are filtered', async () => {
  const read = await readListed(wacz([capture('/'), capture('/b')], {}));
  expect(read.urls).toEqual([]);
  expect(read.skipped).toEqual({ filtered: 2 });
  expect(read.problems).toMatchObject([{ code: 'missing-file', entry: 'pages/pages.jsonl' }]);
});

test('a listed revisit gets the body of an original that is not listed, and its own row', async () => {
  const fields = { 'WARC-Payload-Digest': 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' };
  const profile = {
    ...fields,
    'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  };
  const records = [
    capture('/old', { fields }),
    capture('/new', { type: 'revisit', block: httpResponse(''), fields: profile }),
  ];
  const path = wacz(records, { pages: [{ id: 'r', url: at('/new'), ts: TIME }] });
  const pages: Page[] = [];
  for await (const page of openArchive(path, { waczPages: 'listed' })) pages.push(page);
  expect(pages).toMatchObject([{ url: at('/new'), extra: { id: 'r' } }]);
  expect(
    rowsOf(await chaff(['strip', path, '--wacz-pages', 'listed', '-q', '--workers', '0'])),
  ).toMatchObject([{ url: at('/new'), id: 'r' }]);
});

test('rows of strip have the id of the list, and its title if the page has none', async () => {
  const rows = ['/titled', '/untitled'].map((path, k) => ({
    id: `p${k}`,
    url: at(path),
    title: `Listed ${k}`,
    ts: TIME,
  }));
  const path = wacz([capture('/titled'), capture('/frame'), capture('/untitled')], {
    pages: [...rows, { url: at('/gone') }],
  });
  for (const workers of ['0', '2']) {
    const run = await chaff(['strip', path, '--wacz-pages', 'listed', '-v', '--workers', workers]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('missing-page');
    expect(rowsOf(run).map(({ id, title }) => [id, title])).toEqual([
      ['p0', 'Page /titled'],
      ['p1', 'Listed 1'],
    ]);
  }
});

test('a value other than all or listed is refused', async () => {
  expect(() => openArchive('x.wacz', { waczPages: 'some' as 'all' })).toThrow(
    'waczPages must be all or listed, not "some"',
  );
  const run = await chaff(['strip', 'x.wacz', '--wacz-pages', 'some']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('all, listed');
});

const REAL = join(process.env.CHAFF_DATA ?? '', 'fixtures/warc-edge-cases');
const WACZ_FILES = [
  'webrecorder+pywb/sample_archive/waczs/valid_example_1.wacz',
  'webrecorder+py-wacz/tests/fixtures/valid_example_1.wacz',
  'webrecorder+py-wacz/tests/fixtures/valid_example_2.wacz',
  'webrecorder+py-wacz/tests/fixtures/valid_signed_example_1.wacz',
  'webrecorder+py-wacz/tests/fixtures/invalid_signed_example_1.wacz',
];

test.for(WACZ_FILES)('the listed page of %s is found', async (name, { skip }) => {
  const path = join(REAL, name);
  skip(process.env.CHAFF_DATA === undefined, 'CHAFF_DATA names the folder of real data');
  const problems: Problem[] = [];
  const archive = openArchive(path, { waczPages: 'listed', onProblem: (problem) => problems.push(problem) });
  const pages: Page[] = [];
  for await (const page of archive) pages.push(page);
  expect(pages).toMatchObject([{ extra: { id: expect.stringMatching(/^\w+$/), title: 'Example Domain' } }]);
  expect(problems).toEqual([]);
});
