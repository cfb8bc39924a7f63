import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenDiff } from './token-diff.ts';

const sequence = (max = 40, kinds = 6) =>
  fc.array(fc.integer({ min: 0, max: kinds }), { maxLength: max }).map((tokens) => Int32Array.from(tokens));

function matchedOf(a: Int32Array, b: Int32Array, options = {}) {
  const partner = new Int32Array(a.length);
  const { givenUp } = new TokenDiff().match(a, b, partner, options);
  const matched = Uint8Array.from(partner, (place) => (place < 0 ? 0 : 1));
  return { tokens: [...a].filter((_, i) => matched[i] === 1), matched, partner, givenUp };
}

test('the matches are a common subsequence: equal tokens, in the order of both sequences', () => {
  fc.assert(
    fc.property(sequence(), sequence(), (a, b) => {
      const { partner } = matchedOf(a, b);
      let before = -1;
      for (const [i, place] of partner.entries()) {
        if (place < 0) continue;
        expect(place).toBeGreaterThan(before);
        expect(b[place]).toBe(a[i]);
        before = place;
      }
    }),
    { seed: 4, numRuns: 2000 },
  );
});

test('without anchors the common subsequence is a longest one', () => {
  fc.assert(
    fc.property(sequence(40, 4), sequence(40, 4), (a, b) => {
      const { tokens } = matchedOf(a, b, { stepsPerToken: 10_000, anchors: false });
      expect(tokens.length).toBe(longestCommon(a, b));
    }),
    { seed: 5, numRuns: 1000 },
  );
});

test('equal sequences match completely, disjoint ones not at all', () => {
  const a = Int32Array.from({ length: 500 }, (_, i) => i % 97);
  expect(matchedOf(a, a).tokens).toHaveLength(500);
  expect(
    matchedOf(
      a,
      a.map((token) => token + 1000),
    ).tokens,
  ).toHaveLength(0);
  expect(matchedOf(a, new Int32Array(0)).givenUp).toEqual([]);
});

test('an insertion leaves everything else matched', () => {
  const a = Int32Array.from({ length: 300 }, (_, i) => (i * 7919) % 50);
  const b = Int32Array.from([...a.subarray(0, 100), 901, 902, 903, ...a.subarray(100)]);
  expect(matchedOf(a, b).tokens).toHaveLength(300);
  const { matched } = matchedOf(b, a);
  expect([...matched.keys()].filter((i) => matched[i] === 0)).toEqual([100, 101, 102]);
});

test('a token that is unique on both sides anchors the tokens around it', () => {
  const a = Int32Array.from([1, 1, 9, 2, 2]);
  const b = Int32Array.from([2, 2, 9, 1, 1]);
  expect(matchedOf(a, b).tokens).toEqual([9]);
});

test('pieces that would cost too much are given up and reported, in order', () => {
  // the worst case: no token is unique, and hardly any run is shared
  const random = (seed: number, length: number) => {
    let state = seed;
    return Int32Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 20) % 200;
    });
  };
  const a = random(1, 20_000);
  const b = random(2, 20_000);
  const { givenUp, tokens } = matchedOf(a, b, { stepsPerToken: 8 });
  expect(givenUp.length).toBeGreaterThan(0);
  expect(tokens.length).toBeLessThan(20_000);
  for (let i = 1; i < givenUp.length; i++) expect(givenUp[i][0]).toBeGreaterThanOrEqual(givenUp[i - 1][1]);
});

test('a hard piece does not use up the steps of the others', () => {
  const random = (seed: number, length: number) => {
    let state = seed;
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 20) % 200;
    });
  };
  // no token of the easy part is unique, so it is left to the search after the hard part
  const easy = (extra: number[]) => [...extra, 1001, 1002, 1001, 1002, 1003, 1003, ...extra];
  const a = Int32Array.from([...easy([1004, 1004]), 5000, ...random(1, 20_000)]);
  const b = Int32Array.from([...easy([1005, 1005]), 5000, ...random(2, 20_000)]);
  const { matched, givenUp } = matchedOf(a, b, { stepsPerToken: 8 });
  expect(givenUp).toEqual([[11, a.length]]);
  expect([...matched.subarray(0, 11)]).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1]);
});

test('tokens that only one side has cost nothing', () => {
  const a = Int32Array.from({ length: 50_000 }, (_, i) => (i % 100 === 0 ? -1 - (i % 7) : i));
  const b = a.map((token) => (token < 0 ? token : token + 1_000_000));
  const { tokens, givenUp } = matchedOf(a, b, { stepsPerToken: 2 });
  expect(tokens).toHaveLength(500);
  expect(givenUp).toEqual([]);
});

test('a diff object can be used repeatedly', () => {
  const diff = new TokenDiff();
  for (let round = 0; round < 3; round++) {
    const long = new Int32Array(2000);
    diff.match(new Int32Array(2000).fill(3), new Int32Array(10).fill(3), long);
    expect(long.filter((place) => place >= 0)).toHaveLength(10);
    const short = new Int32Array(3);
    diff.match(Int32Array.from([1, 2, 3]), Int32Array.from([3, 1, 2]), short);
    expect([...short]).toEqual([1, 2, -1]);
  }
});

function longestCommon(a: Int32Array, b: Int32Array): number {
  let row = new Int32Array(b.length + 1);
  for (const token of a) {
    const next = new Int32Array(b.length + 1);
    for (let j = 0; j < b.length; j++)
      next[j + 1] = token === b[j] ? row[j] + 1 : Math.max(next[j], row[j + 1]);
    row = next;
  }
  return row[b.length];
}
