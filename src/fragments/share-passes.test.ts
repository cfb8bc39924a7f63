import { expect, test } from 'vitest';
import { analysePages } from '../../test/analyse-pages.ts';
import { pageOf } from '../../test/include-pages.ts';
import { type FragmentResult, sharePasses } from './shared-page.ts';

/** Two pages, and the number of times they were read. */
function countedPages() {
  const result = analysePages([pageOf('http://a.example/1', 'one'), pageOf('http://a.example/2', 'two')]);
  const counted = { passes: 0, result: { ...result } as FragmentResult };
  counted.result.visitPages = (visit) => {
    counted.passes++;
    return result.visitPages(visit);
  };
  return counted;
}

/** An export with `passes` passes; returns what it read. */
const exportOf = (passes: number) => async (result: FragmentResult) => {
  const seen: string[] = [];
  for (let pass = 1; pass <= passes; pass++) {
    await result.visitPages(({ number }) => {
      seen.push(`${pass}:${number}`);
    });
  }
  return seen.join(' ');
};

test('exports of several passes share as many passes as the longest of them needs', async () => {
  const counted = countedPages();
  const seen = await sharePasses(counted.result, [exportOf(1), exportOf(3), exportOf(0), exportOf(2)]);
  expect(seen).toEqual(['1:0 1:1', '1:0 1:1 2:0 2:1 3:0 3:1', '', '1:0 1:1 2:0 2:1']);
  expect(counted.passes).toBe(3);
});

test('every visitor finishes a page before the next page is read', async () => {
  const order: string[] = [];
  const visitor = (name: string, waits: number) => async (result: FragmentResult) => {
    await result.visitPages(async ({ number }) => {
      await new Promise((resolve) => setTimeout(resolve, waits));
      order.push(`${name}${number}`);
    });
  };
  await sharePasses(countedPages().result, [visitor('a', 5), visitor('b', 0)]);
  expect(order).toEqual(['a0', 'b0', 'a1', 'b1']);
});

test('the first error is thrown once the other exports have ended', async () => {
  let ended = false;
  const failing = async () => {
    throw new Error('no room on the disk');
  };
  const other = async (result: FragmentResult) => {
    await exportOf(2)(result);
    ended = true;
  };
  await expect(sharePasses<unknown>(countedPages().result, [other, failing])).rejects.toThrow('no room');
  expect(ended).toBe(true);
});

test('an error of a visitor fails the exports of its pass', async () => {
  const bad = (result: FragmentResult) =>
    result.visitPages(() => {
      throw new Error('bad page');
    });
  await expect(sharePasses<unknown>(countedPages().result, [exportOf(2), bad])).rejects.toThrow('bad page');
});
