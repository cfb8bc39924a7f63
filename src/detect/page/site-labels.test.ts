import { expect, test } from 'vitest';
import type { Range } from '../../model/range.ts';
import { Parser } from '../../parse/parser.ts';
import { tileRanges } from '../ranges.ts';
import { FrequentTexts, TextCounter } from './frequent-texts.ts';
import { SiteLabeller } from './site-labels.ts';

const HTML = '<nav>Home and news</nav><aside>Weather today</aside><b>Buy now</b><p>Words of its own</p>';
const parser = new Parser();

test('html goes by dom, any by whatever sees a template', () => {
  const counter = new TextCounter();
  for (let k = 0; k < 3; k++) counter.add(parser.parse(new TextEncoder().encode('<i>Buy now</i>')));
  const tree = parser.parse(new TextEncoder().encode(HTML));
  const dom = templateAt('<nav>', '</nav>');
  const text = templateAt('Weather', 'today');
  const frequent = new FrequentTexts(counter.frequent());
  const nodes = Int32Array.from(['<nav>', '<aside>', '<b>', '<p>'], (tag) => {
    const at = HTML.indexOf(tag);
    return tree.start.findIndex((start, node) => start === at && tree.openEnd[node] === at + tag.length);
  });
  const labeller = new SiteLabeller();
  expect([...labeller.label(tree, { dom }, nodes).subarray(0, 4)]).toEqual([1, 0, 0, 0]);
  expect([...labeller.label(tree, { dom, text, frequent }, nodes).subarray(0, 4)]).toEqual([1, 1, 1, 0]);
});

function templateAt(from: string, to: string): Range[] {
  const start = HTML.indexOf(from);
  const end = HTML.indexOf(to) + to.length;
  const range: Range = {
    start,
    end,
    label: 'template',
    score: 1,
    template: '0'.repeat(16),
    reason: 'on all',
  };
  return tileRanges(HTML.length, [range]);
}
