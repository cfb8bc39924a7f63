import { expect, test } from 'vitest';
import { urlHash } from '../../analysis/byte-hash.ts';
import { keyOf, Random } from '../../research/generated-sites/random.ts';
import { KeptCaptures } from './cross-model.ts';

const capture = (url: string, day: number) => ({
  url,
  time: `2020-01-${String(day).padStart(2, '0')}T00:00:00Z`,
  file: 'a.warc',
  offset: day,
});

/** Returns the names of the kept captures, in order. */
function keep(captures: ReturnType<typeof capture>[], size: number): string[] {
  const kept = new KeptCaptures<string>(size);
  for (const one of captures) kept.add(one, () => `${one.url}${one.offset}`);
  return kept.items();
}

test('one capture of each URL comes first, then a second of each', () => {
  const captures = [1, 2, 3].flatMap((day) => ['a', 'b'].map((url) => capture(url, day)));
  const kept = keep(captures, 5);
  expect(kept.map((name) => name[0]).sort()).toEqual(['a', 'a', 'b', 'b', kept[4][0]].sort());
  const first = urlHash('a') < urlHash('b') ? 'ab' : 'ba';
  expect(kept.map((name) => name[0]).join('')).toBe(`${first}${first}${first[0]}`);
  expect(new Set(kept).size).toBe(5);
});

test('a URL with a hundred captures does not crowd out the others', () => {
  const captures = Array.from({ length: 100 }, (_, day) => capture('front', day));
  for (const url of ['a', 'b', 'c']) captures.push(capture(url, 1));
  const kept = keep(captures, 4);
  expect(kept.map((name) => name.replace(/\d+/, '')).sort()).toEqual(['a', 'b', 'c', 'front']);
});

test('a URL is not always represented by its earliest capture', () => {
  const urls = Array.from({ length: 20 }, (_, k) => `http://a.example/${k}`);
  const kept = keep(
    urls.flatMap((url) => [capture(url, 1), capture(url, 2)]),
    20,
  );
  expect(new Set(kept.map((name) => name.at(-1)))).toEqual(new Set(['1', '2']));
});

test('the kept captures do not depend on the order of captures', () => {
  const random = new Random(keyOf('kept'));
  const captures = Array.from({ length: 120 }, (_, k) => capture(`u${random.below(30)}`, k));
  for (const size of [7, 30, 45]) {
    const kept = keep(captures, size);
    for (let turn = 0; turn < 5; turn++) {
      expect(keep(random.sample(captures, captures.length), size)).toEqual(kept);
    }
  }
});

test('`make` is not called for a capture that is not kept', () => {
  let made = 0;
  const kept = new KeptCaptures<number>(1);
  for (let day = 0; day < 50; day++) kept.add(capture('a', day), () => made++);
  expect(made).toBeLessThan(12);
});
