import { expect, test } from 'vitest';
import { joinSlots, type Label, type Range } from './range.ts';

const range = (label: Label, start: number, end: number, template = ''): Range => ({
  label,
  start,
  end,
  score: 1,
  template,
  reason: `${label} ${start}`,
});

test('a slot is joined with the template ranges on both sides, and no other ranges are joined', () => {
  const ranges = [
    range('content', 0, 2),
    range('template', 2, 4, 'a'),
    range('slot', 4, 5, 'a'),
    range('template', 5, 6, 'a'),
    range('slot', 6, 7, 'a'),
    range('template', 7, 9, 'a'),
    range('template', 9, 11, 'a'),
    range('content', 11, 12),
  ];
  expect(joinSlots(ranges)).toEqual([
    range('content', 0, 2),
    range('template', 2, 9, 'a'),
    range('template', 9, 11, 'a'),
    range('content', 11, 12),
  ]);
});

test('ranges without slots are returned unchanged', () => {
  const ranges = [range('template', 0, 2, 'a'), range('unsure', 2, 3)];
  expect(joinSlots(ranges)).toBe(ranges);
});
