/** Where a command's data goes: standard output, or a file that appears under its name only when complete. */
import { accessSync, closeSync, constants, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeFully } from '../model/write-fully.ts';
import { loadZstd } from '../read/zstd.ts';
import type { Restart } from '../run/label-stream.ts';
import { type Context, UsageError } from './context.ts';
import { type Compression, compressionOf } from './output-name.ts';
import { flush, write } from './streams.ts';

export interface Output {
  /** Bytes that have gone to the file or stream so far; absent where nobody asks. */
  readonly sizeBytes?: number;
  /** Whether somebody may read it while it is written: a file appears only when it is complete. */
  readonly isLive: boolean;
  write(data: string | Uint8Array): Promise<void>;
  /** Ends the writing, so that many files may wait to be committed; absent where nothing waits. */
  close?(): Promise<void>;
  /** Makes the file appear. */
  commit(): Promise<void>;
  /** Removes what was not committed; does nothing after a commit. */
  discard(): void;
  /** Takes back all that was written; absent where it is out already. */
  restart?: () => void;
}

export function openOutput({ streams }: Context, path: string | undefined): Output {
  if (path === undefined || path === '-') {
    return {
      isLive: true,
      write: (data) => write(streams.stdout, data),
      commit: () => flush(streams.stdout),
      discard() {},
    };
  }
  return openDraft(path);
}

/** A file under another name until it is complete. */
export function openDraft(path: string): Output {
  checkOutputFile('-o', path);
  // a device or a pipe is written as it is: a rename would put a file in its place
  const draft = isSpecial(path) ? path : draftName(path);
  let file: number | undefined = openSync(draft, 'w');
  let isDone = false;
  let sizeBytes = 0;
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const discard = () => {
    if (isDone) return;
    isDone = true;
    process.off('exit', discard);
    close();
    if (draft !== path) rmSync(draft, { force: true });
  };
  process.on('exit', discard); // for a command that is ended at once
  return {
    isLive: draft === path,
    get sizeBytes() {
      return sizeBytes;
    },
    async write(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      writeFully(file!, bytes);
      sizeBytes += bytes.length;
    },
    async close() {
      close();
    },
    async commit() {
      close();
      if (draft !== path) renameSync(draft, path);
      isDone = true;
      process.off('exit', discard);
    },
    discard,
    ...(draft === path
      ? {}
      : {
          restart() {
            close();
            file = openSync(draft, 'w');
            sizeBytes = 0;
          },
        }),
  };
}

/** The name of a file until it is complete. */
export function draftName(path: string): string {
  return `${path}.part`;
}

/** Bytes gathered before they are written. */
const BATCH_BYTES = 1 << 16;
/** … and before they are compressed: small members cost time and space, large ones memory. */
const MEMBER_BYTES = 1 << 20;
const ZSTD_LEVEL = 3;

export interface BatchOptions {
  /** Whether what is written goes out at once where a reader may wait for it. @default false */
  immediate?: boolean;
  /** Batches are compressed each by itself, to members or frames that readers join. @default by the ending of the name */
  compression?: Compression;
  /** What the file begins with, as it is. It comes with the first batch: a run that fails before has written nothing. */
  header?: Uint8Array;
}

/** An output that gathers small writes. What was written before a run was cut off can be read up to the last batch. */
export function openBatches(context: Context, path: string | undefined, options: BatchOptions = {}): Output {
  return inBatches(openOutput(context, path), { compression: compressionOf(path), ...options });
}

const PACKERS: Record<Exclude<Compression, 'none'>, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  zstd: (bytes) => loadZstd().compress(bytes, ZSTD_LEVEL),
};

/** Gathers small writes to an output. */
export function inBatches<Out extends Output>(
  output: Out,
  { immediate = false, compression = 'none', header }: BatchOptions,
): Output {
  const pack = compression === 'none' ? undefined : PACKERS[compression];
  const leastBytes = immediate && output.isLive ? 1 : pack ? MEMBER_BYTES : BATCH_BYTES;
  let batch: Uint8Array[] = [];
  let size = 0;
  let isEmpty = true;
  const flush = async () => {
    const bytes = Buffer.concat(batch);
    batch = [];
    size = 0;
    if (isEmpty && header) await output.write(header);
    isEmpty = false;
    if (bytes.length > 0 || pack) await output.write(pack ? pack(bytes) : bytes);
  };
  return {
    isLive: output.isLive,
    get sizeBytes() {
      return output.sizeBytes;
    },
    async write(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      batch.push(bytes);
      size += bytes.length;
      if (size >= leastBytes) await flush();
    },
    async close() {
      // nothing at all is a whole compressed file too
      if (size > 0 || isEmpty) await flush();
      await output.close?.();
    },
    async commit() {
      if (size > 0 || isEmpty) await flush();
      await output.commit();
    },
    discard: output.discard,
    ...(output.restart && {
      restart() {
        batch = [];
        size = 0;
        isEmpty = true;
        output.restart!();
      },
    }),
  };
}

/** Writes one text. */
export async function writeWhole(context: Context, path: string, text: string): Promise<void> {
  const output = openOutput(context, path);
  try {
    await output.write(text);
    await output.commit();
  } finally {
    output.discard();
  }
}

/** Writes all that comes, and makes the file appear when it was all. */
export async function writeAll(
  output: Output,
  pieces: AsyncIterable<string | Uint8Array>,
  restart: Restart = {},
): Promise<void> {
  restart.handler = output.restart;
  try {
    for await (const piece of pieces) await output.write(piece);
    await output.commit();
  } finally {
    output.discard();
  }
}

/** An output that takes lines, and writes many at a time. */
export interface LineOutput extends Pick<Output, 'commit' | 'discard' | 'restart'> {
  line(text: string): Promise<void>;
}

export function openLines(context: Context, path: string | undefined, options?: BatchOptions): LineOutput {
  const { write, ...output } = openBatches(context, path, options);
  return { ...output, line: (text) => write(`${text}\n`) };
}

function isSpecial(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** Refuses a file or folder that is not there and cannot be made, or is there and cannot be written. */
export function checkWritable(flag: string, name: string): void {
  const target = resolve(name);
  let nearest = target;
  while (!isThere(nearest)) nearest = dirname(nearest);
  if (nearest !== target && !statSync(nearest).isDirectory()) {
    throw new UsageError(`${flag} ${name} cannot be made: ${nearest} is a file`);
  }
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw new UsageError(`${flag} ${name} cannot be written: no permission to write in ${nearest}`);
  }
}

/** Refuses a name that no file can be written under. Folders on the way to it are not made: a typing error would be one. */
export function checkOutputFile(flag: string, name: string): void {
  if (name === '') throw new UsageError(`${flag} needs the name of a file`);
  if (name.endsWith('/') || isFolder(name)) {
    throw new UsageError(`${flag} ${name} is a folder: name a file in it`);
  }
  const folder = dirname(resolve(name));
  if (!isThere(folder))
    throw new UsageError(`${flag} ${name} cannot be made: make the folder ${folder} first`);
  checkWritable(flag, name);
}

/** Refuses a name that no folder can be made under. */
export function checkOutputFolder(flag: string, name: string): void {
  if (name === '') throw new UsageError(`${flag} needs the name of a folder`);
  if (isThere(name) && !isFolder(name)) throw new UsageError(`${flag} ${name} is a file: name a folder`);
  checkWritable(flag, name);
}

function isFolder(path: string): boolean {
  return isThere(path) && statSync(path).isDirectory();
}

/** A path below a file is not there either; the root always is. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
