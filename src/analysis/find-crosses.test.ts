import { expect, test } from 'vitest';
import { keyOf, Random } from '../research/generated-sites/random.ts';
import { findCrosses } from './find-crosses.ts';
import { countEqual, MinHash } from './minhash.ts';
import { classifySignatures, type SignedPages } from './signed-pages.ts';

interface Capture {
  url: string;
  time: string;
  set: number[];
}

function sign(captures: Capture[]): SignedPages {
  const hasher = new MinHash();
  const signatures = new Uint32Array(captures.length * 128);
  captures.forEach(({ set }, k) => {
    const elements = Uint32Array.from(set, (element) => keyOf('element', element));
    hasher.sign(elements, elements.length, signatures, k * 128);
  });
  return {
    permutations: 128,
    signatures,
    keys: captures.map(({ url }) => url.toLowerCase()),
    urls: captures.map(({ url }) => url),
    times: captures.map(({ time }) => time),
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const day = (d: number) => `2020-01-${String(d).padStart(2, '0')}T00:00:00Z`;

/** The most similar capture of another URL, by comparing with all of them. */
function bestSimilarity(pages: SignedPages, page: number): number {
  let best = 0;
  for (let other = 0; other < pages.urls.length; other++) {
    if (pages.urls[other] === pages.urls[page]) continue;
    best = Math.max(best, countEqual(pages.signatures, page * 128, other * 128, 128) / 128);
  }
  return best;
}

test('up and down are the two most similar pages, of different URLs', () => {
  const pages = sign([
    { url: 'a', time: day(1), set: numbers(0, 100) },
    { url: 'b', time: day(1), set: numbers(2, 102) },
    { url: 'c', time: day(1), set: numbers(12, 112) },
    { url: 'b', time: day(9), set: numbers(3, 103) },
    { url: 'd', time: day(1), set: numbers(5000, 5100) },
  ]);
  const { up, down, upSimilarity, downSimilarity } = findCrosses(pages);
  expect([up[0], down[0]]).toEqual([1, 2]);
  expect(upSimilarity[0]).toBeGreaterThan(downSimilarity[0]);
  expect([up[4], down[4], upSimilarity[4]]).toEqual([-1, -1, 0]);
});

test('if there is only one other URL, down is another capture of it', () => {
  const set = numbers(0, 100);
  const captures = [
    { url: 'a', time: day(5), set },
    { url: 'b', time: day(1), set },
    { url: 'b', time: day(6), set },
    { url: 'b', time: day(20), set },
  ];
  const { up, down } = findCrosses(sign(captures));
  expect([up[0], down[0]]).toEqual([2, 1]);
  expect([up[1], down[1]]).toEqual([0, -1]);
});

test('previous and next are the nearest earlier and later captures of the URL', () => {
  const set = numbers(0, 50);
  const { previous, next } = findCrosses(
    sign([
      { url: 'a', time: day(3), set },
      { url: 'a', time: day(1), set },
      { url: 'a', time: day(9), set: numbers(1, 51) },
      { url: 'b', time: day(2), set },
      { url: 'a', time: '', set },
    ]),
  );
  expect(Array.from(previous)).toEqual([1, -1, 0, -1, -1]);
  expect(Array.from(next)).toEqual([2, 0, -1, -1, -1]);
});

test('an error page under the URL is skipped: previous and next must be similar', () => {
  const set = numbers(0, 50);
  const error = numbers(900, 910);
  const pages = sign([
    { url: 'a', time: day(1), set },
    { url: 'a', time: day(2), set: error },
    { url: 'a', time: day(3), set },
    { url: 'a', time: day(4), set: error },
  ]);
  const { previous, next } = findCrosses(pages);
  expect(Array.from(previous)).toEqual([-1, -1, 0, 1]);
  expect(Array.from(next)).toEqual([2, 3, -1, -1]);
});

test('at most four captures on either side are compared', () => {
  const days = (errors: number) => [
    { url: 'a', time: day(1), set: numbers(0, 50) },
    ...numbers(0, errors).map((k) => ({ url: 'a', time: day(2 + k), set: numbers(900, 910) })),
    { url: 'a', time: day(20), set: numbers(0, 50) },
  ];
  expect(findCrosses(sign(days(3))).previous.at(-1)).toBe(0);
  expect(findCrosses(sign(days(4))).previous.at(-1)).toBe(-1);
});

test('with the rule "capture" of the thesis, down may be another capture of the same page as up', () => {
  const pages = sign([
    { url: 'a', time: day(1), set: numbers(0, 100) },
    { url: 'b', time: day(1), set: numbers(1, 101) },
    { url: 'b', time: day(2), set: numbers(2, 102) },
    { url: 'c', time: day(1), set: numbers(20, 120) },
  ]);
  const byPage = findCrosses(pages);
  const byCapture = findCrosses(pages, { down: 'capture' });
  expect([byPage.up[0], byPage.down[0]]).toEqual([1, 3]);
  expect([byCapture.up[0], byCapture.down[0]]).toEqual([1, 2]);
});

test('URLs with one key are one page', () => {
  const set = numbers(0, 50);
  const pages = sign([
    { url: 'http://a.example/x', time: day(1), set },
    { url: 'http://a.example/X', time: day(2), set },
    { url: 'http://a.example/y', time: day(2), set: numbers(0, 49) },
  ]);
  const { up, down, previous, next } = findCrosses(pages);
  expect([...up]).toEqual([2, 2, 1]);
  expect([...down]).toEqual([-1, -1, 0]);
  expect([...previous]).toEqual([-1, 0, -1]);
  expect([...next]).toEqual([1, -1, -1]);
});

test('captures of the same time are neither before nor after each other', () => {
  const pages = sign([1, 1, 2, 2].map((d, k) => ({ url: 'a', time: day(d), set: numbers(k, k + 50) })));
  const { previous, next } = findCrosses(pages);
  expect([previous[0], previous[1]]).toEqual([-1, -1]);
  expect(next[0]).toBe(next[1]);
  expect([2, 3]).toContain(next[0]);
  expect(previous[2]).toBe(previous[3]);
  expect([next[2], next[3]]).toEqual([-1, -1]);
});

test('ties are broken by the hash of the URL, whatever the order', () => {
  const set = numbers(0, 80);
  const captures = numbers(0, 40).map((k) => ({ url: `http://a.example/${k}`, time: day(1), set }));
  const [first, second, third] = classifySignatures(sign(captures)).order;
  const crosses = findCrosses(sign(captures));
  for (let page = 0; page < 40; page++) {
    expect(crosses.up[page]).toBe(page === first ? second : first);
    expect(crosses.down[page]).toBe(page === first || page === second ? third : second);
  }
});

test('crosses do not depend on the order of the pages', () => {
  const random = new Random(keyOf('crosses'));
  const captures = numbers(0, 150).map((k) => ({
    url: `http://a.example/${k % 60}`,
    time: day(1 + (k % 28)),
    set: numbers((k % 9) * 1000, (k % 9) * 1000 + random.between(60, 100)),
  }));
  const order = random.sample(numbers(0, 150), 150);
  const one = findCrosses(sign(captures));
  const two = findCrosses(sign(order.map((k) => captures[k])));
  for (const arm of ['up', 'down', 'previous', 'next'] as const) {
    order.forEach((k, at) => {
      const there = two[arm][at];
      expect(there < 0 ? -1 : order[there]).toBe(one[arm][k]);
    });
  }
});

test('the bounded search nearly always finds a page as similar as the best one', () => {
  const random = new Random(keyOf('nearest'));
  const captures = numbers(0, 600).map((k) => ({
    url: `http://a.example/${k}`,
    time: '',
    set: [
      ...numbers((k % 5) * 1000, (k % 5) * 1000 + 70),
      ...numbers(0, 60).map(() => random.below(300) + 1e6),
    ],
  }));
  const pages = sign(captures);
  const { upSimilarity } = findCrosses(pages, { threshold: 0.01 });
  let missed = 0;
  for (let page = 0; page < 600; page++) {
    const best = bestSimilarity(pages, page);
    expect(upSimilarity[page]).toBeLessThanOrEqual(best + 1e-6);
    if (upSimilarity[page] < best - 0.03) missed++;
  }
  expect(missed).toBeLessThan(60);
});

test('a hundred captures of one URL do not hide a similar page', () => {
  const captures = numbers(0, 100).map((k) => ({
    url: 'a',
    time: day(1 + (k % 28)),
    set: [...numbers(0, 100), k + 500],
  }));
  captures.push({ url: 'b', time: day(1), set: numbers(0, 101) });
  const { up } = findCrosses(sign(captures));
  for (let page = 0; page < 100; page++) expect(up[page]).toBe(100);
});

test('an empty site and a site of one page have no crosses', () => {
  expect(findCrosses(sign([])).up.length).toBe(0);
  expect(Array.from(findCrosses(sign([{ url: 'a', time: '', set: [1] }])).up)).toEqual([-1]);
});
