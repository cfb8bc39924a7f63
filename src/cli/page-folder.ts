/**
 * A folder with a file a page, named by the page's number: nothing from a page names a file. What lies there already is
 * not mixed with what is written: files of an earlier, larger run would pass for pages of this one.
 */

import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { UsageError } from './exit-codes.ts';
import { checkOutputFolder } from './writable-target.ts';

/** What is written to such folders, and all that is ever removed there. */
const OWN_NAME = /^(\d{7,}\.(txt|md|html)|index\.(html|jsonl))$/;
/** Of `--overwrite`, where such a folder is written. */
export const OVERWRITE_MEANING = 'empty a folder that an earlier run has written';
const INDEX = 'index.jsonl';

/** Makes the folder, or with `overwrite` empties one that an earlier run has written. */
export function openPageFolder(folder: string, { overwrite = false } = {}): void {
  checkOutputFolder('-o', folder);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const foreign = names.find((name) => !OWN_NAME.test(name));
  if (foreign !== undefined) {
    throw new UsageError(`-o ${folder} holds other files (${foreign}): name another folder`);
  }
  if (names.length > 0 && !overwrite) {
    throw new UsageError(
      `-o ${folder} is not empty: name another folder, or start afresh in it (--overwrite)`,
    );
  }
  makeFolder(folder);
  for (const name of names) rmSync(join(folder, name));
}

export function pageFileName(page: number, ending: string): string {
  return `${String(page).padStart(7, '0')}.${ending}`;
}

export interface PageFile {
  page: number;
  ending: string;
  text: string;
}

/** Writes the file of a page, and what page it is to the index. */
export function writePageFile(folder: string, { page, ending, text }: PageFile, about: object): void {
  const name = pageFileName(page, ending);
  writeFileSync(join(folder, name), text);
  appendFileSync(join(folder, INDEX), `${wellFormedJson({ name, ...about })}\n`);
}
