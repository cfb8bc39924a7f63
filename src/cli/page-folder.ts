/**
 * A folder with one file per page, named after host and path, and `index.jsonl`, which lists the page of each file. The
 * index gets its name when the folder is complete. Until then it is a draft that lists a file before it is written, so
 * that a later run knows which files it may remove.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { writeFully } from '../model/write-fully.ts';
import { type DocumentFormat, documentOf } from '../run/sinks/page-rows.ts';
import { UsageError } from './context.ts';
import { checkOutputFolder, writeComplete } from './output.ts';
import { draftName } from './output-name.ts';
import { otherFileName, pageFileName } from './page-file-name.ts';
import type { PageWriter } from './page-writer.ts';

const INDEX = 'index.jsonl';
/** Ending of temporary files; no page name ends in it. */
const DRAFT_ENDING = '~part';
/** File ending of each document format. */
const FILE_ENDINGS: Record<DocumentFormat, string> = { text: 'txt', markdown: 'md', html: 'html' };

/** Opens a folder for one file per page; `overwrite` replaces the files of an earlier run. */
export function openPageFolder(
  folder: string,
  { format, overwrite }: { format: DocumentFormat; overwrite?: boolean },
): PageWriter {
  emptyFolder(folder, overwrite);
  const draft = join(folder, draftName(INDEX));
  let index: number | undefined = openSync(draft, 'w');
  const close = () => {
    if (index !== undefined) closeSync(index);
    index = undefined;
  };
  return {
    async write(row) {
      const { url, time, site, title, file, entry, offset, length, metadata } = row;
      const { language, author, published, type, words } = metadata ?? {};
      let name = pageFileName(url, FILE_ENDINGS[format]);
      if (existsSync(join(folder, name))) {
        name = otherFileName(name, JSON.stringify([url, time, file, entry, offset]));
      }
      const line = wellFormedJson({
        ...{ name, url, time, site, title, language, author, published, type, words },
        ...{ file, entry, offset, length },
      });
      writeFully(index!, Buffer.from(`${line}\n`));
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeComplete(path, documentOf(row, format), DRAFT_ENDING);
    },
    async commit() {
      close();
      renameSync(draft, join(folder, INDEX));
    },
    discard: close,
    restart() {
      close();
      emptyFolder(folder, true);
      index = openSync(draft, 'w');
    },
  };
}

/** Makes the folder; with `overwrite`, removes only the files that an earlier run has written. */
function emptyFolder(folder: string, overwrite = false): void {
  checkOutputFolder('-o', folder);
  const files = existsSync(folder) ? filesBelow(folder) : [];
  const listed = files.length > 0 ? readNames(folder) : new Set<string>();
  const foreign = files.find((name) => !listed.has(name.replace(/~part$/, '')));
  if (foreign !== undefined) {
    throw new UsageError(`-o ${folder} holds other files (${foreign}): name another folder`);
  }
  if (files.length > 0 && !overwrite) {
    throw new UsageError(
      `-o ${folder} is not empty: name another folder, or start afresh in it (--overwrite)`,
    );
  }
  makeFolder(folder);
  for (const name of files) rmSync(join(folder, name));
  for (const name of foldersOf(files)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Paths of the files below a folder, with `/` between their parts. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length).replaceAll('\\', '/'));
}

/** The folders that contain the files, without the top one. */
function foldersOf(files: string[]): Set<string> {
  return new Set(files.filter((name) => name.includes('/')).map((name) => name.slice(0, name.indexOf('/'))));
}

/** The names in the index of an earlier run, and the index itself. An incomplete last line is ignored. */
function readNames(folder: string): Set<string> {
  const names = new Set<string>();
  for (const index of [INDEX, draftName(INDEX)]) {
    const path = join(folder, index);
    if (!existsSync(path)) continue;
    names.add(index);
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const [, name] = /^\{"name":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
      if (name !== undefined) names.add(JSON.parse(name) as string);
    }
  }
  return names;
}
