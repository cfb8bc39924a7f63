import { expect, test } from 'vitest';
import { Random } from '../research/generated-sites/random.ts';
import { alignWithGold } from './page-leaves.ts';

test('words of both in the same order are partners', () => {
  expect([...alignWithGold(['menu', 'a', 'x', 'b', 'c'], ['a', 'b', 'c'])]).toEqual([-1, 0, -1, 1, 2]);
});

test('of equal alignments the one in longer runs is taken', () => {
  const page = ['menu', 'the', 'end', 'of', 'it', 'footer', 'of', 'it'];
  expect([...alignWithGold(page, ['the', 'end', 'of', 'it'])]).toEqual([-1, 0, 1, 2, 3, -1, -1, -1]);
  expect([...alignWithGold(['the', 'story', 'x', 'story'], ['the', 'story'])]).toEqual([0, 1, -1, -1]);
});

test('an empty gold or page has no partners', () => {
  expect([...alignWithGold(['a'], [])]).toEqual([-1]);
  expect([...alignWithGold([], ['a'])]).toEqual([]);
});

test('as many partners as the plain table says, all equal words, ascending', () => {
  const random = new Random(7);
  for (let round = 0; round < 60; round++) {
    const alphabet = 2 + random.below(12);
    const words = (length: number) => Array.from({ length }, () => `w${random.below(alphabet)}`);
    const page = words(random.below(150));
    const gold = words(random.below(100));
    const partners = alignWithGold(page, gold);
    const pairs = [...partners.entries()].filter(([, partner]) => partner >= 0);
    expect(pairs.length).toBe(commonLength(page, gold));
    for (const [k, [word, partner]] of pairs.entries()) {
      expect(page[word]).toBe(gold[partner]);
      if (k > 0) expect(partner).toBeGreaterThan(pairs[k - 1][1]);
    }
  }
});

test('beyond the limit of cells, the last words of the page have no partners', () => {
  const page = ['a', 'b', 'c'];
  expect([...alignWithGold(page, page, { maxCells: 64 })]).toEqual([0, 1, -1]);
});

function commonLength(left: readonly string[], right: readonly string[]): number {
  let before = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const row = [0];
    for (const [k, other] of right.entries()) {
      row.push(word === other ? before[k] + 1 : Math.max(before[k + 1], row[k]));
    }
    before = row;
  }
  return before[right.length];
}
