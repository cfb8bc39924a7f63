/**
 * What one task of `chaff changes` leaves: a row per page that has an earlier capture, and a row per change
 * on it. Changes are written when there are many, so that memory does not depend on the size of the task.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PageKeys } from '../model/page-key.ts';
import type { PageChanges } from '../study/compare-captures.ts';
import { text, u32, word } from './table.ts';
import { TableRows } from './table-rows.ts';

/** Changes held in memory: at most a kilobyte each. */
const FLUSH_ROWS = 20_000;

const COMPARED_COLUMNS = {
  page: u32(),
  site: text(),
  snapshot: text(),
  url: text(),
  /** Of the page: what its captures agree in. */
  url_key: text(),
  time: text(),
  previous_time: text(),
  template_words: u32(),
  new_template_words: u32(),
  content_words: u32(),
  new_content_words: u32(),
  lost_words: u32(),
  /** Of SIGNATURE_COMPONENTS. */
  layout_components: u32(),
};

const CHANGE_COLUMNS = {
  page: u32(),
  /** Place on the page, from 0. */
  ordinal: u32(),
  kind: word(),
  label: word(),
  place: text(),
  old_text: text(),
  new_text: text(),
  old_key: text(),
  new_key: text(),
  words: u32(),
  new_words: u32(),
  lost_words: u32(),
};

export interface ComparedPage {
  page: number;
  site: string;
  snapshot: string;
  url: string;
  time: string;
  previousTime: string;
}

export class ChangePart {
  readonly #draft: string;
  readonly #compared = new TableRows(COMPARED_COLUMNS);
  readonly #changes = new TableRows(CHANGE_COLUMNS);
  readonly #keys = new PageKeys();
  #files = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
  }

  /** Adds a page; true when the part should be flushed before the next. */
  add(page: ComparedPage, found: PageChanges): boolean {
    this.#compared.add({
      page: page.page,
      site: page.site,
      snapshot: page.snapshot,
      url: page.url,
      url_key: this.#keys.of(page.url),
      time: page.time,
      previous_time: page.previousTime,
      template_words: found.templateWords,
      new_template_words: found.newTemplateWords,
      content_words: found.contentWords,
      new_content_words: found.newContentWords,
      lost_words: found.lostWords,
      layout_components: found.layoutComponents,
    });
    for (const [ordinal, change] of found.changes.entries()) {
      this.#changes.add({
        page: page.page,
        ordinal,
        kind: change.kind,
        label: change.label,
        place: change.place,
        old_text: change.oldText,
        new_text: change.newText,
        old_key: change.oldKey,
        new_key: change.newKey,
        words: change.words,
        new_words: change.newWords,
        lost_words: change.lostWords,
      });
    }
    return this.#changes.rowCount >= FLUSH_ROWS;
  }

  flush(): void {
    const path = join(this.#draft, `changes-${String(this.#files++).padStart(6, '0')}.parquet`);
    this.#changes.toParquet(path);
    this.#changes.clear();
  }

  /** Writes the changes that are left and the pages that were compared. */
  close(): void {
    if (this.#changes.rowCount > 0 || this.#files === 0) this.flush();
    this.#compared.toParquet(join(this.#draft, COMPARED_FILE));
  }
}

/** The row per compared page of a task. */
export const COMPARED_FILE = 'compared.parquet';

/** Paths of the changes in a task's folder, in page order. */
export function changeFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^changes-\d+\.parquet$/.test(name));
  return names.sort().map((name) => join(folder, name));
}
