/** Rows of labelled pages as the formats of `chaff strip`. */
import { gzipSync } from 'node:zlib';
import { version } from '../model/version.ts';
import type { PageRow, StreamRow } from '../run/sinks/page-row.ts';
import { conversionInfo, conversionRecord } from '../view/conversion.ts';
import { renderFrontMatter } from '../view/front-matter.ts';
import { dolmaRow } from '../view/rows.ts';
import type { Context } from './context.ts';
import { openBatches } from './output.ts';
import { openPageFolder, writePageFile } from './page-folder.ts';

export const ROW_FORMATS = ['jsonl', 'text', 'markdown', 'html', 'warc', 'dolma'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

export interface RowWriter {
  write(row: StreamRow): Promise<void>;
  commit(): Promise<void>;
  discard(): void;
}

interface RowWriterOptions {
  format: RowFormat;
  /** Standard output when absent. */
  path?: string;
  /** Whether a folder that an earlier run has written is started afresh. */
  overwrite?: boolean;
  /** Whether rows say if they are a page or a template. */
  tellKind?: boolean;
  /** Whether every row goes out at once, for a reader that waits for it. */
  immediate?: boolean;
}

const FILE_ENDINGS: Partial<Record<RowFormat, string>> = { text: 'txt', markdown: 'md', html: 'html' };

export function openRowWriter(context: Context, options: RowWriterOptions): RowWriter {
  const { format, path, tellKind = false, immediate = false } = options;
  const ending = FILE_ENDINGS[format];
  if (ending !== undefined && path !== undefined && path !== '-') {
    openPageFolder(path, options);
    return folderWriter(path, ending, format);
  }
  if (format === 'warc') return warcWriter(context, path, immediate);
  const { write, commit, discard } = openBatches(context, path, { immediate });
  const encode = encoderOf(format, tellKind);
  return { write: (row) => write(encode(row)), commit, discard };
}

/** Each record is a gzip member of its own, as readers of WARC want it. */
function warcWriter(context: Context, path: string | undefined, immediate: boolean): RowWriter {
  const output = openBatches(context, path, { immediate, packed: false });
  const member = path?.endsWith('.gz') ? gzipSync : (bytes: Uint8Array) => bytes;
  let hasBegun = false;
  const begin = async () => {
    if (hasBegun) return;
    hasBegun = true;
    await output.write(
      member(conversionInfo({ software: `chaff ${version}`, format: 'WARC File Format 1.0' })),
    );
  };
  return {
    async write(row) {
      await begin();
      await output.write(member(conversionRecord(pageOf(row), pageOf(row).text)));
    },
    async commit() {
      await begin();
      await output.commit();
    },
    discard: output.discard,
  };
}

function encoderOf(format: RowFormat, tellKind: boolean): (row: StreamRow) => string {
  if (format === 'jsonl')
    return ({ kind, ...row }) => `${JSON.stringify(tellKind ? { kind, ...row } : row)}\n`;
  if (format === 'dolma') return (row) => `${JSON.stringify(dolmaRow(withoutKind(pageOf(row))))}\n`;
  return (row) => documentOf(pageOf(row), format, { separate: true });
}

/** A file a page, and an index that says of each where it is from. */
function folderWriter(folder: string, ending: string, format: RowFormat): RowWriter {
  return {
    async write(row) {
      const page = pageOf(row);
      const text = documentOf(page, format, { separate: false });
      const { url, time, site, title, file, entry, offset, length } = page;
      const about = { url, time, site, title, file, entry, offset, length };
      writePageFile(folder, { page: page.page, ending, text }, about);
    },
    async commit() {},
    discard() {},
  };
}

function documentOf(row: PageRow, format: RowFormat, { separate }: { separate: boolean }): string {
  const { url, time, site, title } = row;
  if (format === 'markdown') {
    return `${renderFrontMatter({ url, time, site, title })}${row.markdown ?? ''}\n${separate ? '\n' : ''}`;
  }
  if (format === 'html') return `${row.html ?? ''}\n`;
  return separate ? `# ${url} ${time}\n${row.text}\n\n` : `${row.text}\n`;
}

function pageOf(row: StreamRow): PageRow {
  if (row.kind === 'page') return row;
  throw new Error('only jsonl has rows of templates');
}

function withoutKind({ kind: _, ...row }: PageRow) {
  return row;
}
