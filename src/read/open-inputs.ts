/**
 * From what a user names to inputs: files, folders, globs, named pipes and `-` for standard input. Pipes, and files that
 * are compressed as a whole, are copied to temporary files first, so that every input can be read at any
 * offset, by several workers, more than once.
 */
import { closeSync, createReadStream, openSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { glob, isDynamicPattern } from 'tinyglobby';
import type { Limits } from '../model/limits.ts';
import type { Problem } from '../model/problem.ts';
import { writeFully } from '../model/write-fully.ts';
import { type ByteSource, fileSource } from './byte-source.ts';
import { isFileOfFolder, isHtmlFile, walkFolder } from './folder.ts';
import type { Input, InputFormat } from './raw-record.ts';
import { closeInput } from './read-captures.ts';
import { checkReadOptions } from './read-options.ts';
import type { RecordContext } from './record-context.ts';
import { openRecordFile } from './record-file.ts';
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

export interface OpenInputsOptions {
  /** What `-` reads. @default process.stdin */
  stdin?: Readable;
  /** Where temporary copies go. @default the system's folder for such */
  spoolDir?: string;
  /** The ratio limit bounds what a file compressed as a whole may become. */
  limits?: Partial<Limits>;
}

export interface OpenedInputs {
  /** In the order of their names, each file once. */
  inputs: Input[];
  problems: Problem[];
}

/** In folders, indexes are left out: what they name lies there too. */
const ARCHIVE_IN_FOLDER = /\.(w?arc(\.gz|\.zst)?|wacz|zip|(jsonl|ndjson)(\.gz|\.zst)?)$/i;

const HEAD_FIRST = { windowBytes: 64 * 1024, forwardBytes: 1024 * 1024 };

export async function openInputs(names: string[], options: OpenInputsOptions = {}): Promise<OpenedInputs> {
  const { limits } = checkReadOptions({ limits: options.limits });
  const problems: Problem[] = [];
  const found = new Map<string, Omit<FoundFile, 'path'>>(); // by real path
  for (const name of names) {
    if (name === '-') found.set('-', { name, kind: 'pipe' });
    else
      for await (const item of findFiles(name, problems))
        if (!found.has(item.path)) found.set(item.path, item);
  }
  const inputs: Input[] = [];
  const items = [...found].sort(([, a], [, b]) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  try {
    for (const [path, { name, kind }] of items) {
      const context: RecordContext = { file: name, limits, survey: true };
      if (kind === 'folder') inputs.push({ name, path, format: 'folder', sizeBytes: 0, spooled: false });
      else if (kind === 'pipe') {
        const bytes = path === '-' ? (options.stdin ?? process.stdin) : createReadStream(path);
        inputs.push(...(await openPipe(bytes, options, context, problems)));
      } else inputs.push(...openFileInput(path, context, problems, options));
    }
  } catch (error) {
    closeInputs(inputs); // a full disk must not leave copies behind
    throw error;
  }
  return { inputs, problems };
}

/** Closes what the inputs keep open and removes temporary copies. */
export function closeInputs(inputs: readonly Input[]): void {
  for (const input of inputs) {
    closeInput(input);
    if (input.spooled) removeSpoolFile(input.path);
  }
}

interface FoundFile {
  path: string;
  name: string;
  kind: 'file' | 'folder' | 'pipe';
}

async function* findFiles(name: string, problems: Problem[]): AsyncGenerator<FoundFile> {
  const kind = await kindOf(name);
  if (kind === 'file') yield { path: await realpath(name), name, kind };
  // the shell's `<(…)` has a path that leads nowhere but when it is opened
  else if (kind === 'pipe') yield { path: resolve(name), name, kind };
  else if (kind === 'folder') yield* findInFolder(name, problems);
  else if (isDynamicPattern(name)) {
    const matches = await glob(name, { expandDirectories: false, onlyFiles: false });
    if (matches.length === 0) problems.push({ code: 'missing-file', message: 'no file matches', file: name });
    for (const match of matches.map((path) => path.replace(/\/$/, '')).sort())
      yield* findFiles(match, problems);
  } else {
    problems.push({ code: 'missing-file', message: 'no such file or folder', file: name });
  }
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
  else removeSpoolFile(path); // it was unpacked to another, or is nothing
  return inputs;
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
    // most are looked at no further than their head; one that is unpacked is read through
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
