import { expect, test } from 'vitest';
import { CandidateSpans } from './frequent-windows.ts';
import { KernelTexts } from './text-windows.ts';

const WIDTH = 32;
const SHARED = 'Όλα τα δικαιώματα — all rights are reserved by the owners of these pages, 1999–2004.';

/** Texts that share one sentence among random words. */
function makeTexts(count: number): Buffer[] {
  let state = 7;
  const word = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state.toString(36);
  };
  const words = () => Array.from({ length: 60 }, word).join(' ');
  return Array.from({ length: count }, () => Buffer.from(`${words()} ${SHARED} ${words()}`));
}

function spansOf(texts: Buffer[], minTexts: number): { places: number[][]; strings: string[] } {
  const held = new KernelTexts(texts);
  const { list, upTo, count } = new CandidateSpans(held, minTexts, WIDTH);
  const places: number[][] = [];
  for (const [text, end] of upTo.entries()) {
    const { address } = held.spans[text];
    while (places.length < end) {
      const at = 2 * places.length;
      places.push([text, list[at] - address, list[at + 1] - address]);
    }
  }
  held.release();
  expect(places).toHaveLength(count);
  return { places, strings: places.map(([text, start, end]) => texts[text].toString('utf8', start, end)) };
}

for (const count of [20, 300]) {
  test(`the sentence that ${count} texts share is in a span of each, with hardly anything else`, () => {
    const texts = makeTexts(count);
    const { places, strings } = spansOf(texts, 10);
    expect(strings.filter((text) => text.includes(SHARED))).toHaveLength(count);
    expect(strings.join('').length).toBeLessThan(0.25 * texts.join('').length);
    expect(places).toEqual([...places].sort(([text, start], [other, at]) => text - other || start - at));
  });
}

test('windows of too few texts are ruled out', () => {
  const texts = makeTexts(9);
  expect(spansOf(texts, 9).strings.some((text) => text.includes(SHARED))).toBe(true);
  expect(spansOf(texts, 10).strings.some((text) => text.includes(SHARED))).toBe(false);
});

test('a span begins and ends between characters', () => {
  for (const text of spansOf(makeTexts(20), 10).strings) expect(text).not.toContain('\ufffd');
});

/** The definition in the file, computed byte by byte. */
function plainStretches(texts: Buffer[], minTexts: number): number[][] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const bits = Math.max(8, Math.ceil(Math.log2((total / 4) * (minTexts < 8 ? 2 : 0.5))));
  const bucketAt = (text: Buffer, at: number) => {
    const sum =
      Math.imul(text.readInt32LE(at), 0x9e3779b1) +
      Math.imul(text.readInt32LE(at + 4), 0x85ebca6b) +
      Math.imul(text.readInt32LE(at + 8), 0x846ca68b);
    return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> (32 - bits);
  };
  const grams = texts.map((text) =>
    Array.from({ length: Math.max(0, text.length - 11) }, (_, at) => at).filter(
      (at) => Math.imul(text.readInt32LE(at), 0x9e3779b1) >>> 30 === 0,
    ),
  );
  const textsWith = new Map<number, Set<number>>();
  for (const [i, text] of texts.entries()) {
    for (const at of grams[i]) {
      const bucket = bucketAt(text, at);
      textsWith.set(bucket, (textsWith.get(bucket) ?? new Set()).add(i));
    }
  }
  const found: number[][] = [];
  for (const [i, text] of texts.entries()) {
    let start = 0;
    const add = (to: number) => {
      let end = to;
      while (start < end && (text[start] & 0xc0) === 0x80) start++;
      if (end < text.length) while (end > start && (text[end] & 0xc0) === 0x80) end--;
      if (end - start >= WIDTH) found.push([i, start, end]);
    };
    for (const at of grams[i]) {
      if (textsWith.get(bucketAt(text, at))!.size >= minTexts) continue;
      add(at + 11);
      start = at + 1;
    }
    add(text.length);
  }
  return found;
}

for (const [count, minTexts] of [
  [40, 10],
  [40, 3],
  [300, 10],
]) {
  test(`the spans of ${count} texts are those of a plain loop, on ${minTexts} texts`, () => {
    const texts = makeTexts(count);
    expect(spansOf(texts, minTexts).places).toEqual(plainStretches(texts, minTexts));
  });
}

test('a text longer than one part has the spans of a plain loop', () => {
  const texts = makeTexts(12);
  // the shared sentence is where the first part ends
  for (const [i, text] of texts.entries()) {
    const words = Buffer.from(
      makeTexts(200 + i)
        .slice(-1)[0]
        .subarray(0, 40)
        .toString('latin1'),
    );
    const before = Buffer.alloc(131_072 - 240 + 9 * i, words);
    texts[i] = Buffer.concat([before, text, before, text]);
  }
  const { places, strings } = spansOf(texts, 10);
  expect(places).toEqual(plainStretches(texts, 10));
  expect(strings.filter((text) => text.includes(SHARED))).toHaveLength(24);
});

test('spans do not depend on texts searched before', () => {
  const texts = makeTexts(20);
  const first = spansOf(texts, 10);
  spansOf(makeTexts(300), 3);
  expect(spansOf(texts, 10)).toEqual(first);
});

test('a text that is empty or shorter than a window has no span', () => {
  expect(spansOf([], 1).strings).toEqual([]);
  expect(spansOf([Buffer.from('short'), Buffer.alloc(0)], 1).strings).toEqual([]);
});
