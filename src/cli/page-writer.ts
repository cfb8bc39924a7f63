/** Writers of pages for `strip` and `page`: rows or documents in one output, or one file each. */
import { type DocumentFormat, encodePage, type PageRow } from '../run/sinks/page-rows.ts';
import type { Context } from './context.ts';
import type { OutputName } from './output-name.ts';
import { openPageFolder } from './page-folder.ts';
import { openRows, type RowsOutputOptions } from './rows-output.ts';

/** Writes pages in one format. */
export interface PageWriter {
  write(row: PageRow): Promise<void>;
  /** Writes an encoded row; absent where pages are files. */
  writeEncoded?: (row: Uint8Array) => Promise<void>;
  commit(): Promise<void>;
  discard(): void;
  /** Discards everything written; absent where that is impossible, as on standard output. */
  restart?: () => void;
}

interface PageWriterOptions extends RowsOutputOptions {
  name: OutputName;
}

/** Opens the output of a command that writes pages. */
export function openPageWriter(context: Context, options: PageWriterOptions): PageWriter {
  const { name, overwrite } = options;
  const { path, kind, format } = name;
  if (kind === 'folder') return openPageFolder(path!, { format: format as DocumentFormat, overwrite });
  const { write, ...output } = openRows(context, name, options);
  return { ...output, write: (row) => write(encodePage(row, format)), writeEncoded: write };
}

/** Help text of `--overwrite` for commands that write a folder. */
export const OVERWRITE_MEANING = 'empty a folder that an earlier run has written';
