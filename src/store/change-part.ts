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
  url_key: text(),
  time: text(),
  previous_time: text(),
  template_words: u32(),
  new_template_words: u32(),
  content_words: u32(),
  new_content_words: u32(),
  lost_words: u32(),
  /** Equal components of the two layout signatures, of `SIGNATURE_COMPONENTS`. */
  layout_components: u32(),
};

const CHANGE_COLUMNS = {
  page: u32(),
  /** Index of the change on the page, from 0. */
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
  }

  close(): void {
    this.#compared.close();
    this.#changes.close();
  }
}
