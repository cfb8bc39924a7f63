/** Formats times for the views; numbers, sizes and shares are those of the report. */
export { countOf } from '../../model/count-of.ts';
export { formatBytes, formatCount, formatPercent } from '../../report/format-numbers.ts';

/** Returns the day of an ISO time; a dash when unknown. */
export function formatDay(time: string | null | undefined): string {
  return time ? time.slice(0, 10) : '–';
}

/** Returns an ISO time to the minute, `2023-10-05 14:30`; only the day when the time of day is unknown. */
export function formatTime(time: string): string {
  if (time === '') return 'no time';
  return /T00:00:00Z$/.test(time) ? time.slice(0, 10) : time.slice(0, 16).replace('T', ' ');
}
