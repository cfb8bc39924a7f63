import { expect, test } from 'vitest';
import { LayoutEstimator } from '../layout/estimate.ts';
import type { Range } from '../model/range.ts';
import { Parser } from '../parse/parser.ts';
import { MAX_WIRE_BOXES, wireframeOf } from './wireframe.ts';

/**
 * Returns the wireframe of a page with labelled parts: `[role:html]` pairs in order, content where the role
 * is empty.
 */
function wireframe(parts: [label: string, html: string][]) {
  const source = Buffer.from(parts.map(([, html]) => html).join(''));
  let position = 0;
  const ranges = parts.map(([label, html], k): Range => {
    const start = position;
    position += Buffer.byteLength(html);
    const isContent = label === 'content';
    return {
      start,
      end: position,
      label: isContent ? 'content' : 'template',
      score: 1,
      template: isContent ? '' : `t${k}`,
      reason: '',
    };
  });
  const tree = new Parser().parse(source);
  return wireframeOf(tree, new LayoutEstimator().estimate(tree), ranges);
}

const TEXT = '<p>Some words that fill a line or two of this small page, so that there is a box to see.</p>';

test('header, menu, content and footer are boxes placed below each other', () => {
  const boxes = wireframe([
    ['template', `<head><title>x</title></head><header>${TEXT}</header>`],
    ['template', '<nav><ul><li><a href=/a>Alpha and more</a><li><a href=/b>Beta and more</a></ul></nav>'],
    ['content', `<main>${TEXT}${TEXT}</main>`],
    ['template', `<footer>${TEXT}</footer>`],
  ]);
  expect(boxes.map(({ role }) => role)).toEqual(['header', 'menu', 'content', 'footer']);
  const tops = boxes.map(({ top }) => top);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(boxes.map(({ template }) => template)).toEqual(['t0', 't1', '', 't3']);
});

test('pieces of content with a small template between them are one box', () => {
  const boxes = wireframe([
    ['content', `<div>${TEXT}`],
    ['template', '<p class=share>Share</p>'],
    ['content', `${TEXT}</div>`],
  ]);
  expect(boxes.filter(({ role }) => role === 'content')).toHaveLength(1);
});

test('a page has few boxes, however many templates it has', () => {
  const parts = Array.from({ length: 200 }, (_, k): [string, string] => [
    'template',
    `<div class="${['related', 'footer', 'menu'][k % 3]}" style="height:400px">${TEXT}</div>`,
  ]);
  expect(wireframe(parts).length).toBeLessThanOrEqual(MAX_WIRE_BOXES);
});
