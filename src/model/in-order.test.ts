import { expect, test } from 'vitest';
import { collect } from '../../test/collect.ts';
import { inOrder } from './in-order.ts';

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('results have the order of their items, and at most the given number is under way', async () => {
  let underWay = 0;
  let highest = 0;
  const work = async (item: number) => {
    highest = Math.max(highest, ++underWay);
    await later(item % 3);
    underWay--;
    return item;
  };
  const items = Array.from({ length: 20 }, (_, k) => k);
  expect(await collect(inOrder(items, { most: () => 4, work }))).toEqual(items);
  expect(highest).toBe(4);
});

test('a result is yielded while the next item is awaited', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  async function* asked(): AsyncGenerator<string> {
    yield 'first';
    await answered;
    yield 'second';
  }
  const seen: string[] = [];
  for await (const item of inOrder(asked(), { most: () => 4, work: async (item) => item })) {
    seen.push(item);
    answer();
  }
  expect(seen).toEqual(['first', 'second']);
});

test('an error is thrown in its turn, and a consumer that stops ends the items', async () => {
  let isEnded = false;
  async function* items(): AsyncGenerator<number> {
    try {
      for (let k = 0; ; k++) yield k;
    } finally {
      isEnded = true;
    }
  }
  const work = async (item: number) => {
    if (item === 2) throw new Error('the third');
    return item;
  };
  const seen: number[] = [];
  await expect(async () => {
    for await (const item of inOrder(items(), { most: () => 8, work })) seen.push(item);
  }).rejects.toThrow('the third');
  expect([seen, isEnded]).toEqual([[0, 1], true]);
  isEnded = false;
  for await (const item of inOrder(items(), { most: () => 1, work })) if (item === 1) break;
  expect(isEnded).toBe(true);
});

test('an error of the items is thrown after the results of those before it', async () => {
  async function* items(): AsyncGenerator<number> {
    yield* [0, 1];
    throw new Error('the reader failed');
  }
  const work = async (item: number) => {
    await later(20);
    return item;
  };
  const seen: number[] = [];
  await expect(async () => {
    for await (const item of inOrder(items(), { most: () => 8, work })) seen.push(item);
  }).rejects.toThrow('the reader failed');
  expect(seen).toEqual([0, 1]);
});
