/**
 * Counts the designs of the site snapshots of one task: the number of pages of each snapshot and their times, and
 * the number of pages with each design value. The same is counted for every *step* of a URL from one snapshot to
 * another, on its older side and on its newer side; each page is counted on both sides from its own capture, so
 * that no page is read twice. Pages come snapshot by snapshot. The counts of a snapshot are written when the next
 * one begins, or earlier when there are many, so that memory does not depend on the size of the task.
 */
import { join } from 'node:path';
import { text, u32, u64 } from './table.ts';
import { TableFile, TableRows } from './table-rows.ts';

/** Maximum number of distinct values counted in memory. */
const MAX_COUNTED = 200_000;

/** File of a task with one row per site snapshot. */
export const DESIGN_PAGES_FILE = 'design-pages.parquet';
/** File of a task with the number of pages of each design value, by snapshot. */
export const DESIGN_VALUES_FILE = 'design-values.parquet';
/** File of a task with the number of pages of each step. */
export const STEP_PAGES_FILE = 'design-step-pages.parquet';
/** File of a task with the number of pages of each design value, by step. */
export const STEP_VALUES_FILE = 'design-step-values.parquet';

const PAGES_COLUMNS = {
  /** Number of the site snapshot in the plan. */
  group_id: u32(),
  site: text(),
  snapshot: text(),
  pages: u32(),
  first_time: text(),
  last_time: text(),
};

const VALUES_COLUMNS = {
  group_id: u32(),
  value: u64(),
  pages: u32(),
};

/** Counts of the URLs with successive captures in two snapshots. */
const STEP_PAGES_COLUMNS = {
  old_group: u32(),
  new_group: u32(),
  old_pages: u32(),
  new_pages: u32(),
};

const STEP_VALUES_COLUMNS = {
  old_group: u32(),
  new_group: u32(),
  value: u64(),
  old_pages: u32(),
  new_pages: u32(),
};

/** A page with its snapshot and those of its neighbouring captures. */
export interface DesignPage {
  group: number;
  site: string;
  snapshot: string;
  time: string;
  /** Snapshots of the previous and next capture of its URL. */
  previousGroup?: number;
  nextGroup?: number;
}

/** Number of pages, and number of pages with each value. */
class PageCounts {
  pages = 0;
  readonly byValue = new Map<number, number>();

  /** Counts a page; returns the number of new values. */
  add(values: Iterable<number>): number {
    const known = this.byValue.size;
    this.pages++;
    for (const value of values) this.byValue.set(value, (this.byValue.get(value) ?? 0) + 1);
    return this.byValue.size - known;
  }
}

/** Gathers and writes the counts of one task. */
export class DesignPart {
  readonly #draft: string;
  readonly #groups = new Map<number, DesignPage & { pages: number; lastTime: string }>();
  readonly #rows: TableFile<typeof VALUES_COLUMNS>;
  readonly #stepPages: TableFile<typeof STEP_PAGES_COLUMNS>;
  readonly #stepRows: TableFile<typeof STEP_VALUES_COLUMNS>;
  #counts = new PageCounts();
  /** Counts of the current snapshot, by the other snapshot of the step. */
  readonly #afterStep = new Map<number, PageCounts>();
  readonly #beforeStep = new Map<number, PageCounts>();
  #group = -1;
  /** Number of values in all counts above. */
  #counted = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
    this.#rows = new TableFile(join(draft, DESIGN_VALUES_FILE), VALUES_COLUMNS);
    this.#stepPages = new TableFile(join(draft, STEP_PAGES_FILE), STEP_PAGES_COLUMNS);
    this.#stepRows = new TableFile(join(draft, STEP_VALUES_FILE), STEP_VALUES_COLUMNS);
  }

  /** Adds a page with its distinct values. */
  add(page: DesignPage, values: Iterable<number>): void {
    const { group, time, previousGroup, nextGroup } = page;
    if (group !== this.#group || this.#counted >= MAX_COUNTED) this.#writeCounts();
    this.#group = group;
    const seen = this.#groups.get(group);
    if (seen) {
      seen.pages++;
      if (time < seen.time) seen.time = time;
      if (time > seen.lastTime) seen.lastTime = time;
    } else this.#groups.set(group, { ...page, pages: 1, lastTime: time });
    this.#counted += this.#counts.add(values);
    this.#countStep(this.#afterStep, previousGroup, values);
    this.#countStep(this.#beforeStep, nextGroup, values);
  }

  close(): void {
    this.#writeCounts();
    for (const file of [this.#rows, this.#stepPages, this.#stepRows]) file.close();
    const pages = new TableRows(PAGES_COLUMNS);
    for (const { group, site, snapshot, pages: count, time, lastTime } of this.#groups.values()) {
      pages.add({ group_id: group, site, snapshot, pages: count, first_time: time, last_time: lastTime });
    }
    pages.toParquet(join(this.#draft, DESIGN_PAGES_FILE));
  }

  /** Counts a page for a step; two captures within one snapshot make no step. */
  #countStep(steps: Map<number, PageCounts>, other: number | undefined, values: Iterable<number>): void {
    if (other === undefined || other === this.#group) return;
    let counts = steps.get(other);
    if (counts === undefined) {
      counts = new PageCounts();
      steps.set(other, counts);
    }
    this.#counted += counts.add(values);
  }

  #writeCounts(): void {
    const group = this.#group;
    for (const [value, pages] of this.#counts.byValue) this.#rows.add({ group_id: group, value, pages });
    for (const [old, { pages, byValue }] of this.#afterStep) {
      this.#stepPages.add({ old_group: old, new_group: group, old_pages: 0, new_pages: pages });
      for (const [value, n] of byValue) {
        this.#stepRows.add({ old_group: old, new_group: group, value, old_pages: 0, new_pages: n });
      }
    }
    for (const [next, { pages, byValue }] of this.#beforeStep) {
      this.#stepPages.add({ old_group: group, new_group: next, old_pages: pages, new_pages: 0 });
      for (const [value, n] of byValue) {
        this.#stepRows.add({ old_group: group, new_group: next, value, old_pages: n, new_pages: 0 });
      }
    }
    this.#counts = new PageCounts();
    this.#afterStep.clear();
    this.#beforeStep.clear();
    this.#counted = 0;
  }
}
