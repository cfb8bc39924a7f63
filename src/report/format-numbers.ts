/** Numbers as the report shows them; the same in every locale. */

export { formatCount } from '../model/count-of.ts';

/** `980 B`, `12.4 kB`, `1.3 GB`: powers of ten, three digits. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)}\u00a0${units[unit]}`;
}

/** `48 %`, `3.1 %`; a dash when there is nothing to have a share of. What may be below 0 or above 1 is no share: `formatChange`. */
export function formatPercent(part: number | null, all = 1): string {
  if (part === null || all <= 0) return '–';
  const share = Math.min(1, Math.max(0, part / all));
  return `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)}\u00a0%`;
}

/** A difference of shares, or one relative to another, in hundredths with its sign: `+3.1`, `−0.04`, `+404`, `0.00`. */
export function formatChange(change: number): string {
  const size = formatSize(change);
  if (Number(size) === 0) return size;
  return `${change < 0 ? '−' : '+'}${size}`;
}

/** The same without its sign. */
export function formatSize(change: number): string {
  const size = Math.abs(100 * change);
  return size.toFixed(size < 1 ? 2 : size < 100 ? 1 : 0);
}

/** `2004-03-01 – 2009-07-12`, or the one day; empty when unknown. */
export function formatTimes(first: string, last: string): string {
  const days = [first.slice(0, 10), last.slice(0, 10)].filter((day) => day !== '');
  return [...new Set(days)].join('\u2009–\u2009');
}

/** The day of a moment in seconds since 1970. */
export function isoDay(moment: number): string {
  return new Date(1000 * moment).toISOString().slice(0, 10);
}
