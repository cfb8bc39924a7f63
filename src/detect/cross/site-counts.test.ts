import { expect, test } from 'vitest';
import { learn, makePage } from '../../../test/detector-contract.ts';
import { readStretches } from '../../../test/stretches.ts';
import { crossDetector } from './cross-detector.ts';
import { subtreeCounts } from './refine.ts';

const NOTICE = '<p>printed with some care</p>';

/** A site with `pageCount` pages, the first `noticed` of which have the notice. */
function modelOf(pageCount: number, noticed: number) {
  const pages = Array.from({ length: pageCount }, (_, i) =>
    makePage(`<div>page number ${i}</div>${i < noticed ? NOTICE : ''}`, i),
  );
  return learn(crossDetector(), pages);
}

function hashOf(html: string): [low: number, high: number] {
  const { placed } = readStretches(html);
  return [placed.contentLow[0], placed.contentHigh[0]];
}

test('a frequent subtree is on at least a tenth of the pages and on at least four', () => {
  const [low, high] = hashOf(NOTICE);
  expect(subtreeCounts(modelOf(60, 6)).frequentOn(low, high)).toBe(6);
  expect(subtreeCounts(modelOf(60, 5)).frequentOn(low, high)).toBe(0);
  expect(subtreeCounts(modelOf(10, 3)).frequentOn(low, high)).toBe(0);
  expect(subtreeCounts(modelOf(10, 4)).frequentOn(low, high)).toBe(4);
});

test('subtrees can be rare on sites of twenty or more pages', () => {
  const [low, high] = hashOf(NOTICE);
  expect(subtreeCounts(modelOf(20, 2)).isRare(low, high)).toBe(true);
  expect(subtreeCounts(modelOf(20, 3)).isRare(low, high)).toBe(false);
  expect(subtreeCounts(modelOf(19, 1)).isRare(low, high)).toBe(false);
});

test('the subtrees of a model are counted once', () => {
  const model = modelOf(5, 1);
  expect(subtreeCounts(model)).toBe(subtreeCounts(model));
});

test('captures of one page count as one page', () => {
  const captures = Array.from({ length: 6 }, (_, i) => ({
    ...makePage(`<div>capture ${i}</div>${NOTICE}`, 1),
    time: `2011-02-0${i + 1}T00:00:00Z`,
  }));
  const others = Array.from({ length: 3 }, (_, i) => makePage(`<div>page ${i}</div>`, 10 + i));
  const counts = subtreeCounts(learn(crossDetector(), [...captures, ...others]));
  expect(counts.pageCount).toBe(4);
  expect(counts.frequentOn(...hashOf(NOTICE))).toBe(0);
});
