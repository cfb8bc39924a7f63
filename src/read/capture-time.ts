/** The times of archives, in the one form Chaff uses: ISO 8601 in UTC to the second. */

/**
 * From WARC-Date and its like, `2009-04-01T12:00:00.123Z`; empty when it names no moment that exists. WARC 1.1 allows
 * `2009-04` and all other steps of W3C's date format: what is missing is the earliest moment.
 */
export function timeFromIso(text: string): string {
  if (isPlainTime(text)) return text; // nearly all are written just so
  const match = ISO_TIME.exec(text);
  if (!match) return '';
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = match;
  const time = validTime([year, month, day, hour, minute, second]);
  const zone = match[7];
  if (time === '' || zone === undefined || /^z$/i.test(zone)) return time;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  const moment = Date.parse(time) - (zone[0] === '-' ? -minutes : minutes) * 60_000;
  const iso = new Date(moment).toISOString();
  // a zone at the edge of time gives a year of more than four digits, which no other time has
  return iso.length === '2009-04-01T12:00:00.000Z'.length ? `${iso.slice(0, 19)}Z` : '';
}

const ISO_TIME =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d*)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

/** From the 14 digits of ARC and CDX; missing ones from the right, as in `20090401`, are the earliest moment. */
export function timeFromDigits(text: string): string {
  if (!/^\d{4,14}$/.test(text) || text.length % 2 === 1) return '';
  const full = text + '00000101000000'.slice(text.length);
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(full);
  return match ? validTime(match.slice(1)) : '';
}

/** Whether a text is `2009-04-01T12:00:00Z`, a moment that exists. Leap seconds and the first centuries are left out. */
function isPlainTime(text: string): boolean {
  if (text.length !== 20 || text.charCodeAt(19) !== UPPER_Z || text.charCodeAt(10) !== UPPER_T) return false;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return false;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1)) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lastDay = month === 2 && isLeapYear ? 29 : LAST_DAYS[month - 1];
  return (
    day <= lastDay && twoDigits(text, 11) <= 23 && twoDigits(text, 14) <= 59 && twoDigits(text, 17) <= 59
  );
}

const DASH = 45;
const COLON = 58;
const UPPER_T = 84;
const UPPER_Z = 90;
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** NaN, which no comparison lets pass, where a digit is missing. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

function validTime(parts: string[]): string {
  const [year, month, day, hour, minute, second] = parts.map(Number);
  const leapSecond = second === 60; // written by some clocks; Date knows none
  const moment = Date.UTC(year, month - 1, day, hour, minute, leapSecond ? 59 : second);
  const text = Number.isNaN(moment) ? '' : new Date(moment).toISOString();
  const same =
    text.startsWith(`${parts[0]}-${parts[1]}-${parts[2]}T${parts[3]}:${parts[4]}`) &&
    (leapSecond || text.slice(17, 19) === parts[5]);
  return same ? `${text.slice(0, 19)}Z` : '';
}
