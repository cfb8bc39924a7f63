import { expect, test } from 'vitest';
import { randomOf } from '../../learn/tree-grower.ts';
import { keepBest } from './judge-blocks.ts';

/** As keepBest, by the plain definition. */
function keepBestPlainly(words: Int32Array, scores: Float64Array, dial: number): number[] {
  const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
  const sum = (blocks: number[], of: (block: number) => number) =>
    blocks.reduce((total, block) => total + of(block), 0);
  const expected = Math.max(
    1e-9,
    sum(order, (block) => scores[block] * words[block]),
  );
  const f1s = order.map((_, k) => {
    const first = order.slice(0, k + 1);
    const right = sum(first, (block) => scores[block] * words[block]);
    return (2 * right) / (sum(first, (block) => words[block]) + expected * dial);
  });
  const best = Math.max(0, ...f1s);
  return order.slice(0, best > 0 ? f1s.indexOf(best) + 1 : 0).sort((a, b) => a - b);
}

test.each([
  ['spread', (random: () => number) => random()],
  ['small', (random: () => number) => random() ** 8],
  ['tied', (random: () => number) => Math.round(random() * 4) / 4],
  ['in one step', (random: () => number) => 0.5 + random() / 1e6],
])('keeps the blocks that make the largest expected F1: scores that are %s', (_, draw) => {
  const random = randomOf(3);
  for (const count of [1, 2, 30, 200]) {
    const scores = Float64Array.from({ length: count }, () => draw(random));
    const words = Int32Array.from({ length: count }, () => Math.floor(random() * 40));
    for (const dial of [0.5, 1, 2]) {
      const kept = new Uint8Array(count);
      keepBest(words, scores, kept, dial);
      expect([...kept.keys()].filter((block) => kept[block] === 1)).toEqual(
        keepBestPlainly(words, scores, dial),
      );
    }
  }
});

test('blocks without words and scores of zero keep nothing', () => {
  const kept = new Uint8Array(3);
  keepBest(new Int32Array(3), new Float64Array([0.9, 0, 1]), kept, 1);
  expect([...kept]).toEqual([0, 0, 0]);
});
