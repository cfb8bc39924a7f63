import { expect, test } from 'vitest';
import { doubled, enlarged, withRoom } from './growing-array.ts';

test('a longer array begins with the old elements and has the same type', () => {
  expect(enlarged(Uint16Array.of(1, 2), 3)).toEqual(Uint16Array.of(1, 2, 0));
  expect(doubled(Float64Array.of(0.5))).toEqual(Float64Array.of(0.5, 0));
});

test('an array with enough room is returned unchanged', () => {
  const array = Int32Array.of(1, 2);
  expect(withRoom(array, 2)).toBe(array);
  expect(withRoom(array, 3)).toEqual(Int32Array.of(1, 2, 0, 0, 0));
});
