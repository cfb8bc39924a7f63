/** Pages as `strip`, `page` and `annotate` write them: behind each other, or for documents a file each. */

import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import {
  type DocumentFormat,
  documentOf,
  encodePage,
  type PageRow,
  type RowFormat,
} from '../run/sinks/page-rows.ts';
import { type Context, UsageError } from './context.ts';
import { checkOutputFolder, openBatches, openLines } from './output.ts';

export interface PageWriter {
  write(row: PageRow): Promise<void>;
  /** Writes a row that is encoded already; absent where pages are files. */
  writeEncoded?: (row: Uint8Array) => Promise<void>;
  commit(): Promise<void>;
  discard(): void;
  /** Takes back all that was written; absent where it is out already. */
  restart?: () => void;
}

interface PageWriterOptions {
  format: RowFormat;
  /** Standard output when absent. */
  path?: string;
  /** Whether a folder that an earlier run has written is started afresh. */
  overwrite?: boolean;
  /** Whether every page goes out at once, for a reader that waits for it. */
  immediate?: boolean;
}

const FILE_ENDINGS: Record<DocumentFormat, string> = { text: 'txt', markdown: 'md', html: 'html' };

export function openPageWriter(context: Context, options: PageWriterOptions): PageWriter {
  const { format, path, immediate } = options;
  if (isDocument(format) && path !== undefined && path !== '-') {
    openPageFolder(path, options);
    return folderWriter(context, path, format);
  }
  const { write, ...output } = openBatches(context, path, { immediate });
  return { ...output, write: (row) => write(encodePage(row, format)), writeEncoded: write };
}

/** Whether pages are documents, which become files of a folder. */
export function isDocument(format: RowFormat): format is DocumentFormat {
  return format in FILE_ENDINGS;
}

/** A file a page, and an index that says of each where it is from; it appears when the folder is complete. */
function folderWriter(context: Context, folder: string, format: DocumentFormat): PageWriter {
  const index = openLines(context, join(folder, 'index.jsonl'));
  return {
    async write(row) {
      const { page, url, time, site, title, file, entry, offset, length } = row;
      const name = pageFileName(page, FILE_ENDINGS[format]);
      writePageFile(folder, name, documentOf(row, format));
      await index.line(wellFormedJson({ name, url, time, site, title, file, entry, offset, length }));
    },
    commit: index.commit,
    discard: index.discard,
    restart() {
      openPageFolder(folder, { overwrite: true });
      index.restart?.();
    },
  };
}

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
