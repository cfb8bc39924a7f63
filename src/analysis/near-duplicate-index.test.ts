import { expect, test } from 'vitest';
import { NearDuplicateIndex, Shingler } from './shingles.ts';

const shingler = new Shingler();
const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, k) => `word${from + k}`).join(' ');

test('a text is new once, and its near-duplicates are not', () => {
  const seen = new NearDuplicateIndex();
  expect(seen.add(shingler.ofText(words(0, 200)))).toBe(true);
  expect(seen.add(shingler.ofText(words(0, 200)))).toBe(false);
  expect(seen.add(shingler.ofText(`${words(0, 198)} other end`))).toBe(false);
});

test('other texts are new, and are added', () => {
  const seen = new NearDuplicateIndex();
  for (let k = 0; k < 20; k++) expect(seen.add(shingler.ofText(words(k * 200, k * 200 + 200)))).toBe(true);
  for (let k = 0; k < 20; k++) expect(seen.add(shingler.ofText(words(k * 200, k * 200 + 200)))).toBe(false);
});

test('texts too short for a shingle are always new', () => {
  const seen = new NearDuplicateIndex();
  expect(seen.add(shingler.ofText('three words only'))).toBe(true);
  expect(seen.add(shingler.ofText('three words only'))).toBe(true);
});
