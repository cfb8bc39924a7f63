/** Rows of clean text: one JSON object per page, with everything needed to find the page again. */
import { addExtraKeys } from '../model/extra-keys.ts';
import type { PageMetadata } from '../model/metadata.ts';
import type { Page } from '../model/page.ts';

/** A row of clean text: the text and metadata of a page, and where its record is. */
export interface TextRow {
  url: string;
  /** ISO 8601, and the 14 digits that archives use; both empty if the archive gives no time. */
  time: string;
  timestamp: string;
  site: string;
  /** Title without the name of the site. */
  title: string;
  /** Language, author, dates and so on; not in rows of ranges. */
  metadata?: PageMetadata;
  text: string;
  markdown?: string;
  html?: string;
  file: string;
  entry?: string;
  offset: number;
  length: number;
  recordId: string;
  payloadDigest: string;
  mime: string;
  charset: string;
}

/** The row format that dolma's tools read. */
export interface DolmaRow {
  id: string;
  text: string;
  source: string;
  created?: string;
  /** The other columns of the row, and the fields of its metadata, in one object. */
  metadata: Omit<TextRow, 'text' | 'metadata'> & Partial<PageMetadata>;
}

/** The rendered parts of a row. */
export interface RowContent {
  title: string;
  metadata?: PageMetadata;
  text: string;
  markdown?: string;
  html?: string;
}

/** Makes the row of a page. */
export function textRow(page: Omit<Page, 'source'>, content: RowContent): TextRow {
  return addTextRow({}, page, content);
}

/**
 * Adds the columns of a page's row to an object that may have other columns already, in the order of the file. They are
 * set one by one because V8 is slow at literals with a spread.
 */
export function addTextRow<First extends object>(
  first: First,
  page: Omit<Page, 'source'>,
  content: RowContent,
): First & TextRow {
  const row = first as object as TextRow;
  row.url = page.url;
  row.time = page.time;
  row.timestamp = timestampOf(page.time);
  row.site = page.site;
  row.title = content.title;
  if (content.metadata !== undefined) row.metadata = content.metadata;
  row.text = content.text;
  if (content.markdown !== undefined) row.markdown = content.markdown;
  if (content.html !== undefined) row.html = content.html;
  row.file = page.file;
  if (page.entry !== undefined) row.entry = page.entry;
  row.offset = page.offset;
  row.length = page.length;
  row.recordId = page.recordId;
  row.payloadDigest = page.payloadDigest;
  row.mime = page.mime;
  row.charset = page.charset;
  if (page.extra) addExtraKeys(row, page.extra);
  return row as First & TextRow;
}

/** Converts a row to dolma's format; its id is the record's id, else the location of the record. */
export function dolmaRow({ text, metadata, ...rest }: TextRow, source = 'chaff'): DolmaRow {
  const place = [rest.file, rest.entry, rest.offset].filter((part) => part !== undefined).join('#');
  return {
    id: rest.recordId === '' ? place : rest.recordId,
    text,
    source,
    ...(rest.time === '' ? {} : { created: rest.time }),
    metadata: { ...rest, ...metadata },
  };
}

/** Converts `2009-04-01T12:00:00Z` to `20090401120000`. */
export function timestampOf(time: string): string {
  return time.replace(/\D/g, '').slice(0, 14);
}

/** A CSV cell: quoted if needed, and with an apostrophe before = + - @, which spreadsheets would execute. */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
