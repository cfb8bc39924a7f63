import { expect, test } from 'vitest';
import { fillPenalties, type PenaltyKind } from './section-penalty.ts';

// A page of 4 nodes and 8,000 px²: the document (0) holds a box (1) of 4,000 px², which holds a line (2) of
// 2,000 px² with a text (3). Subtrees have 4, 3 and 2 nodes.
const tree = { nodeCount: 4, last: Int32Array.of(4, 4, 4, 4) };
const rows = {
  rowCount: 3,
  node: Int32Array.of(0, 1, 2),
  parent: Int32Array.of(-1, 0, 1),
  area: Float32Array.of(8000, 4000, 2000),
};

function penalties(kind: PenaltyKind): number[] {
  const penalty = new Float32Array(3);
  fillPenalties(penalty, tree, rows, { kind, factor: 0.5, leastArea: 2000 });
  return [...penalty].map((value) => Math.round(value * 1e4) / 1e4);
}

test('each penalty is the constant times its quotient in the paper', () => {
  // 0.5 · 8000/8000, 0.5 · 8000/4000, 0.5 · 8000/2000
  expect(penalties('area')).toEqual([0.5, 1, 2]);
  // 0.5 · 4/4, 0.5 · 4/3, 0.5 · 4/2
  expect(penalties('nodes')).toEqual([0.5, 0.6667, 1]);
  // the document is its own parent: 0.5 · 1; then 0.5 · 8000/4000 and 0.5 · 4000/2000
  expect(penalties('parent')).toEqual([0.5, 1, 1]);
});

test('combined penalties are added', () => {
  expect(penalties('area+nodes')).toEqual([1, 1.6667, 3]);
  expect(penalties('area+parent')).toEqual([1, 2, 3]);
  expect(penalties('nodes+parent')).toEqual([1, 1.6667, 2]);
  expect(penalties('area+nodes+parent')).toEqual([1.5, 2.6667, 4]);
});

test('areas below the minimum count as the minimum', () => {
  const penalty = new Float32Array(3);
  fillPenalties(penalty, tree, rows, { kind: 'area', factor: 1, leastArea: 4000 });
  expect([...penalty]).toEqual([1, 2, 2]);
});
