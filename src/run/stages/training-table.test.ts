import { expect, test } from 'vitest';
import { makeTable } from './train-stages.ts';

const options = { width: 2, siteCount: 2, areaClassOf: (area: number) => (area < 100 ? 0 : 1) };
/** page, area, class; then two features. */
const row = (area: number, kind: number, ...features: number[]) => [0, area, kind, ...features];

test('rows become columns', () => {
  const table = makeTable(
    [
      { site: 1, rows: Float32Array.from([...row(50, 1, 7, 8), ...row(500, 0, 9, 10)]) },
      { site: 0, rows: Float32Array.from(row(99, 1, 11, 12)) },
    ],
    options,
  );
  expect([...table.rows]).toEqual([7, 8, 9, 10, 11, 12]);
  expect([...table.classes]).toEqual([1, 0, 1]);
  expect([...table.areaClass]).toEqual([0, 1, 0]);
  expect([...table.site]).toEqual([1, 1, 0]);
});

test('every site has the same weight, and a row one on average', () => {
  const many = Float32Array.from(Array.from({ length: 30 }, () => row(1, 1, 0, 0)).flat());
  const few = Float32Array.from(Array.from({ length: 10 }, () => row(1, 0, 0, 0)).flat());
  const { weights, site } = makeTable(
    [
      { site: 0, rows: many },
      { site: 1, rows: few },
    ],
    options,
  );
  const sums = [0, 0];
  for (const [k, weight] of weights.entries()) sums[site[k]] += weight;
  expect(sums[0]).toBeCloseTo(20, 9);
  expect(sums[1]).toBeCloseTo(20, 9);
});

test('with weights by nodes every row weighs one', () => {
  const many = Float32Array.from(Array.from({ length: 3 }, () => row(1, 1, 0, 0)).flat());
  const few = Float32Array.from(row(1, 0, 0, 0));
  const blocks = [
    { site: 0, rows: many },
    { site: 1, rows: few },
  ];
  expect([...makeTable(blocks, { ...options, weights: 'nodes' }).weights]).toEqual([1, 1, 1, 1]);
});

test('a site without rows takes no weight from the others', () => {
  const { weights } = makeTable([{ site: 0, rows: Float32Array.from(row(1, 1, 0, 0)) }], options);
  expect([...weights]).toEqual([1]);
});
