import { expect, test } from 'vitest';
import { samplePages } from '../../../test/detector-contract.ts';
import type { Problem } from '../../model/problem.ts';
import { Site, site } from './growing-site.ts';
import { learn, SiteModels } from './learn-pages.ts';
import type { PageInput } from './page-input.ts';

const PAGES: PageInput[] = samplePages(60).map(({ url, source }) => ({ url, html: source }));

function siteOfAll(pages: Iterable<PageInput>, options = { sample: 20 }): Site {
  const made = site(options);
  for (const page of pages) made.add(page);
  return made;
}

/** The model and the kept pages, as bytes. */
function stateOf(made: Site): Uint8Array[] {
  return [made.save(), new SiteModels([made.learn()]).encode()];
}

test('a site grows page by page into the model that learn gives', async () => {
  const [model] = await learn(PAGES, { sample: 20 });
  expect(siteOfAll(PAGES).learn()).toEqual(model);
});

test('the same pages in any order, also added twice or stripped between, give the same site', () => {
  const expected = stateOf(siteOfAll(PAGES));
  expect(stateOf(siteOfAll(PAGES.toReversed()))).toEqual(expected);
  const mixed = site({ sample: 20 });
  for (const page of [...PAGES.slice(30), ...PAGES]) {
    mixed.add(page);
    mixed.strip(page);
  }
  expect(stateOf(mixed)).toEqual(expected);
});

test('of two pages with one URL and no time the same stands for both, in any order', () => {
  const twins = ['<p>one</p>', '<p>two</p>', '<p>three</p>'].map((html) => ({
    url: 'https://a.example/',
    html,
  }));
  expect(siteOfAll(twins).save()).toEqual(siteOfAll(twins.toReversed()).save());
});

test('merging two sites is adding all pages to one', () => {
  const expected = stateOf(siteOfAll(PAGES));
  for (const at of [0, 7, 45]) {
    const merged = siteOfAll(PAGES.slice(at)).merge(siteOfAll(PAGES.slice(0, at + 5)));
    expect(stateOf(merged)).toEqual(expected);
  }
  expect(() => site({ sample: 20 }).merge(site({ sample: 21 }))).toThrow('same sample, seed and site rule');
});

test('a site that was saved and loaded goes on as if it had not been', () => {
  const loaded = Site.load(siteOfAll(PAGES.slice(0, 40)).save());
  for (const page of PAGES.slice(40)) loaded.add(page);
  expect(stateOf(loaded)).toEqual(stateOf(siteOfAll(PAGES)));
  const bytes = loaded.save();
  expect(() => Site.load(bytes.subarray(0, 300))).toThrow('ends too early');
  expect(() => Site.load(Buffer.from('<html>'))).toThrow('not a site');
  const seeded = site({ seed: -3, sample: 5, site: 'path:1' });
  expect(Site.load(seeded.save()).save()).toEqual(seeded.save());
});

test('no more pages are kept than the sample, and none that is very large', () => {
  const made = siteOfAll(PAGES, { sample: 4 });
  expect(made.learn().pagesLearnt).toBe(4);
  const large = { url: 'https://a.example/large', html: `<p>large</p>${' '.repeat(1 << 20)}` };
  expect(siteOfAll(PAGES.slice(0, 1)).add(large)).toBe(false);
  expect(made.strip({ ...large, url: PAGES[0].url })?.text).toBe('large');
});

test('text that the pages of a site share is left out once it is learnt', () => {
  const made = site();
  const shared = '<p>Written by the keepers of the harbour, who are many.</p>';
  const pageOf = (k: number) => ({
    url: `https://a.example/${k}`,
    html: `<h1>Boat ${k}</h1><p>${`Boat ${k * 31} came in with the tide and a hold of herring. `.repeat(3)}</p>${shared}`,
    id: k,
  });
  const before = made.strip(pageOf(0))!;
  expect(before.text).toContain('keepers');
  for (let k = 0; k < 30; k++) made.add(pageOf(k));
  const after = made.strip(pageOf(31))!;
  expect(after.text).toContain('Boat 961');
  expect(after.text).not.toContain('keepers');
  expect(after.id).toBe(31);
  expect(after.regions.map(({ reason }) => reason).join()).toMatch(/on all 30 other pages/);
});

test('pages of another site are refused, and bad pages are reported', () => {
  const problems: Problem[] = [];
  const made = site({ onProblem: (problem) => problems.push(problem), limits: { nodes: 20 } });
  expect(made.name).toBe('');
  expect(made.add({ url: 'https://www.a.example/', html: '<p>one' })).toBe(true);
  expect(made.name).toBe('a.example');
  expect(() => made.add({ url: 'https://b.example/', html: '<p>one' })).toThrow(
    'the page is of b.example, this site is a.example',
  );
  expect(made.strip({ url: 'https://a.example/nodes', html: '<p>one'.repeat(20) })).toBeUndefined();
  expect(made.add({ url: 'about:blank', html: '<p>one' })).toBe(false);
  expect(problems.map(({ code }) => code)).toEqual(['too-many-nodes', 'bad-url']);
  expect(() => site({ samples: 3 } as object)).toThrow('unknown option "samples"');
  expect(() => site({ sample: 0 })).toThrow('sample must be a whole number from 1 to 10000');
  expect(() => site({ site: 'layout' })).toThrow('site must be host, domain or path:N');
});
