import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignBlocks, matchWords } from './align-gold.ts';

/** The length of the longest common subsequence, as textbooks have it. */
function lengthOf(a: readonly number[], b: readonly number[]): number {
  let row = new Array(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (let k = 0; k < b.length; k++) next.push(word === b[k] ? row[k] + 1 : Math.max(row[k + 1], next[k]));
    row = next;
  }
  return row[b.length];
}

describe('alignment with the gold text', () => {
  it('matches a longest common subsequence, in order', () => {
    const words = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 90 });
    fc.assert(
      fc.property(words, words, (page, gold) => {
        const matches = matchWords(Int32Array.from(page), Int32Array.from(gold));
        const matched = [...matches.keys()].filter((k) => matches[k] >= 0);
        for (const k of matched) expect(gold[matches[k]]).toBe(page[k]);
        for (let i = 1; i < matched.length; i++) {
          expect(matches[matched[i]]).toBeGreaterThan(matches[matched[i - 1]]);
        }
        expect(matched).toHaveLength(lengthOf(page, gold));
      }),
    );
  });

  it('gives a title that occurs twice to the one next to the text', () => {
    const title = Int32Array.of(1, 2, 3);
    const text = Int32Array.of(4, 5, 6, 7, 8, 9, 10, 11);
    const blocks = [title, Int32Array.of(20, 21), title, text];
    expect([...alignBlocks(blocks, Int32Array.of(...title, ...text))]).toEqual([0, 0, 1, 1]);
  });

  it('takes single words in a long block for chance', () => {
    const blocks = [Int32Array.of(1, 30, 31, 32, 33), Int32Array.of(1, 2, 3, 4)];
    expect([...alignBlocks(blocks, Int32Array.of(1, 2, 3, 4))]).toEqual([0, 1]);
  });

  it('is 0 everywhere without gold', () => {
    expect([...alignBlocks([Int32Array.of(1, 2)], new Int32Array(0))]).toEqual([0]);
  });
});
