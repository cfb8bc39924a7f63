/** Counts for sentences: `1 page`, `1,230 pages`. */

const COUNTS = new Intl.NumberFormat('en');

/** Formats a count in English, with commas between thousands. */
export function formatCount(count: number): string {
  // most counts are small, and the formatter takes a microsecond
  return Number.isInteger(count) && count >= 0 && count < 1000 ? String(count) : COUNTS.format(count);
}

/** Formats a count and its noun, in the singular if the count is 1. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
