import { expect, test } from 'vitest';
import { seededNumbers } from '../../test/seeded-random.ts';
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
  const next = seededNumbers(seed);
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
      // a run that does not end with a window is like no other
      if (end !== finder.ends[i]) all.push([start, finder.ends[i], -1]);
    }
  }
  return all;
}

/** Fragments of some texts, and finders of them: one that rolls over texts, and one that has known texts. */
function findersOf(texts: Uint8Array[], windowCharacters: number) {
  const settings = { windowCharacters, density: 0 };
  const told = tellWindows(texts, new TextWindows(windowCharacters, 0), 4)!;
  const frequent = frequentTexts(told, windowCharacters);
  const known = knowTexts(frequent, told.counts, settings)!;
  expect(known.bytes.length).toBeLessThan(told.bytes.length / 2);
  return {
    counts: told.counts,
    frequent,
    plain: new FragmentFinder(told.counts, settings),
    quick: new FragmentFinder(told.counts, settings, known),
  };
}

function fragmentsOf(finder: FragmentFinder, text: Uint8Array, width: number): number[][] {
  finder.open(text, text.length);
  return list(finder, text, width);
}

for (const windowCharacters of [31, 32, 50]) {
  test(`with known texts the fragments are those found by rolling, W = ${windowCharacters}`, () => {
    const texts = makeTexts(80, windowCharacters);
    const { counts, plain, quick } = findersOf(texts, windowCharacters);
    expect(counts).toEqual(countWindows(texts, new TextWindows(windowCharacters, 0), 4));
    expect(counts.low.length).toBeGreaterThan(50);
    const others = [...makeTexts(80, 1000 + windowCharacters), new Uint8Array(0), Buffer.from('short')];
    for (const text of [...texts, ...others]) {
      const expected = fragmentsOf(plain, text, windowCharacters);
      expect(fragmentsOf(quick, text, windowCharacters)).toEqual(expected);
    }
  });
}

test('finders of several sites take turns', () => {
  const sites = [makeTexts(40, 1), makeTexts(40, 2), makeTexts(40, 3)];
  const finders = sites.map((texts) => findersOf(texts, 32));
  for (let i = 0; i < 40; i++) {
    for (const [site, { plain, quick }] of finders.entries()) {
      const text = sites[(site + i) % 3][i];
      expect(fragmentsOf(quick, text, 32)).toEqual(fragmentsOf(plain, text, 32));
    }
  }
});

test('a text with more fragments than are noted at once is searched to its end', () => {
  const texts = makeTexts(40, 9);
  const { plain, quick } = findersOf(texts, 32);
  const words = Array.from({ length: 20_000 }, (_, i) => `${PHRASES[i % 5]} w${i}`);
  const text = Buffer.from(words.join(' '));
  const expected = fragmentsOf(plain, text, 32);
  expect(expected.length).toBeGreaterThan(20_000);
  const found = fragmentsOf(quick, text, 32);
  expect(found.length).toBe(expected.length);
  expect(found.findIndex((fragment, i) => `${fragment}` !== `${expected[i]}`)).toBe(-1);
});

test('a text that is not UTF-8 is rolled over', () => {
  const texts = makeTexts(40, 7);
  const { plain, quick } = findersOf(texts, 32);
  for (const [i, text] of texts.entries()) {
    const broken = text.slice();
    broken[(i * 37) % broken.length] = 0xc3;
    expect(fragmentsOf(quick, broken, 32)).toEqual(fragmentsOf(plain, broken, 32));
  }
});

test('texts that lack a window, or are none, are not taken for what is frequent', () => {
  const { counts, frequent } = findersOf(makeTexts(40, 8), 32);
  const settings = { windowCharacters: 32, density: 0 };
  expect(knowTexts(frequent, counts, settings)).toBeDefined();
  expect(knowTexts(frequent.slice(0, 1), counts, settings)).toBeUndefined();
  expect(knowTexts([...frequent, Uint8Array.of(0xff)], counts, settings)).toBeUndefined();
  expect(knowTexts([], counts, settings)).toBeUndefined();
  expect(knowTexts([], emptyCounts(0), settings)!.bytes.length).toBe(0);
});
