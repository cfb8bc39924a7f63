/** Outputs of commands: standard output, or a file that appears under its name only when complete. */
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeFully } from '../model/write-fully.ts';
import { loadZstd } from '../read/zstd.ts';
import type { Restart } from '../run/label-stream.ts';
import { type Context, UsageError } from './context.ts';
import { type Compression, compressionOf, draftName } from './output-name.ts';
import { flush, write } from './streams.ts';

/** Where a command writes its data. */
export interface Output {
  /** Bytes written so far; absent where it is not counted. */
  readonly sizeBytes?: number;
  /** Whether another program can read it while it is written; a file appears only when complete. */
  readonly isLive: boolean;
  write(data: string | Uint8Array): Promise<void>;
  /** Ends writing before the commit, so that many files can wait for it; absent where not needed. */
  close?(): Promise<void>;
  /** Completes the output: a file appears under its name. */
  commit(): Promise<void>;
  /** Removes uncommitted data; has no effect after a commit. */
  discard(): void;
  /** Discards everything written; absent where that is impossible, as on standard output. */
  restart?: () => void;
}

/** Opens standard output (undefined or `-`) or a file. */
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

/** Opens a file under a temporary name until it is complete. */
export function openDraft(path: string): Output {
  checkOutputFile('-o', path);
  // a device or a pipe is written directly: renaming would replace it with a file
  const draft = isSpecial(path) ? path : draftName(path);
  // an old draft is removed, not written to: it may be a link to another file
  if (draft !== path) rmSync(draft, { force: true });
  let file: number | undefined = openSync(draft, draft === path ? 'w' : 'wx');
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
  process.on('exit', discard); // when the process exits before the output was committed or discarded
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

/** Bytes that are gathered before writing. */
const BATCH_BYTES = 1 << 16;
/** Bytes that are gathered before compressing: small members cost time and space, large ones memory. */
const MEMBER_BYTES = 1 << 20;
const ZSTD_LEVEL = 3;

/** Options of `openBatches`. */
export interface BatchOptions {
  /** Whether data is written at once if a reader may wait for it. @default false */
  immediate?: boolean;
  /** Each batch is compressed separately, to members or frames that readers join. @default by the ending of the name */
  compression?: Compression;
  /**
   * First bytes of the file, uncompressed. They are written with the first batch, so a run that fails before writes
   * nothing.
   */
  header?: Uint8Array;
}

/** Opens an output that gathers small writes. After an interruption, the file can be read up to its last batch. */
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
  const writeBatch = async () => {
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
      if (size >= leastBytes) await writeBatch();
    },
    async close() {
      // an empty compressed file must be valid too
      if (size > 0 || isEmpty) await writeBatch();
      await output.close?.();
    },
    async commit() {
      if (size > 0 || isEmpty) await writeBatch();
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

/** Writes one text as a whole file. */
export async function writeWhole(context: Context, path: string, text: string): Promise<void> {
  const output = openOutput(context, path);
  try {
    await output.write(text);
    await output.commit();
  } finally {
    output.discard();
  }
}

/** Writes all pieces, then commits. */
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

/** Writes a file that appears only when complete. */
export function writeComplete(path: string, text: string | Uint8Array, draftEnding = '.part'): void {
  const draft = `${path}${draftEnding}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

/** An output for lines, which it gathers. */
export interface LineOutput extends Pick<Output, 'commit' | 'discard' | 'restart'> {
  line(text: string): Promise<void>;
}

/** Opens an output for lines. */
export function openLines(context: Context, path: string | undefined, options?: BatchOptions): LineOutput {
  const { write, ...output } = openBatches(context, path, options);
  return { ...output, line: (text) => write(`${text}\n`) };
}

function isSpecial(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** Throws for a file or folder that cannot be made or written. */
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

/** Throws for a name that no file can have. Missing parent folders are not made, because they may be a typing error. */
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

/** Throws for a name that no folder can have. */
export function checkOutputFolder(flag: string, name: string): void {
  if (name === '') throw new UsageError(`${flag} needs the name of a folder`);
  if (isThere(name) && !isFolder(name)) throw new UsageError(`${flag} ${name} is a file: name a folder`);
  checkWritable(flag, name);
}

function isFolder(path: string): boolean {
  return isThere(path) && statSync(path).isDirectory();
}

/** Whether a path exists; paths below a file do not, and the root always does. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
