/**
 * Stores labels in one file per person, `labels/NAME.jsonl`, with a gold row per page. To save a row, the whole
 * file is written under another name and renamed, so that a file is always complete. Other lines (with other
 * fields, damaged, or written by another program meanwhile) are kept unchanged.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../model/make-folder.ts';
import { isMark, type LabelRow } from './label-page.ts';

/** Names that are valid file names on all systems. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
/** Reserved names: Windows devices, and the set of whole sites in training. */
const TAKEN = /^(?:con|prn|aux|nul|com\d|lpt\d|sites)$/;

/** Thrown when somebody else has saved the labels of a page since they were read. */
export class StaleLabelsError extends Error {
  override name = 'StaleLabelsError';
}

/** Returns a name if it is valid for a file of labels; throws a RangeError otherwise. */
export function checkAnnotator(name: string): string {
  if (NAME.test(name) && !TAKEN.test(name)) return name;
  throw new RangeError(
    'a name must have 1 to 40 letters a to z, digits, "-" and "_", and begin with a letter or digit',
  );
}

/** A folder with files of labels. */
export class LabelFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the people with a file, by name. */
  annotators(): string[] {
    if (!existsSync(this.path)) return [];
    const names = readdirSync(this.path).flatMap((file) => /^(.+)\.jsonl$/.exec(file)?.[1] ?? []);
    return names.filter((name) => NAME.test(name)).sort();
  }

  fileOf(annotator: string): string {
    return join(this.path, `${checkAnnotator(annotator)}.jsonl`);
  }

  /** Returns all valid rows of a person. */
  rows(annotator: string): LabelRow[] {
    return this.#lines(annotator).flatMap((line) => parseRow(line) ?? []);
  }

  /** Returns the row of a capture, and the version for `save`. */
  find(annotator: string, capture: Pick<LabelRow, 'url' | 'time'>): { row?: LabelRow; version: string } {
    const line = this.#lines(annotator).find((one) => isOf(one, capture));
    const row = line === undefined ? undefined : parseRow(line);
    return { ...(row ? { row } : {}), version: versionOf(line) };
  }

  /**
   * Replaces the row of the same capture, or appends it; a row without marks is removed. Returns the new version.
   * Throws a StaleLabelsError when the version is not the one that `find` returned.
   */
  save(row: LabelRow, version: string): string {
    const lines = this.#lines(row.annotator);
    const at = lines.findIndex((line) => isOf(line, row));
    if (versionOf(lines[at]) !== version) {
      throw new StaleLabelsError(
        'the labels of this page were changed in another window; load the page again',
      );
    }
    const line = row.marks.length === 0 ? undefined : JSON.stringify(row);
    const kept = lines.filter((_, k) => k !== at);
    if (line !== undefined) kept.splice(at < 0 ? kept.length : at, 0, line);
    makeFolder(this.path);
    writeDurable(this.fileOf(row.annotator), kept.map((one) => `${one}\n`).join(''));
    return versionOf(line);
  }

  #lines(annotator: string): string[] {
    const file = this.fileOf(annotator);
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  }
}

/** True when a line is the row of a capture; searches the text first, because rows can be long. */
function isOf(line: string, { url, time = '' }: Pick<LabelRow, 'url' | 'time'>): boolean {
  if (!line.includes(JSON.stringify(url))) return false;
  try {
    const row = JSON.parse(line) as Partial<LabelRow>;
    return row.url === url && (row.time ?? '') === time;
  } catch {
    return false;
  }
}

/** Parses a row with marks, each of start, end, mark and characters; undefined for any other line. */
function parseRow(line: string): LabelRow | undefined {
  try {
    const row = JSON.parse(line) as LabelRow;
    const isWhole =
      typeof row.url === 'string' &&
      Array.isArray(row.marks) &&
      row.marks.every((mark) => Array.isArray(mark) && mark.length === 4 && isMark(mark[2]));
    return isWhole ? row : undefined;
  } catch {
    return undefined;
  }
}

function versionOf(line: string | undefined): string {
  return line === undefined ? '' : createHash('sha256').update(line).digest('base64url').slice(0, 16);
}

/** Writes the whole file to disk before it replaces the old one. */
function writeDurable(path: string, text: string): void {
  const draft = `${path}.draft-${process.pid}`;
  writeFileSync(draft, text);
  const file = openSync(draft, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
