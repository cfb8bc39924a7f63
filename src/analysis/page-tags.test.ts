import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { TAG } from '../parse/tag-names.ts';
import { NO_TAG, PageTags } from './page-tags.ts';

const parser = new Parser();

/** Reads a page and returns the numbers of its elements below the body. */
function numbersIn(tags: PageTags, html: string): number[] {
  const tree = parser.parse(Buffer.from(`<body>${html}`));
  tags.read(tree);
  const first = tree.name.subarray(0, tree.nodeCount).indexOf(TAG.body) + 1;
  return Array.from(tags.numbers.subarray(first, tree.nodeCount));
}

test('a tag keeps the number it was given first, on this page and the next', () => {
  const tags = new PageTags();
  const [one, two] = ['<hr class=a>', '<hr class=b>'];
  expect(numbersIn(tags, one + two + one)).toEqual([0, 1, 0]);
  expect(numbersIn(tags, `<hr class=c>${two}`)).toEqual([2, 1]);
  expect(tags.known).toBe(3);
});

test('every byte of a tag and the name of its element count', () => {
  const tags = new PageTags();
  const tag = '<img class="x" src=y>';
  const variants = Array.from({ length: 15 }, (_, k) => `${tag.slice(0, 5 + k)}!${tag.slice(6 + k)}`);
  const numbers = [tag, ...variants].map((variant) => numbersIn(tags, variant)[0]);
  expect(new Set(numbers).size).toBe(variants.length + 1);
  // an img in HTML, another element in SVG
  const image = '<image class=x>';
  expect(numbersIn(tags, `<svg>${image}`)[1]).not.toBe(numbersIn(tags, image)[0]);
});

test('the address of a link makes no difference, all else in the tag does', () => {
  const tags = new PageTags();
  const numberOf = (tag: string) => numbersIn(tags, tag)[0];
  const link = numberOf('<a href="/news" class=x>');
  expect(numberOf('<a href="/sport/2020?class=y" class=x>')).toBe(link);
  const others = [
    '<a href="/news" class=y>',
    '<a href="/news">',
    `<a href='/news' class=x>`,
    '<area href="/news" class=x>',
  ];
  for (const other of others) expect(numberOf(other), other).not.toBe(link);
  expect(numberOf(`<a title=it's href="/x'y" class=x>`)).not.toBe(
    numberOf(`<a title=it's href="/xy" class=x>`),
  );
});

test('texts, comments and short tags have no number', () => {
  expect(numbersIn(new PageTags(), 'text<!-- comment --><b>bold</b>')).toEqual([
    NO_TAG,
    NO_TAG,
    NO_TAG,
    NO_TAG,
  ]);
});

test('each distinct tag of a page is listed once, with a node that has it', () => {
  const tags = new PageTags();
  numbersIn(tags, '<hr class=a>');
  const tree = parser.parse(Buffer.from('<body><hr class=b><hr class=a><hr class=b>'));
  tags.read(tree);
  expect(Array.from(tags.different.subarray(0, tags.count))).toEqual([1, 0]);
  for (let k = 0; k < tags.count; k++) expect(tags.numbers[tags.nodes[k]]).toBe(tags.different[k]);
});

test('thousands of tags keep their numbers until all are removed', () => {
  const tags = new PageTags();
  const all = Array.from({ length: 40_000 }, (_, k) => `<hr id=n${k}>`).join('');
  const numbers = numbersIn(tags, all);
  expect(numbers).toEqual(numbers.map((_, k) => k));
  const { numbering } = tags;
  expect(numbersIn(tags, '<hr id=n39999><hr id=other>')).toEqual([0, 1]);
  expect(tags.numbering).not.toBe(numbering);
  expect(tags.numbering).not.toBe(new PageTags().numbering);
});
