import { expect, test } from 'vitest';
import { AuditPages, chooseSelector, MatchCounts } from './choose-selector.ts';

test('the first exact candidate is taken', () => {
  const counts = new MatchCounts();
  for (let i = 0; i < 5; i++) counts.addOwn([0, 1, 2]);
  counts.addOther([0], false);
  expect(chooseSelector(counts, 3)).toEqual({
    candidates: [1],
    exact: true,
    missed: 0,
    others: 0,
    othersShared: 0,
  });
});

test('candidates that match nothing else are joined when they match all elements together', () => {
  const counts = new MatchCounts();
  counts.addOwn([0, 1]);
  counts.addOwn([0, 2, 3]);
  counts.addOwn([0, 3]);
  counts.addOther([0], false);
  expect(chooseSelector(counts, 4)).toMatchObject({ candidates: [1, 3], exact: true });
});

test('without an exact selector, the chosen one matches the fewest elements outside of templates', () => {
  const counts = new MatchCounts();
  counts.addOwn([0, 1]);
  counts.addOwn([0, 1]);
  for (let i = 0; i < 3; i++) counts.addOther([0], true);
  counts.addOther([1], false);
  expect(chooseSelector(counts, 2)).toEqual({
    candidates: [0],
    exact: false,
    missed: 0,
    others: 3,
    othersShared: 3,
  });
});

test('without candidates there is nothing to choose', () => {
  const counts = new MatchCounts();
  counts.addOwn([]);
  expect(chooseSelector(counts, 0)).toMatchObject({ candidates: [], exact: false, missed: 1 });
});

test('few pages show all templates, whatever the order of pages', () => {
  const pages: [string, number[]][] = [
    ['http://a/1', [1, 2]],
    ['http://a/2', [1, 2, 3]],
    ['http://a/3', [4]],
    ['http://a/4', [3, 4]],
    ['http://a/5', []],
  ];
  const choose = (order: typeof pages) => {
    const audit = new AuditPages();
    for (const [url, templates] of order) audit.add(url, 'a', templates);
    return audit.choose(new Set([1, 2, 3, 4]));
  };
  const { pages: chosen, pageOf } = choose(pages);
  expect(chosen.map(({ shows }) => shows)).toEqual([3, 1]);
  expect(chosen[0].url).toBe('http://a/2');
  expect(pageOf.get(4)).toBe(chosen[1].url);
  expect(choose(pages.toReversed())).toEqual({ pages: chosen, pageOf });
});
