import { expect, test } from 'vitest';
import { emptyBlockCounts } from './blocks.ts';
import type { PageScore } from './score-page.ts';
import { summarise } from './summarise.ts';

test('pages count once each, whatever their length', () => {
  const { all } = summarise([pageOf({ f1: 1, goldWords: 1000 }), pageOf({ f1: 0, goldWords: 1 })]);
  expect(all.words?.f1).toBe(0.5);
});

test('a figure that no page has is absent, and pages without it do not weigh', () => {
  const { all } = summarise([
    pageOf({ kept: { hits: 1, total: 2 } }),
    pageOf({ kept: { hits: 0, total: 0 } }),
  ]);
  expect(all.keepRate).toBe(0.5);
  expect(all.dropRate).toBeUndefined();
  expect(all.words).toBeUndefined();
  expect(summarise([]).all).toEqual({ pages: 0, fallbackShare: 0 });
});

test('sites of ten pages and more are summed apart', () => {
  const summary = summarise([pageOf({ sitePages: 10, f1: 1 }), pageOf({ sitePages: 9, f1: 0.5 })]);
  expect(summary.large.words?.f1).toBe(1);
  expect(summary.small.words?.f1).toBe(0.5);
  expect(Object.keys(summary.largeBySet)).toEqual(['s']);
});

test('groups go by their key, and no key is not a group', () => {
  const summary = summarise([pageOf({ type: 'forum' }), pageOf({ type: 'article' }), pageOf({})]);
  expect(Object.keys(summary.byType)).toEqual(['article', 'forum']);
  expect(summary.byType.forum.pages).toBe(1);
});

test('blocks are summed over all pages', () => {
  const one = { ...emptyBlockCounts(), contentKept: 3, contentLost: 1 };
  const two = { ...emptyBlockCounts(), boilerplateKept: 1, boilerplateGone: 4 };
  const { blocks } = summarise([pageOf({ blocks: one }), pageOf({ blocks: two })]).all;
  expect(blocks?.content).toMatchObject({ precision: 0.75, recall: 0.75 });
  expect(blocks?.boilerplate).toMatchObject({ precision: 0.8, recall: 0.8 });
});

test('the share of pages that fell back is counted', () => {
  expect(summarise([pageOf({ fellBack: true }), pageOf({})]).all.fallbackShare).toBe(0.5);
});

function pageOf({ f1, ...fields }: Partial<PageScore> & { f1?: number }): PageScore {
  const page: PageScore = {
    url: 'http://a.example/',
    site: 'a.example',
    sitePages: 1,
    set: 's',
    type: '',
    lang: '',
    fellBack: false,
    outputWords: 0,
    outputChars: 0,
    goldWords: 0,
    keptWords: 0,
    rightWords: 0,
    kept: { hits: 0, total: 0 },
    dropped: { hits: 0, total: 0 },
    ...fields,
  };
  if (f1 !== undefined) page.words = { precision: f1, recall: f1, f1 };
  return page;
}
