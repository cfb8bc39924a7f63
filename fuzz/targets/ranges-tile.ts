import type { Range } from '../../src/model/range.ts';

/**
 * Returns whether ranges are ordered, disjoint and not empty, have scores from 0 to 1, and cover all bytes.
 */
export function rangesTile(ranges: readonly Range[], sizeBytes: number): boolean {
  let position = 0;
  for (const { start, end, score } of ranges) {
    if (start !== position || end <= start || !(score >= 0 && score <= 1)) return false;
    position = end;
  }
  return position === sizeBytes;
}
