/** The times of archives, in the one form Chaff uses: ISO 8601 in UTC to the second. */

/**
 * From WARC-Date and its like, `2009-04-01T12:00:00.123Z`; empty when it names no moment that exists. WARC 1.1 allows
 * `2009-04` and all other steps of W3C's date format: what is missing is the earliest moment.
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
