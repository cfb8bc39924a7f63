import { expect, test } from 'vitest';
import { joinStretches } from './known-texts.ts';

const TEXTS = [Buffer.from('one and two'), Buffer.from(''), Buffer.from('three')];
const STRETCHES = {
  count: 3,
  starts: Int32Array.of(0, 8, 1),
  ends: Int32Array.of(3, 11, 5),
  upTo: Int32Array.of(2, 2, 3),
};

test('stretches lie one after the other, each ended by what is in no text', () => {
  const { bytes, begins } = joinStretches(TEXTS, STRETCHES, 13)!;
  expect(Buffer.from(bytes).toString('latin1')).toBe('one\xfftwo\xffhree\xff');
  expect([...begins]).toEqual([0, 4, 8, 13]);
});

test('more than may be held are not', () => {
  expect(joinStretches(TEXTS, STRETCHES, 12)).toBeUndefined();
});
