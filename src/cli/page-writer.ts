/** Pages as `strip` and `page` write them: rows or documents behind each other, or a file for each. */
import { type DocumentFormat, encodePage, type PageRow } from '../run/sinks/page-rows.ts';
import type { Context } from './context.ts';
import type { OutputName } from './output-name.ts';
import { openPageFolder } from './page-folder.ts';
import { openRows, type RowsOutputOptions } from './rows-output.ts';

export interface PageWriter {
  write(row: PageRow): Promise<void>;
  /** Writes a row that is encoded already; absent where pages are files. */
  writeEncoded?: (row: Uint8Array) => Promise<void>;
  commit(): Promise<void>;
  discard(): void;
  /** Takes back all that was written; absent where it is out already. */
  restart?: () => void;
}

interface PageWriterOptions extends RowsOutputOptions {
  name: OutputName;
}

export function openPageWriter(context: Context, options: PageWriterOptions): PageWriter {
  const { name, overwrite } = options;
  const { path, kind, format } = name;
  if (kind === 'folder') return openPageFolder(path!, { format: format as DocumentFormat, overwrite });
  const { write, ...output } = openRows(context, name, options);
  return { ...output, write: (row) => write(encodePage(row, format)), writeEncoded: write };
}

/** Of `--overwrite`, where a folder is written. */
export const OVERWRITE_MEANING = 'empty a folder that an earlier run has written';
