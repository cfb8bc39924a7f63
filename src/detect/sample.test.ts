import { expect, test } from 'vitest';
import { BottomK, bottomK } from './sample.ts';

const capture = (n: number, time = '2010-01-01T00:00:00Z', offset = n) => ({
  url: `http://a.example/${n}`,
  time,
  file: 'a.warc',
  offset,
});
const captures = Array.from({ length: 1000 }, (_, i) => capture(i));

test('the sample does not depend on the order of arrival', () => {
  const forward = bottomK(captures, 50, 3);
  expect(forward.length).toBe(50);
  expect(bottomK([...captures].reverse(), 50, 3)).toEqual(forward);
});

test('samples of two halves merge into the sample of the whole', () => {
  const left = new BottomK<(typeof captures)[0]>(50, 3);
  const right = new BottomK<(typeof captures)[0]>(50, 3);
  for (const [i, item] of captures.entries()) (i % 3 === 0 ? left : right).add(item);
  left.merge(right);
  expect(left.items()).toEqual(bottomK(captures, 50, 3));
  expect(() => left.merge(new BottomK(50, 4))).toThrow('different seeds');
});

test('another seed draws another sample', () => {
  expect(bottomK(captures, 50, 1)).not.toEqual(bottomK(captures, 50, 2));
});

test('a URL is drawn once, with its earliest capture and then the smallest offset', () => {
  const again = [
    capture(1, '2011-01-01T00:00:00Z'),
    capture(1, '2009-01-01T00:00:00Z', 9),
    capture(1, '2009-01-01T00:00:00Z', 2),
  ];
  expect(bottomK([...captures, ...again], 1000).find(({ url }) => url.endsWith('/1'))).toEqual(again[2]);
  expect(bottomK([...again, ...captures], 1000).find(({ url }) => url.endsWith('/1'))).toEqual(again[2]);
  expect(bottomK([...captures, ...again], 1000).length).toBe(1000);
});

test('URLs of one page are drawn once, in any order and in two halves', () => {
  const keyOf = (url: string) => url.replace(/\?.*/, '');
  const visits = captures.flatMap((item) => [1, 2, 3].map((s) => ({ ...item, url: `${item.url}?s=${s}` })));
  const drawn = (items: typeof visits) => {
    const sample = new BottomK<(typeof visits)[0]>(50, 3, keyOf);
    for (const item of items) if (sample.wants(item)) sample.add(item);
    return sample;
  };
  const forward = drawn(visits).items();
  expect(new Set(forward.map(({ url }) => keyOf(url))).size).toBe(50);
  expect(drawn([...visits].reverse()).items()).toEqual(forward);
  const left = drawn(visits.filter((_, i) => i % 2 === 0));
  left.merge(drawn(visits.filter((_, i) => i % 2 === 1)));
  expect(left.items()).toEqual(forward);
});

test('a site smaller than the sample is taken whole', () => {
  expect(bottomK(captures.slice(0, 7), 50).length).toBe(7);
});

test('`wants` is true only for captures that could still be drawn', () => {
  const sample = new BottomK<(typeof captures)[0]>(10);
  for (const item of captures) {
    const wanted = sample.wants(item);
    sample.add(item);
    if (!wanted) expect(sample.items()).not.toContain(item);
  }
  expect(captures.filter((item) => sample.wants(item)).length).toBe(0);
});

test('a sample of size 0 is refused', () => {
  expect(() => new BottomK(0)).toThrow('sample size must be a whole number from 1');
});
