/** The folder of `chaff annotate`: a numbered file for each page, and an index. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';
import { UsageError } from './context.ts';
import { checkOutputFolder } from './output.ts';

/** Names of the files that `annotate` writes; only these are ever removed. */
const OWN_NAME = /^(\d{7,}\.html|index\.html)(\.part)?$/;

/** Makes the folder; with `overwrite`, empties a folder that an earlier run has written. */
export function openAnnotatedFolder(folder: string, { overwrite = false } = {}): void {
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

/** The file name of a page by its number, such as `0000012.html`. */
export function numberedFileName(page: number, ending: string): string {
  return `${String(page).padStart(7, '0')}.${ending}`;
}
