import { expect, test } from 'vitest';
import { hashWindow } from '../../test/hash-window.ts';
import { seededNumbers } from '../../test/seeded-random.ts';
import { countWindows, type WindowCountOptions } from './frequent-windows.ts';
import { KernelTexts, WindowRoll } from './text-windows.ts';

function countsOf(
  texts: Uint8Array[],
  width: number,
  density: number,
  minTexts: number,
  options?: WindowCountOptions,
) {
  const held = new KernelTexts(texts);
  const roll = new WindowRoll(width, density);
  const counts = countWindows(held, roll, minTexts, options);
  roll.release();
  held.release();
  return counts;
}

/** Texts of random words, some of which are in all texts. */
function makeTexts(count: number, seed: number): string[] {
  const next = seededNumbers(seed);
  return Array.from({ length: count }, () => {
    let text = 'home news about contact ';
    for (let i = 0; i < 60; i++)
      text += `${['lorem', 'ipsum', 'dolor', 'άλφα', 'βήτα'][next(5)]}${next(30)} `;
    return `${text}all rights reserved`;
  });
}

function plainCounts(texts: string[], width: number, density: number): Map<string, number> {
  const pages = new Map<string, number>();
  for (const text of texts) {
    const characters = [...text].map((character) => character.codePointAt(0)!);
    const here = new Set<string>();
    for (let i = 0; i + width <= characters.length; i++) {
      const { low, high } = hashWindow(characters.slice(i, i + width));
      if (density === 0 || (low >>> 0) % density === 0) here.add(`${high}/${low}`);
    }
    for (const key of here) pages.set(key, (pages.get(key) ?? 0) + 1);
  }
  return pages;
}

for (const windowsAtOnce of [1 << 22, 30_000, 5000]) {
  test(`counts like a Map, ${windowsAtOnce} windows at once`, () => {
    const texts = makeTexts(150, 3);
    const bytes = texts.map((text) => new Uint8Array(Buffer.from(text)));
    for (const density of [0, 7]) {
      const plain = [...plainCounts(texts, 12, density)].filter(([, pages]) => pages >= 4);
      const counts = countsOf(bytes, 12, density, 4, { windowsAtOnce });
      const keys = [...counts.low].map((low, i) => `${counts.high[i]}/${low}`);
      expect(new Map(keys.map((key, i) => [key, counts.pages[i]]))).toEqual(new Map(plain));
    }
  });
}

test('an empty list of texts has no windows', () => {
  expect(countsOf([], 32, 0, 3).low.length).toBe(0);
});

test('fewer texts than the threshold have no frequent windows', () => {
  const text = new TextEncoder().encode('the same long sentence occurs in both of these two texts');
  expect(countsOf([text, text], 12, 0, 3).low.length).toBe(0);
  expect(countsOf([text, text], 12, 0, 2).low.length).toBeGreaterThan(0);
});
