import { expect, test } from 'vitest';
import { hashWindow } from '../../test/hash-window.ts';
import { seededNumbers } from '../../test/seeded-random.ts';
import { countWindows } from '../analysis/frequent-windows.ts';
import { emptyKeyCounts } from '../analysis/hash-tables.ts';
import { KernelTexts, WindowRoll } from '../analysis/text-windows.ts';
import { countGaps, type TemplateSpan, TemplateSpanFinder } from './template-spans.ts';

const WIDTH = 8;
const THRESHOLD = 4;

/** Texts made of a few shared phrases and changing words. */
function randomTexts(count: number, seed: number): string[] {
  const next = seededNumbers(seed);
  const phrases = [
    'all rights reserved',
    'home news about us',
    'σχετικά με εμάς',
    'next page of this list',
    '版权所有翻印必究网站地图',
  ];
  return Array.from({ length: count }, () =>
    Array.from({ length: 20 }, () => (next(2) ? phrases[next(5)] : `w${next(9999)}`)).join(' '),
  );
}

/** Returns the windows of a text, computed from its characters. */
function plainWindows(text: string, density: number): { key: string; start: number; end: number }[] {
  const characters = [...text];
  const windows: { key: string; start: number; end: number }[] = [];
  for (let i = 0; i + WIDTH <= characters.length; i++) {
    const { low, high } = hashWindow(
      characters.slice(i, i + WIDTH).map((character) => character.codePointAt(0)!),
    );
    if (density === 0 || (low >>> 0) % density === 0)
      windows.push({ key: `${high}/${low}`, start: i, end: i + WIDTH });
  }
  return windows;
}

/** Returns for each key the number of texts that contain it. */
function holders(keysByText: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const keys of keysByText) for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

for (const density of [0, 3]) {
  test(`spans agree with the plain twin with D = ${density}`, () => {
    const texts = randomTexts(60, 5 + density);
    const bytes = texts.map((text) => new Uint8Array(Buffer.from(text)));
    const held = new KernelTexts(bytes);
    const fragments = countWindows(held, new WindowRoll(WIDTH, density), THRESHOLD);
    const settings = { windowCharacters: WIDTH, density };
    const gaps = density > 1 ? countGaps(held, settings, fragments, THRESHOLD) : emptyKeyCounts(0);
    const finder = new TemplateSpanFinder({
      windowCharacters: WIDTH,
      density,
      wholeWords: false,
      cut: 'pages',
      fragments,
      gaps,
    });

    // the plain twin works on arrays of characters, and on the text in between as a string
    const counts = holders(texts.map((text) => plainWindows(text, density).map(({ key }) => key)));
    const kept = texts.map((text) =>
      plainWindows(text, density).filter(({ key }) => counts.get(key)! >= THRESHOLD),
    );
    const spans = texts.map((text, t) =>
      kept[t].slice(1).map((window, i) => [...text].slice(kept[t][i].start, window.end).join('')),
    );
    const spanCounts = holders(spans);
    for (const [t, text] of texts.entries()) {
      const plain: { start: number; end: number }[] = [];
      for (const [i, { start, end }] of kept[t].entries()) {
        const open = plain.at(-1);
        const joins =
          open && (start <= open.end || (density > 1 && spanCounts.get(spans[t][i - 1])! >= THRESHOLD));
        if (joins) open.end = end;
        else plain.push({ start, end });
      }
      const characters = [...text];
      const expected = plain.map(({ start, end }) => characters.slice(start, end).join('').trim());
      const found = finder.find(bytes[t], bytes[t].length);
      expect(joinCut(found, bytes[t]).map(({ start, end }) => slice(bytes[t], start, end))).toEqual(expected);
      for (const { start, end, pages } of found) {
        expect(pages).toBeGreaterThanOrEqual(THRESHOLD);
        // a space at either end is not part of the span
        expect([...slice(bytes[t], start, end)].length).toBeGreaterThanOrEqual(WIDTH - 2);
      }
    }
  });
}

test('a text on all pages is separated from an adjacent text on few pages, without loss in between', () => {
  const header = 'home news about us and all the others of this house';
  const texts = Array.from(
    { length: 40 },
    (_, i) => `${header} ${i % 4 === 0 ? 'the pages of the section on old gardens' : `w${i}`}`,
  );
  const bytes = texts.map((text) => Buffer.from(text));
  const fragments = countWindows(new KernelTexts(bytes), new WindowRoll(16, 0), 4);
  const finder = new TemplateSpanFinder({
    windowCharacters: 16,
    density: 0,
    wholeWords: true,
    cut: 'pages',
    fragments,
    gaps: emptyKeyCounts(0),
  });
  const found = finder
    .find(bytes[0], bytes[0].length)
    .map(({ start, end, pages }) => [slice(bytes[0], start, end), pages]);
  expect(found).toEqual([
    [header, 40],
    ['the pages of the section on old gardens', 10],
  ]);
});

test('a cut leaves no piece shorter than the window, and `cut: none` makes no cut', () => {
  const header = 'home news about us and all the others of this house';
  const bytesOf = (rest: (i: number) => string) =>
    Array.from({ length: 40 }, (_, i) => Buffer.from(`${header} ${rest(i)}`));
  const find = (bytes: Buffer[], cut: 'pages' | 'none') => {
    const fragments = countWindows(new KernelTexts(bytes), new WindowRoll(16, 0), 4);
    const frequent = {
      windowCharacters: 16,
      density: 0,
      wholeWords: true,
      fragments,
      gaps: emptyKeyCounts(0),
    };
    const finder = new TemplateSpanFinder({ ...frequent, cut });
    return finder
      .find(bytes[0], bytes[0].length)
      .map(({ start, end, pages }) => [slice(bytes[0], start, end), pages]);
  };
  // "now" ends windows of 16 characters on ten pages, but is three characters long
  const short = bytesOf((i) => (i % 4 === 0 ? `now w${i}` : `w${i}`));
  expect(find(short, 'pages')).toEqual([[`${header} now`, 10]]);
  const long = bytesOf((i) => (i % 4 === 0 ? 'the pages of the section on old gardens' : `w${i}`));
  expect(find(long, 'none')).toEqual([[`${header} the pages of the section on old gardens`, 10]]);
});

test('a word in which a text on more pages begins stays with the text that follows', () => {
  // "the old" is on 4 pages; the text after its first two letters is on 20
  const texts = Array.from(
    { length: 20 },
    (_, i) => `w${i} ${i < 4 ? 'th' : `x${i}`}e old gardens of this town w${i}`,
  );
  const bytes = texts.map((text) => Buffer.from(text));
  const fragments = countWindows(new KernelTexts(bytes), new WindowRoll(8, 0), 4);
  const finder = new TemplateSpanFinder({
    windowCharacters: 8,
    density: 0,
    wholeWords: true,
    cut: 'pages',
    fragments,
    gaps: emptyKeyCounts(0),
  });
  const found = finder.find(bytes[0], bytes[0].length);
  expect(found.map(({ start, end }) => slice(bytes[0], start, end))).toEqual([
    'the old gardens of this town',
  ]);
});

function slice(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}

/** Undoes cuts: joins spans with only white space between them. */
function joinCut(stretches: TemplateSpan[], bytes: Uint8Array): TemplateSpan[] {
  const joined: TemplateSpan[] = [];
  for (const stretch of stretches) {
    const before = joined.at(-1);
    if (before && slice(bytes, before.end, stretch.start).trim() === '') before.end = stretch.end;
    else joined.push({ ...stretch });
  }
  return joined;
}
