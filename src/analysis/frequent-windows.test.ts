import { expect, test } from 'vitest';
import { seededNumbers } from '../../test/seeded-random.ts';
import { countWindows, findFrequentWindows } from './frequent-windows.ts';
import { KernelTexts, TextWindows, WindowRoll } from './text-windows.ts';

function frequentOf(texts: Uint8Array[], width: number, density: number, minTexts: number) {
  const held = new KernelTexts(texts);
  const roll = new WindowRoll(width, density);
  const result = {
    found: findFrequentWindows(held, roll, minTexts),
    counts: countWindows(held, roll, minTexts),
  };
  roll.release();
  held.release();
  return result;
}

/** Texts of a few letters and of repeated parts: many windows recur, within a text and in others. */
function makeTexts(count: number, seed: number, letters: string[]): Uint8Array[] {
  const next = seededNumbers(seed);
  const word = (length: number) => Array.from({ length }, () => letters[next(letters.length)]).join('');
  const parts = Array.from({ length: 12 }, () => word(10 + next(90)));
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: next(25) }, () => {
      const part = parts[next(parts.length)];
      return [word(next(20)), part, part.repeat(2 + next(3)), part.slice(next(9) * 2)][next(4)];
    });
    return new Uint8Array(Buffer.from(Buffer.from(text.join('')).toString()));
  });
}

const ALPHABETS = [
  ['a'],
  ['a', 'b'],
  [...'abcdefgh ijkl'],
  [...'αβγδε abc'],
  [...'网页模板检测'],
  [...'a😀é語b'],
];

for (const [index, letters] of ALPHABETS.entries()) {
  test(`counts and first occurrences equal those of rolling over all texts: ${letters.join('')}`, () => {
    for (const minTexts of [1, 3, 9]) {
      const texts = makeTexts(24, 10 * index + minTexts, letters);
      const windows = new TextWindows(32, 0);
      const { found, counts: plainCounts } = frequentOf(texts, 32, 0, minTexts);
      const { counts, bytes, firstAt } = found!;
      expect(counts).toEqual(plainCounts);

      // first occurrence of each window in the joined spans, which are separated by a byte of no text
      const places = new Map([...counts.low].map((low, i) => [`${counts.high[i]}/${low}`, i]));
      const expected: number[] = [];
      for (let from = 0; from < bytes.length; from = bytes.indexOf(0xff, from) + 1) {
        for (const { start, low, high } of windows.list(bytes.slice(from, bytes.indexOf(0xff, from)))) {
          const place = places.get(`${high}/${low}`);
          if (place !== undefined) expected[place] ??= from + start;
        }
      }
      expect([...firstAt]).toEqual(expected);
      windows.release();
    }
  });
}

test('an empty list of texts has no windows', () => {
  expect(frequentOf([], 32, 0, 3).found!.counts.low.length).toBe(0);
  expect(frequentOf([new Uint8Array(0)], 32, 0, 1).found!.counts.low.length).toBe(0);
});

test('texts that are not UTF-8, narrow windows and windows by density give undefined', () => {
  const text = Buffer.from('some text '.repeat(9));
  expect(frequentOf([text, Buffer.from([0x41, 0xff, 0x41])], 32, 0, 1).found).toBeUndefined();
  expect(frequentOf([text], 30, 0, 1).found).toBeUndefined();
  expect(frequentOf([text], 32, 2, 1).found).toBeUndefined();
});

test('texts made so that nothing is ruled out give undefined: the number of windows stays bounded', () => {
  // letters whose groups of four are never among the counted ones, so that every window may be frequent
  let state = 1;
  let four = 0;
  const letters: number[] = [];
  while (letters.length < 300_000) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const letter = 0x21 + ((state >>> 20) % 90);
    const next = (four >>> 8) | (letter << 24);
    if (Math.imul(next, 0x9e3779b1) >>> 30 === 0) continue;
    four = next;
    letters.push(letter);
  }
  const texts = [Uint8Array.from(letters), ...makeTexts(20, 3, ['a', 'b'])];
  expect(frequentOf(texts, 32, 0, 10).found).toBeUndefined();
});
