/**
 * What one task of `chaff changes` leaves: a row per page that has an earlier capture, and a row per change
 * on it. Changes are written when there are many, so that memory does not depend on the size of the task.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PageKeys } from '../model/page-key.ts';
import type { PageChanges } from '../study/compare-captures.ts';
import { ColumnBuffer, type Schema } from './column-buffer.ts';

/** Changes held in memory: at most a kilobyte each. */
const FLUSH_ROWS = 20_000;

const COMPARED_SCHEMA = {
  page: 'UINTEGER',
  site: 'VARCHAR',
  snapshot: 'VARCHAR',
  url: 'VARCHAR',
  /** Of the page: what its captures agree in. */
  url_key: 'VARCHAR',
  time: 'VARCHAR',
  previous_time: 'VARCHAR',
  template_words: 'UINTEGER',
  new_template_words: 'UINTEGER',
  content_words: 'UINTEGER',
  new_content_words: 'UINTEGER',
  lost_words: 'UINTEGER',
  /** Of SIGNATURE_COMPONENTS. */
  layout_components: 'UINTEGER',
} as const satisfies Schema;

const CHANGE_SCHEMA = {
  page: 'UINTEGER',
  /** Place on the page, from 0. */
  ordinal: 'UINTEGER',
  kind: 'WORD',
  label: 'WORD',
  place: 'VARCHAR',
  old_text: 'VARCHAR',
  new_text: 'VARCHAR',
  old_key: 'VARCHAR',
  new_key: 'VARCHAR',
  words: 'UINTEGER',
  new_words: 'UINTEGER',
  lost_words: 'UINTEGER',
} as const satisfies Schema;

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
  readonly #compared = new ColumnBuffer(COMPARED_SCHEMA);
  readonly #changes = new ColumnBuffer(CHANGE_SCHEMA);
  readonly #keys = new PageKeys();
  #files = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
  }

  /** Adds a page; true when the part should be flushed before the next. */
  add(page: ComparedPage, found: PageChanges): boolean {
    this.#compared.add(
      page.page,
      page.site,
      page.snapshot,
      page.url,
      this.#keys.of(page.url),
      page.time,
      page.previousTime,
      found.templateWords,
      found.newTemplateWords,
      found.contentWords,
      found.newContentWords,
      found.lostWords,
      found.layoutComponents,
    );
    for (const [ordinal, change] of found.changes.entries()) {
      this.#changes.add(
        page.page,
        ordinal,
        change.kind,
        change.label,
        change.place,
        change.oldText,
        change.newText,
        change.oldKey,
        change.newKey,
        change.words,
        change.newWords,
        change.lostWords,
      );
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
