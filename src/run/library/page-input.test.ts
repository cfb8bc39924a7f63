import { expect, test } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { chaff, rowsOf } from '../../../test/command-line.ts';
import type { Problem } from '../../model/problem.ts';
import { label, strip } from './label-pages.ts';
import { learn, SiteModels } from './learn-pages.ts';
import type { PageInput } from './page-input.ts';

interface Fetched extends PageInput {
  id: number;
  lang: string;
}

const FETCHED: Fetched[] = Array.from({ length: 12 }, (_, id) => ({
  url: `https://a.example/${id}`,
  html: `<title>Story ${id}</title><nav><a href="/">Home</a> <a href="/keepers">About the keepers</a></nav><p>${`Mill ${id * 7919} turned in the wind of the north. `.repeat(4)}</p>`,
  time: new Date(Date.UTC(2026, 0, 1 + id)),
  id,
  lang: 'en',
}));

test('learn, label and strip take what a crawler yields, and give its own keys back', async () => {
  async function* crawl(): AsyncGenerator<Fetched> {
    yield* FETCHED;
  }
  const models = await learn(crawl());
  expect(models.sites).toEqual(['a.example']);
  const rows = await collect(strip(crawl(), models));
  expect(rows.map(({ id, lang, url, time }) => ({ id, lang, url, time }))).toEqual(
    FETCHED.map(({ id, lang, url }) => ({
      id,
      lang,
      url,
      time: `2026-01-${String(1 + id).padStart(2, '0')}T00:00:00Z`,
    })),
  );
  for (const { text, id } of rows) {
    expect(text).toContain(`Mill ${id * 7919}`);
    expect(text).not.toContain('keepers');
  }
  const labelled = await collect(label(FETCHED, models));
  expect(labelled.map(({ page }) => page.extra)).toEqual(FETCHED.map(({ id, lang }) => ({ id, lang })));
});

test('strings, bytes and rows of a pipe give the same model and the same text', async () => {
  const bytes = FETCHED.map((page) => ({ ...page, html: Buffer.from(page.html) }));
  const models = await learn(FETCHED);
  expect((await learn(bytes)).encode()).toEqual(models.encode());
  const texts = (await collect(strip(FETCHED, models))).map(({ text }) => text);
  const stdin = FETCHED.map((page) => JSON.stringify(page)).join('\n');
  for (const command of [
    ['strip', '-'],
    ['strip', '-', '--format', 'dolma'],
  ]) {
    const rows = rowsOf(await chaff([...command, '-q'], stdin));
    expect(rows.map(({ text }) => text).sort()).toEqual(texts.toSorted());
  }
});

test('keys of rows that come through a pipe are given back by strip, label and page', async () => {
  const own = { id: 7, tags: ['a', { text: '' }], title: 'theirs', file: 'theirs', date: '2020', __x: null };
  const stdin = `${JSON.stringify({ ...FETCHED[0], ...own })}\n{"url":"https://a.example/p","html":"<p>one two</p>","__proto__":{"x":1}}\n`;
  for (const command of ['strip', 'label', 'page']) {
    const { stdout, stderr, code } = await chaff([command, '-', '-q'], stdin);
    expect(code, stderr).toBe(0);
    const [row, plain] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { id, tags, title, file, date, __x, text } = row;
    // columns of Chaff's own keep their meaning
    expect({ id, tags, date, __x }).toEqual({ id: 7, tags: own.tags, date: '2020', __x: null });
    expect([title, file]).toEqual(['Story 0', '-']);
    if (command !== 'label') expect(text).toContain('Mill 0');
    expect(Object.hasOwn(plain, '__proto__')).toBe(false);
  }
});

test('a page that is empty, too large or without a host is reported and left out', async () => {
  const problems: Problem[] = [];
  const options = { limits: { pageBytes: 100 }, onProblem: (problem: Problem) => problems.push(problem) };
  const pages: PageInput[] = [
    { url: 'https://a.example/0', html: ' \n' },
    { url: 'https://a.example/1', html: 'x'.repeat(101) },
    { url: 'about:blank', html: '<p>one</p>' },
    { url: 'https://a.example/2', html: '<p>two</p>', time: 'yesterday' },
  ];
  const rows = await collect(strip(pages, new SiteModels([]), options));
  expect(rows.map(({ url, time }) => [url, time])).toEqual([['https://a.example/2', '']]);
  expect(problems.map(({ code }) => code)).toEqual(['too-large', 'bad-url', 'bad-date']);
  problems.length = 0;
  await learn(pages, options);
  expect(problems.map(({ code }) => code)).toEqual(['too-large', 'bad-url', 'bad-date']);
});

test('wrong input is refused with the page and what was expected', async () => {
  const wrong = (pages: unknown) => learn(pages as PageInput[]);
  await expect(wrong('crawl.warc.gz')).rejects.toThrow('openArchive(name) opens a file');
  await expect(wrong({ url: 'https://a.example/', html: '' })).rejects.toThrow(
    'put a single page into a list',
  );
  await expect(wrong([FETCHED[0], { url: 'https://a.example/' }])).rejects.toThrow(
    'html of page 2 must be a string or bytes (Uint8Array), not undefined',
  );
  await expect(wrong([{ html: '' }])).rejects.toThrow('url of page 1 must be a string, not undefined');
  await expect(wrong(['<p>one'])).rejects.toThrow('page 1 must be { url, html }, not a string');
  expect(() => label(undefined as never, new SiteModels([]))).toThrow(
    'iterable of { url, html }, not undefined',
  );
});
