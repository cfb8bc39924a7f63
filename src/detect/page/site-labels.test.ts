import { expect, test } from 'vitest';
import { learn, makePage, parsePage } from '../../../test/detector-contract.ts';
import type { Range } from '../../model/range.ts';
import { Parser } from '../../parse/parser.ts';
import { domDetector } from '../dom-detector.ts';
import type { DomOptions } from '../dom-settings.ts';
import { tileRanges } from '../ranges.ts';
import { FrequentTexts, TextCounter } from './shared-texts.ts';
import { SITE_LEVEL, SiteLabeller } from './site-labels.ts';

const HTML = '<nav>Home and news</nav><aside>Weather today</aside><b>Buy now</b><p>Words of its own</p>';
const parser = new Parser();

test('`html` labels by dom, `any` by every detector that finds a template', () => {
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

test('SITELEVEL of the paper does not join siblings across changing text', () => {
  // The div is on no two pages. Its paragraphs are on all four: 40 bytes each, 80 of 107. With the 16 bytes
  // between them, a gap that the defaults of dom close, it is 96 of 107, which is over 85 %.
  const paragraph = (letter: string) => `<p>${letter.repeat(33)}</p>`;
  const pages = ['one', 'two', 'ten', 'six'].map((own, k) =>
    makePage(`<div>${paragraph('a')}only on page ${own}${paragraph('b')}</div>`, k),
  );
  const classOf = (options: DomOptions) => {
    const detector = domDetector({ evidence: 'content', ...options });
    const model = learn(detector, pages);
    const parsed = parsePage(pages[0]);
    const { start, openEnd } = parsed.tree;
    const node = start.findIndex((at, k) => at === 0 && openEnd[k] === '<div>'.length);
    const dom = detector.label(parsed, model);
    return [pages[0].source.length, new SiteLabeller().label(parsed.tree, { dom }, Int32Array.of(node))[0]];
  };
  expect(classOf({})).toEqual([107, 1]);
  expect(classOf(SITE_LEVEL)).toEqual([107, 0]);
});
