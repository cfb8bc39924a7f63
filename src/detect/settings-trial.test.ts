import { expect, test } from 'vitest';
import { makePage, parsePage, words } from '../../test/detector-contract.ts';
import type { ParsedPage } from './detector.ts';
import { COMPARED_SETTINGS, tryDom, trySettings } from './settings-trial.ts';

const SHARED = 'All of this is set at the foot of every single page of the site.';
const PAGES = 20;

function* site(): Generator<ParsedPage> {
  for (let k = 0; k < PAGES; k++) {
    yield parsePage(makePage(`<p>${words(40, k)}</p><p>${SHARED}</p>`, k));
  }
}

test('without a density, every window of the pages is looked up', () => {
  const texts = [...site()].slice(0, 10).map(({ tree }) => Buffer.from(tree.text.slice(0, tree.textLength)));
  const characters = texts.map((text) => [...text.toString()].length);
  const { pages, windows } = trySettings('a.example', '32.3.0.10', site);
  expect(pages).toBe(10);
  expect(windows).toBe(characters.reduce((sum, count) => sum + count - 31, 0));
});

test('a density divides the number of lookups, and finds no more text', () => {
  const all = trySettings('a.example', '16.5.0.20', site);
  const some = trySettings('a.example', '16.5.8.20', site);
  expect(some.windows).toBeGreaterThan(all.windows / 16);
  expect(some.windows).toBeLessThan(all.windows / 4);
  expect(some.textShare).toBeLessThanOrEqual(all.textShare);
});

test('the share found is the share of whole words of the shared text', () => {
  const { textShare } = trySettings('a.example', '16.5.0.20', site);
  const shares = [...site()].map(({ tree }) => SHARED.length / tree.textLength); // shares of bytes
  const expected = shares.reduce((sum, share) => sum + share, 0) / PAGES;
  expect(Math.abs(textShare - expected)).toBeLessThan(0.02);
});

test('dom is reported, too, by nodes', () => {
  const { pages, windows, textShare } = tryDom('a.example', {}, site);
  const nodes = [...site()].reduce((sum, { tree }) => sum + tree.nodeCount, 0);
  expect({ pages, windows }).toEqual({ pages: PAGES, windows: nodes });
  expect(Math.abs(textShare - trySettings('a.example', '16.5.0.20', site).textShare)).toBeLessThan(0.02);
});

test('a window longer than the shared text finds nothing', () => {
  expect(trySettings('a.example', '100.5.0.20', site).textShare).toBe(0);
});

test('pages without text have no share', () => {
  const empty = () => [parsePage(makePage('<p></p>', 0))];
  expect(trySettings('a.example', '32.2.0.20', empty)).toMatchObject({ pages: 1, windows: 0, textShare: 0 });
});

test('the compared settings are all different and fit the usual sample', () => {
  expect(new Set(COMPARED_SETTINGS).size).toBe(COMPARED_SETTINGS.length);
  for (const settings of COMPARED_SETTINGS) expect(Number(settings.split('.')[3])).toBeLessThanOrEqual(200);
});
