import { expect, test } from 'vitest';
import { PathTokens } from '../analysis/layout-signer.ts';
import { MinHash } from '../analysis/minhash.ts';
import type { SignedPages } from '../analysis/signed-pages.ts';
import { Parser } from '../parse/parser.ts';
import { type GeneratedSiteOptions, generateSite } from '../research/generated-sites/site-generator.ts';
import type { PageKind } from '../research/generated-sites/site-plan.ts';
import { findLayouts, layoutSite } from './layout-groups.ts';

function signSite(options: Partial<GeneratedSiteOptions>): { pages: SignedPages; kinds: PageKind[] } {
  const parser = new Parser();
  const paths = new PathTokens();
  const hasher = new MinHash();
  const captures = [...generateSite({ seed: 1, host: 'a.example', pages: 150, ...options })];
  const signatures = new Uint32Array(captures.length * 128);
  captures.forEach(({ source }, k) => {
    paths.make(parser.parse(source));
    hasher.sign(paths.tokens, paths.count, signatures, k * 128);
  });
  const pages = {
    permutations: 128,
    signatures,
    keys: captures.map(({ url }) => url),
    urls: captures.map(({ url }) => url),
    times: captures.map(({ time }) => time),
  };
  return { pages, kinds: captures.map(({ kind }) => kind) };
}

/**
 * Purity: share of pages of the commonest kind of their group. Completeness: share in the largest group of
 * their kind.
 */
function score(numberOf: Uint32Array, kinds: PageKind[]): { purity: number; completeness: number } {
  const cells = new Map<string, number>();
  kinds.forEach((kind, k) => {
    const cell = `${numberOf[k]} ${kind}`;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  });
  const best = { group: new Map<string, number>(), kind: new Map<string, number>() };
  for (const [cell, count] of cells) {
    const [group, kind] = cell.split(' ');
    best.group.set(group, Math.max(count, best.group.get(group) ?? 0));
    best.kind.set(kind, Math.max(count, best.kind.get(kind) ?? 0));
  }
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  return { purity: sum(best.group) / kinds.length, completeness: sum(best.kind) / kinds.length };
}

// articles and products of the oldest and the newest skin have nearly the same tags, so they form one group
test.each([
  ['2005-03-01', 0.78],
  ['2011-03-01', 0.99],
  ['2016-03-01', 0.99],
  ['2022-03-01', 0.78],
])('the groups of a site of %s are its page kinds', (start, leastPurity) => {
  for (const seed of [1, 2]) {
    const { pages, kinds } = signSite({ seed, start });
    const { groups, numberOf } = findLayouts(pages, { weighted: true });
    const { purity, completeness } = score(numberOf, kinds);
    expect(purity).toBeGreaterThanOrEqual(leastPurity);
    expect(completeness).toBeGreaterThanOrEqual(0.97);
    expect(groups.length).toBeGreaterThanOrEqual(3);
    expect(groups.length).toBeLessThanOrEqual(9);
  }
});

test('pages of one kind with sloppy markup are one group', () => {
  const { pages } = signSite({ kinds: ['article'], soup: true, pages: 80 });
  const { groups } = findLayouts(pages, { weighted: true });
  expect(groups[0].pages).toBeGreaterThanOrEqual(76);
});

test('two designs of a site are different groups', () => {
  const { pages } = signSite({ kinds: ['listing'], generations: 2, pages: 30 });
  const { numberOf } = findLayouts(pages, { weighted: true });
  const early = new Set(numberOf.subarray(0, 30));
  expect(Array.from(numberOf.subarray(30)).some((number) => early.has(number))).toBe(false);
});

test('groups are numbered by size and name their most typical page', () => {
  const { pages, kinds } = signSite({ start: '2016-03-01' });
  const { groups, numberOf } = findLayouts(pages, { weighted: true });
  expect(groups.map(({ number }) => number)).toEqual(groups.map((_, k) => k + 1));
  expect(groups.map((group) => group.pages)).toEqual(
    groups.map((group) => group.pages).sort((a, b) => b - a),
  );
  expect(groups.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  for (const { number, typical, similarity, urls, pages: count } of groups) {
    expect(numberOf[typical]).toBe(number);
    expect(similarity).toBeGreaterThan(0.5);
    expect(similarity).toBeLessThanOrEqual(1);
    expect(urls).toBe(count);
  }
  expect(kinds[groups[0].typical]).toBe('article');
  expect(groups.find(({ typical }) => kinds[typical] === 'forum')?.pattern).toBe(
    '/forum/viewtopic.php?f=*&t=*',
  );
});

test('the mean similarity is the mean over all pairs', () => {
  const signatures = new Uint32Array(3 * 16).fill(1);
  signatures.fill(2, 40, 48); // half of the third page
  const pages = {
    permutations: 16,
    signatures,
    keys: ['a', 'b', 'c'],
    urls: ['a', 'b', 'c'],
    times: ['', '', ''],
  };
  const { groups } = findLayouts(pages, { threshold: 0.4 });
  expect(groups.length).toBe(1);
  expect(groups[0].similarity).toBeCloseTo((1 + 0.5 + 0.5) / 3);
  expect(groups[0].typical).not.toBe(2);
});

test('captures of one page count as one URL', () => {
  const signatures = new Uint32Array(3 * 16).fill(1);
  const urls = ['http://a.example/x/1?sid=1', 'http://a.example/x/1?sid=2', 'http://a.example/x/2'];
  const pages = { permutations: 16, signatures, keys: ['1', '1', '2'], urls, times: ['', '', ''] };
  expect(findLayouts(pages).groups).toMatchObject([{ pages: 3, urls: 2 }]);
});

test('no pages have no layouts', () => {
  const none = { permutations: 128, signatures: new Uint32Array(0), keys: [], urls: [], times: [] };
  expect(findLayouts(none).groups).toEqual([]);
});

test('the site key of a layout is the host and the number of the layout', () => {
  expect(layoutSite('a.example', 2)).toBe('a.example#2');
});
