/** Questions about whole elements: is anything of one kept, does one range cover it? */
import type { Label, Range } from '../model/range.ts';

/** Tells whether `[start, end)` touches a range with one of these labels; logarithmic per question. */
export function keptBytesFinder(
  ranges: readonly Range[],
  keep: readonly Label[],
): (start: number, end: number) => boolean {
  const kept = ranges.filter((range) => keep.includes(range.label) && range.end > range.start);
  return (start, end) => {
    const at = firstEndingAfter(kept, start);
    return at < kept.length && kept[at].start < end;
  };
}

/** The one range that covers all of `[start, end)`, if there is one; logarithmic per question. */
export function coveringRangeFinder(
  ranges: readonly Range[],
): (start: number, end: number) => Range | undefined {
  return (start, end) => {
    const range = ranges[firstEndingAfter(ranges, start)];
    return range !== undefined && range.start <= start && end <= range.end ? range : undefined;
  };
}

function firstEndingAfter(ranges: readonly Range[], position: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle].end > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
