import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { CONTENT, findLeaves, NEUTRAL, TEMPLATE } from './page-leaves.ts';
import { countTemplates, toTemplateFigures } from './template-counts.ts';

const HTML =
  '<div><a href=/1>Home page</a> <a href=/2>All <b>the news</b></a> <a href=/3><img src=x></a></div>' +
  '<p>A story of <a href=/4>five words</a></p><p>said a reader</p>';
const GOLD = Uint8Array.of(TEMPLATE, TEMPLATE, TEMPLATE, CONTENT, CONTENT, NEUTRAL);

test('words, words of links and links are counted separately, without neutral leaves', () => {
  const leaves = findLeaves(new Parser().parse(Buffer.from(HTML)));
  expect(leaves.words.join(' ')).toBe('home page all the news a story of five words said a reader');
  // the detector takes all of the first link, one of three words of the second, "five" and the comment
  const isTemplate = Uint8Array.of(1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1);
  expect(countTemplates(leaves, GOLD, isTemplate)).toEqual({
    text: { both: 3, found: 4, wanted: 5 },
    anchors: { both: 3, found: 4, wanted: 5 },
    links: { both: 1, found: 1, wanted: 2 },
  });
});

test('figures are of all pages together', () => {
  const part = (both: number, found: number, wanted: number) => ({ both, found, wanted });
  const figures = toTemplateFigures([
    { text: part(3, 4, 5), anchors: part(0, 0, 0), links: part(1, 1, 2) },
    { text: part(1, 4, 3), anchors: part(0, 0, 0), links: part(0, 1, 0) },
  ]);
  expect(figures?.text).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
  expect(figures?.anchors.f1).toBe(1);
  expect(figures?.links).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
  expect(toTemplateFigures([])).toBeUndefined();
});
