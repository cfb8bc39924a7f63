import { expect, test } from 'vitest';
import type { KnownTexts } from './known-texts.ts';
import { TextWindows } from './text-windows.ts';
import { countWindows } from './window-counter.ts';
import { tellWindows } from './window-teller.ts';

/** Texts of a few letters and of repeated parts: many windows come back, within a text and in others. */
function makeTexts(count: number, seed: number, letters: string[]): Uint8Array[] {
  let state = seed;
  const next = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
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

/** Where a byte of a text is held: in the last stretch that begins at or before it. */
function placeAmong({ starts, ends, begins, upTo }: KnownTexts, text: number, at: number): number {
  let stretch = upTo[text] - 1;
  while (starts[stretch] > at) stretch--;
  const isHeld = stretch >= (text === 0 ? 0 : upTo[text - 1]) && at < ends[stretch];
  if (!isHeld) throw new Error(`byte ${at} of text ${text} is in no stretch`);
  return begins[stretch] + at - starts[stretch];
}

/** The pages of the window that begins at each byte, 0 where none does. */
function pagesByByte({ bytes, begins, count, runs, runPages, runEnds }: KnownTexts, width: number): number[] {
  const pages: number[] = Array.from(bytes, () => 0);
  for (let i = 0; i < count; i++) {
    for (let at = begins[i]; at <= begins[i + 1] - 1 - width; at = runEnds[runs[at]]) {
      for (let k = at; k < runEnds[runs[at]]; k++) {
        expect(runs[k]).toBe(runs[at]);
        if ((bytes[k] & 0xc0) !== 0x80) pages[k] = runPages[runs[at]];
      }
    }
  }
  return pages;
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
      const { counts, known } = tellWindows(texts, windows, minTexts)!;
      expect(counts).toEqual(countWindows(texts, windows, minTexts));

      const places = new Map([...counts.low].map((low, i) => [`${counts.high[i]}/${low}`, i]));
      const told: number[] = Array.from(known.runs, () => 0);
      const firstAt: number[] = [];
      for (const [i, text] of texts.entries()) {
        windows.open(text, text.length);
        for (let count = windows.next(); count > 0; count = windows.next()) {
          for (let k = 0; k < count; k++) {
            const place = places.get(`${windows.highs[k]}/${windows.lows[k]}`);
            if (place === undefined) continue;
            const at = placeAmong(known, i, windows.starts[k]);
            told[at] = counts.pages[place];
            firstAt[place] ??= at;
          }
        }
      }
      expect(pagesByByte(known, windows.width)).toEqual(told);
      expect([...known.firstAt]).toEqual(firstAt);
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
