/** The times of archives in the one form that Chaff uses: ISO 8601 in UTC to the second. */

/**
 * Reads a WARC-Date or similar time, `2009-04-01T12:00:00.123Z`; empty if it does not exist. WARC 1.1 allows
 * all precisions of W3C's date format, such as `2009-04`: missing parts give the earliest moment.
 */
export function timeFromIso(text: string): string {
  const match = ISO_TIME.exec(text);
  if (!match) return '';
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = match;
  const time = validTime([year, month, day, hour, minute, second]);
  const zone = match[7];
  if (time === '' || zone === undefined || /^z$/i.test(zone)) return time;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  const moment = Date.parse(time) - (zone[0] === '-' ? -minutes : minutes) * 60_000;
  const iso = new Date(moment).toISOString();
  // a zone at the edge of time can give a year of more than four digits, which no other time has
  return iso.length === '2009-04-01T12:00:00.000Z'.length ? `${iso.slice(0, 19)}Z` : '';
}

const ISO_TIME =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d*)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

/**
 * Reads the 14 digits of ARC and CDX; missing digits at the end, as in `20090401`, give the earliest moment.
 */
export function timeFromDigits(text: string): string {
  if (!/^\d{4,14}$/.test(text) || text.length % 2 === 1) return '';
  const full = text + '00000101000000'.slice(text.length);
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(full);
  return match ? validTime(match.slice(1)) : '';
}

/**
 * Returns the time with these parts, or empty if it does not exist. A leap second becomes the second before
 * it.
 */
function validTime(parts: readonly string[]): string {
  const [year, month, day, hour, minute, second] = parts.map(Number);
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days =
    month === 2
      ? isLeapYear
        ? 29
        : 28
      : month === 4 || month === 6 || month === 9 || month === 11
        ? 30
        : 31;
  const exists =
    year >= 100 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= days &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 60;
  if (!exists) return '';
  return `${parts[0]}-${parts[1]}-${parts[2]}T${parts[3]}:${parts[4]}:${second === 60 ? '59' : parts[5]}Z`;
}

/**
 * Reads the time of an input row, as text or digits. A row may hold anything; `fault` describes a value that
 * is not a time.
 */
export function timeOfRow(value: unknown): { time: string; fault: string } {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return {
      time: '',
      fault: `a row has a time of type ${typeof value}, not a text; its capture has no time`,
    };
  }
  const text = String(value);
  const time = /^\d+$/.test(text) ? timeFromDigits(text) : timeFromIso(text);
  const isFault = text !== '' && time === '';
  const shown = text.slice(0, 40).toWellFormed();
  return { time, fault: isFault ? `a row has the time "${shown}", which does not exist` : '' };
}
