/** Writes rows from tasks, in pieces of whole rows, to standard output, a file, or shards of similar size. */
import { closeSync, createReadStream, readdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { makeSpoolFile, removeSpoolFile } from '../read/spool.ts';
import { TextParquet } from '../store/text-parquet.ts';
import { type Context, UsageError } from './context.ts';
import { parseBytes } from './option-table.ts';
import { type BatchOptions, inBatches, type Output, openDraft, openOutput } from './output.ts';
import { draftName, isShardOf, OUTPUT_MEANING, type OutputName, shardName } from './output-name.ts';
import { OutputOption } from './path-options.ts';
import { flush, write } from './streams.ts';

/** Options of `openRows`. */
export interface RowsOutputOptions extends Pick<BatchOptions, 'immediate' | 'header'> {
  /** Bytes after which another file is started. @default one file */
  shardBytes?: number;
  /** Whether shards of an earlier run may be replaced. */
  overwrite?: boolean;
}

/** Opens an output for pieces of whole rows. */
export function openRows(context: Context, name: OutputName, options: RowsOutputOptions = {}): Output {
  const { path } = name;
  if (options.shardBytes === undefined) {
    if (path !== undefined) return openFile(path, name, options);
    if (name.kind === 'parquet') return openParquet(openParquetCopy(context));
    return inBatches(openOutput(context, path), options);
  }
  if (path === undefined) throw new UsageError('--shard-size needs the name of a file (-o)');
  const old = readShards(path);
  if (old.length > 0 && !options.overwrite) {
    throw new UsageError(`${old[0]} exists already: name other files, or replace them (--overwrite)`);
  }
  const open = (shard: number) => openFile(shardName(path, shard), name, options);
  return openShards(open, options.shardBytes, (count) => {
    const kept = new Set(Array.from({ length: count }, (_, shard) => shardName(path, shard)));
    for (const file of old) if (!kept.has(file)) rmSync(file);
  });
}

function openFile(
  path: string,
  { kind, compression, format }: OutputName,
  options: RowsOutputOptions,
): Output {
  if (kind === 'parquet') return openParquet(openParquetDraft(path), options.shardBytes);
  // records of a WARC file are already compressed one by one
  const packed = format === 'warc' ? 'none' : compression;
  return inBatches(openDraft(path), { ...options, compression: packed });
}

/** Writes shards one after the other. All appear when the last one is complete. */
function openShards(
  open: (shard: number) => Output,
  shardBytes: number,
  onCommit: (count: number) => void,
): Output {
  let shards = [open(0)];
  return {
    isLive: false,
    async write(data) {
      const last = shards.at(-1)!;
      if ((last.sizeBytes ?? 0) >= shardBytes) {
        await last.close?.();
        shards.push(open(shards.length));
      }
      await shards.at(-1)!.write(data);
    },
    async commit() {
      await shards.at(-1)!.close?.();
      for (const shard of shards) await shard.commit();
      onCommit(shards.length);
    },
    discard() {
      for (const shard of shards) shard.discard();
    },
    restart() {
      for (const shard of shards) shard.discard();
      shards = [open(0)];
    },
  };
}

/** A file with columns, and what becomes of it. */
interface ParquetDraft extends Pick<Output, 'commit' | 'discard'> {
  path: string;
}

function openParquetDraft(path: string): ParquetDraft {
  const { isLive, commit, discard } = openDraft(path);
  if (isLive) {
    discard();
    throw new UsageError(`-o ${path} is not a file: Parquet needs one`);
  }
  return { path: draftName(path), commit, discard };
}

/** A temporary file, which goes to standard output when it is complete: its directory of columns comes last. */
function openParquetCopy({ streams: { stdout } }: Context): ParquetDraft {
  if (stdout.isTTY)
    throw new UsageError('Parquet is not for a terminal: name a file, such as -o clean.parquet');
  const { path, fd } = makeSpoolFile();
  closeSync(fd);
  return {
    path,
    async commit() {
      for await (const bytes of createReadStream(path)) await write(stdout, bytes as Uint8Array);
      await flush(stdout);
    },
    discard: () => removeSpoolFile(path),
  };
}

/** Writes columns to a draft. */
function openParquet(draft: ParquetDraft, groupBytes?: number): Output {
  let rows: TextParquet | undefined = new TextParquet(draft.path, { groupBytes });
  const close = () => {
    rows?.close();
    rows = undefined;
  };
  return {
    isLive: false,
    get sizeBytes() {
      return rows?.sizeBytes;
    },
    async write(data) {
      rows!.add(typeof data === 'string' ? Buffer.from(data) : data);
    },
    async close() {
      close();
    },
    async commit() {
      close();
      await draft.commit();
    },
    discard() {
      abandon(rows);
      rows = undefined;
      draft.discard();
    },
    restart() {
      abandon(rows);
      rows = new TextParquet(draft.path, { groupBytes });
    },
  };
}

/** Closes a file that is no longer needed and may not be writable. */
function abandon(rows: TextParquet | undefined): void {
  try {
    rows?.close();
  } catch {
    // closing may fail because the disk is full
  }
}

/** Names of existing shards of this file. */
function readShards(path: string): string[] {
  const folder = dirname(resolve(path));
  try {
    return readdirSync(folder)
      .filter((name) => isShardOf(path, name))
      .map((name) => `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`)
      .sort();
  } catch {
    return []; // opening the file will report what is wrong with the folder
  }
}

/** The option `-o` of commands that write pages. */
export function rowsOutputOption(): Option {
  return new OutputOption('-o, --output <path>', OUTPUT_MEANING, {
    also(path, { shardSize }: { shardSize?: number }) {
      if (shardSize === undefined) return [];
      // their drafts have the same endings and one more
      return [...readShards(path), ...readShards(draftName(path))];
    },
  });
}

/** Minimum bytes of a shard; smaller files would be mostly overhead. */
const MIN_SHARD_BYTES = 1e6;

/** The option `--shard-size`. */
export function shardOption(): Option {
  return new Option(
    '--shard-size <size>',
    'start another file when one has about this size, such as 256MB: out-00000.parquet, out-00001.parquet …',
  ).argParser(parseSize);
}

/** Parses the size of a shard to bytes. */
export function parseSize(text: string): number {
  const bytes = parseBytes(text);
  if (bytes >= MIN_SHARD_BYTES) return bytes;
  throw new InvalidArgumentError('It must be a size of at least 1MB, such as 256MB or 1GB.');
}
