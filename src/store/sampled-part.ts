/**
 * Stores the wireframes and annotated views of sampled pages: those of a label task, and those of the finished
 * folder.
 */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { WireBox } from '../study/wireframe.ts';
import { type Database, quoteFiles } from './database.ts';
import { text } from './table.ts';
import { copyToParquet, TableRows } from './table-rows.ts';
import { WIREFRAMES } from './tables.ts';

/** Folder of annotated views, in a task's files and in the output folder. */
export const ANNOTATED_FOLDER = 'annotated';
const WIREFRAMES_FILE = 'wireframes.parquet';
/** Pages per site and snapshot whose wireframes are kept in the finished folder. */
const KEPT_PAGES = 4;

/** A page with its wireframe; `pageHeight` is in pixels. */
export interface SampledPage {
  site: string;
  snapshot: string;
  page: number;
  /** Hash of its URL key; the pages with the smallest hashes are kept. */
  hash: string;
  pageHeight: number;
  boxes: readonly WireBox[];
}

const PART_COLUMNS = { ...WIREFRAMES.columns, hash: text() };

/** Returns the file name of a page's annotated view. */
export function annotatedFile(page: number): string {
  return `${String(page).padStart(7, '0')}.html`;
}

/** Gathers the wireframes of a label task. */
export class SampledPart {
  readonly #rows = new TableRows(PART_COLUMNS);

  add({ site, snapshot, page, hash, pageHeight, boxes }: SampledPage): void {
    for (const [box, { role, template, ...area }] of boxes.entries()) {
      const { left, top, width, height } = area;
      this.#rows.add({
        site,
        snapshot,
        page,
        box: box + 1,
        role,
        template,
        left: Math.round(left),
        top: Math.round(top),
        width: Math.round(width),
        height: Math.round(height),
        page_height: pageHeight,
        hash,
      });
    }
  }

  write(draft: string): void {
    this.#rows.toParquet(join(draft, WIREFRAMES_FILE));
  }
}

/** Returns the numbers of the pages with an annotated view in an output folder. */
export function annotatedPages(folder: string): Set<number> {
  const path = join(folder, ANNOTATED_FOLDER);
  const names = existsSync(path) ? readdirSync(path) : [];
  return new Set(
    names.filter((name) => /^\d{7,}\.html$/.test(name)).map((name) => Number.parseInt(name, 10)),
  );
}

/** Writes the table of wireframes from the files of tasks. */
export async function writeWireframes(
  database: Database,
  taskFolders: readonly string[],
  file: string,
): Promise<void> {
  const parts = quoteFiles(taskFolders.map((folder) => join(folder, WIREFRAMES_FILE)));
  await copyToParquet(
    database,
    `SELECT * EXCLUDE (hash, rank) FROM (
       SELECT *, dense_rank() OVER (PARTITION BY site, snapshot ORDER BY hash, page) AS rank FROM read_parquet(${parts}))
     WHERE rank <= ${KEPT_PAGES} ORDER BY page, box`,
    file,
  );
}

/** Moves annotated views into the output folder; views that an earlier try has moved are already in place. */
export function publishAnnotated(taskFolders: readonly string[], folder: string): void {
  const target = join(folder, ANNOTATED_FOLDER);
  for (const task of taskFolders) {
    const source = join(task, ANNOTATED_FOLDER);
    if (!existsSync(source)) continue;
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(source)) renameSync(join(source, name), join(target, name));
  }
}
