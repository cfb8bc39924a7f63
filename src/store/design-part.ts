/**
 * What one task leaves of the designs of its site snapshots: how many pages each has and when, and on how many
 * of them each design value stands. Pages come snapshot by snapshot; the counts of a snapshot are written
 * when the next begins, or earlier when there are many: memory does not depend on the size of the task.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ColumnBuffer, type Schema } from './column-buffer.ts';

/** Distinct values counted in memory, and rows gathered before they are written. */
const FLUSH_VALUES = 200_000;

const PAGES_SCHEMA = {
  /** Number of the site snapshot in the plan. */
  group_id: 'UINTEGER',
  site: 'VARCHAR',
  snapshot: 'VARCHAR',
  pages: 'UINTEGER',
  first_time: 'VARCHAR',
  last_time: 'VARCHAR',
} as const satisfies Schema;

const VALUES_SCHEMA = {
  group_id: 'UINTEGER',
  value: 'UBIGINT',
  pages: 'UINTEGER',
} as const satisfies Schema;

export interface DesignPage {
  group: number;
  site: string;
  snapshot: string;
  time: string;
}

interface GroupPages extends DesignPage {
  pages: number;
  lastTime: string;
}

export class DesignPart {
  readonly #draft: string;
  readonly #groups = new Map<number, GroupPages>();
  readonly #rows = new ColumnBuffer(VALUES_SCHEMA);
  readonly #counts = new Map<number, number>();
  #group = -1;
  #files = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
  }

  /** Adds a page with its distinct values; true when the part should be flushed before the next. */
  add(page: DesignPage, values: readonly number[]): boolean {
    const { group, time } = page;
    if (group !== this.#group) this.#gather();
    this.#group = group;
    const seen = this.#groups.get(group);
    if (seen) {
      seen.pages++;
      if (time < seen.time) seen.time = time;
      if (time > seen.lastTime) seen.lastTime = time;
    } else this.#groups.set(group, { ...page, pages: 1, lastTime: time });
    for (const value of values) this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    return this.#counts.size + this.#rows.rowCount >= FLUSH_VALUES;
  }

  flush(): void {
    this.#gather();
    const path = join(this.#draft, `design-values-${String(this.#files++).padStart(6, '0')}.parquet`);
    this.#rows.toParquet(path);
    this.#rows.clear();
  }

  close(): void {
    this.flush();
    const pages = new ColumnBuffer(PAGES_SCHEMA);
    for (const { group, site, snapshot, pages: count, time, lastTime } of this.#groups.values()) {
      pages.add(group, site, snapshot, count, time, lastTime);
    }
    pages.toParquet(join(this.#draft, DESIGN_PAGES_FILE));
  }

  #gather(): void {
    for (const [value, pages] of this.#counts) this.#rows.add(this.#group, value, pages);
    this.#counts.clear();
  }
}

/** The row per site snapshot of a task. */
export const DESIGN_PAGES_FILE = 'design-pages.parquet';

/** Paths of the counts in a task's folder. */
export function designValueFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^design-values-\d+\.parquet$/.test(name));
  return names.sort().map((name) => join(folder, name));
}
