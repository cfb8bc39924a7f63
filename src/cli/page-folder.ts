/**
 * A folder with a file a page, named by the page's number: nothing from a page names a file. What lies there already is
 * not mixed with what is written: files of an earlier, larger run would pass for pages of this one.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';
import { UsageError } from './exit-codes.ts';
import { checkOutputFolder } from './writable-target.ts';

/** What is written to such folders, and all that is ever removed there. */
const OWN_NAME = /^(\d{7,}\.(txt|md|html)|index\.(html|jsonl))(\.part)?$/;
/** Of `--overwrite`, where such a folder is written. */
export const OVERWRITE_MEANING = 'empty a folder that an earlier run has written';

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

/** Writes a file of the folder, which is there whole or not at all whatever ends the process. */
export function writePageFile(folder: string, name: string, text: string | Uint8Array): void {
  const path = join(folder, name);
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}
