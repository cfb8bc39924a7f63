/**
 * Writes the result of one digest task: the rows of its pages' digests, copied column by column, and a row per
 * page.
 */
import { join } from 'node:path';
import { DIGEST_COLUMNS, DIGEST_HASHES, type FragmentDigest } from '../../fragments/digest.ts';
import type { Column } from '../column.ts';
import { TableFile } from '../table-rows.ts';
import { DIGEST_ROW_COLUMNS, FRAGMENT_PAGE_COLUMNS } from './fragment-schema.ts';

/** File of a task with the digest rows, in page order. */
export const DIGESTS_FILE = 'digests.parquet';
/** File of a task with one row per page. */
export const FRAGMENT_PAGES_FILE = 'fragment-pages.parquet';

/** Rows of a row group, of 96 bytes each. */
const GROUP_ROWS = 100_000;

/** A page and the location of its record. */
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

/** Gathers the pages of one digest task. */
export class FragmentPart {
  readonly #digests: TableFile<typeof DIGEST_ROW_COLUMNS>;
  readonly #pages: TableFile<typeof FRAGMENT_PAGE_COLUMNS>;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    const groupRows = GROUP_ROWS;
    this.#digests = new TableFile(join(draft, DIGESTS_FILE), DIGEST_ROW_COLUMNS, { groupRows });
    this.#pages = new TableFile(join(draft, FRAGMENT_PAGES_FILE), FRAGMENT_PAGE_COLUMNS);
  }

  /** Adds a page; pages must come in the order of their numbers. */
  addPage(page: FragmentPageRow, digest: FragmentDigest): void {
    const { htmlBytes, ...row } = page;
    const { rowCount } = digest;
    this.#pages.add({ ...row, html_bytes: htmlBytes, rows: rowCount });

    const buffer = this.#digests.rows;
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
    this.#digests.writeIfFull();
  }

  close(): void {
    this.#digests.close();
    this.#pages.close();
  }
}

function copyInto(column: Column, first: number, values: Uint32Array | BigUint64Array): void {
  column.numbers.set(values as never, first);
}
