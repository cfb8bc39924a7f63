import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import type { Boxes } from './boxes.ts';
import { LayoutEstimator } from './estimate.ts';

const parser = new Parser();
const estimator = new LayoutEstimator();
const encoder = new TextEncoder();
const words = (count: number): string => 'word '.repeat(count);

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** The boxes of a page's elements by tag name, in document order. */
function layout(html: string): { of: (name: string, nth?: number) => Box; boxes: Boxes; tree: Tree } {
  const tree = parser.parse(encoder.encode(html));
  const boxes = estimator.estimate(tree);
  const of = (name: string, nth = 0): Box => {
    const nodes = Array.from({ length: tree.nodeCount }, (_, node) => node);
    const node = nodes.filter((id) => tagName(tree, id) === name)[nth];
    const [left, top] = [boxes.left[node], boxes.top[node]];
    const [width, height] = [boxes.width[node], boxes.height[node]];
    return { left, top, width, height, right: left + width, bottom: top + height };
  };
  return { of, boxes, tree };
}

test('blocks stand below each other, as wide as the window', () => {
  const { of } = layout('<!doctype html><body><div>one</div><div>two</div>');
  expect(of('div').width).toBe(1264);
  expect(of('div', 1).top).toBeCloseTo(of('div').bottom);
});

test('a longer text takes more lines', () => {
  const { of } = layout(`<p>${words(10)}</p><p>${words(1000)}</p>`);
  expect(of('p').height).toBeLessThan(25);
  expect(of('p', 1).height).toBeGreaterThan(10 * of('p').height);
});

test('East Asian text is twice as wide', () => {
  const { of } = layout(`<span>${'x'.repeat(20)}</span><br><span>${'語'.repeat(20)}</span>`);
  expect(of('span', 1).width).toBeCloseTo(2 * of('span').width);
});

test('cells of a row stand side by side, as high as the row', () => {
  const { of } = layout(`<table width=900><tr><td width=200>menu<td>${words(500)}</table>`);
  expect(of('td', 1).left).toBeGreaterThan(of('td').right);
  expect(of('td', 1).width).toBeGreaterThan(600);
  expect(of('td').height).toBe(of('td', 1).height);
});

test('a cell over two columns is as wide as both', () => {
  const { of } = layout('<table width=600><tr><td colspan=2>a<tr><td width=200>b<td>c</table>');
  expect(of('td').width).toBeCloseTo(of('td', 1).width + of('td', 2).width + 2);
});

test('scripts, hidden inputs and closed details have no area', () => {
  const { of } = layout('<script>1</script><input type=hidden><details><summary>s</summary><p>p</details>');
  for (const name of ['script', 'input', 'p', 'head']) expect(of(name).width * of(name).height).toBe(0);
  expect(of('summary').height).toBeGreaterThan(0);
});

test('pictures are as large as their attributes say', () => {
  const { of } = layout('<img width=300 height=200>');
  expect([of('img').width, of('img').height]).toEqual([300, 200]);
});

test('headings are larger than text', () => {
  const { of } = layout('<h1>x</h1><p>x</p>');
  expect(of('h1').height).toBeCloseTo(2 * of('p').height);
});

test.each([
  ['an empty page', ''],
  ['one text', 'text'],
  ['no body', '<head><title>x</title></head>'],
  ['a frameset', '<frameset cols="20%,80%"><frame src=a><frame src=b><noframes>x</noframes></frameset>'],
  ['rows without a table', '<div style="display:table-row"><td>x</td></div>'],
])('%s has finite boxes', (_, html) => {
  const { boxes } = layout(html);
  for (let node = 0; node < boxes.nodeCount; node++) {
    for (const column of [boxes.left, boxes.top, boxes.width, boxes.height]) {
      expect(Number.isFinite(column[node])).toBe(true);
    }
    expect(boxes.width[node] * boxes.height[node]).toBeGreaterThanOrEqual(0);
  }
  expect(Number.isFinite(boxes.pageHeight)).toBe(true);
});

test('a page of 100,000 nodes is laid out', () => {
  const { boxes } = layout('<div><p>a<table><tr><td>b</table></div>'.repeat(15_000));
  expect(boxes.nodeCount).toBeGreaterThan(100_000);
  expect(boxes.pageHeight).toBeGreaterThan(100_000);
});

test('the same page gives the same boxes, whatever came before', () => {
  const html = `<table><tr><td>a<td>${words(40)}</table><p align=right>x`;
  const first = [...layout(html).boxes.left.subarray(0, 12)];
  layout(`<center><ul><li style="float:left">${words(100)}</ul></center>`);
  expect([...layout(html).boxes.left.subarray(0, 12)]).toEqual(first);
});
