import { expect, test } from 'vitest';
import { seededNumbers } from '../../test/seeded-random.ts';
import { countWindows, findFrequentWindows } from './frequent-windows.ts';
import { emptyKeyCounts } from './hash-tables.ts';
import { FragmentFinder, frequentTexts } from './known-texts.ts';
import { KernelText, KernelTexts, WindowRoll } from './text-windows.ts';

const PHRASES = [
  'home news about us contact imprint search this site',
  'σχετικά με εμάς και όλους τους άλλους αυτού του σπιτιού',
  '版权所有翻印必究网站地图版权所有翻印必究网站地图版权所有翻印必究网站地图',
  'all rights reserved by the owners of these pages 1999–2004',
  '🙂 the pages of the section on old gardens 🙂',
];

/** Texts of phrases, whole or cut, and of changing words. */
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

function characterEnd(first: number, at: number, length: number): number {
  if (first < 0xc0) return at + 1;
  return Math.min(length, at + (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4));
}

const place = new KernelText();

/** The fragments of a text one by one. */
function fragmentsOf(finder: FragmentFinder, text: Uint8Array, width: number): number[][] {
  const all: number[][] = [];
  for (const fragment of finder.find(place.at(text, text.length))) {
    let { start } = fragment;
    let end = start;
    for (let k = 0; k < width; k++) end = characterEnd(text[end], end, text.length);
    for (;;) {
      all.push([start, end, fragment.pages]);
      if (end >= fragment.end) break;
      start = characterEnd(text[start], start, text.length);
      end = characterEnd(text[end], end, text.length);
    }
    // a run that does not end with a window is unlike all others
    if (end !== fragment.end) all.push([start, fragment.end, -1]);
  }
  return all;
}

/** Fragments of some texts, with two finders: one that rolls over texts, and one that has known texts. */
function findersOf(texts: Uint8Array[], windowCharacters: number) {
  const settings = { windowCharacters, density: 0 };
  const held = new KernelTexts(texts);
  const roll = new WindowRoll(windowCharacters, 0);
  const found = findFrequentWindows(held, roll, 4)!;
  const plainCounts = countWindows(held, roll, 4);
  held.release();
  roll.release();
  const frequent = frequentTexts(found, windowCharacters);
  const quick = new FragmentFinder(found.counts, settings, frequent);
  expect(quick.isKnown).toBe(true);
  expect(frequent.reduce((sum, text) => sum + text.length + 1, 0)).toBeLessThan(found.bytes.length / 2);
  return {
    counts: found.counts,
    plainCounts,
    frequent,
    plain: new FragmentFinder(found.counts, settings),
    quick,
  };
}

for (const windowCharacters of [31, 32, 50]) {
  test(`known texts give the fragments that rolling gives, W = ${windowCharacters}`, () => {
    const texts = makeTexts(80, windowCharacters);
    const { counts, plainCounts, plain, quick } = findersOf(texts, windowCharacters);
    expect(counts).toEqual(plainCounts);
    expect(counts.low.length).toBeGreaterThan(50);
    const others = [...makeTexts(80, 1000 + windowCharacters), new Uint8Array(0), Buffer.from('short')];
    for (const text of [...texts, ...others]) {
      const expected = fragmentsOf(plain, text, windowCharacters);
      expect(fragmentsOf(quick, text, windowCharacters)).toEqual(expected);
    }
  });
}

test('finders of several sites can be used in turn', () => {
  const sites = [makeTexts(40, 1), makeTexts(40, 2), makeTexts(40, 3)];
  const finders = sites.map((texts) => findersOf(texts, 32));
  for (let i = 0; i < 40; i++) {
    for (const [site, { plain, quick }] of finders.entries()) {
      const text = sites[(site + i) % 3][i];
      expect(fragmentsOf(quick, text, 32)).toEqual(fragmentsOf(plain, text, 32));
    }
  }
});

test('a text with more fragments than fit into the list is searched to its end', () => {
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

test('a text that is not UTF-8 is searched by rolling', () => {
  const texts = makeTexts(40, 7);
  const { plain, quick } = findersOf(texts, 32);
  for (const [i, text] of texts.entries()) {
    const broken = text.slice();
    broken[(i * 37) % broken.length] = 0xc3;
    expect(fragmentsOf(quick, broken, 32)).toEqual(fragmentsOf(plain, broken, 32));
  }
});

test('texts that lack a window, or are invalid, are not used as known texts', () => {
  const { counts, frequent } = findersOf(makeTexts(40, 8), 32);
  const isKnown = (texts: Uint8Array[], windows = counts) =>
    new FragmentFinder(windows, { windowCharacters: 32, density: 0 }, texts).isKnown;
  expect(isKnown(frequent)).toBe(true);
  expect(isKnown(frequent.slice(0, 1))).toBe(false);
  expect(isKnown([...frequent, Uint8Array.of(0xff)])).toBe(false);
  expect(isKnown([])).toBe(false);
  expect(isKnown([], emptyKeyCounts(0))).toBe(true);
});
