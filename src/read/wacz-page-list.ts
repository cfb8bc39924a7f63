/**
 * Reads the lists of pages in a WACZ: `pages/pages.jsonl` has the pages that a crawler was sent to,
 * `pages/extraPages.jsonl` those that it found by links. All other captures of the archive are frames,
 * scripts and images. The first line of a list is a header, every other line a row with `url` and optionally
 * `ts`, `id` and `title`. See specs.webrecorder.net/wacz.
 */
import type { Problem } from '../model/problem.ts';
import { parseUrl } from '../model/resolve-url.ts';
import { type ByteSource, type Line, readLines } from './byte-source.ts';
import { timeOfRow } from './capture-time.ts';
import { maxBlockBytes, problemAt, type RecordContext } from './record-context.ts';

/** The lists of a WACZ. A row of an earlier list takes precedence over the same page in a later one. */
export const PAGE_LISTS = ['pages/pages.jsonl', 'pages/extraPages.jsonl'] as const;

/**
 * Largest difference in seconds between the `ts` of a row and the time of its capture. A crawler may write
 * the time at which the page was loaded, which is later than that of the response.
 */
export const LISTED_WITHIN_SECONDS = 60;

/** Maximum number of rows that are kept in memory. */
const MAX_ROWS = 1_000_000;
/** Longest `id` and `title` that are kept, in characters. */
const MAX_TEXT = 1000;

/** One row of a list. */
export interface ListedPage {
  /** The URL as listed. */
  url: string;
  /** ISO 8601 to the second; empty if the row states no valid time. */
  time: string;
  /** Location of the row: the list, and the offset in it. */
  entry: string;
  offset: number;
  /** `id` and `title` of the row, if it has them. */
  extra?: Record<string, unknown>;
}

/** The rows of one URL. */
interface RowsOfUrl {
  /** Rows with a time, in the order of their times. */
  timed: ListedPage[];
  /** The first row without a time, which applies to every capture of the URL. */
  untimed?: ListedPage;
}

/** The pages that a WACZ lists, found by URL and time. */
export class WaczPageList {
  readonly problems: Problem[] = [];
  readonly #byUrl = new Map<string, RowsOfUrl>();
  #rows = 0;
  #isSorted = true;

  /** Adds the rows of a list; bad rows become problems. */
  read(source: ByteSource, context: RecordContext & { entry: string }): void {
    let isFirst = true;
    for (const line of readLines(source, maxBlockBytes(context.limits))) {
      if (line.bytes !== undefined && !line.bytes.some((byte) => byte > 32)) continue;
      if (this.#rows === MAX_ROWS) {
        const message = `lists more than ${MAX_ROWS} pages; the others are left out`;
        this.problems.push(problemAt(context, 'bad-row', line.offset, message));
        return;
      }
      const row = parseLine(line);
      if (typeof row === 'string') this.problems.push(problemAt(context, 'bad-row', line.offset, row));
      else if (!isFirst || 'url' in row) this.#addRow(row, line.offset, context);
      isFirst = false;
    }
  }

  /**
   * Returns the row of a capture: the nearest in time, else one without a time; undefined if the list has
   * neither.
   */
  find(url: string, time: string): ListedPage | undefined {
    const rows = this.#byUrl.get(keyOf(url));
    if (!rows) return undefined;
    this.#sort();
    const { timed, untimed } = rows;
    // a capture without a time matches any row of its URL
    if (time === '') return untimed ?? timed[0];
    const at = firstFrom(timed, time);
    const moment = Date.parse(time);
    const distance = (row: ListedPage | undefined) =>
      row ? Math.abs(Date.parse(row.time) - moment) : Number.POSITIVE_INFINITY;
    const nearest = distance(timed[at - 1]) <= distance(timed[at]) ? timed[at - 1] : timed[at];
    return distance(nearest) <= LISTED_WITHIN_SECONDS * 1000 ? nearest : untimed;
  }

  /**
   * Returns the rows for which no capture was found, in the order of the lists. A row without a time needs
   * any capture of its URL.
   */
  missing(found: ReadonlySet<ListedPage>): ListedPage[] {
    this.#sort();
    const missing: ListedPage[] = [];
    for (const { timed, untimed } of this.#byUrl.values()) {
      for (const row of timed) if (!found.has(row)) missing.push(row);
      if (untimed && !found.has(untimed) && !timed.some((row) => found.has(row))) missing.push(untimed);
    }
    const list = ({ entry }: ListedPage) => (PAGE_LISTS as readonly string[]).indexOf(entry);
    return missing.sort((a, b) => list(a) - list(b) || a.offset - b.offset);
  }

  #addRow(row: Record<string, unknown>, offset: number, context: RecordContext & { entry: string }): void {
    const { url } = row;
    if (typeof url !== 'string' || url === '') {
      this.problems.push(problemAt(context, 'bad-row', offset, 'a row has no url'));
      return;
    }
    const { time, fault } = timeOfRow(row.ts ?? '');
    if (fault !== '') {
      const message = `${fault.split(';')[0]}; the page is looked up by its URL alone`;
      this.problems.push(problemAt(context, 'bad-date', offset, message));
    }
    const key = keyOf(url);
    const rows = this.#byUrl.get(key) ?? { timed: [] };
    this.#byUrl.set(key, rows);
    this.#rows++;
    const page: ListedPage = { url: url.toWellFormed(), time, entry: context.entry, offset };
    const extra = extraOf(row);
    if (extra) page.extra = extra;
    if (time === '') rows.untimed ??= page;
    else {
      rows.timed.push(page);
      this.#isSorted = false;
    }
  }

  /** Sorts the rows of each URL by time, and drops those that repeat an earlier row. */
  #sort(): void {
    if (this.#isSorted) return;
    for (const rows of this.#byUrl.values()) {
      // sorting is stable: of rows with the same time, the first listed one stays
      rows.timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
      rows.timed = rows.timed.filter((row, k, all) => k === 0 || all[k - 1].time !== row.time);
    }
    this.#isSorted = true;
  }
}

/**
 * Returns the key of a URL: equal for all spellings of an address, and without the fragment, which is not
 * sent to servers.
 */
function keyOf(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return url;
  parsed.hash = '';
  return parsed.href;
}

/** Returns the index of the first row at this time or later. */
function firstFrom(rows: readonly ListedPage[], time: string): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle].time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Parses a line; returns its object, or a sentence about its fault. */
function parseLine({ offset, length, bytes }: Line): Record<string, unknown> | string {
  if (bytes === undefined) return `a row of ${length} bytes is longer than the limits allow`;
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const row: unknown = JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, '') : text);
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject ? (row as Record<string, unknown>) : 'a row is not an object';
  } catch {
    return 'a row is not JSON';
  }
}

function extraOf({ id, title }: Record<string, unknown>): Record<string, unknown> | undefined {
  const extra: Record<string, unknown> = {};
  if (typeof id === 'number' || isShort(id)) extra.id = id;
  if (isShort(title)) extra.title = title.toWellFormed();
  return Object.keys(extra).length > 0 ? extra : undefined;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
}
