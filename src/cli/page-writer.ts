/** Pages as `strip` and `page` write them: behind each other, or for documents a file each. */

import { join } from 'node:path';
import { wellFormedJson } from '../model/well-formed-json.ts';
import type { DocumentFormat, PageRow, RowFormat } from '../run/sinks/page-rows.ts';
import { documentOf, encodePage } from '../run/sinks/page-rows.ts';
import type { Context } from './context.ts';
import { openBatches, openLines } from './output.ts';
import { openPageFolder, pageFileName, writePageFile } from './page-folder.ts';

export interface PageWriter {
  write(row: PageRow): Promise<void>;
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
  return { ...output, write: (row) => write(encodePage(row, format)) };
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
