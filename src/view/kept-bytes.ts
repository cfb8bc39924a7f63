/** Answers questions about whole elements: whether all of one is dropped, which range covers it. */
import type { Label, Range } from '../model/range.ts';

/**
 * Returns a function that says whether all of `[start, end)` is dropped, by one or several ranges; logarithmic per
 * call.
 */
export function droppedFinder(
  ranges: readonly Range[],
  keep: readonly Label[],
): (start: number, end: number) => boolean {
  const dropped: { start: number; end: number }[] = [];
  for (const { start, end, label } of ranges) {
    if (keep.includes(label) || end <= start) continue;
    const before = dropped.at(-1);
    if (before?.end === start) before.end = end;
    else dropped.push({ start, end });
  }
  return (start, end) => {
    const at = firstEndingAfter(dropped, start);
    return at < dropped.length && dropped[at].start <= start && end <= dropped[at].end;
  };
}

/** Returns a function that finds the one range that covers all of `[start, end)`; logarithmic per call. */
export function coveringRangeFinder(
  ranges: readonly Range[],
): (start: number, end: number) => Range | undefined {
  return (start, end) => {
    const range = ranges[firstEndingAfter(ranges, start)];
    return range !== undefined && range.start <= start && end <= range.end ? range : undefined;
  };
}

function firstEndingAfter(ranges: readonly { end: number }[], position: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle].end > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
