import { expect, test } from 'vitest';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import { TEXT, type Tree } from '../parse/tree.ts';
import { joinBoxes } from './join-boxes.ts';
import type { LayoutSnapshot } from './join-nodes.ts';

/** A node of a browser: its box, its name or text, the number of its mark, its children. */
interface Drawn {
  name?: string;
  text?: string;
  mark?: number;
  box?: [left: number, top: number, width: number, height: number];
  hidden?: boolean;
  children?: Drawn[];
}

function snapshotOf(root: Drawn, { width = 1000, height = 2000 } = {}): LayoutSnapshot {
  const strings: string[] = [];
  const numberOf = (text: string) =>
    strings.includes(text) ? strings.indexOf(text) : strings.push(text) - 1;
  const nodes: LayoutSnapshot['documents'][0]['nodes'] = {
    parentIndex: [],
    nodeType: [],
    nodeName: [],
    nodeValue: [],
    attributes: [],
  };
  const layout: LayoutSnapshot['documents'][0]['layout'] = { nodeIndex: [], bounds: [], styles: [] };
  const add = (
    { name = '#text', text = '', mark, box, hidden = false, children = [] }: Drawn,
    parent: number,
  ) => {
    const node = nodes.parentIndex.push(parent) - 1;
    nodes.nodeType.push(name === '#document' ? 9 : name === '#text' ? 3 : 1);
    nodes.nodeName.push(numberOf(name));
    nodes.nodeValue.push(numberOf(text));
    nodes.attributes.push(mark === undefined ? [] : [numberOf('data-chaff'), numberOf(String(mark))]);
    if (box) {
      layout.nodeIndex.push(node);
      layout.bounds.push(box);
      layout.styles.push([numberOf(hidden ? 'hidden' : 'visible')]);
    }
    for (const child of children) add(child, node);
  };
  add({ name: '#document', children: [root] }, -1);
  return { documents: [{ nodes, layout, contentWidth: width, contentHeight: height }], strings };
}

const parse = (html: string): Tree => new Parser().parse(Buffer.from(html));

/** Returns boxes by name; the first of several nodes with one name. */
function boxesByName(tree: Tree, snapshot: LayoutSnapshot): Record<string, number[]> {
  const { boxes } = joinBoxes(tree, snapshot, 'test');
  const named: Record<string, number[]> = {};
  for (let node = 0; node < tree.nodeCount; node++) {
    const name = node === 0 ? 'page' : tree.kind[node] === TEXT ? 'text' : tagName(tree, node);
    named[name] ??= [boxes.left[node], boxes.top[node], boxes.width[node], boxes.height[node]];
  }
  return named;
}

/**
 * Returns `<html><head></head><body>…` as a browser has it; html, head and body have the numbers 1, 2 and 3.
 */
const body = (...children: Drawn[]): Drawn => ({
  name: 'HTML',
  children: [{ name: 'HEAD' }, { name: 'BODY', box: [0, 0, 1000, 500], children }],
});

test('marked elements get their boxes wherever the browser has put them', () => {
  const tree = parse('<div></div><p></p>');
  const moved = body({ name: 'P', mark: 5, box: [1, 2, 3, 4] }, { name: 'DIV', mark: 4, box: [5, 6, 7, 8] });
  expect(boxesByName(tree, snapshotOf(moved))).toMatchObject({ p: [1, 2, 3, 4], div: [5, 6, 7, 8] });
});

test('implied elements, formatting and texts are found by their position', () => {
  const tree = parse('<table><tr><td>a<b>b</b></table>');
  const cell = {
    name: 'TD',
    mark: 7,
    box: [0, 0, 40, 20] as const,
    children: [
      { text: 'a', box: [0, 0, 10, 20] as const },
      { name: 'B', box: [10, 0, 10, 20] as const },
    ],
  };
  const table = {
    name: 'TABLE',
    mark: 4,
    children: [
      { name: 'TBODY', box: [0, 0, 50, 20] as const, children: [{ name: 'TR', mark: 6, children: [cell] }] },
    ],
  };
  expect(boxesByName(tree, snapshotOf(body(table as never)))).toMatchObject({
    tbody: [0, 0, 50, 20],
    text: [0, 0, 10, 20],
    b: [10, 0, 10, 20],
  });
});

test('nodes that are not shown have no area: no box, hidden, outside the page', () => {
  const tree = parse('<div></div><p></p><ul></ul><ol></ol>');
  const drawn = body(
    { name: 'DIV', mark: 4 },
    { name: 'P', mark: 5, box: [0, 0, 9, 9], hidden: true },
    { name: 'UL', mark: 6, box: [-9999, 0, 50, 50] },
    { name: 'OL', mark: 7, box: [990, 0, 50, 50] },
  );
  const { div, p, ul, ol } = boxesByName(tree, snapshotOf(drawn));
  expect([div[2] * div[3], p[2] * p[3], ul[2] * ul[3]]).toEqual([0, 0, 0]);
  expect(ol).toEqual([990, 0, 10, 50]); // the part beyond the edge is cut off
});

test('an element without area of its own gets the box around its contents', () => {
  const tree = parse('<div><section><p></p><ul></ul></section></div>');
  const inner = [
    { name: 'P', mark: 6, box: [10, 10, 20, 20] as never },
    { name: 'UL', mark: 7, box: [50, 40, 20, 20] as never },
  ];
  const drawn = body({
    name: 'DIV',
    mark: 4,
    box: [0, 0, 1000, 0],
    children: [{ name: 'SECTION', mark: 5, children: inner }],
  });
  expect(boxesByName(tree, snapshotOf(drawn))).toMatchObject({
    div: [10, 10, 60, 50],
    section: [10, 10, 60, 50],
  });
});

test('a text that the browser has elsewhere gets its share of the box of its parent', () => {
  const tree = parse('<p>12345678<i>12</i></p>');
  const drawn = body({ name: 'P', mark: 4, box: [0, 100, 50, 100] });
  expect(boxesByName(tree, snapshotOf(drawn)).text).toEqual([0, 100, 50, 80]);
});

test('the page is as high as its shown nodes, and the document as high as the page', () => {
  const tree = parse('<p>x');
  const { boxes } = joinBoxes(tree, snapshotOf(body()), 'Browser 1');
  expect([boxes.pageWidth, boxes.pageHeight, boxes.width[0], boxes.height[0]]).toEqual([
    1000, 500, 1000, 500,
  ]);
  expect(boxes.origin).toBe('Browser 1');
});

test('forged marks of a page join no node twice and no node outside the page', () => {
  const tree = parse('<p></p><b></b>');
  const drawn = body(
    { name: 'P', mark: 4, box: [0, 0, 10, 10] },
    { name: 'P', mark: 4, box: [0, 500, 99, 99] },
    { name: 'P', mark: 0, box: [0, 0, 99, 99] },
    { name: 'P', mark: -1, box: [0, 0, 99, 99] },
    { name: 'P', mark: 1e9, box: [0, 0, 99, 99] },
    { name: 'B', mark: 5, box: [0, 0, 20, 20] },
  );
  expect(boxesByName(tree, snapshotOf(drawn))).toMatchObject({ p: [0, 0, 10, 10], b: [0, 0, 20, 20] });
});

test('a browser that shows nothing at all gives a page without area', () => {
  const tree = parse('<p>x</p>');
  const empty = {
    documents: [
      {
        nodes: { parentIndex: [], nodeType: [], nodeName: [], nodeValue: [], attributes: [] },
        layout: { nodeIndex: [], bounds: [], styles: [] },
      },
    ],
    strings: [],
  };
  const { boxes, elements, joinedElements } = joinBoxes(tree, empty, 'test');
  expect([...boxes.width, ...boxes.height].every((size) => size === 0)).toBe(true);
  expect([elements, joinedElements]).toEqual([4, 0]);
});

test('the contents of a template element are not counted', () => {
  const tree = parse('<p></p><template><div>x</div></template>');
  const drawn = body({ name: 'P', mark: 4 }, { name: 'TEMPLATE', mark: 5 });
  expect(joinBoxes(tree, snapshotOf(drawn), 'test')).toMatchObject({
    elements: 5,
    joinedElements: 5,
    texts: 0,
  });
});
