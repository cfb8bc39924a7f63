/**
 * What one digest task leaves: the rows of its pages' digests, and a row per page. Digests come as columns and
 * go on as columns; they are written when there are many, so that memory does not depend on the size of the
 * task.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIGEST_COLUMNS, DIGEST_HASHES, type FragmentDigest } from '../../fragments/digest.ts';
import type { Column } from '../column.ts';
import { TableRows } from '../table-rows.ts';
import { DIGEST_ROW_COLUMNS, FRAGMENT_PAGE_COLUMNS } from './fragment-schema.ts';

/** Rows held in memory: 96 bytes each. */
const FLUSH_ROWS = 250_000;

export interface FragmentPageRow {
  page: number;
  site: string;
  url: string;
  time: string;
  file: string;
  entry: string;
  offset: number;
  length: number;
  htmlBytes: number;
}

export class FragmentPart {
  readonly #draft: string;
  readonly #rows = new TableRows(DIGEST_ROW_COLUMNS);
  readonly #pages = new TableRows(FRAGMENT_PAGE_COLUMNS);
  #files = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
  }

  /** Adds a page, in order of page numbers; true when the part should be flushed before the next. */
  addPage(page: FragmentPageRow, digest: FragmentDigest): boolean {
    const { htmlBytes, ...row } = page;
    const { rowCount } = digest;
    this.#pages.add({ ...row, html_bytes: htmlBytes, rows: rowCount });

    const buffer = this.#rows;
    const first = buffer.rowCount;
    const end = first + rowCount;
    for (const column of buffer.list) if (end > column.numbers.length) column.grow(end);
    const [pages, rows, ...others] = buffer.list;
    pages.numbers.fill(page.page as never, first, end);
    for (let row = first; row < end; row++) rows.numbers[row] = row - first;
    for (let k = 0; k < DIGEST_COLUMNS.length; k++) {
      copyInto(others[k], first, digest[DIGEST_COLUMNS[k]].subarray(0, rowCount));
    }
    for (let k = 0; k < DIGEST_HASHES.length; k++) {
      const lanes = digest[DIGEST_HASHES[k]];
      copyInto(others[DIGEST_COLUMNS.length + k], first, new BigUint64Array(lanes.buffer, 0, rowCount));
    }
    buffer.rowCount = end;
    return end >= FLUSH_ROWS;
  }

  flush(): void {
    const path = join(this.#draft, digestFile(this.#files++));
    this.#rows.toParquet(path);
    this.#rows.clear();
  }

  /** Writes what is left. */
  close(): void {
    if (this.#rows.rowCount > 0 || this.#files === 0) this.flush();
    this.#pages.toParquet(join(this.#draft, FRAGMENT_PAGES_FILE));
  }
}

/** The row per page of a task. */
export const FRAGMENT_PAGES_FILE = 'fragment-pages.parquet';

/** Paths of the digest rows in a task's folder, in page order. */
export function digestFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^digest-\d+\.parquet$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function digestFile(number: number): string {
  return `digest-${String(number).padStart(6, '0')}.parquet`;
}

function copyInto(column: Column, first: number, values: Uint32Array | BigUint64Array): void {
  column.numbers.set(values as never, first);
}
