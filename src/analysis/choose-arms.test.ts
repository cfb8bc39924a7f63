import { expect, test } from 'vitest';
import { type ArmCandidate, ArmChooser, UNDATED } from './choose-arms.ts';

const candidate = (capture: number, page: number, time: number, equal: number): ArmCandidate => ({
  capture,
  page,
  time,
  equal,
});

/** Captures chosen for up and down by a rule, with the candidates offered in every order. */
function choose(candidates: ArmCandidate[], time: number, rule: 'page' | 'capture'): string {
  const found = new Set(
    permutations(candidates).map((order) => {
      const chooser = new ArmChooser(rule);
      chooser.start(time);
      for (const one of order) chooser.offer(one);
      return `${chooser.up?.capture} ${chooser.down?.capture}`;
    }),
  );
  return [...found].join(' | ');
}

function permutations<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((one, k) => permutations(items.toSpliced(k, 1)).map((rest) => [one, ...rest]));
}

test('up is the most similar candidate and down the most similar one of another page, in any order of offers', () => {
  const offers = [
    candidate(1, 7, 0, 90),
    candidate(2, 7, 5, 89),
    candidate(3, 8, 0, 80),
    candidate(4, 9, 0, 70),
  ];
  expect(choose(offers, 0, 'page')).toBe('1 3');
  expect(choose(offers, 0, 'capture')).toBe('1 2');
});

test('down is another capture of the same page as up if there is no other page', () => {
  const offers = [candidate(1, 7, 0, 90), candidate(2, 7, 5, 89), candidate(3, 7, 9, 88)];
  expect(choose(offers, 0, 'page')).toBe('1 2');
});

test('equal similarity is decided by the number of the page, then the distance in time, then the earlier capture', () => {
  expect(choose([candidate(1, 8, 4, 90), candidate(2, 7, 99, 90)], 4, 'page')).toBe('2 1');
  const captures = [candidate(1, 7, 0, 90), candidate(2, 7, 9, 90), candidate(3, 7, 6, 90)];
  expect(choose(captures, 5, 'page')).toBe('3 2');
  expect(choose([candidate(1, 7, 9, 90), candidate(2, 7, 1, 90)], 5, 'page')).toBe('2 1');
  expect(choose([candidate(1, 7, UNDATED, 90), candidate(2, 7, 1, 90)], 5, 'page')).toBe('2 1');
});

test('without candidates nothing is chosen', () => {
  expect(choose([], 0, 'page')).toBe('undefined undefined');
});
