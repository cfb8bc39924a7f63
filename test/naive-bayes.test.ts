import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  classify,
  jointLogLikelihoods,
  trainNaiveBayes,
  type WordCounts,
} from '../bench/experiments/naive-bayes.ts';

/** Results of scikit-learn's MultinomialNB for the texts made below; the script beside the file writes them. */
const reference = JSON.parse(
  readFileSync(new URL('./fixtures/scikit-learn-naive-bayes.json', import.meta.url), 'utf8'),
);
const WORDS = 40;
const TRAINING = 60;
const TEXTS = 160;
const CLASSES = 3;

function makeTexts(): { texts: WordCounts[]; classes: number[] } {
  let state = 12345;
  const below = (bound: number) => {
    state = Number((BigInt(state) * 1103515245n + 12345n) % 2n ** 31n);
    return (state >> 16) % bound;
  };
  const texts: WordCounts[] = [];
  const classes: number[] = [];
  for (let text = 0; text < TEXTS; text++) {
    const kind = below(4) % CLASSES;
    classes.push(kind);
    const counts = new Uint32Array(WORDS);
    for (let left = 5 + below(30); left > 0; left--) {
      // half of the words lean towards the class
      counts[below(2) === 0 ? below(WORDS) : (kind * 7 + below(12)) % WORDS]++;
    }
    texts.push({ words: Uint32Array.from(counts.keys()), counts });
  }
  return { texts, classes };
}

const { texts, classes } = makeTexts();

test('the texts are those that scikit-learn was given', () => {
  expect([...texts[0].counts]).toEqual(reference.first);
  expect(classes.join('')).toBe(reference.classes);
});

test.each([
  [1, 'counted'],
  [1, 'equal'],
  [0.1, 'counted'],
  [0.1, 'equal'],
] as const)('scores and classes are those of scikit-learn, smoothing %d, priors %s', (smoothing, priors) => {
  const expected = reference[`${smoothing.toFixed(1)} ${priors}`];
  const model = trainNaiveBayes(texts.slice(0, TRAINING), classes.slice(0, TRAINING), { smoothing, priors });
  const rest = texts.slice(TRAINING);
  expect(rest.map((text) => classify(model, text)).join('')).toBe(expected.predicted);
  for (const [i, joint] of expected.joint.entries()) {
    const scores = jointLogLikelihoods(model, rest[i]);
    for (const [c, score] of joint.entries()) expect(scores[c]).toBeCloseTo(score, 5);
  }
});

const text = (...pairs: [word: number, count: number][]): WordCounts => ({
  words: Uint32Array.from(pairs, ([word]) => word),
  counts: Uint32Array.from(pairs, ([, count]) => count),
});

test('words that were not in training do not count', () => {
  const model = trainNaiveBayes([text([0, 3], [5, 1]), text([1, 3])], [0, 1]);
  const plain = jointLogLikelihoods(model, text([0, 1]));
  expect(jointLogLikelihoods(model, text([0, 1], [3, 9], [99, 4]))).toEqual(plain);
});

test('a text without known words falls to the likelier class, of equal ones to the first', () => {
  const texts = [text([0, 1]), text([1, 1]), text([1, 2])];
  expect(classify(trainNaiveBayes(texts, [0, 1, 1]), text())).toBe(1);
  expect(classify(trainNaiveBayes(texts, [0, 1, 1], { priors: 'equal' }), text())).toBe(0);
});

test('what cannot be learnt from is refused by name', () => {
  expect(() => trainNaiveBayes([], [])).toThrow('every text must have a class');
  expect(() => trainNaiveBayes([text([0, 1])], [1])).toThrow('class 0 has no text');
  expect(() => trainNaiveBayes([text([0, 1])], [0], { smoothing: 0 })).toThrow('smoothing must be');
});
