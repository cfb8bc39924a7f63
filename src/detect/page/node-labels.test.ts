import { expect, test } from 'vitest';
import type { Range } from '../../model/range.ts';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';
import { tileRanges } from '../ranges.ts';
import { NodeLabeller } from './site-labels.ts';

const PAGE = '<html><body><nav><a href=/>Home</a></nav><main><p>Words of its own.</p></main></body></html>';

test('a node inside a template is template, one outside is not', () => {
  const tree = parse(PAGE);
  const labels = labelAll(tree, templateAt(tree, '<nav>', '</nav>'));
  expect(classOf(tree, labels, '<nav>')).toBe(1);
  expect(classOf(tree, labels, '<a href=/>')).toBe(1);
  expect(classOf(tree, labels, '<main>')).toBe(0);
  expect(classOf(tree, labels, '<p>')).toBe(0);
  expect(classOf(tree, labels, '<body>')).toBe(0);
});

test('a node is template if more than 85 % of its HTML is inside templates', () => {
  const tree = parse(`<div>${'m'.repeat(989)}</div>`); // 1,000 bytes
  expect(labelAll(tree, [template(0, 850)]).classes[divOf(tree)]).toBe(0);
  expect(labelAll(tree, [template(0, 851)]).classes[divOf(tree)]).toBe(1);
});

test('shares of HTML and of text are counted separately', () => {
  const tree = parse(PAGE);
  const labels = labelAll(tree, templateAt(tree, '<nav>', '</nav>'));
  const body = nodeOf(tree, '<body>');
  const html = '<nav><a href=/>Home</a></nav>'.length / (tree.end[body] - tree.start[body]);
  expect(labels.htmlShare[body]).toBeCloseTo(html, 6);
  expect(labels.textShare[body]).toBeCloseTo('Home'.length / 'Home Words of its own.'.length, 6);
  expect(labels.textBytes[body]).toBe('Home Words of its own.'.length);
});

test('the text share of a node without text is its HTML share', () => {
  const tree = parse('<div><img src=a></div><p>text</p>');
  const labels = labelAll(tree, templateAt(tree, '<div>', '</div>'));
  expect(labels.textShare[divOf(tree)]).toBe(1);
  expect(labels.textBytes[divOf(tree)]).toBe(0);
});

test('shares agree with counting byte by byte', () => {
  const tree = parse(PAGE);
  const labeller = new NodeLabeller();
  for (let seed = 1; seed < 60; seed++) {
    const cuts = [seed % 7, seed % 31, 20 + (seed % 23), 30 + ((seed * 7) % 40)].sort((a, b) => a - b);
    const ranges = [template(cuts[0], cuts[1]), template(cuts[2], cuts[3])].filter(
      ({ start, end }) => start < end,
    );
    const tiled = tileRanges(tree.source.length, ranges);
    const { htmlShare } = labeller.label(tree, tiled, allNodes(tree));
    for (let node = 0; node < tree.nodeCount; node++) {
      let inside = 0;
      for (let at = tree.start[node]; at < tree.end[node]; at++) {
        if (ranges.some(({ start, end }) => start <= at && at < end)) inside++;
      }
      expect(htmlShare[node]).toBeCloseTo(inside / Math.max(1, tree.end[node] - tree.start[node]), 5);
    }
  }
});

test('an empty page and a page without templates have no template nodes', () => {
  for (const html of ['', 'only text', PAGE]) {
    const tree = parse(html);
    const { classes, count } = labelAll(tree, []);
    expect(Array.from(classes.subarray(0, count)).every((value) => value === 0)).toBe(true);
  }
});

function parse(html: string): Tree {
  return new Parser().parse(new TextEncoder().encode(html));
}

function labelAll(tree: Tree, ranges: Range[]) {
  return new NodeLabeller().label(tree, tileRanges(tree.source.length, ranges), allNodes(tree));
}

function allNodes(tree: Tree): Int32Array {
  return Int32Array.from({ length: tree.nodeCount }, (_, node) => node);
}

function template(start: number, end: number): Range {
  return { start, end, label: 'template', score: 1, template: '0'.repeat(16), reason: 'on all pages' };
}

function templateAt(tree: Tree, open: string, close: string): Range[] {
  const source = new TextDecoder().decode(tree.source);
  return [template(source.indexOf(open), source.indexOf(close) + close.length)];
}

function nodeOf(tree: Tree, tag: string): number {
  const at = new TextDecoder().decode(tree.source).indexOf(tag);
  return tree.start.findIndex((start, node) => start === at && tree.openEnd[node] === at + tag.length);
}

function divOf(tree: Tree): number {
  return nodeOf(tree, '<div>');
}

function classOf(tree: Tree, { classes }: { classes: Uint8Array }, tag: string): number {
  return classes[nodeOf(tree, tag)];
}
