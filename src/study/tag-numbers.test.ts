import { expect, test } from 'vitest';
import { TagNumbers } from './tag-numbers.ts';

const numberIn = (tags: TagNumbers, tag: string, name = 1) => {
  const bytes = new TextEncoder().encode(`..${tag}..`);
  return tags.numberOf(new DataView(bytes.buffer), 2, bytes.length - 2, name);
};

test('a tag has the number it was given first, whatever stands around it', () => {
  const tags = new TagNumbers();
  expect(['<p class=a>', '<p class=b>', '<p class=a>', '<p>'].map((tag) => numberIn(tags, tag))).toEqual([
    0, 1, 0, 2,
  ]);
  expect(tags.count).toBe(3);
});

test('every byte counts, and so does the name of the element', () => {
  const tags = new TagNumbers();
  const tag = '<img class="x" src=y>';
  const variants = Array.from(tag, (_, k) => `${tag.slice(0, k)}!${tag.slice(k + 1)}`);
  const numbers = [tag, ...variants, tag.slice(0, -1)].map((variant) => numberIn(tags, variant));
  expect(new Set(numbers).size).toBe(tag.length + 2);
  expect(numberIn(tags, tag, 2)).toBe(tag.length + 2);
});

test('thousands of tags keep their numbers as the table grows, until all are forgotten', () => {
  const tags = new TagNumbers();
  const all = Array.from({ length: 5000 }, (_, k) => `<p id=n${k}>`);
  const numbers = all.map((tag) => numberIn(tags, tag));
  expect(numbers).toEqual(all.map((_, k) => k));
  expect(all.map((tag) => numberIn(tags, tag))).toEqual(numbers);
  tags.clear();
  expect(tags.count).toBe(0);
  expect(numberIn(tags, all[4000])).toBe(0);
});
