import { expect, test } from 'vitest';
import { seededNumbers } from '../../test/seeded-random.ts';
import { TextWindows } from './text-windows.ts';
import { countWindows } from './window-counter.ts';
import { tellWindows } from './window-teller.ts';

/** Texts of a few letters and of repeated parts: many windows come back, within a text and in others. */
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
  test(`counts what rolling over all counts, and tells where: ${letters.join('')}`, () => {
    for (const minTexts of [1, 3, 9]) {
      const texts = makeTexts(24, 10 * index + minTexts, letters);
      const windows = new TextWindows(32, 0);
      const { counts, bytes, firstAt } = tellWindows(texts, windows, minTexts)!;
      expect(counts).toEqual(countWindows(texts, windows, minTexts));

      // where each window begins first among the stretches, which a byte of no text parts
      const places = new Map([...counts.low].map((low, i) => [`${counts.high[i]}/${low}`, i]));
      const expected: number[] = [];
      for (let from = 0; from < bytes.length; from = bytes.indexOf(0xff, from) + 1) {
        windows.open(bytes, bytes.indexOf(0xff, from), from);
        for (let count = windows.next(); count > 0; count = windows.next()) {
          for (let k = 0; k < count; k++) {
            const place = places.get(`${windows.highs[k]}/${windows.lows[k]}`);
            if (place !== undefined) expected[place] ??= windows.starts[k];
          }
        }
      }
      expect([...firstAt]).toEqual(expected);
    }
  });
}

test('no texts, no windows', () => {
  expect(tellWindows([], new TextWindows(32, 0), 3)!.counts.low.length).toBe(0);
  expect(tellWindows([new Uint8Array(0)], new TextWindows(32, 0), 1)!.counts.low.length).toBe(0);
});

test('texts in which characters cannot be told, narrow windows and windows by density are left to others', () => {
  const text = Buffer.from('some text '.repeat(9));
  expect(tellWindows([text, Buffer.from([0x41, 0xff, 0x41])], new TextWindows(32, 0), 1)).toBeUndefined();
  expect(tellWindows([text], new TextWindows(30, 0), 1)).toBeUndefined();
  expect(tellWindows([text], new TextWindows(32, 2), 1)).toBeUndefined();
});

test('texts made to rule nothing out are left to others: what is numbered stays bounded', () => {
  // letters whose fours are never among the counted ones: every window of the text may be frequent
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
  expect(tellWindows(texts, new TextWindows(32, 0), 10)).toBeUndefined();
});
