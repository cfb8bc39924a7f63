/**
 * Reads the texts of other extractors: JSON lines {"url", "text"}, with `title` when the extractor separates it.
 * `chaff strip` writes such rows, and so does scripts/rivals.sh for the extractors that Chaff is compared with.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Texts of one extractor for a set. */
export interface ExtractorRows {
  /** Name in tables. */
  label: string;
  /** Rows by URL. */
  rows: ReadonlyMap<string, ExtractorRow>;
}

/** Text of one page by an extractor. */
interface ExtractorRow {
  text: string;
  title?: string;
  author?: string;
  published?: string;
  language?: string;
}

/** Path of rows: a file, or a folder with a file per set and extractor. */
export interface RowsPath {
  label?: string;
  path: string;
}

/** Parses `NAME=PATH` or `PATH`. */
export function parseRowsPath(text: string): RowsPath {
  const equals = text.indexOf('=');
  if (equals > 0 && !existsSync(text)) return { label: text.slice(0, equals), path: text.slice(equals + 1) };
  return { path: text };
}

/**
 * Reads the extractors of a set. A file is one extractor, named after the file; a folder is searched for
 * `SET/LABEL.jsonl`, then for `LABEL.jsonl`, without the labels in `except`, which run again. Of two extractors with
 * the same label the first is used.
 */
export function readExtractorRows(
  paths: readonly RowsPath[],
  set: string,
  { except = [] }: { except?: readonly string[] } = {},
): ExtractorRows[] {
  const files = paths.flatMap(({ label, path }) => {
    if (!statSync(path).isDirectory()) return [{ label: label ?? stemOf(path), file: path }];
    const ofSet = join(path, set);
    const folder = existsSync(ofSet) && statSync(ofSet).isDirectory() ? ofSet : path;
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({ label: stemOf(name), file: join(folder, name) }))
      .filter((found) => !except.includes(found.label))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
  });
  const byLabel = new Map<string, string>();
  for (const { label, file } of files) if (!byLabel.has(label)) byLabel.set(label, file);
  return [...byLabel].map(([label, file]) => ({ label, rows: readRows(file) }));
}

function readRows(file: string): Map<string, ExtractorRow> {
  const rows = new Map<string, ExtractorRow>();
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const { url, text, ...others } = JSON.parse(line) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof text !== 'string') {
      throw new TypeError(`${file}, line ${index + 1}: expected a row with url and text`);
    }
    if (rows.has(url)) continue;
    const row: ExtractorRow = { text };
    for (const name of ['title', 'author', 'published', 'language'] as const) {
      const value = others[name];
      if (typeof value === 'string') row[name] = value;
    }
    rows.set(url, row);
  }
  return rows;
}

/** Returns the name of a file without its folder and extensions. */
export function stemOf(path: string): string {
  return basename(path).replace(/(?:\.(?:jsonl|warc|arc|wacz|zip|gz|zst)){1,4}$/i, '');
}
