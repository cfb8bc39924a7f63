import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DetectorChoice, type EvalResult, evaluate, joinResults } from './evaluate.ts';
import { splitMarked } from './label-corpus.ts';

const MENU = '<ul><li>Home page of the site<li>All the news of today<li>Write to the editors</ul>';
const SITE_PAGES = 12;
const SITE_DETECTORS = [{ name: 'dom' }, { name: 'text' }] as const satisfies DetectorChoice[];

let folder: string;
let archive: string;
let gold: string;
let result: EvalResult;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaff-evaluate-'));
  archive = join(folder, 'pages.jsonl');
  gold = join(folder, 'gold.jsonl');
  const pages = Array.from({ length: SITE_PAGES }, (_, index) => ({
    url: `http://large.example/${index}`,
    html: `<html><body>${MENU}<p>${storyOf(index)}</p></body></html>`,
  }));
  pages.push({
    url: 'http://small.example/',
    html: `<html><body>${MENU}<p>${storyOf(99)}</p></body></html>`,
  });
  await writeFile(archive, pages.map((page) => JSON.stringify(page)).join('\n'));
  const rows = [
    { url: 'http://large.example/3', set: 'a', text: storyOf(3), keep: [storyOf(3)], drop: ['All the news'] },
    {
      url: 'http://small.example/',
      set: 'b',
      text: storyOf(99),
      blocks: [
        [0, 'Home page of the site'],
        [2, storyOf(99)],
      ],
    },
    { url: 'http://gone.example/', text: 'never archived' },
  ];
  await writeFile(gold, `${rows.map((row) => JSON.stringify(row)).join('\n')}\nnot a row\n`);
  result = await evaluate({ archives: [archive], gold: [gold], detectors: SITE_DETECTORS });
});
afterAll(() => rm(folder, { recursive: true }));

function storyOf(index: number): string {
  const words = Array.from({ length: 30 }, (_, at) => `w${index}x${at * 7}`);
  return words.join(' ');
}

test('visits of one page are learnt from as one, and each is scored by its own URL', async () => {
  const visit = (index: number, session: string) => ({
    url: `http://visited.example/${index}?PHPSESSID=${session.repeat(16)}`,
    html: `<html><body>${MENU}<p>${storyOf(index)}</p></body></html>`,
  });
  const visits = ['a1', 'b2'].flatMap((session) =>
    Array.from({ length: SITE_PAGES }, (_, k) => visit(k, session)),
  );
  const visited = join(folder, 'visited.jsonl');
  const judged = join(folder, 'visited-gold.jsonl');
  await writeFile(visited, visits.map((page) => JSON.stringify(page)).join('\n'));
  const rows = [visits[3], visits[SITE_PAGES + 3]].map(({ url }) => ({ url, set: 'a', text: storyOf(3) }));
  await writeFile(judged, rows.map((row) => JSON.stringify(row)).join('\n'));
  const { learntPages, detectors } = await evaluate({ archives: [visited], gold: [judged] });
  expect(learntPages).toBe(SITE_PAGES);
  expect(detectors[0].summary.all).toMatchObject({ pages: 2 });
});

test('pages without gold are learnt from and not scored', () => {
  const [dom, text, none] = result.detectors;
  expect([dom.label, text.label, none.label]).toEqual(['dom', 'text', 'none']);
  expect(result.learntPages).toBe(SITE_PAGES + 1);
  for (const detector of [dom, text]) {
    expect(detector.summary.large).toMatchObject({ pages: 1, words: { f1: 1 }, keepRate: 1, dropRate: 1 });
  }
  expect(none.summary.large.dropRate).toBe(0);
  expect(none.summary.large.words?.recall).toBe(1);
});

test('a page of a site of one page is judged alone, and its story is kept', () => {
  const { small } = result.detectors[0].summary;
  expect(small).toMatchObject({ pages: 1, fallbackShare: 1, words: { recall: 1 } });
  expect(small.blocks?.counts).toMatchObject({ contentKept: 1, contentLost: 0 });
});

test('gold without a page is missing, and a bad row a problem', () => {
  expect(result.goldPages).toBe(3);
  expect(result.missing).toEqual([{ url: 'http://gone.example/', reason: 'not in the archives' }]);
  expect(result.problems.map(({ code }) => code)).toEqual(['bad-row']);
});

test('the same run gives the same result, JSON and all', async () => {
  const again = await evaluate({ archives: [archive], gold: [gold], detectors: SITE_DETECTORS });
  expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(result)));
});

test('one detector can have two labels, but not the same label twice', async () => {
  const strict = { name: 'dom' as const, label: 'dom on all', options: { lowerShare: 1 } };
  const { detectors } = await evaluate({
    archives: [archive],
    gold: [gold],
    detectors: [{ name: 'dom' }, strict],
  });
  expect(detectors.map(({ label }) => label)).toEqual(['dom', 'dom on all', 'none']);
  const twice = [{ name: 'dom' as const }, { name: 'dom' as const }];
  await expect(evaluate({ archives: [archive], gold: [gold], detectors: twice })).rejects.toThrow(
    'different labels',
  );
});

test('progress is reported per page, and a signal stops the run', async () => {
  const scored: number[] = [];
  await evaluate({
    archives: [archive],
    gold: [gold],
    onProgress: (progress) => scored.push(progress.scored),
  });
  expect(scored).toEqual([1, 2]);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(evaluate({ archives: [archive], gold: [gold], signal })).rejects.toThrow('enough');
});

test('templates and sections are scored on request', async () => {
  expect(result.detectors[0].pages[0]).not.toHaveProperty('templates');
  const { detectors } = await evaluate({
    archives: [archive],
    gold: [gold],
    detectors: SITE_DETECTORS,
    templates: true,
  });
  const [dom, , none] = detectors;
  const menuWords = 5 + 5 + 4;
  expect(dom.summary.large.templates?.text).toEqual({ precision: 1, recall: 1, f1: 1 });
  expect(dom.summary.large.randIndex).toBe(1);
  const large = ({ sitePages }: { sitePages: number }) => sitePages >= 10;
  expect(none.pages.find(large)?.templates?.text).toEqual({ both: 0, found: 0, wanted: menuWords });
  expect(none.summary.large.randIndex).toBe(0);
});

test('one half of the hosts can be scored, and their sites are learnt from as ever', async () => {
  const { detectors, missing, learntPages } = await evaluate({
    archives: [archive],
    gold: [gold],
    half: 'even',
  });
  // the first bytes of their SHA-256: large 86, small d9, gone 17
  expect(detectors[0].pages.map(({ url }) => url)).toEqual(['http://large.example/3']);
  expect([missing.length, learntPages]).toEqual([0, SITE_PAGES]);
});

test('texts of others are scored on the same pages; a page without a row is an empty text', async () => {
  const rows = new Map([['http://large.example/3', { text: storyOf(3) }]]);
  const extractors = [{ label: 'theirs', rows }];
  const { detectors } = await evaluate({ archives: [archive], gold: [gold], detectors: [], extractors });
  expect(detectors.map(({ label }) => label)).toEqual(['theirs', 'none']);
  const [theirs] = detectors;
  expect(theirs.summary.large).toMatchObject({ pages: 1, words: { f1: 1 }, keepRate: 1 });
  expect(theirs.summary.small).toMatchObject({ pages: 1, words: { f1: 0 } });
  expect(theirs.summary.large.cutShare).toBeCloseTo(1 - 179 / (179 + 49), 1);
});

test('a detector that knows two pages of a host has no evidence, one that knows six has', async () => {
  const options = { archives: [archive], gold: [gold], leastSitePages: 10, floors: { minSitePages: 4 } };
  const dom = { ...options, detectors: [{ name: 'dom' as const }] };
  const two = await evaluate({ ...dom, pagesKnown: 2 });
  const six = await evaluate({ ...dom, pagesKnown: 6 });
  expect(two.detectors[0].summary.all).toMatchObject({ pages: 1, fallbackShare: 1 });
  expect(six.detectors[0].summary.all).toMatchObject({ pages: 1, fallbackShare: 0, words: { f1: 1 } });
});

test('by default joint and dom are scored, and joint never falls back', async () => {
  const { detectors } = await evaluate({ archives: [archive], gold: [gold] });
  expect(detectors.map(({ label }) => label)).toEqual(['joint', 'dom', 'none']);
  expect(detectors.map(({ summary }) => summary.small.fallbackShare)).toEqual([0, 1, 0]);
});

test('results of sets are joined: pages of all, summed up again', () => {
  const joined = joinResults([result, result]);
  expect(joined.goldPages).toBe(6);
  expect(joined.detectors.map(({ label }) => label)).toEqual(['dom', 'text', 'none']);
  expect(joined.detectors[0].summary.all.pages).toBe(4);
  expect(joined.digest).not.toBe(result.digest);
});

test('marked text is split into kept and removed pieces', () => {
  expect(splitMarked('a ⟦template: b⟧ c\n⟦unsure: d⟧')).toEqual([
    { text: 'a ', kept: true },
    { text: 'b', kept: false },
    { text: ' c\n', kept: true },
    { text: 'd', kept: true },
  ]);
});

test('comments and titles are in the text or not, by the convention of the set', async () => {
  const remarks = 'A reader thinks that the harbour was never as deep as the paper says it is today';
  const comments = `<div id="comments" class="comments"><h3>Comments</h3><div class="comment"><p>${remarks}.</p></div></div>`;
  const story = `The council met on Monday, and after four hours it agreed to repair the old harbour. ${'Boats come back, and so do the fish, the mayor said. '.repeat(6)}`;
  const commented = join(folder, 'commented.jsonl');
  const commentedGold = join(folder, 'commented-gold.jsonl');
  const url = 'http://comments.example/harbour';
  const html = `<title>Old harbour repaired</title><body><article><h1>Old harbour repaired</h1><p>${story}</p><p>${story}</p></article>${comments}</body>`;
  await writeFile(commented, JSON.stringify({ url, html }));
  await writeFile(commentedGold, JSON.stringify({ url, text: story }));
  const textBy = async (convention?: string) => {
    let found = '';
    const detectors: DetectorChoice[] = [{ name: 'joint' }];
    const onText = (label: string, { text }: { text: string }) => {
      if (label === 'joint') found = text;
    };
    await evaluate({ archives: [commented], gold: [commentedGold], detectors, convention, onText });
    return found;
  };
  expect(await textBy()).not.toContain('A reader thinks');
  expect(await textBy('cleaneval')).toContain('A reader thinks');
  expect(await textBy('cleaneval')).toContain('Old harbour repaired');
  expect(await textBy('scrapinghub')).not.toMatch(/A reader thinks|Old harbour repaired/);
});
