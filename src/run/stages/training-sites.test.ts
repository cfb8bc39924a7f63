import { expect, test } from 'vitest';
import type { LabelledSite } from '../tasks/site-label-task.ts';
import { collectSites, makeLexicon } from './train-stages.ts';

const models = { task: 'label-sites-00000', index: 0 };

test('a page that repeats one of another snapshot of its site is dropped, one of another site is not', () => {
  const text = [1, 2, 3, 4, 5, 6, 7, 8];
  const { groups, unused } = collect([
    site('a.example', { pages: [{ page: 1, text }] }),
    site('a.example', {
      pages: [
        { page: 2, text },
        { page: 3, text: text.map((hash) => hash + 100) },
      ],
    }),
    site('b.example', { pages: [{ page: 4, text }] }),
  ]);
  expect(groups.map(({ pages }) => pages)).toEqual([[1], [3], [4]]);
  expect(unused).toEqual({ 'near-duplicate': 1 });
});

test('sites without pages have no number, and numbers do not depend on the order', () => {
  const sites = ['a', 'b', 'c', 'd'].map((name) =>
    site(`${name}.example`, { pages: [{ page: 1, text: [] }] }),
  );
  const { numbers } = collect([...sites, site('empty.example', {})]);
  expect([...numbers.values()].sort()).toEqual([0, 1, 2, 3]);
  const again = collect([...sites].reverse()).numbers;
  for (const [name, number] of numbers) expect(again.get(name)).toBe(number);
});

test('sites in which nothing repeats are counted', () => {
  const { withoutTemplates, unused } = collect([
    site('a.example', { unused: { 'no-templates': 9 } }),
    site('b.example', { pages: [{ page: 1, text: [] }], unused: { 'nothing-left': 2 } }),
  ]);
  expect(withoutTemplates).toBe(1);
  expect(unused).toEqual({ 'no-templates': 9, 'nothing-left': 2 });
});

test('a lexicon without a part knows nothing of the sites of that part', () => {
  const sites = collect(
    Array.from({ length: 10 }, (_, k) =>
      site(`${k}.example`, {
        pages: [{ page: k, text: [] }],
        names: k < 5 ? [['menu', 10, 10]] : [['story', 10, 0]],
      }),
    ),
  );
  const whole = makeLexicon(sites);
  expect(whole.words).toEqual(['menu', 'story']);
  expect(whole.weights[0]).toBeGreaterThan(1);
  expect(whole.weights[1]).toBeLessThan(-1);
  // each word is on five sites and needs four: of two parts one of them must lose it
  const parts = [0, 1].map((part) => makeLexicon(sites, { part, parts: 2 }));
  for (const { words, weights } of parts) {
    for (const [k, word] of words.entries()) {
      expect(Math.abs(weights[k])).toBeLessThanOrEqual(Math.abs(whole.weights[whole.words.indexOf(word)]));
    }
  }
  expect(parts[0].words.length + parts[1].words.length).toBeLessThan(4);
});

test('names of the snapshots of a site are counted together', () => {
  const same = { pages: [{ page: 1, text: [] }], names: [['menu', 1, 1]] as LabelledSite['names'] };
  const { names, numbers } = collect([site('a.example', same), site('a.example', same)]);
  expect(numbers.size).toBe(1);
  expect(names.get('a.example')?.get('menu')).toEqual({ elements: 2, template: 2 });
});

function site(name: string, more: Partial<LabelledSite>): LabelledSite {
  return { site: name, pages: [], unused: {}, names: [], frequent: [], ...more };
}

function collect(sites: LabelledSite[]) {
  return collectSites(
    sites.map((one) => ({ site: one, models })),
    0,
  );
}
