import { expect, test } from 'vitest';
import { makePage, parsePage } from '../../../test/detector-contract.ts';
import { linkModel } from '../../../test/link-model.ts';
import type { ParsedPage } from '../detector.ts';
import { judgeAlone } from './judge-alone.ts';
import { PageJudge } from './judge-page.ts';

const model = linkModel();
const STORY = `<div>${'<p>A story that goes on for a while, with commas, in it.</p>'.repeat(6)}</div>`;

function menu(href: string): string {
  return `<ul>${`<li><a href="${href}">one of the links here</a></li>`.repeat(8)}</ul>`;
}

function parse(html: string, index: number, url?: string): ParsedPage {
  const parsed = parsePage(makePage(html, index));
  return url === undefined ? parsed : { ...parsed, page: { ...parsed.page, url } };
}

test('the same page at any address of its site has the same verdict', () => {
  const options = { model };
  const [first, other, again] = [
    `${menu('/a')}${STORY}`,
    `${STORY}${menu('/a')}`,
    `${menu('/a')}${STORY}`,
  ].map((html, i) => judgeAlone(parse(html, i), options));
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(again).toEqual(new PageJudge(model).judge(parse(`${menu('/a')}${STORY}`, 9)).ranges);
  // a cached verdict is not computed again
  expect(again[0]).toBe(first[0]);
});

test('equal options in another object share a judge, different options do not', () => {
  const html = `${menu('/a')}${STORY}`;
  const [first, copied, other, back] = [
    { model },
    structuredClone({ model }),
    { model, threshold: 0.01 },
    { model },
  ].map((options) => judgeAlone(parse(html, 1), options));
  expect(copied[0]).toBe(first[0]);
  expect(other).toEqual(new PageJudge(model, { threshold: 0.01 }).judge(parse(html, 1)).ranges);
  expect(back).toEqual(first);
});

test('reusing the memory of a source does not change cached verdicts', () => {
  const options = { model };
  const page = parse(`${menu('/a')}${STORY}`, 1);
  const first = structuredClone(judgeAlone(page, options));
  page.tree.source.fill(0x20);
  expect(judgeAlone(parse(`${menu('/a')}${STORY}`, 2), options)).toEqual(first);
});

test('pages that differ only in an attribute have separate verdicts', () => {
  const options = { model };
  const judged = ['aside', 'story'].map((name) => {
    const html = `<div class="${name}">${menu('/a')}</div>${STORY}`;
    return [judgeAlone(parse(html, 1), options), new PageJudge(model).judge(parse(html, 1)).ranges];
  });
  for (const [remembered, fresh] of judged) expect(remembered).toEqual(fresh);
  expect(judged[0][0][0]).not.toBe(judged[1][0][0]);
});

test('a page of another site is judged by its own links', () => {
  const options = { model };
  const html = `${menu('http://one.example/a')}${STORY}`;
  for (const url of ['http://one.example/1', 'http://two.example/1', 'http://one.example/2']) {
    const parsed = parse(html, 1, url);
    expect(judgeAlone(parsed, options)).toEqual(new PageJudge(model).judge(parsed).ranges);
  }
});

test('each page has its own verdict, even with more pages than the cache holds', () => {
  const options = { model };
  for (const round of [1, 2]) {
    for (let i = 0; i < 300; i++) {
      const html = `${menu(`/${i}`)}${STORY}`;
      expect(judgeAlone(parse(html, round), options).at(-1)!.end).toBe(html.length);
    }
  }
});
