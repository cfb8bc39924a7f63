import { expect, test } from 'vitest';
import { Parser } from '../../parse/parser.ts';
import { BlockReader } from './block-reader.ts';
import { findHeadline } from './find-headline.ts';
import { blockWords } from './read-labelled-pages.ts';

const parser = new Parser();
const reader = new BlockReader();
const prose = 'The river rose by two metres in one night, and the bridge at the mill was closed. '.repeat(6);

/** The lines of the headline of a page, above some text. */
function headlineOf(above: string, title = 'Flood at the mill'): string[] {
  const tree = parser.parse(new TextEncoder().encode(`<title>${title}</title><body>${above}<p>${prose}</p>`));
  const blocks = reader.read(tree, 'https://example.org/a');
  const { first, end } = findHeadline(tree, blocks, false);
  return first < 0
    ? []
    : blockWords(tree, blocks)
        .slice(first, end)
        .map((text) => text.trim());
}

test('of two blocks like the title, the one whose element or block has the name of a title is the headline', () => {
  const plain = '<div>Flood at the mill</div>';
  expect(headlineOf(`<div class="title">Flood at the Mill</div>${plain}`)).toEqual(['Flood at the Mill']);
  expect(headlineOf(`<div><span class="title">Flood at the Mill</span></div>${plain}`)).toEqual([
    'Flood at the Mill',
  ]);
  expect(headlineOf(`<div class="intro">Flood at the Mill</div>${plain}`)).toEqual(['Flood at the mill']);
});

test('a heading is preferred to a named block, and a first-level heading to others', () => {
  const named = '<div class="title">Flood at the mill</div>';
  expect(headlineOf(`<h2>FLOOD at the mill</h2>${named}`)).toEqual(['FLOOD at the mill']);
  expect(headlineOf(`<h1>FLOOD at the mill</h1><h2>Flood at the mill</h2>`)).toEqual(['FLOOD at the mill']);
});

test('without a block like the title, the first h1 outside forms and footers is the headline', () => {
  expect(headlineOf('<h1>Something else</h1><h1>And more</h1>')).toEqual(['Something else']);
  expect(headlineOf('<div class="legal"><h1>Something else</h1></div><h1>And more</h1>')).toEqual([
    'And more',
  ]);
  expect(headlineOf('<p>Some words</p>')).toEqual([]);
});

test('a hidden heading is not the headline, and neither is one below the text', () => {
  expect(headlineOf('<h1 style="display:none">Flood at the mill</h1><h2>Flood at the Mill</h2>')).toEqual([
    'Flood at the Mill',
  ]);
  expect(headlineOf(`<p>${prose}</p><p>${prose}</p><h1>Flood at the mill</h1>`)).toEqual([]);
});
