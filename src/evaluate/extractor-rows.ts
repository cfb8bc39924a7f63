/**
 * What another extractor made of pages: JSON lines {"url", "text"}, with `title` where it tells the title apart.
 * `chaff strip` writes such rows, and so does scripts/rivals.sh for the extractors Chaff is compared with.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface ExtractorRows {
  /** What tables call it. */
  label: string;
  /** By URL. */
  rows: ReadonlyMap<string, ExtractorRow>;
}

export interface ExtractorRow {
  text: string;
  title?: string;
}

/** Where rows are: a file, or a folder with a file per extractor for each set. */
export interface RowsPath {
  label?: string;
  path: string;
}

/** `NAME=PATH` or `PATH`. */
export function parseRowsPath(text: string): RowsPath {
  const equals = text.indexOf('=');
  if (equals > 0 && !existsSync(text)) return { label: text.slice(0, equals), path: text.slice(equals + 1) };
  return { path: text };
}

/**
 * The extractors of a set: a file is one extractor, named after the file; a folder is searched for `SET/LABEL.jsonl`,
 * then for `LABEL.jsonl`, and labels of `except`, which run anew, are left out of it. The same label twice keeps the first.
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
    const { url, text, title } = JSON.parse(line) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof text !== 'string') {
      throw new TypeError(`${file}, line ${index + 1}: expected a row with url and text`);
    }
    if (!rows.has(url)) rows.set(url, { text, ...(typeof title === 'string' && { title }) });
  }
  return rows;
}

/** The name of a file without its folder and extensions. */
export function stemOf(path: string): string {
  return basename(path).replace(/(\.(jsonl|warc|arc|wacz|zip|gz|zst))+$/i, '');
}
