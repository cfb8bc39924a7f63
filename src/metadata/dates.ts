/**
 * Finds dates in texts and attributes: ISO 8601 and similar forms, numbers in any order, names of months in many
 * languages, Chinese, Japanese and Korean. `03/04/2019` has two readings: both are kept, and the caller decides by the
 * page's language and by other trusted dates.
 */
import { monthNumber } from './month-names.ts';

/** A date in a text, with its place `[start, end)`. */
export interface FoundDate {
  year: number;
  month: number;
  /** 0 if only the month is known. */
  day: number;
  /** Whether month and day may be swapped, as in `03/04/2019`. */
  isAmbiguous: boolean;
  /** Time and zone in ISO 8601, such as `12:30:00+01:00`; empty if the text gives only a day. */
  clock: string;
  /** Character offsets in the text. */
  start: number;
  end: number;
}

/** Maximum characters of a text that are searched. */
const MAX_CHARACTERS = 2000;
const FIRST_YEAR = 1990;

const Y = '(?<y>(?:19|20)\\d\\d)';
const M = '(?<m>0?[1-9]|1[0-2])';
const D = '(?<d>0?[1-9]|[12]\\d|3[01])';
/** Year first: 2019-10-31, 2019/10/31, 2019.10.31, 2019年10月31日, 2019년 10월 31일, 20191031. */
const YEAR_FIRST = new RegExp(`(?<!\\d)${Y} ?[-/.年년] ?${M} ?[-/.月월] ?${D}(?!\\d)`, 'g');
const COMPACT = /(?<!\d)(?<y>(?:19|20)\d\d)(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01])(?!\d)/g;
/** Year last: 31.10.2019, 10/31/2019, 31-10-19. */
const YEAR_LAST =
  /(?<!\d)(?<a>\d{1,2}) ?(?<s>[./-]) ?(?<b>\d{1,2}) ?\k<s> ?(?<y>(?:19|20)\d\d|\d\d)(?![\d./])/g;
/** 31 October 2019, 31. Oktober 2019, 31 de octubre de 2019, 31st of October, 2019, 31-Oct-2019. */
const DAY_NAME = new RegExp(
  `(?<!\\d)${D}(?:st|nd|rd|th|er|[.ºª]|-го)?[ -](?:de |of |d['’])?(?<n>\\p{L}{3,12})[.,]{0,2}[ -](?:de |del )?${Y}(?!\\d)`,
  'gu',
);
/** October 31, 2019; Oct. 31st 2019. */
const NAME_DAY = new RegExp(`(?<!\\p{L})(?<n>\\p{L}{3,12})[.,]? ${D}(?:st|nd|rd|th)?[.,]? ${Y}(?!\\d)`, 'gu');
/** 2019. október 31., 2019 October 31. */
const YEAR_NAME = new RegExp(`(?<!\\d)${Y}[.,]? (?<n>\\p{L}{3,12})[.,]? ${D}(?!\\d)`, 'gu');
/** A time that may follow a day: T12:30:00.000+01:00. */
const CLOCK =
  /^(?:T| ?[ T,]? ?)(?<h>[01]?\d|2[0-3]):(?<i>[0-5]\d)(?::(?<s>[0-5]\d)(?:[.,]\d{1,9})?)?(?: ?(?<p>[AaPp])\.?[Mm])?(?: ?(?<z>Z|UTC|GMT|[+-](?:[01]\d|2[0-3]):?[0-5]\d))?/;

/** Patterns with a year of four digits. */
const LONG_YEAR_PATTERNS = [YEAR_FIRST, DAY_NAME, NAME_DAY, YEAR_NAME];
const YEAR = /(?=(?:19|20)\d\d)/g;
/** More characters than a date has on either side of the start of its year. */
const DATE_CHARACTERS = 48;

/** All dates of a text, in its order; words around them do not matter. */
export function findDates(text: string): FoundDate[] {
  if (!HAS_NUMBER.test(text)) return [];
  // no-break spaces are spaces
  const searched = text.slice(0, MAX_CHARACTERS).replace(/[^\S ]/g, ' ');
  const found: FoundDate[] = [];
  const add = (match: RegExpExecArray) => {
    const date = dateOf(match, searched);
    if (date && !found.some(({ start, end }) => date.start < end && start < date.end)) found.push(date);
  };
  const pieces = piecesAroundYears(searched);
  for (const pattern of LONG_YEAR_PATTERNS) {
    for (const [start, end] of pieces) {
      for (const match of searched.slice(start, end).matchAll(pattern)) {
        match.index += start;
        add(match);
      }
    }
  }
  for (const match of searched.matchAll(YEAR_LAST)) add(match);
  return found.sort((a, b) => a.start - b.start);
}

/** Pieces `[start, end)` of a text around its years, joined where they touch: text without years is not searched. */
function piecesAroundYears(text: string): [start: number, end: number][] {
  const pieces: [number, number][] = [];
  for (const { index } of text.matchAll(YEAR)) {
    const start = Math.max(0, index - DATE_CHARACTERS);
    const end = Math.min(text.length, index + DATE_CHARACTERS);
    const before = pieces.at(-1);
    if (before && start <= before[1]) before[1] = end;
    else pieces.push([start, end]);
  }
  return pieces;
}

/** A year, or the two numbers that come before a short one. */
const HAS_NUMBER = /(?:19|20)\d\d|\d\s?[./-]\s?\d/;

/** The first date in an attribute or a JSON-LD value, including compact dates and Unix seconds. */
export function readDate(value: string): FoundDate | undefined {
  const text = value.slice(0, 100).trim();
  const [first] = findDates(text);
  if (first) return first;
  COMPACT.lastIndex = 0;
  const compact = COMPACT.exec(text);
  if (compact && text.length <= 24) return dateOf(compact, text);
  if (/^1\d{9}(?:\d{3})?$/.test(text)) {
    const time = new Date(Number(text.slice(0, 10)) * 1000).toISOString();
    return {
      ...numbersOf(time.slice(0, 10)),
      isAmbiguous: false,
      clock: `${time.slice(11, 19)}Z`,
      start: 0,
      end: text.length,
    };
  }
  return readMonth(text);
}

/** Reads `2019-10` if the text is nothing else. */
function readMonth(text: string): FoundDate | undefined {
  const [, y, m] = /^((?:19|20)\d\d)[-/](0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (y === undefined || Number(y) < FIRST_YEAR) return undefined;
  return {
    year: Number(y),
    month: Number(m),
    day: 0,
    isAmbiguous: false,
    clock: '',
    start: 0,
    end: text.length,
  };
}

/** Formats a date as `2019-10-31`, or `2019-10` if the day is unknown. */
export function dayOf({ year, month, day }: Pick<FoundDate, 'year' | 'month' | 'day'>): string {
  const iso = `${year}-${String(month).padStart(2, '0')}`;
  return day === 0 ? iso : `${iso}-${String(day).padStart(2, '0')}`;
}

/** Formats a date with its time, if it has one. */
export function isoOf(date: FoundDate): string {
  return date.clock === '' ? dayOf(date) : `${dayOf(date)}T${date.clock}`;
}

/** The date with month and day swapped. */
export function otherReading(date: FoundDate): FoundDate {
  return { ...date, month: date.day, day: date.month };
}

function dateOf(match: RegExpExecArray, text: string): FoundDate | undefined {
  const { y, m, d, n, a, b, s } = match.groups!;
  let year = Number(y);
  if (y.length === 2) year += year > 60 ? 1900 : 2000;
  let month = Number(m);
  let day = Number(d);
  let isAmbiguous = false;
  if (n !== undefined) {
    const named = monthNumber(n);
    if (named === undefined) return undefined;
    month = named;
  } else if (a !== undefined) {
    [day, month] = [Number(a), Number(b)];
    if (month > 12) [day, month] = [month, day];
    else isAmbiguous = day <= 12 && day !== month && s !== '.';
  }
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  let end = match.index + match[0].length;
  if (/[日일]/.test(text.charAt(end))) end++;
  const clock = readClock(text.slice(end, end + 40));
  return { year, month, day, isAmbiguous, clock: clock.iso, start: match.index, end: end + clock.length };
}

function readClock(text: string): { iso: string; length: number } {
  const match = CLOCK.exec(text);
  if (!match) return { iso: '', length: 0 };
  const { h, i, s = '00', z = '', p } = match.groups!;
  const hour =
    p === undefined || Number(h) > 12 ? Number(h) : (Number(h) % 12) + (p.toLowerCase() === 'p' ? 12 : 0);
  const zone = z === 'UTC' || z === 'GMT' ? 'Z' : z.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  return { iso: `${String(hour).padStart(2, '0')}:${i}:${s}${zone}`, length: match[0].length };
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function numbersOf(iso: string): { year: number; month: number; day: number } {
  const [year, month, day] = iso.split('-').map(Number);
  return { year, month, day };
}
