import { expect, test } from 'vitest';
import { countBlocks } from './blocks.ts';
import type { GoldBlock } from './gold.ts';

const blocks: GoldBlock[] = [
  { label: 0, text: 'Home News Sport' },
  { label: 1, text: 'Storm hits home' },
  { label: 2, text: 'A storm has hit the coast.' },
  { label: 4, text: 'More storms' },
  { label: 5, text: 'Terrible, says Ann' },
  { label: 0, text: '|' },
];

test('a block is kept when most of its words are', () => {
  const counts = countBlocks(blocks, [
    { text: 'Home News Sport', kept: false },
    { text: 'Storm hits', kept: true },
    { text: 'home A storm', kept: false },
    { text: 'has hit the coast.', kept: true },
    { text: 'More storms', kept: true },
    { text: 'Terrible, says Ann', kept: true },
  ]);
  expect(counts).toMatchObject({ contentKept: 2, contentLost: 0, boilerplateKept: 1, boilerplateGone: 1 });
  expect(counts.words).toEqual([3, 3, 6, 0, 2, 3]);
  expect(counts.wordsKept).toEqual([0, 2, 4, 0, 2, 3]);
});

test('comments are in no class, and a block without words has no place', () => {
  const counts = countBlocks(blocks, [{ text: 'Terrible, says Ann', kept: false }]);
  expect(counts.contentKept + counts.contentLost + counts.boilerplateGone + counts.boilerplateKept).toBe(0);
  expect(counts.unplaced).toBe(5);
  expect(counts.words[5]).toBe(3);
});
