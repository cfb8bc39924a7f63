import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import { BlockReader } from './block-reader.ts';
import { dropCopies } from './second-copies.ts';

const parser = new Parser();
const reader = new BlockReader();
const sentence = (k: number) =>
  `<p>Paragraph ${k} of the text says in more than fifteen words what the town built in that year and why.</p>`;

/** Numbers of the blocks that stay when all were kept. */
function keep(html: string): number[] {
  const blocks = reader.read(parser.parse(new TextEncoder().encode(html)), '');
  const kept = new Uint8Array(blocks.count).fill(1);
  dropCopies({ blocks, kept, scores: new Float64Array(blocks.count), reasons: new Uint8Array(blocks.count) });
  return [...kept.keys()].filter((block) => kept[block] === 1);
}

test('a text that a page has twice is kept once, the visible copy before a hidden one', () => {
  const text = sentence(1) + sentence(2);
  expect(keep(`<div>${text}</div><div>${text}</div>`)).toEqual([0, 1]);
  expect(keep(`<div hidden>${text}</div><div>${text}</div>`)).toEqual([2, 3]);
});

test('a sentence that is quoted once in a long text stays', () => {
  const text = Array.from({ length: 12 }, (_, k) => sentence(k)).join('');
  expect(keep(text + sentence(3))).toHaveLength(13);
});
