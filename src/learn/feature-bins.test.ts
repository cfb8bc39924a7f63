import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binFeatures } from './tree-grower.ts';

const numbers = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: -20, max: 20 }),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  ),
  { minLength: 1, maxLength: 400, size: 'max' },
);

test('a value is in the bin of the first threshold that it does not exceed', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 2, max: 255 }), (values, most) => {
      const { thresholds, columns } = binColumn(values, most);
      expect(thresholds.length).toBeLessThan(most);
      for (let row = 0; row < values.length; row++) {
        const value = Math.fround(values[row]);
        const bin = thresholds.findIndex((threshold) => value <= threshold);
        expect(columns[row]).toBe(bin < 0 ? thresholds.length : bin);
      }
      for (let i = 1; i < thresholds.length; i++) expect(thresholds[i]).toBeGreaterThan(thresholds[i - 1]);
    }),
  );
});

test('each of a few distinct values gets a bin', () => {
  expect([...binColumn([3, 1, 2, 1, 3], 255).thresholds]).toEqual([1.5, 2.5]);
  expect([...binColumn([5, 5, 5], 255).thresholds]).toEqual([]);
});

test('a value that most rows have gets its own bin', () => {
  const values = Array.from({ length: 3000 }, (_, i) => (i < 2000 ? 0 : i / 1000));
  const { columns } = binColumn(values, 16);
  expect(columns[0]).toBe(0);
  expect(columns[2000]).toBe(1);
  expect(columns[2999]).toBeGreaterThan(10);
});

test('bins of values that are all different have the same size', () => {
  const { columns } = binColumn(
    Array.from({ length: 100 }, (_, k) => k),
    10,
  );
  expect([...columns]).toEqual(Array.from({ length: 100 }, (_, k) => Math.floor(k / 10)));
});

test('a value with three times its share of rows has a bin of its own, also after a bin that is not full', () => {
  const rare = Array.from({ length: 66 }, (_, k) => 5 + k);
  const { columns } = binColumn([0, 1, 2, 3, ...Array<number>(30).fill(4), ...rare], 10);
  expect([columns[3], columns[4], columns[33], columns[34]]).toEqual([0, 1, 1, 2]);
});

test('thresholds are round numbers', () => {
  expect([...binColumn([1.234567, 3.456789], 4).thresholds]).toEqual([2]);
});

function binColumn(values: number[], most: number): { thresholds: Float32Array; columns: Uint8Array } {
  const { thresholds, columns } = binFeatures(
    {
      rows: Float32Array.from(values),
      width: 1,
      classes: new Uint8Array(values.length),
      weights: new Float64Array(values.length),
    },
    most,
  );
  return { thresholds: thresholds[0], columns: columns[0] };
}
