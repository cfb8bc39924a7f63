/** Rows of clean text: one JSON object per page, with all it takes to find the page again. */
import { addExtraKeys } from '../model/extra-keys.ts';
import type { Page } from '../model/page.ts';

export interface TextRow {
  url: string;
  /** ISO 8601, and the 14 digits archives use; both empty when the archive gives no time. */
  time: string;
  timestamp: string;
  site: string;
  title: string;
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

/** The shape dolma's tools read. */
export interface DolmaRow {
  id: string;
  text: string;
  source: string;
  created?: string;
  metadata: Omit<TextRow, 'text'>;
}

export interface RowContent {
  title: string;
  text: string;
  markdown?: string;
  html?: string;
}

export function textRow(page: Omit<Page, 'source'>, content: RowContent): TextRow {
  return addTextRow({}, page, content);
}

/**
 * The same behind what the row has already. The order is that of the file; set one by one, since V8 is slow at
 * literals with a spread in them.
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

/** The same row for dolma; its id is the record's, else the place it lies at. */
export function dolmaRow({ text, ...rest }: TextRow, source = 'chaff'): DolmaRow {
  const place = [rest.file, rest.entry, rest.offset].filter((part) => part !== undefined).join('#');
  return {
    id: rest.recordId === '' ? place : rest.recordId,
    text,
    source,
    ...(rest.time === '' ? {} : { created: rest.time }),
    metadata: rest,
  };
}

/** `2009-04-01T12:00:00Z` as `20090401120000`. */
export function timestampOf(time: string): string {
  return time.replace(/\D/g, '').slice(0, 14);
}

/** A CSV cell: quoted where needed, and harmless to spreadsheets that run what begins with = + - @. */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
