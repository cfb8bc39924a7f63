import { expect, test } from 'vitest';
import { sampleWireframe } from '../../test/report-sample.ts';
import { typicalWireframe } from './read-wireframes.ts';

const page = (number: number, alike: number, ownBytes: number) => ({
  ...sampleWireframe('example.org', number),
  alike,
  ownBytes,
});

test('the typical page is of the largest schema, but not one with little text of its own', () => {
  const pages = [page(1, 20, 2000), page(2, 90, 12), page(3, 60, 1500), page(4, 80, 90), page(5, 10, 4000)];
  expect(typicalWireframe(pages)?.page).toBe(3);
  expect(typicalWireframe(pages.slice(1, 2))?.page).toBe(2);
  expect(typicalWireframe([])).toBeUndefined();
});
