import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignWords } from './blocks.ts';

const words = (text: string) => [...text];

test('equal lists are partners one to one', () => {
  expect([...alignWords(words('abc'), words('abc'))]).toEqual([0, 1, 2]);
});

test('added and dropped words have no partner', () => {
  expect([...alignWords(words('axbc'), words('abzc'))]).toEqual([0, -1, 1, 3]);
  expect([...alignWords(words('ab'), [])]).toEqual([-1, -1]);
  expect([...alignWords([], words('ab'))]).toEqual([]);
});

test('it finds a longest common subsequence, as the plain table does', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 });
  fc.assert(
    fc.property(list, list, (left, right) => {
      const partners = [...alignWords(left, right)];
      let last = -1;
      for (const [index, partner] of partners.entries()) {
        if (partner === -1) continue;
        expect(partner).toBeGreaterThan(last);
        expect(right[partner]).toBe(left[index]);
        last = partner;
      }
      expect(partners.filter((partner) => partner !== -1)).toHaveLength(longestCommon(left, right));
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('beyond the limit of differences the beginning is still aligned', () => {
  const partners = alignWords(words('abcdXXXXe'), words('abcdYYYYe'), { maxDifferences: 2 });
  expect([...partners.slice(0, 4)]).toEqual([0, 1, 2, 3]);
  expect(partners[8]).toBe(-1);
});

function longestCommon(left: string[], right: string[]): number {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = 1; i <= left.length; i++) {
    for (let j = 1; j <= right.length; j++) {
      table[i][j] =
        left[i - 1] === right[j - 1] ? table[i - 1][j - 1] + 1 : Math.max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[left.length][right.length];
}
