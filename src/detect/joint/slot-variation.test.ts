import { expect, test } from 'vitest';
import { ROW_FLOATS } from '../../kernel/block-layout.ts';
import { FEATURE } from './feature-names.ts';
import { isConstantInLayout } from './slot-variation.ts';

/** A block of `words` words that all twenty pages of its layout have; 40 of 60 other pages have its slot, or one. */
function inLayout({ words, isSlotKnown }: { words: number; isSlotKnown: boolean }): Float32Array {
  const row = new Float32Array(ROW_FLOATS);
  row[FEATURE.words] = words;
  row[FEATURE.groupPages] = 20;
  row[FEATURE.groupShare] = 1;
  row[FEATURE.sitePages] = 60;
  row[FEATURE.slotShare] = isSlotKnown ? 40 / 60 : 1 / 60;
  return row;
}

test('a text that a layout has throughout is constant, but not a value such as "Rated: not yet known" in a slot of the site', () => {
  expect(isConstantInLayout(inLayout({ words: 20, isSlotKnown: true }), 0)).toBe(true);
  expect(isConstantInLayout(inLayout({ words: 5, isSlotKnown: true }), 0)).toBe(false);
  expect(isConstantInLayout(inLayout({ words: 5, isSlotKnown: false }), 0)).toBe(true);
});
