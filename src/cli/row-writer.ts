/** Rows of labelled pages as the formats of `chaff strip`. */
import { gzipSync } from 'node:zlib';
import { version } from '../model/version.ts';
import type { PageRow, StreamRow } from '../run/sinks/page-row.ts';
import { conversionInfo, conversionRecord } from '../view/conversion.ts';
import { renderFrontMatter } from '../view/front-matter.ts';
import { dolmaRow } from '../view/rows.ts';
import type { Context } from './context.ts';
import { openOutput } from './output.ts';
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
/** Bytes gathered before they are written. */
const BATCH_BYTES = 1 << 16;

export function openRowWriter(context: Context, options: RowWriterOptions): RowWriter {
  const { format, path, tellKind = false, immediate = false } = options;
  const ending = FILE_ENDINGS[format];
  if (ending !== undefined && path !== undefined && path !== '-') {
    openPageFolder(path, options);
    return folderWriter(path, ending, format);
  }
  return fileWriter(context, path, { ...encoderOf(format, tellKind, path), immediate });
}

type Encoder = { head: string | Uint8Array; encode(row: StreamRow): string | Uint8Array };

function encoderOf(format: RowFormat, tellKind: boolean, path: string | undefined): Encoder {
  if (format === 'warc') {
    const head = conversionInfo({ software: `chaff ${version}`, format: 'WARC File Format 1.0' });
    const member = path?.endsWith('.gz') ? gzipSync : (bytes: Uint8Array) => bytes;
    return { head: member(head), encode: (row) => member(conversionRecord(pageOf(row), pageOf(row).text)) };
  }
  const line: (row: StreamRow) => string =
    format === 'jsonl'
      ? ({ kind, ...row }) => `${JSON.stringify(tellKind ? { kind, ...row } : row)}\n`
      : format === 'dolma'
        ? (row) => `${JSON.stringify(dolmaRow(withoutKind(pageOf(row))))}\n`
        : (row) => documentOf(pageOf(row), format, { separate: true });
  const packed = path?.endsWith('.gz') ? (text: string) => gzipSync(text) : (text: string) => text;
  return { head: '', encode: (row) => packed(line(row)) };
}

/** Gathers small writes; each gzip batch is a member of its own, which readers join. */
function fileWriter(
  context: Context,
  path: string | undefined,
  { head, encode, immediate }: Encoder & { immediate: boolean },
): RowWriter {
  const output = openOutput(context, path);
  let batch: Uint8Array[] = head.length > 0 ? [Buffer.from(head as Uint8Array)] : [];
  let size = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const bytes = Buffer.concat(batch);
    batch = [];
    size = 0;
    await output.write(bytes);
  };
  return {
    async write(row) {
      const encoded = encode(row);
      const bytes = typeof encoded === 'string' ? Buffer.from(encoded) : encoded;
      batch.push(bytes);
      size += bytes.length;
      if (immediate || size >= BATCH_BYTES) await flush();
    },
    async commit() {
      await flush();
      await output.commit();
    },
    discard: output.discard,
  };
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
