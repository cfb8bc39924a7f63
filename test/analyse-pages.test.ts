import { expect, test } from 'vitest';
import type { FragmentClass } from '../src/fragments/shared-page.ts';
import type { Page } from '../src/model/page.ts';
import { analysePages, type PlainResult } from './analyse-pages.ts';

test('a fragment on two pages is one class with a member on each', async () => {
  const result = analysePages(
    pagesOf('<div id=menu><a>News</a></div><p>one', '<div id=menu><a>News</a></div>two'),
    {
      minBytes: 10,
      relations: ['complete'],
    },
  );
  expect(result.classes).toMatchObject([
    {
      kind: 'primitive',
      parts: 1,
      pages: 2,
      members: 2,
      sites: 1,
      avgBytes: 30,
      savedBytes: 30,
      place: 'html > body > div#menu',
      text: 'News',
      page: 0,
    },
  ]);
  expect(await sourcesOf(result, result.classes[0])).toEqual([
    '0: <div id=menu><a>News</a></div>',
    '1: <div id=menu><a>News</a></div>',
  ]);
});

test('a fragment inside a larger shared one is maximal only when enough of its class are outside', () => {
  const inner = '<ul><li>one<li>two</ul>';
  const outer = `<div>first ${inner}</div>`;
  const options = { minBytes: 10, relations: ['complete'] as const };
  const once = analysePages(pagesOf(`${outer}a`, `${outer}b`, `<p>c ${inner}`), options);
  expect(once.classes.map(({ members }) => members)).toEqual([2]);
  const twice = analysePages(pagesOf(`${outer}a`, `${outer}b`, `<p>c ${inner}`, `<p>d ${inner}`), options);
  expect(twice.classes.map(({ members, place }) => [members, place])).toEqual([
    [2, 'html > body > div'],
    [2, 'html > body > ul'],
  ]);
});

test('neighbours on the same pages become one composite, with what is between them', async () => {
  const pages = pagesOf(
    '<p>first part</p> and <p>second part</p>1',
    '<p>first part</p> and <p>second part</p>2',
  );
  const result = analysePages(pages, { minBytes: 8, relations: ['complete'] });
  expect(result.classes).toMatchObject([{ kind: 'composite', parts: 2, members: 2, structuralBytes: 2 }]);
  expect(await sourcesOf(result, result.classes[0])).toEqual([
    '0: <p>first part</p> and <p>second part</p>',
    '1: <p>first part</p> and <p>second part</p>',
  ]);
});

test('neighbours with different things between them stay apart', () => {
  const pages = pagesOf(
    '<p>first part</p> and <p>second part</p>1',
    '<p>first part</p> or <p>second part</p>2',
  );
  const { classes } = analysePages(pages, { minBytes: 8, relations: ['complete'] });
  expect(classes.map(({ kind }) => kind)).toEqual(['primitive', 'primitive']);
});

test('four neighbours merge in pairs when the middle ones do not always meet (Fig. 2 of the paper)', () => {
  const [a, b, c, d] = ['alpha', 'beta', 'gamma', 'delta'].map((word) => `<p>the ${word} part</p>`);
  const pages = pagesOf(`${a}${b}${c}${d}1`, `${c}${d}${a}${b}2`);
  const { classes } = analysePages(pages, { minBytes: 8, relations: ['complete'] });
  expect(classes.map(({ kind, parts, members }) => [kind, parts, members])).toEqual([
    ['composite', 2, 2],
    ['composite', 2, 2],
  ]);
});

test('equal siblings are members of one class and not parts of a composite', () => {
  const { classes } = analysePages(pagesOf('<p>again</p><p>again</p><p>again</p>'), {
    minBytes: 4,
    relations: ['complete'],
  });
  expect(classes).toMatchObject([{ kind: 'primitive', members: 3, pages: 1 }]);
});

test('the structural relation forgets texts and values, not names', () => {
  const pages = pagesOf(
    '<div class=a><p>one</p></div><i>x',
    '<div class=b><p>two</p></div>y',
    '<div id=a><p>one</p></div>',
  );
  const { classes } = analysePages(pages, { minBytes: 9 });
  expect(classes.map(({ relation, members, place }) => [relation, members, place])).toEqual([
    ['structural', 2, 'html > body > div.a'],
  ]);
});

test('comments, white space and the order of attributes make no difference', () => {
  const pages = pagesOf('<p a=1 b=2>some  text</p>x', '<P b=2 A=1>\nsome text<!-- 7 --> </P>y');
  const { classes } = analysePages(pages, { minBytes: 8, relations: ['complete'] });
  expect(classes).toMatchObject([{ members: 2, place: 'html > body > p' }]);
});

test('options out of range are refused by name', () => {
  expect(() => analysePages([], { minShared: 1 })).toThrow('minShared must be a whole number from 2, not 1');
  expect(() => analysePages([], { minBytes: 0 })).toThrow('minBytes must be a whole number from 1, not 0');
});

function pagesOf(...sources: string[]): Page[] {
  return sources.map((html, k) => ({
    url: `http://example.com/${k}`,
    time: '',
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'pages',
    offset: k,
    length: 1,
    site: 'example.com',
    charset: 'UTF-8',
    source: new TextEncoder().encode(html),
  }));
}

async function sourcesOf(result: PlainResult, { id }: FragmentClass): Promise<string[]> {
  const sources: string[] = [];
  for await (const { number, page, members } of result.readPages()) {
    for (const { classId, start, end } of members) {
      if (classId === id) sources.push(`${number}: ${Buffer.from(page.source.subarray(start, end))}`);
    }
  }
  return sources;
}
