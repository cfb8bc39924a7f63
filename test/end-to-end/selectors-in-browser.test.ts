/**
 * Selectors in a real browser: it finds the elements that we report for a selector, and an exact selector finds
 * only members.
 */
import { join } from 'node:path';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PageElements } from '../../src/fragments/selectors/page-elements.ts';
import {
  formatSelector,
  type Selector,
  SelectorMatcher,
} from '../../src/fragments/selectors/selector-matcher.ts';
import { elementsOf } from '../../src/fragments/selectors/selector-templates.ts';
import { findSelectors, type SelectorRow } from '../../src/fragments/selectors/write-selectors.ts';
import type { FragmentResult } from '../../src/fragments/shared-page.ts';
import type { Page } from '../../src/model/page.ts';
import { Parser } from '../../src/parse/parser.ts';
import { tagName } from '../../src/parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../src/parse/tree.ts';
import {
  type GeneratedSiteOptions,
  generateSite,
} from '../../src/research/generated-sites/site-generator.ts';
import { runFragments } from '../../src/run/fragments-run.ts';
import { analysePages } from '../analyse-pages.ts';
import { launchBrowser } from '../browser.ts';

let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  browser = await launchBrowser();
  tab = await browser.newPage();
});

afterAll(async () => {
  await browser?.close();
});

interface Answer {
  /** Tags of all elements in document order. */
  tags: string[];
  /** For each selector, the numbers of the elements that it matches. */
  found: number[][];
}

/** What the browser's `querySelectorAll` answers on a page that it has parsed without running its scripts. */
async function ask(source: Uint8Array, selectors: string[]): Promise<Answer> {
  return tab.evaluate(
    `(([html, selectors]) => {
      const page = new DOMParser().parseFromString(html, 'text/html');
      const all = [...page.querySelectorAll('*')];
      const numbers = new Map(all.map((element, number) => [element, number]));
      return {
        tags: all.map((element) => element.localName.toLowerCase()),
        found: selectors.map((selector) => [...page.querySelectorAll(selector)].map((element) => numbers.get(element))),
      };
    })(${JSON.stringify([new TextDecoder().decode(source), selectors])})`,
  ) as Promise<Answer>;
}

/** Nodes of our tree in the order in which the browser counts elements. */
function liveElements(tree: Tree): number[] {
  const nodes: number[] = [];
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    nodes.push(node);
    if (tagName(tree, node) === 'template') node = tree.last[node] - 1;
  }
  return nodes;
}

function sitePages(options: GeneratedSiteOptions): Page[] {
  return Array.from(generateSite(options), ({ url, time, source }, at) => ({
    url,
    time,
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'f',
    offset: at,
    length: 1,
    site: options.host,
    charset: 'UTF-8',
    source,
  }));
}

const SITES: Record<string, GeneratedSiteOptions> = {
  tables: { seed: 1, host: 'a.example', pages: 24, start: '2004-01-01' },
  divs: { seed: 2, host: 'b.example', pages: 24, start: '2011-01-01' },
  html5: { seed: 3, host: 'c.example', pages: 24, start: '2016-01-01' },
  utility: { seed: 4, host: 'd.example', pages: 24, start: '2021-01-01' },
  'tag soup': { seed: 5, host: 'e.example', pages: 24, soup: true, start: '2004-01-01' },
  Greek: { seed: 6, host: 'f.example', pages: 20, language: 'el', start: '2016-01-01' },
};

test.each(Object.entries(SITES))(
  'on a site of %s, exact selectors match members and nothing else',
  async (name, options) => {
    const result = analysePages(sitePages(options), { relations: ['complete'], composites: 'merged' });
    const { rows } = await findSelectors(result);
    const exact = rows.filter((row) => row.exact);
    expect(rows.length).toBeGreaterThan(3);
    // tables name nothing, and menus that mark where one is differ in text only
    if (name !== 'tag soup')
      expect(exact.length / rows.length).toBeGreaterThan(name === 'tables' ? 0.1 : 0.5);
    const compared = await compareExact(result, rows);
    expect(compared / result.pageCount).toBeGreaterThan(name === 'tag soup' ? 0.3 : 0.99);
  },
);

const data = process.env.CHAFF_DATA;
const REAL_SITES = ['eaglecraft-phpbb', 'smartline-legacy', 'python3.11'];

test.skipIf(data === undefined).each(REAL_SITES)(
  'on pages of %s they do too (needs CHAFF_DATA)',
  async (site) => {
    await runFragments([join(data!, 'sites', `${site}.warc.gz`)], {
      limit: 120,
      composites: 'merged',
      workers: 0,
      useResult: async (result) => {
        const { rows } = await findSelectors(result);
        expect(rows.some(({ exact }) => exact)).toBe(true);
        expect(await compareExact(result, rows)).toBeGreaterThan(60);
      },
    });
  },
);

/** Compares exact selectors on all pages; returns how many could be compared. */
async function compareExact(result: FragmentResult, rows: SelectorRow[]): Promise<number> {
  const selectors = rows.map(({ selector }) => selector);
  let compared = 0;
  await result.visitPages(async ({ page, tree, members }) => {
    const { tags, found } = await ask(page.source, selectors);
    const nodes = liveElements(tree);
    // what browsers move out of tables stays where it is here: such a page cannot be compared by numbers
    if (nodes.map((node) => tagName(tree, node)).join() !== tags.join()) return;
    compared++;
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    const wanted = new Map<string, number[]>();
    for (const member of members) {
      if (member.relation !== 'complete') continue;
      const own = elementsOf(tree, member).map((node) => numbers.get(node)!);
      wanted.set(member.classId, [...(wanted.get(member.classId) ?? []), ...own]);
    }
    rows.forEach((row, at) => {
      if (row.exact)
        expect([page.url, row.selector, found[at]]).toEqual([
          page.url,
          row.selector,
          wanted.get(row.template) ?? [],
        ]);
    });
  });
  return compared;
}

const NAMES = [
  'a"b',
  '1x',
  '-1',
  '-',
  '😀',
  '\\',
  'a\\b',
  "it's",
  'x:y',
  'ünï',
  '--',
  'A',
  'a',
  '*/',
  '<b>',
  '\u202ex',
  'a.b#c',
  '&amp;',
  '/',
  'x]',
  'ß',
];

test('hostile names mean the same to us and to the browser', async () => {
  const quoted = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const body = NAMES.map(
    (name) =>
      `<p id="${quoted(name)}" title="${quoted(name)}">x</p><i class="${quoted(name)} z" data-n="${quoted(name)}">y</i>`,
  ).join('\n');
  const selectors = NAMES.flatMap((name): Selector[] => [
    [{ tag: '*', id: name }],
    [{ tag: 'i', classes: [name] }],
    [{ tag: 'i', classes: [name, 'z'] }],
    [{ tag: 'body' }, { tag: 'p', attributes: [{ name: 'title', value: name }] }],
    [{ tag: '*', attributes: [{ name: 'data-n', value: name }] }],
  ]);
  // the second one twice, and in quirks mode
  for (const doctype of ['<!doctype html>', '']) {
    await compare(
      `${doctype}<title>t</title><body>${body}<p id="1x">again</p><svg><g id="1x" class="😀"/></svg>`,
      selectors,
    );
  }
});

test('places and paths mean the same to us and to the browser', async () => {
  const selectors: Selector[] = [];
  for (const tag of ['div', 'p', 'b', 'li', 'td', '*', 'tbody']) {
    for (let n = 1; n < 5; n++) {
      selectors.push(
        [{ tag, nthChild: n }],
        [{ tag: 'body' }, { tag, nthChild: n }],
        [{ tag: 'div' }, { tag, nthChild: n }],
      );
      if (tag !== '*')
        selectors.push(
          [{ tag, nthOfType: n }],
          [{ tag: 'html' }, { tag: 'body' }, { tag, nthOfType: n, nthChild: n }],
        );
    }
    selectors.push([{ tag: 'template' }, { tag }], [{ tag, classes: ['k'] }], [{ tag: 'tr' }, { tag }]);
  }
  const html = `<div>1<p>2<b class=k>3<p>4</b><div><ul><li>5<li class=k>6</ul></div></div><!-- c --><p>7<table><tr><td>8<td>9<tr><td>10</table>
<template><p class=k>no<div></div></template><div><noscript><p>in</p></noscript></div><p class="K k">11`;
  await compare(`<!doctype html><body>${html}`, selectors);
  await compare(html, selectors);
});

async function compare(html: string, selectors: Selector[]): Promise<void> {
  const source = new TextEncoder().encode(html);
  const tree = new Parser().parse(source);
  const nodes = liveElements(tree);
  const matcher = new SelectorMatcher();
  selectors.forEach((selector, number) => {
    matcher.add(number, selector);
  });
  const ours: number[][] = selectors.map(() => []);
  matcher.match(new PageElements(tree), (node, numbers) => {
    for (const number of numbers) ours[number].push(nodes.indexOf(node));
  });
  const texts = selectors.map(formatSelector);
  const { found, tags } = await ask(source, texts);
  expect(nodes.map((node) => tagName(tree, node))).toEqual(tags);
  texts.forEach((text, at) => {
    expect([text, ours[at]]).toEqual([text, found[at]]);
  });
}
