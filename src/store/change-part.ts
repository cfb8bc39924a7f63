/** Writes the result of one task of `chaff changes`: a row per page with an earlier capture, and a row per change. */
import { join } from 'node:path';
import { PageKeys } from '../model/page-key.ts';
import type { PageChanges } from '../study/compare-captures.ts';
import { text, u32, word } from './table.ts';
import { TableFile } from './table-rows.ts';

/** File of a task with one row per compared page, in page order. */
export const COMPARED_FILE = 'compared.parquet';
/** File of a task with one row per change. */
export const CHANGES_FILE = 'changes.parquet';

const COMPARED_COLUMNS = {
  page: u32(),
  site: text(),
  snapshot: text(),
  url: text(),
  /** Key of the page, equal for all its captures. */
  urlKey: text(),
  time: text(),
  previousTime: text(),
  templateWords: u32(),
  newTemplateWords: u32(),
  contentWords: u32(),
  newContentWords: u32(),
  lostWords: u32(),
  /** Equal components of the two layout signatures, of `SIGNATURE_COMPONENTS`. */
  layoutComponents: u32(),
};

const CHANGE_COLUMNS = {
  page: u32(),
  /** Index of the change on the page, from 0. */
  ordinal: u32(),
  kind: word(),
  label: word(),
  place: text(),
  oldText: text(),
  newText: text(),
  oldKey: text(),
  newKey: text(),
  words: u32(),
  newWords: u32(),
  lostWords: u32(),
};

/** A page and the time of the earlier capture that it is compared with. */
export interface ComparedPage {
  page: number;
  site: string;
  snapshot: string;
  url: string;
  time: string;
  previousTime: string;
}

/** Gathers the compared pages and changes of one task. */
export class ChangePart {
  readonly #compared: TableFile<typeof COMPARED_COLUMNS>;
  readonly #changes: TableFile<typeof CHANGE_COLUMNS>;
  readonly #keys = new PageKeys();

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#compared = new TableFile(join(draft, COMPARED_FILE), COMPARED_COLUMNS);
    this.#changes = new TableFile(join(draft, CHANGES_FILE), CHANGE_COLUMNS);
  }

  add(page: ComparedPage, found: PageChanges): void {
    this.#compared.add({ ...page, ...found, urlKey: this.#keys.of(page.url) });
    for (const [ordinal, change] of found.changes.entries()) {
      this.#changes.add({ ...change, page: page.page, ordinal });
    }
  }

  close(): void {
    this.#compared.close();
    this.#changes.close();
  }
}
