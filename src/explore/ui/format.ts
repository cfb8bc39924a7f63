/** Formats numbers, sizes, shares and times for the views; sizes as the report does. */
export { formatBytes } from '../../report/format-numbers.ts';

const NUMBER = new Intl.NumberFormat('en');

/** Returns a number with thousands separators, such as `2,000`. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Returns a count with its noun: `1 page`, `2,000 pages`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? noun : plural}`;
}

/** Returns a share (0 to 1) in per cent. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %';
  return `${Math.round(100 * share)} %`;
}

/** Returns the day of an ISO time; a dash when unknown. */
export function formatDay(time: string | null | undefined): string {
  return time ? time.slice(0, 10) : '–';
}

/** Returns an ISO time to the minute, `2023-10-05 14:30`; only the day when the time of day is unknown. */
export function formatTime(time: string): string {
  if (time === '') return 'no time';
  return /T00:00:00Z$/.test(time) ? time.slice(0, 10) : time.slice(0, 16).replace('T', ' ');
}
