import { expect, test } from 'vitest';
import { FragmentFinder } from './fragment-finder.ts';
import { frequentTexts, knowTexts } from './frequent-texts.ts';
import { emptyCounts } from './hash-counter.ts';
import { characterEnd, TextWindows } from './text-windows.ts';
import { countWindows } from './window-counter.ts';
import { tellWindows } from './window-teller.ts';

const PHRASES = [
  'home news about us contact imprint search this site',
  'σχετικά με εμάς και όλους τους άλλους αυτού του σπιτιού',
  '版权所有翻印必究网站地图版权所有翻印必究网站地图版权所有翻印必究网站地图',
  'all rights reserved by the owners of these pages 1999–2004',
  '🙂 the pages of the section on old gardens 🙂',
];

/** Texts of phrases, whole or cut short, and of changing words. */
function makeTexts(count: number, seed: number): Uint8Array[] {
  let state = seed;
  const next = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const part = () => {
    const kind = next(4);
    if (kind === 0) return `w${next(99_999)} `.repeat(1 + next(9));
    if (kind === 1) return `λέξη${next(9999)} `.repeat(1 + next(5));
    const phrase = [...PHRASES[next(PHRASES.length)]];
    return phrase.slice(kind === 2 ? 0 : next(20), phrase.length - (kind === 2 ? 0 : next(12))).join('');
  };
  return Array.from(
    { length: count },
    () => new Uint8Array(Buffer.from(Array.from({ length: 4 + next(30) }, part).join(next(2) ? ' ' : ''))),
  );
}

/** The fragments a finder gives, batch after batch, one by one. */
function list(finder: FragmentFinder, text: Uint8Array, width: number): number[][] {
  const all: number[][] = [];
  for (let count = finder.next(); count > 0; count = finder.next()) {
    for (let i = 0; i < count; i++) {
      let start = finder.starts[i];
      let end = start;
      for (let k = 0; k < width; k++) end = characterEnd(text[end], end, text.length);
      for (;;) {
        all.push([start, end, finder.pages[i]]);
        if (end >= finder.ends[i]) break;
        start = characterEnd(text[start], start, text.length);
        end = characterEnd(text[end], end, text.length);
      }
      expect(end).toBe(finder.ends[i]);
    }
  }
  return all;
}

for (const windowCharacters of [31, 32, 50]) {
  test(`with known texts the fragments are those found by rolling, W = ${windowCharacters}`, () => {
    const texts = makeTexts(80, windowCharacters);
    const { counts, known } = tellWindows(texts, new TextWindows(windowCharacters, 0), 4)!;
    expect(counts).toEqual(countWindows(texts, new TextWindows(windowCharacters, 0), 4));
    expect(counts.low.length).toBeGreaterThan(50);

    const settings = { windowCharacters, density: 0 };
    const plain = new FragmentFinder(counts, settings);
    const quick = new FragmentFinder(counts, settings, known);
    // as a model tells them: only what is frequent
    const frequent = frequentTexts(known, windowCharacters);
    const toldBytes = frequent.reduce((sum, text) => sum + text.length, 0);
    expect(toldBytes).toBeLessThan(known.bytes.length / 2);
    const told = new FragmentFinder(counts, settings, knowTexts(frequent, counts, settings)!);
    const others = [...makeTexts(80, 1000 + windowCharacters), new Uint8Array(0), Buffer.from('short')];
    for (const text of [...texts, ...others]) {
      plain.open(text, text.length);
      quick.open(text, text.length);
      told.open(text, text.length);
      const expected = list(plain, text, windowCharacters);
      expect(list(quick, text, windowCharacters)).toEqual(expected);
      expect(list(told, text, windowCharacters)).toEqual(expected);
    }
    for (const [i, text] of texts.entries()) {
      plain.open(text, text.length);
      quick.openKnown(i);
      expect(list(quick, text, windowCharacters)).toEqual(list(plain, text, windowCharacters));
    }
  });
}

test('a text that is not UTF-8 is rolled over', () => {
  const texts = makeTexts(40, 7);
  const { counts, known } = tellWindows(texts, new TextWindows(32, 0), 4)!;
  const plain = new FragmentFinder(counts, { windowCharacters: 32, density: 0 });
  const quick = new FragmentFinder(counts, { windowCharacters: 32, density: 0 }, known);
  for (const [i, text] of texts.entries()) {
    const broken = text.slice();
    broken[(i * 37) % broken.length] = 0xc3;
    plain.open(broken, broken.length);
    quick.open(broken, broken.length);
    expect(list(quick, broken, 32)).toEqual(list(plain, broken, 32));
  }
});

test('texts that lack a window, or are none, are not taken for what is frequent', () => {
  const { counts, known } = tellWindows(makeTexts(40, 8), new TextWindows(32, 0), 4)!;
  const settings = { windowCharacters: 32, density: 0 };
  const frequent = frequentTexts(known, 32);
  expect(knowTexts(frequent, counts, settings)).toBeDefined();
  expect(knowTexts(frequent.slice(1), counts, settings)).toBeUndefined();
  expect(knowTexts([...frequent, Uint8Array.of(0xff)], counts, settings)).toBeUndefined();
  expect(knowTexts([], counts, settings)).toBeUndefined();
  expect(knowTexts([], emptyCounts(0), settings)!.count).toBe(0);
});
