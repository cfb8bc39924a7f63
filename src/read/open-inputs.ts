/**
 * Opens the inputs that a user names: files, folders, globs, named pipes, URLs, and `-` for standard input.
 * Pipes, and files that are compressed as a whole, are copied to temporary files first, so that every input
 * can be read at any offset, by several workers, more than once.
 */
import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { glob, isDynamicPattern } from 'tinyglobby';
import type { Limits } from '../model/limits.ts';
import type { Problem } from '../model/problem.ts';
import { writeFully } from '../model/write-fully.ts';
import { type ByteSource, fileSource } from './byte-source.ts';
import { type CdxLine, linesElsewhere } from './cdx.ts';
import { isTrusted, rangesOf, urlOfArchive } from './fetch-archives.ts';
import { isWebUrl } from './fetch-pages.ts';
import { isFileOfFolder, isHtmlFile, walkFolder } from './folder.ts';
import type { Input, InputFormat } from './raw-record.ts';
import { closeInput } from './read-captures.ts';
import { checkReadOptions } from './read-options.ts';
import type { RecordContext } from './record-context.ts';
import { openRecordFile } from './record-file.ts';
import { type RemoteCopy, type RemoteOptions, RemoteReader } from './remote-file.ts';
import { sniffFormat } from './sniff-format.ts';
import {
  fillSpool,
  gunzipWhole,
  isWholeFileCompressed,
  makeSpoolFile,
  removeSpoolFile,
  SpoolBudget,
  unzstdWhole,
} from './spool.ts';

/** Options of `openInputs`. */
export interface OpenInputsOptions {
  /** The stream that `-` reads. @default process.stdin */
  stdin?: Readable;
  /** Folder for temporary copies. @default the system's folder for temporary files */
  spoolDir?: string;
  /** Limits; the ratio limits the size of a file compressed as a whole. */
  limits?: Partial<Limits>;
  /** Options for fetching archives on the web. */
  remote?: RemoteInputOptions;
  /** Writes the lines of a columnar index (Parquet) to a temporary file. Without it such files are not inputs. */
  readParquet?: (path: string) => Promise<string>;
}

/** Options for archives on the web. */
export interface RemoteInputOptions extends RemoteOptions {
  /** The URL or folder below which archives lie that an index names. @default that of the index */
  base?: string;
  /** Leave archives on the web where they are, and take captures from the lines of their index. @default false */
  leaveArchives?: boolean;
}

/** The opened inputs, and the problems of those that could not be opened. */
export interface OpenedInputs {
  /** Inputs in the order of their names, each file once. */
  inputs: Input[];
  problems: Problem[];
}

/**
 * Files in folders that are inputs of their own. Indexes are not, because the archives that they name lie
 * there too.
 */
const ARCHIVE_IN_FOLDER = /\.(w?arc(\.gz|\.zst)?|wacz|zip|(jsonl|ndjson)(\.gz|\.zst)?)$/i;

const HEAD_FIRST = { windowBytes: 64 * 1024, forwardBytes: 1024 * 1024 };

/** Opens all inputs that the names lead to; `closeInputs` must be called afterwards. */
export async function openInputs(names: string[], options: OpenInputsOptions = {}): Promise<OpenedInputs> {
  const { limits } = checkReadOptions({ limits: options.limits });
  const problems: Problem[] = [];
  const found = new Map<string, Omit<FoundFile, 'path'>>(); // by real path
  for (const name of names) {
    if (name === '-') found.set('-', { name, kind: 'pipe' });
    else if (isWebUrl(name)) found.set(name, { name, kind: 'remote' });
    else
      for await (const item of findFiles(name, problems))
        if (!found.has(item.path)) found.set(item.path, item);
  }
  const inputs: Input[] = [];
  const reader = new RemoteReader(options.remote);
  const items = [...found].sort(([, a], [, b]) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  try {
    for (const [path, { name, kind }] of items) {
      const context: RecordContext = { file: name, limits, survey: true };
      if (kind === 'folder') inputs.push({ name, path, format: 'folder', sizeBytes: 0, spooled: false });
      else if (kind === 'remote')
        inputs.push(...(await openRemote(name, reader, options, context, problems)));
      else if (kind === 'pipe') {
        const bytes = path === '-' ? (options.stdin ?? process.stdin) : createReadStream(path);
        inputs.push(...(await openPipe(bytes, options, context, problems)));
      } else inputs.push(...(await openAnyFile(path, context, problems, options)));
    }
    for (const input of inputs.filter(({ format }) => format === 'cdx')) {
      const { base = isWebUrl(input.name) ? input.name : undefined, leaveArchives } = options.remote ?? {};
      if (base !== undefined && !isWebUrl(base)) input.archiveFolder = resolve(base);
      else if (!leaveArchives) await fetchNamedArchives(input, base, reader, options, problems);
      else if (archivesOnWeb(input, base).next().done === false) input.web = { base };
    }
  } catch (error) {
    closeInputs(inputs); // a full disk must not leave copies behind
    throw error;
  }
  return { inputs, problems };
}

/** Closes the files of the inputs and removes temporary copies. */
export function closeInputs(inputs: readonly Input[]): void {
  for (const input of inputs) {
    closeInput(input);
    if (input.spooled) removeSpoolFile(input.path);
    for (const { path } of Object.values(input.archives ?? {})) removeSpoolFile(path);
  }
}

interface FoundFile {
  path: string;
  name: string;
  kind: 'file' | 'folder' | 'pipe' | 'remote';
}

/** The files and folders that a name leads to, in order: the name itself, or what it matches as a glob. */
export async function expandName(name: string): Promise<string[]> {
  if (existsSync(name) || !isDynamicPattern(name)) return [name];
  const matches = await glob(name, { expandDirectories: false, onlyFiles: false });
  return matches.map((path) => path.replace(/\/$/, '')).sort();
}

async function* findFiles(pattern: string, problems: Problem[]): AsyncGenerator<FoundFile> {
  const names = await expandName(pattern);
  if (names.length === 0) problems.push({ code: 'missing-file', message: 'no file matches', file: pattern });
  for (const name of names) yield* findNamed(name, problems);
}

async function* findNamed(name: string, problems: Problem[]): AsyncGenerator<FoundFile> {
  const kind = await kindOf(name);
  if (kind === 'file') yield { path: await realpath(name), name, kind };
  // a path from the shell's `<(…)` cannot be resolved, only opened
  else if (kind === 'pipe') yield { path: resolve(name), name, kind };
  else if (kind === 'folder') yield* findInFolder(name, problems);
  else problems.push({ code: 'missing-file', message: 'no such file or folder', file: name });
}

async function kindOf(path: string): Promise<FoundFile['kind'] | 'none'> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    return found.isFIFO() ? 'pipe' : 'file';
  } catch {
    return 'none';
  }
}

async function* findInFolder(name: string, problems: Problem[]): AsyncGenerator<FoundFile> {
  let html = false;
  let archives = 0;
  for (const path of walkFolder(resolve(name), () => true)) {
    if (isFileOfFolder(name, path)) {
      html ||= isHtmlFile(join(name, path));
      continue;
    }
    if (!ARCHIVE_IN_FOLDER.test(path)) continue;
    archives++;
    yield { path: await realpath(join(name, path)), name: join(name, path), kind: 'file' };
  }
  if (html) yield { path: await realpath(name), name, kind: 'folder' };
  else if (archives === 0)
    problems.push({
      code: 'not-an-archive',
      message: 'no archives or HTML files in this folder',
      file: name,
    });
}

async function openPipe(
  pipe: Readable,
  { spoolDir }: OpenInputsOptions,
  context: RecordContext,
  problems: Problem[],
): Promise<Input[]> {
  const { path, fd } = makeSpoolFile(spoolDir);
  try {
    for await (const chunk of pipe) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
      writeFully(fd, bytes);
    }
  } catch (error) {
    removeSpoolFile(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  const inputs = openFileInput(path, context, problems, { spoolDir });
  if (inputs[0]?.path === path) inputs[0].spooled = true;
  else removeSpoolFile(path); // the copy was unpacked to another file, or is not an input
  return inputs;
}

/** Copies a file on the web to a temporary file; adds a problem if it cannot be fetched. */
async function openRemote(
  name: string,
  reader: RemoteReader,
  options: OpenInputsOptions,
  context: RecordContext,
  problems: Problem[],
): Promise<Input[]> {
  const how = { trusted: true, spoolDir: options.spoolDir };
  const copy = await copyOf(name, reader, how, { file: name, url: name }, problems);
  if (!copy) return [];
  const inputs = await openAnyFile(copy.path, context, problems, options);
  if (inputs[0]?.path === copy.path) Object.assign(inputs[0], { spooled: true, remote: true });
  else removeSpoolFile(copy.path); // the copy was unpacked to another file, or is not an input
  return inputs;
}

/** Fetches the archives on the web that an index names: those below `base`, and those named by a URL. */
async function fetchNamedArchives(
  input: Input,
  base: string | undefined,
  reader: RemoteReader,
  { spoolDir }: OpenInputsOptions,
  problems: Problem[],
): Promise<void> {
  const archives: NonNullable<Input['archives']> = {};
  // set before fetching, so that the copies are closed with the input after an error
  input.archives = archives;
  for (const { file, url, lines } of archivesOnWeb(input, base)) {
    const how = { ranges: rangesOf(file, lines), trusted: isTrusted(url, base), spoolDir };
    const copy = await copyOf(url.href, reader, how, { file: input.name, url: url.href }, problems);
    if (copy) archives[file] = { path: copy.path, sizeBytes: copy.sizeBytes };
  }
}

/** The archives on the web that an index names, with the lines that name them. */
function* archivesOnWeb(
  input: Input,
  base: string | undefined,
): Generator<{ file: string; url: URL; lines: CdxLine[] }> {
  for (const [file, lines] of linesElsewhere(input)) {
    const url = urlOfArchive(file, base);
    if (url) yield { file, url, lines };
  }
}

async function copyOf(
  url: string,
  reader: RemoteReader,
  how: Parameters<RemoteReader['copy']>[1],
  where: Pick<Problem, 'file' | 'url'>,
  problems: Problem[],
): Promise<RemoteCopy | undefined> {
  try {
    const copy = await reader.copy(url, how);
    if (!copy.hasRanges) {
      const message = 'the server does not support range requests: the whole file was copied in one request';
      problems.push({ code: 'no-ranges', message, ...where });
    }
    return copy;
  } catch (error) {
    reader.options.signal?.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
    problems.push({ code: 'missing-file', message: `could not be fetched: ${message}`, ...where });
    return undefined;
  }
}

/** Failures of the database that are no fault of the file. */
const OF_MACHINE = /^Out of Memory|No space left|temp_directory/;

/** The same for a file that may be a columnar index. */
async function openAnyFile(
  path: string,
  context: RecordContext,
  problems: Problem[],
  options: OpenInputsOptions,
): Promise<Input[]> {
  if (!options.readParquet || !startsLikeParquet(path))
    return openFileInput(path, context, problems, options);
  try {
    const lines = await options.readParquet(path);
    const { size: sizeBytes } = statSync(lines);
    return [{ name: context.file, path: lines, format: 'cdx', sizeBytes, spooled: true }];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT' || OF_MACHINE.test(message)) throw error;
    problems.push({ code: 'not-an-archive', message, file: context.file, offset: 0 });
    return [];
  }
}

function startsLikeParquet(path: string): boolean {
  try {
    const fd = openSync(path, 'r');
    const head = Buffer.alloc(4);
    readSync(fd, head);
    closeSync(fd);
    return head.toString('latin1') === 'PAR1';
  } catch {
    return false; // the reader says why
  }
}

/** One input, or none and a problem. */
function openFileInput(
  path: string,
  context: RecordContext,
  problems: Problem[],
  { spoolDir }: OpenInputsOptions,
): Input[] {
  const name = context.file;
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    problems.push({
      code: 'missing-file',
      message: `cannot be opened: ${(error as { code?: string }).code}`,
      file: name,
    });
    return [];
  }
  try {
    const sizeBytes = statSync(path).size;
    // most files are read no further than their head; one that is unpacked is read to its end
    const source = fileSource(() => fd, { end: sizeBytes, ...HEAD_FIRST });
    const { format, compression } = sniffFormat(source, name);
    if (format === null || sizeBytes === 0) {
      const message = sizeBytes === 0 ? 'the file is empty' : 'neither an archive nor HTML, JSONL or CDX';
      problems.push({ code: 'not-an-archive', message, file: name, offset: 0 });
      return [];
    }
    if (!mustUnpack(source, format, compression, context))
      return [{ name, path, format, sizeBytes, spooled: false }];
    return [unpack(source, format, compression, context, problems, spoolDir)];
  } finally {
    closeSync(fd);
  }
}

function mustUnpack(
  source: ByteSource,
  format: InputFormat,
  compression: string,
  context: RecordContext,
): boolean {
  if (compression === 'none') return false;
  if (format !== 'warc' && format !== 'arc') return true;
  return isWholeFileCompressed(openRecordFile(source, format, false), context);
}

function unpack(
  source: ByteSource,
  format: InputFormat,
  compression: string,
  context: RecordContext,
  problems: Problem[],
  spoolDir: string | undefined,
): Input {
  const { path, fd } = makeSpoolFile(spoolDir);
  try {
    const sizeBytes = fillSpool(fd, new SpoolBudget(source.sizeBytes, context.limits), (write) => {
      const faults =
        compression === 'gzip'
          ? gunzipWhole(source, write, context, { lines: format === 'cdx' || format === 'jsonl' })
          : unzstdWhole(source, write, context);
      for (const fault of faults) problems.push(fault);
    });
    if (format === 'warc' || format === 'arc') {
      const message = 'compressed as a whole, not by record; offsets are those of the decompressed text';
      problems.push({ code: 'whole-file-compression', message, file: context.file, offset: 0 });
    }
    return { name: context.file, path, format, sizeBytes, spooled: true };
  } catch (error) {
    removeSpoolFile(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}
