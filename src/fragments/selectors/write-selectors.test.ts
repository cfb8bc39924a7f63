import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analysePages } from '../../../test/analyse-pages.ts';
import type { Page } from '../../model/page.ts';
import { looksStable } from './selector-candidates.ts';
import { SELECTOR_FORMATS, selectorFormatOf } from './selector-formats.ts';
import { findSelectors, type SelectorRow, writeSelectors } from './write-selectors.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-selectors-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIST = '<li>Home page<li>All news<li>Contact us';

/** Returns the selectors of a site with these bodies, most bytes first. */
async function selectorsOf(...bodies: string[]): Promise<SelectorRow[]> {
  return (await findSelectors(analysed(bodies))).rows;
}

function analysed(bodies: string[]) {
  return analysePages(bodies.map(pageOf), { minBytes: 20, relations: ['complete'] });
}

function pageOf(body: string, at: number): Page {
  return {
    url: `http://site.example/${at}`,
    time: '',
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'f',
    offset: at,
    length: 1,
    site: 'site.example',
    charset: 'UTF-8',
    source: new TextEncoder().encode(`<!doctype html><title>${at}</title><body>${body}`),
  };
}

test('a unique id is the selector', async () => {
  const rows = await selectorsOf(`<ul id=nav>${LIST}</ul>one`, `<ul id=nav>${LIST}</ul>two`);
  expect(rows).toMatchObject([{ selector: '#nav', exact: true, pages: 2, members: 2, missed: 0, others: 0 }]);
});

test('a duplicate id is ignored, and the path identifies the element', async () => {
  const body = (n: number) =>
    `<div class=top><ul id=x>${LIST}</ul></div><div class=rest><ul id=x><li>own ${n}</ul></div>`;
  const [row] = await selectorsOf(body(1), body(2));
  expect(row).toMatchObject({ selector: 'div.top', exact: true });
  const inner = (n: number) =>
    `<div class=top>${n}<ul id=x>${LIST}</ul></div><div class=rest><ul id=x><li>own ${n}</ul></div>`;
  expect(await selectorsOf(inner(1), inner(2))).toMatchObject([{ selector: 'div.top > #x', exact: true }]);
});

test('ids that look generated come after names that look stable', async () => {
  const body = (n: number) => `<ul id=x8f3a2b91c class=menu>${LIST}</ul>${n}`;
  expect(await selectorsOf(body(1), body(2))).toMatchObject([{ selector: 'ul.menu', exact: true }]);
  expect(['nav', 'main-menu', 'col2', 'h1title'].map(looksStable)).toEqual([true, true, true, true]);
  expect(['12', 'post-48213', 'css-1q2w3e', 'a1b2c3d4', 'session-id', 'deadbeef'].map(looksStable)).toEqual(
    Array(6).fill(false),
  );
});

test('without names the position among siblings identifies the element', async () => {
  const body = (n: number) =>
    `<div><p>Own text ${n} here</p><div>${LIST}</div></div><div><div>other ${n}</div></div>`;
  const [row] = await selectorsOf(body(1), body(2));
  expect(row.exact).toBe(true);
  expect(row.selector).toMatch(/^body > div:nth-of-type\(1\) > div/);
});

test('a template at two positions gets a list', async () => {
  const menu = `<ul>${LIST}</ul>`;
  const rows = await selectorsOf(
    `<div id=a>1${menu}</div>`,
    `<div id=a>2${menu}</div>`,
    `<p id=b>3</p><div id=c><div>${menu}4</div></div>`,
    '<div id=d><ul><li>own</ul></div>',
  );
  expect(rows).toMatchObject([{ exact: true, pages: 3 }]);
  expect(rows[0].selector).toMatch(/, /);
});

test('when only the text differs there is no exact selector, and the row has the errors of the closest one', async () => {
  const menu = (here: string) => `<ul id=nav>${LIST}<li>You are in ${here}</ul>`;
  const rows = await selectorsOf(...['news', 'news', 'shop', 'shop'].map((here, n) => `${menu(here)}${n}`));
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({ selector: '#nav', exact: false, missed: 0, others: 2, othersShared: 2 });
  }
});

test('different contents give an exact selector with :has, and a plain one for other tools', async () => {
  const menu = (here: string) =>
    `<ul id=nav>${['news', 'shop', 'help'].map((name) => `<li${name === here ? ' class=here' : ''}><a href="/${name}">${name}</a>`).join('')}</ul>`;
  const rows = await selectorsOf(
    ...['news', 'news', 'shop', 'shop', 'help', 'help'].map((here, n) => `${menu(here)}${n}`),
  );
  expect(rows.map(({ selector }) => selector).sort()).toEqual([
    '#nav:has(li.here:nth-child(1))',
    '#nav:has(li.here:nth-child(2))',
    '#nav:has(li.here:nth-child(3))',
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({
      exact: true,
      others: 0,
      plain: { selector: '#nav', others: 4, othersShared: 4 },
    });
  }
});

test('a composite gets a list of selectors for its elements', async () => {
  const parts = '<p class=x>The first part of it</p> and <div class=y>The second part of it</div>';
  const rows = await selectorsOf(`<div>${parts}1</div>`, `<div>${parts}2</div>`);
  expect(rows).toMatchObject([{ selector: 'div.y, p.x', exact: true, members: 2 }]);
});

test('a fragment on one page is not a template, and sites are separate', async () => {
  const pages = [0, 1, 2].map((at) => pageOf(`<ul id=nav>${LIST}</ul>${at}`, at));
  const other = { ...pageOf(`<ul id=nav>${LIST}</ul>b`, 3), site: 'b', url: 'http://b/' };
  const result = analysePages([...pages, other], { minBytes: 20 });
  const { rows } = await findSelectors(result);
  expect(rows.map(({ site, pages }) => [site, pages])).toEqual([['site.example', 3]]);
});

test('every format has the selector, and nothing in it controls a screen or ends a string', async () => {
  const name = '&quot;*/--&gt;&lt;/style&gt;&#x202e;\u001b[31m\u0085';
  const menu = `<ul id='h"x' data-a="${name}" title="\u202e">${LIST} \u202e\u001b[31m</ul>`;
  const result = analysed([`${menu}1`, `${menu}2`]);
  for (const format of SELECTOR_FORMATS) {
    const file = join(folder, `out.${format}`);
    expect(await writeSelectors(result, { file, format })).toMatchObject({
      templates: 1,
      exact: 1,
      auditPages: 1,
    });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    if (format === 'jsonl') {
      const [row, audit] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(row).toMatchObject({ kind: 'template', selector: '#h\\"x', url: audit.url });
      expect(row.pagefindTag).toMatch(/ data-pagefind-ignore>$/);
      expect(row.noSnippetTag).toMatch(/^<div data-nosnippet><ul id='h"x'/);
      expect(audit).toMatchObject({ kind: 'audit', shows: 1 });
    } else if (format === 'pagefind') {
      expect(text).toContain('exclude_selectors:\n');
      expect(text).toContain('\n  - "#h\\\\\\"x"\n');
    } else if (format === 'css') expect(text).toMatch(/^#h\\"x \/\*/);
    // in a browser, tags of a page would run its scripts
    else if (format === 'nosnippet')
      expect(text).toMatch(/^<!doctype html><meta charset="utf-8"><plaintext>\n/);
  }
});

test('the file extension decides the format', () => {
  expect(['a.jsonl', 'pagefind.yml', 'a.CSS', 'x.html', 'x.json', 'x'].map(selectorFormatOf)).toEqual([
    'jsonl',
    'pagefind',
    'css',
    'nosnippet',
    'json',
    'jsonl',
  ]);
});
