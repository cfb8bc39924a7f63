import { expect, test } from 'vitest';
import { joinTexts } from './known-texts.ts';
import { findLikelyStretches } from './likely-stretches.ts';

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
): { starts: number[]; strings: string[]; total: number } {
  const joined = joinTexts(texts);
  const { count, starts, ends } = findLikelyStretches(joined, minTexts, WIDTH);
  const strings = Array.from({ length: count }, (_, i) =>
    Buffer.from(joined.bytes.subarray(starts[i], ends[i])).toString(),
  );
  return { starts: [...starts.subarray(0, count)], strings, total: joined.bytes.length };
}

for (const count of [20, 300]) {
  test(`what ${count} texts share is in a stretch of each, and hardly anything else`, () => {
    const { starts, strings, total } = stretchesOf(makeTexts(count), 10);
    expect(strings.filter((text) => text.includes(SHARED))).toHaveLength(count);
    expect(strings.join('').length).toBeLessThan(0.25 * total);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
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

test('no text, or one shorter than a window, has no stretch', () => {
  expect(stretchesOf([], 1).strings).toEqual([]);
  expect(stretchesOf([Buffer.from('short'), Buffer.alloc(0)], 1).strings).toEqual([]);
});
