/** Counts in sentences: `1 page`, `1,230 pages`. */

const COUNTS = new Intl.NumberFormat('en');

export function formatCount(count: number): string {
  // most counts are small, and the formatter takes a microsecond
  return Number.isInteger(count) && count >= 0 && count < 1000 ? String(count) : COUNTS.format(count);
}

/** A count with its noun, in the singular where it is 1. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
