import { expect, test } from 'vitest';
import { readStretches } from '../../../test/stretches.ts';
import { tagName } from '../../parse/tag-names.ts';
import { ELEMENT } from '../../parse/tree.ts';
import { measureNodes } from './reclassify.ts';

/** Returns the first element with a name and its statistics. */
function measure(html: string, name: string) {
  const { tree, placed } = readStretches(html);
  const statistics = measureNodes(tree, placed);
  let node = 1;
  while (tree.kind[node] !== ELEMENT || tagName(tree, node) !== name) node++;
  const show = (id: number) => (id < 0 ? 'none' : tree.kind[id] === ELEMENT ? tagName(tree, id) : 'text');
  return {
    words: statistics.words[node],
    textBytes: statistics.textBytes[node],
    linkBytes: statistics.linkBytes[node],
    tags: statistics.tags[node],
    previous: show(statistics.previous[node]),
    next: show(statistics.next[node]),
  };
}

test('words, text, linked text and tags of an element are counted over its subtree', () => {
  expect(measure('<div>ab <a href=/>cd <b>ef</b></a></div>', 'div')).toEqual({
    words: 3,
    textBytes: 8,
    linkBytes: 6, // a space belongs to the text after it
    tags: 3,
    previous: 'none',
    next: 'none',
  });
});

test('links inside links count once', () => {
  const html = '<a href=/><object><a href=/>word</a></object></a>';
  expect(measure(html, 'a').linkBytes).toBe(4);
});

test('neighbours are elements and texts of the same parent; comments and blanks are ignored', () => {
  const { previous, next } = measure('<div><i>a</i> <!-- no --> <u>b</u>c</div>', 'u');
  expect([previous, next]).toEqual([expect.stringMatching(/^(i|text)$/), 'text']);
  expect(measure('<div><i>a</i><!-- no --><u>b</u></div>', 'u').previous).toBe('i');
});
