/** Formats numbers for the report, equally in every locale. */

export { formatCount } from '../model/count-of.ts';

/** Returns a size such as `980 B`, `12.4 kB` or `1.3 GB`, in powers of ten with three digits. */
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

/**
 * Returns a share such as `48 %` or `3.1 %`; a dash when the whole is 0. Use `formatChange` for values that can be
 * below 0 or above 1.
 */
export function formatPercent(part: number | null, all = 1): string {
  if (part === null || all <= 0) return '–';
  const share = Math.min(1, Math.max(0, part / all));
  return `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)}\u00a0%`;
}

/**
 * Returns a difference of shares, or a relative difference, in hundredths with its sign: `+3.1`, `−0.04`, `+404`,
 * `0.00`.
 */
export function formatChange(change: number): string {
  const size = formatSize(change);
  if (Number(size) === 0) return size;
  return `${change < 0 ? '−' : '+'}${size}`;
}

/** Returns a difference like `formatChange`, without its sign. */
export function formatSize(change: number): string {
  const size = Math.abs(100 * change);
  return size.toFixed(size < 1 ? 2 : size < 100 ? 1 : 0);
}

/** Returns `2004-03-01 – 2009-07-12`, or a single day; '' when unknown. */
export function formatTimes(first: string, last: string): string {
  const days = [first.slice(0, 10), last.slice(0, 10)].filter((day) => day !== '');
  return [...new Set(days)].join('\u2009–\u2009');
}

/** Returns the day of a time in seconds since 1970, such as `2004-03-01`. */
export function isoDay(moment: number): string {
  return new Date(1000 * moment).toISOString().slice(0, 10);
}
