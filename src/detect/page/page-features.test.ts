import { expect, test } from 'vitest';
import { makePage, parsePage } from '../../../test/detector-contract.ts';
import { MAX_ROWS } from '../../kernel/feature-layout.ts';
import type { Boxes } from '../../layout/boxes.ts';
import type { Tree } from '../../parse/tree.ts';
import { FEATURE_COLUMN, FEATURES } from './feature-list.ts';
import { FeatureMaker } from './page-features.ts';

/** Boxes as large as the page for every node; these tests do not depend on positions. */
function wideBoxes({ nodeCount }: Tree): Boxes {
  const column = (value: number) => new Float32Array(nodeCount).fill(value);
  return {
    nodeCount,
    left: column(0),
    top: column(0),
    width: column(1280),
    height: column(100),
    pageWidth: 1280,
    pageHeight: 100,
    origin: 'test',
  };
}

function tableOf(html: string) {
  const parsed = parsePage(makePage(html, 1));
  const table = new FeatureMaker().make(parsed, wideBoxes(parsed.tree));
  const value = (row: number, name: string) => table.values[row * table.width + FEATURE_COLUMN[name]];
  const rowOf = (text: string) => {
    const at = html.indexOf(text);
    // implied elements start at the first written element
    for (let row = table.rowCount - 1; row > 0; row--) {
      if (parsed.tree.start[table.node[row]] === at) return row;
    }
    throw new Error(`no row for ${text}`);
  };
  return { ...table, tree: parsed.tree, value, rowOf };
}

test('every row has a number for every feature', () => {
  const { rowCount, width, values } = tableOf(
    '<ul><li><a href=/>one</a><li>two</ul><p>Some text, and more.</p>',
  );
  expect(width).toBe(FEATURES.length);
  expect(new Set(FEATURES.map(({ name }) => name)).size).toBe(width);
  for (let i = 0; i < rowCount * width; i++) expect(Number.isFinite(values[i])).toBe(true);
});

test('the last feature of a row is the last of the list', () => {
  const { value, rowCount } = tableOf('<p>one</p>');
  // pages shorter than a window: log2(1 + 100 / 1024)
  expect(value(rowCount - 1, 'pageHeight')).toBeCloseTo(Math.log2(1 + 100 / 1024), 5);
});

test('rows are a tree in document order that starts with the document', () => {
  const { rowCount, node, parent, weight } = tableOf('<div><p>one</p><div><p>two</p></div></div>');
  expect([node[0], parent[0]]).toEqual([0, -1]);
  for (let row = 1; row < rowCount; row++) {
    expect(node[row]).toBeGreaterThan(node[row - 1]);
    expect(parent[row]).toBeLessThan(row);
    expect(weight[row]).toBeGreaterThanOrEqual(1);
  }
});

test('the rows and the nodes hidden in them are all nodes of the page', () => {
  const { tree, rowCount, weight } = tableOf('<!-- c --><p>one <b>two</b> <a href=x>three</a></p><br>four');
  expect(weight.slice(0, rowCount).reduce((sum, one) => sum + one, 0)).toBe(tree.nodeCount);
});

test('links are counted by words and by where they lead', () => {
  const { value, rowOf } = tableOf(
    '<ul><li><a href=/x>one two</a> three four<li><a href="https://b.example/">five</a></ul>',
  );
  const list = rowOf('<ul>');
  expect(value(list, 'anchorShare')).toBeCloseTo(3 / 5);
  expect(value(list, 'linksPerWord')).toBeCloseTo(2 / 5);
  expect(value(list, 'sameSite')).toBe(0.5);
});

test('a link in a sentence is not a row, a link on its own is', () => {
  const { rowOf } = tableOf(
    '<p>Read <a href=1>this</a> now.</p><div><a href=2>one</a><a href=3>two</a></div>',
  );
  expect(() => rowOf('<a href=1>')).toThrow();
  expect(rowOf('<a href=2>')).toBeGreaterThan(0);
});

test('Chinese without spaces has words, stops and commas', () => {
  const { value, rowOf } = tableOf('<p>今天天气很好，我们去公园。</p>');
  const row = rowOf('<p>');
  expect(2 ** value(row, 'words') - 1).toBeCloseTo(11 / 2, 4);
  expect(value(row, 'stops')).toBeCloseTo(1 / 5.5, 4);
  expect(value(row, 'commas')).toBeCloseTo(1 / 5.5, 4);
});

test('words of the title are found in any case', () => {
  const { value, rowOf } = tableOf('<title>Red Apples - Fruit</title><h1>RED apples</h1><p>pears</p>');
  expect(value(rowOf('<h1>'), 'titleCover')).toBeCloseTo(2 / 3);
  expect(value(rowOf('<h1>'), 'titleDensity')).toBe(1);
  expect(value(rowOf('<p>'), 'titleCover')).toBe(0);
});

test('siblings of one shape are counted', () => {
  const { value, rowOf } = tableOf('<div><p class=a>1<p class=a>2<p class=a>3<h2>4</h2></div>');
  expect(value(rowOf('<p class=a>2'), 'sameShape')).toBeCloseTo(Math.log2(3));
  expect(value(rowOf('<h2>'), 'sameShape')).toBe(0);
});

test('nodes inside nav or footer have that feature', () => {
  const { value, rowOf } = tableOf('<nav><div>one</div></nav><footer><p>two</p></footer>');
  expect([value(rowOf('<div>'), 'inNav'), value(rowOf('<div>'), 'inFooter')]).toEqual([1, 0]);
  expect([value(rowOf('<p>'), 'inNav'), value(rowOf('<p>'), 'inFooter')]).toEqual([0, 1]);
});

test('a page of 100,000 nodes has a bounded number of rows', () => {
  const parsed = parsePage(makePage('<p>x</p>'.repeat(50_000), 1));
  expect(new FeatureMaker().make(parsed, wideBoxes(parsed.tree)).rowCount).toBeLessThanOrEqual(MAX_ROWS);
});

test('empty pages, framesets and pages without a body have the row of the document', () => {
  for (const html of ['', 'x', '<frameset><frame src=a></frameset>', '<title>t</title>']) {
    expect(tableOf(html).rowCount).toBeGreaterThan(0);
  }
});
