import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { countOverlap, type OverlapOptions, toScore, wantedGrams } from './overlap.ts';

const words = (text: string) => text.split(' ').filter(Boolean);
const scoreOverlap = (output: string[], gold: string[], options?: OverlapOptions) => {
  const { both, found, wanted } = countOverlap(output, wantedGrams(gold, options));
  return toScore(both, found, wanted);
};

test('precision is the gold share of the output and recall the output share of the gold', () => {
  const score = scoreOverlap(words('a b x y'), words('a b c'));
  expect(score.precision).toBe(0.5);
  expect(score.recall).toBeCloseTo(2 / 3);
  expect(score.f1).toBeCloseTo(4 / 7);
});

test('a word counts as often as both have it', () => {
  expect(scoreOverlap(words('a a a'), words('a a b b'))).toMatchObject({ precision: 2 / 3, recall: 0.5 });
});

test('order matters to grams and not to words', () => {
  const gold = words('a b c d e');
  const output = words('e d c b a');
  expect(scoreOverlap(output, gold).f1).toBe(1);
  expect(scoreOverlap(output, gold, { gramWords: 4 }).f1).toBe(0);
});

test('a text shorter than a gram is compared as a whole', () => {
  expect(scoreOverlap(words('a b'), words('a b'), { gramWords: 4 }).f1).toBe(1);
  expect(scoreOverlap(words('a b'), words('a b c'), { gramWords: 4 }).f1).toBe(0);
});

test('neutral words cost nothing whether they are in the output or not', () => {
  const gold = words('a b');
  const neutral = words('c a');
  expect(scoreOverlap(words('a b c a'), gold, { neutral })).toEqual({ precision: 1, recall: 1, f1: 1 });
  expect(scoreOverlap(words('a b'), gold, { neutral }).f1).toBe(1);
  expect(scoreOverlap(words('a b c c'), gold, { neutral }).precision).toBeCloseTo(2 / 3);
});

test('nothing wanted and nothing found is right, one without the other is wrong', () => {
  expect(scoreOverlap([], []).f1).toBe(1);
  expect(scoreOverlap([], ['a'])).toEqual({ precision: 0, recall: 0, f1: 0 });
  expect(scoreOverlap(['a'], [])).toEqual({ precision: 0, recall: 1, f1: 0 });
});

test('a gram of no words is refused', () => {
  expect(() => scoreOverlap([], [], { gramWords: 0 })).toThrow('gramWords must be a whole number from 1');
});

test('the trie counts as a plain bag of grams does, on random texts', () => {
  const random = seededRandom(7);
  const draw = (length: number) => Array.from({ length }, () => `w${Math.floor(random() * 6)}`);
  for (let round = 0; round < 300; round++) {
    const [output, gold, neutral] = [draw(random() * 30), draw(random() * 30), draw(random() * 10)];
    const gramWords = 1 + (round % 4);
    const { both, found, wanted } = countOverlap(output, wantedGrams(gold, { gramWords, neutral }));
    expect({ both, found, wanted }).toEqual(plainOverlap(output, gold, neutral, gramWords));
  }
});

/** The definition: bags of grams as strings. */
function plainOverlap(output: string[], gold: string[], neutral: string[], gramWords: number) {
  const bag = (words: string[]) => {
    const counts = new Map<string, number>();
    const length = Math.min(gramWords, words.length);
    for (let at = 0; length > 0 && at + length <= words.length; at++) {
      const gram = words.slice(at, at + length).join(' ');
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
    return counts;
  };
  const [wanted, allowed] = [bag(gold), bag(neutral)];
  let both = 0;
  let found = 0;
  for (const [gram, count] of bag(output)) {
    const matched = Math.min(count, wanted.get(gram) ?? 0);
    both += matched;
    found += count - Math.min(count - matched, allowed.get(gram) ?? 0);
  }
  return { both, found, wanted: [...wanted.values()].reduce((sum, count) => sum + count, 0) };
}
