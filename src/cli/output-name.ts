/**
 * Interprets the name after `-o`: its ending decides format and compression; a name that ends in a slash, or that is a
 * folder, is a folder with a file for each page.
 */
import { statSync } from 'node:fs';
import { type DocumentFormat, ROW_FORMATS, type RowFormat } from '../run/sinks/page-rows.ts';
import { UsageError } from './context.ts';

/** The values of `--format` of commands that write pages: those of rows, and Parquet, which is a way to store rows. */
export const FILE_FORMATS = [...ROW_FORMATS, 'parquet'] as const;
/** One of `FILE_FORMATS`. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/** How an output file is compressed. */
export type Compression = 'none' | 'gzip' | 'zstd';

/** An output with its format, derived from its name and `--format`. */
export interface OutputName {
  /** Path of the file or folder; absent for standard output. */
  path?: string;
  kind: 'stream' | 'folder' | 'parquet';
  format: RowFormat;
  compression: Compression;
}

/** Format by file ending, without the ending of a compression. */
const FORMATS: Record<string, FileFormat> = {
  txt: 'text',
  text: 'text',
  md: 'markdown',
  markdown: 'markdown',
  html: 'html',
  htm: 'html',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  warc: 'warc',
};
const COMPRESSIONS: Record<string, Compression> = { gz: 'gzip', zst: 'zstd' };
/** Other formats that a file with the ending of a format may have. */
const LIKE: Partial<Record<FileFormat, FileFormat[]>> = { jsonl: ['dolma'] };
const DOCUMENTS: FileFormat[] = ['text', 'markdown', 'html'];

/** Help text of `-o` in commands that write pages. */
export const OUTPUT_MEANING =
  'file to write instead of standard output; its name decides the format (.txt .md .html .jsonl .parquet .warc; .gz and ' +
  '.zst compress). A name that ends in / is a folder with a file for each page';
/** Help text of `--format` in commands that write pages. */
export const FORMAT_MEANING =
  'the format where no file name decides it; without it jsonl on standard output, and text in a folder';

/** The values of `-o` and `--format`. */
export interface AskedOutput {
  path: string | undefined;
  /** Value of `--format`, if given. */
  format: FileFormat | undefined;
}

/** Derives kind, format and compression of an output; throws a UsageError when they conflict. */
export function readOutputName({ path, format }: AskedOutput): OutputName {
  if (path === undefined || path === '-') {
    return outputOf(format ?? 'jsonl', {});
  }
  if (path === '') throw new UsageError('-o needs the name of a file or folder');
  const endings = path.toLowerCase().split('/').at(-1)!.split('.').slice(1);
  const compression = compressionOf(path);
  const ending = endings.at(compression === 'none' ? -1 : -2) ?? '';
  const named = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined;
  const isFolder = path.endsWith('/') || isThere(path, 'isDirectory');
  if (isFolder || (named === undefined && compression === 'none' && isDocument(format))) {
    // a device or an existing file is written directly
    if (!isFolder && isThere(path, 'isFile')) {
      throw new UsageError(`-o ${path} is a file: name a folder, or a file that ends in .txt, .md or .html`);
    }
    if (isFolder || !isThere(path)) return folderOf(path, format);
  }
  const isSpecial = isThere(path) && !isThere(path, 'isFile');
  const chosen = format ?? named ?? (isSpecial ? 'jsonl' : undefined);
  if (chosen === undefined) {
    throw new UsageError(
      `-o ${path}: the name says no format: end it in .txt, .md, .html, .jsonl, .parquet or .warc (and .gz or ` +
        '.zst to compress), in / for a folder, or give --format',
    );
  }
  if (named !== undefined && chosen !== named && !LIKE[named]?.includes(chosen)) {
    throw new UsageError(
      `-o ${path} is the name of a ${named} file, and --format says ${format}: change one`,
    );
  }
  if (chosen === 'parquet' && compression !== 'none') {
    throw new UsageError(`-o ${path}: Parquet files are compressed inside: name it ….parquet`);
  }
  if (compression === 'zstd' && chosen === 'warc') {
    throw new UsageError(`-o ${path}: WARC is written plain or as .warc.gz`);
  }
  return outputOf(chosen, { path, compression });
}

/** An output that is no folder. Rows of Parquet are made as JSON lines. */
function outputOf(
  format: FileFormat,
  { path, compression = 'none' }: Partial<Pick<OutputName, 'path' | 'compression'>>,
): OutputName {
  const kind = format === 'parquet' ? 'parquet' : 'stream';
  return { path, kind, format: format === 'parquet' ? 'jsonl' : format, compression };
}

/** The compression by the ending of a name. */
export function compressionOf(path: string | undefined): Compression {
  const ending = path?.toLowerCase().split('.').at(-1) ?? '';
  return Object.hasOwn(COMPRESSIONS, ending) ? COMPRESSIONS[ending] : 'none';
}

function folderOf(path: string, format: FileFormat = 'text'): OutputName {
  if (isDocument(format)) return { path, kind: 'folder', format, compression: 'none' };
  throw new UsageError(`-o ${path} is a folder: name a file in it, or give --format text, markdown or html`);
}

/** Whether a format has one document per page. */
function isDocument(format: FileFormat | undefined): format is DocumentFormat {
  return format !== undefined && DOCUMENTS.includes(format);
}

function isThere(path: string, kind?: 'isFile' | 'isDirectory'): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (kind === undefined || found[kind]());
  } catch {
    return false; // the path is below a file
  }
}

/** The temporary name of an incomplete file. */
export function draftName(path: string): string {
  return `${path}.part`;
}

/** The name of a shard: shard 3 of `out.jsonl.gz` is `out-00003.jsonl.gz`. */
export function shardName(path: string, shard: number): string {
  const slash = path.lastIndexOf('/') + 1;
  const [stem, endings] = splitEndings(path.slice(slash));
  return `${path.slice(0, slash)}${stem}-${String(shard).padStart(5, '0')}${endings}`;
}

/** Whether a file name in the folder of `path` is one of its shards. */
export function isShardOf(path: string, name: string): boolean {
  const [stem, endings] = splitEndings(path.slice(path.lastIndexOf('/') + 1));
  const number = name.slice(stem.length + 1, name.length - endings.length);
  return name.startsWith(`${stem}-`) && name.endsWith(endings) && /^\d{5,}$/.test(number);
}

function splitEndings(name: string): [stem: string, endings: string] {
  const endings = /(\.[a-z0-9]+)?(\.(gz|zst))?$/i.exec(name)?.[0] ?? '';
  return [name.slice(0, name.length - endings.length), endings];
}
