import { expect, test } from 'vitest';
import { findLikelyStretches, type LikelyStretchOptions } from './likely-stretches.ts';

const WIDTH = 32;
const SHARED = 'Όλα τα δικαιώματα — all rights are reserved by the owners of these pages, 1999–2004.';

/** Texts that share one sentence among words of their own. */
function makeTexts(count: number): Buffer[] {
  let state = 7;
  const word = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state.toString(36);
  };
  const words = () => Array.from({ length: 60 }, word).join(' ');
  return Array.from({ length: count }, () => Buffer.from(`${words()} ${SHARED} ${words()}`));
}

function stretchesOf(
  texts: Buffer[],
  minTexts: number,
  options?: LikelyStretchOptions,
): { places: number[][]; strings: string[] } {
  const { count, starts, ends, upTo } = findLikelyStretches(texts, minTexts, WIDTH, options);
  const places: number[][] = [];
  for (const [text, end] of upTo.entries()) {
    while (places.length < end) places.push([text, starts[places.length], ends[places.length]]);
  }
  expect(places).toHaveLength(count);
  return { places, strings: places.map(([text, start, end]) => texts[text].toString('utf8', start, end)) };
}

for (const count of [20, 300]) {
  test(`what ${count} texts share is in a stretch of each, and hardly anything else`, () => {
    const texts = makeTexts(count);
    const { places, strings } = stretchesOf(texts, 10);
    expect(strings.filter((text) => text.includes(SHARED))).toHaveLength(count);
    expect(strings.join('').length).toBeLessThan(0.25 * texts.join('').length);
    expect(places).toEqual([...places].sort(([text, start], [other, at]) => text - other || start - at));
  });
}

test('what too few texts share is ruled out', () => {
  const texts = makeTexts(9);
  expect(stretchesOf(texts, 9).strings.some((text) => text.includes(SHARED))).toBe(true);
  expect(stretchesOf(texts, 10).strings.some((text) => text.includes(SHARED))).toBe(false);
});

test('a stretch begins and ends between characters', () => {
  for (const text of stretchesOf(makeTexts(20), 10).strings) expect(text).not.toContain('\ufffd');
});

test('texts too large for their grams to be kept have the same stretches', () => {
  const texts = makeTexts(40);
  expect(stretchesOf(texts, 10, { keepBytes: 0 })).toEqual(stretchesOf(texts, 10));
});

test('what was found in other texts before does not matter', () => {
  const texts = makeTexts(20);
  const first = stretchesOf(texts, 10);
  stretchesOf(makeTexts(300), 3);
  expect(stretchesOf(texts, 10)).toEqual(first);
});

test('no text, or one shorter than a window, has no stretch', () => {
  expect(stretchesOf([], 1).strings).toEqual([]);
  expect(stretchesOf([Buffer.from('short'), Buffer.alloc(0)], 1).strings).toEqual([]);
});
