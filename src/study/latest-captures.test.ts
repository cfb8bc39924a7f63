import { expect, test } from 'vitest';
import { countPlaces, latestSequences, olderCaptures } from './latest-captures.ts';
import { SequenceCollector } from './template-sequences.ts';

test('the latest capture of a page is kept, and the last one of several at the same time', () => {
  const keys = ['/a', '/b', '/a', '/a', '/b'];
  expect([...olderCaptures([1, 2, 3, 4, 5], keys, ['2001', '2003', '2004', '2002', '2003'])].sort()).toEqual([
    1, 2, 4,
  ]);
  expect(olderCaptures([], [], []).size).toBe(0);
});

test('sequences without older captures have the bytes of the remaining captures', () => {
  const collector = new SequenceCollector();
  collector.add([0, 1], [10, 50], [20, 30]); // page 1, an older capture
  collector.add([0, 1], [10, 70], [20, 50]); // page 2
  collector.add([2], [0], [99]); // page 3, an older capture
  collector.add([0, 0], [10, 40], [20, 20]); // page 4
  const all = collector.finish();
  expect(latestSequences(all, [1, 2, 3, 4], new Set())).toBe(all);
  const latest = latestSequences(all, [1, 2, 3, 4], new Set([1, 3]));
  expect(latest).toMatchObject({ count: 2, templateCount: 3 });
  expect([...latest.pages]).toEqual([1, 1]);
  expect([...latest.start]).toEqual([0, 2, 4]);
  expect([...latest.template]).toEqual([0, 1, 0, 0]);
  // half of the 40 and 80 bytes of two captures, and of their offsets
  expect([...latest.bytes]).toEqual([20, 40, 20, 20]);
  expect([...latest.offsets]).toEqual([10, 60, 10, 40]);
  expect([...latest.sequenceOf]).toEqual([0, 1]);
  const { occurrences, bytes } = countPlaces(latest);
  expect([...occurrences]).toEqual([3, 1, 0]);
  expect([...bytes]).toEqual([60, 40, 0]);
});
