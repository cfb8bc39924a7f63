/**
 * Temporary copies of pipes, and of files that are compressed as a whole and thus cannot be read at an
 * offset. The copies are on disk and bounded in bytes by a `SpoolBudget`; memory stays constant. There are
 * two kinds: files that inputs name and `closeInputs` removes, and hidden files that belong to an open
 * container and vanish when it closes.
 */
import { closeSync, openSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Limits } from '../model/limits.ts';
import type { Problem } from '../model/problem.ts';
import { makeScratchFolder } from '../model/scratch.ts';
import { writeFully } from '../model/write-fully.ts';
import { arcRecordEnd, startsLikeArc } from './arc.ts';
import { type ByteSource, fileSource, memorySource, takeBytes } from './byte-source.ts';
import { findGzipMember, gzipHeaderBytes, gzipMemberAt } from './gzip-members.ts';
import { InflateMemory } from './inflate-stream.ts';
import {
  lostBytes,
  problemAt,
  RATIO_FLOOR_BYTES,
  type RecordContext,
  SearchBudget,
} from './record-context.ts';
import type { RecordFile } from './record-file.ts';
import { startsLikeWarc, warcRecordEnd } from './warc.ts';
import {
  decompressZstd,
  readZstdFrame,
  type ZstdDictionary,
  zstdDictionaryOf,
  zstdMemberAt,
} from './zstd.ts';

/** Writes bytes to a spool; returns false and writes nothing if they exceed the budget. */
type Write = (bytes: Uint8Array) => boolean;

/** Limits the total bytes of the temporary copies made of one file. */
export class SpoolBudget {
  readonly ratio: number;
  #leftBytes: number;

  constructor(fileBytes: number, { spoolRatio }: Limits) {
    this.ratio = spoolRatio;
    this.#leftBytes = Math.max(FREE_BYTES, spoolRatio * fileBytes);
  }

  /** Whether this many more bytes may be written; if so, they are counted. */
  take(bytes: number): boolean {
    if (bytes > this.#leftBytes) return false;
    this.#leftBytes -= bytes;
    return true;
  }
}

/** An open temporary file. */
export interface SpoolFile {
  path: string;
  fd: number;
}

const LF = 10;
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;
/** Copies up to this size, in bytes, are always allowed. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Bytes that are inflated at a time. */
const PIECE_BYTES = 128 * 1024;

let inflateMemory: InflateMemory | undefined;

/** Makes an empty file in a folder of its own, so that removing both is safe. */
export function makeSpoolFile(spoolDir?: string): SpoolFile {
  const path = join(makeScratchFolder(spoolDir), 'spool');
  return { path, fd: openSync(path, 'w+', 0o600) };
}

/** Removes a temporary file and its folder. */
export function removeSpoolFile(path: string): void {
  try {
    unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // already removed
  }
}

/** A temporary copy without a name. */
export interface HiddenSpool {
  source: ByteSource;
  close(): void;
}

/**
 * Fills a temporary copy that no other process sees; where the system allows it, the file has no name from
 * the start.
 */
export function hiddenSpool(budget: SpoolBudget, fill: (write: Write) => void): HiddenSpool {
  const { path, fd } = makeSpoolFile();
  removeSpoolFile(path);
  const close = () => {
    closeSync(fd);
    removeSpoolFile(path);
  };
  try {
    const sizeBytes = fillSpool(fd, budget, fill);
    return { source: fileSource(() => fd, { end: sizeBytes }), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Fills a temporary copy and returns the number of bytes written. */
export function fillSpool(fd: number, budget: SpoolBudget, fill: (write: Write) => void): number {
  let sizeBytes = 0;
  fill((bytes) => {
    if (!budget.take(bytes.length)) return false;
    writeFully(fd, bytes);
    sizeBytes += bytes.length;
    return true;
  });
  return sizeBytes;
}

/** Options of `gunzipWhole`. */
export interface UnpackOptions {
  /**
   * Whether to add a line break after members that do not end with one, as in the blocks of ZipNum indexes.
   * @default false
   */
  lines?: boolean;
}

/** Writes the whole text of a gzip file, member after member; damaged members are reported and left out. */
export function* gunzipWhole(
  source: ByteSource,
  writeBytes: Write,
  context: RecordContext,
  { lines = false }: UnpackOptions = {},
): Generator<Problem> {
  let last = LF;
  const write: Write = (bytes) => {
    if (bytes.length > 0) last = bytes[bytes.length - 1];
    return writeBytes(bytes);
  };
  const search = new SearchBudget(source.sizeBytes);
  for (let offset = 0; offset < source.sizeBytes; ) {
    if (lines && last !== LF) write(Uint8Array.of(LF));
    const headerBytes = gzipHeaderBytes(source.view(offset, 64 * 1024));
    let fault = 'no gzip member starts here';
    let producedBytes = 0;
    if (headerBytes > 0) {
      const end = inflateInto(source, offset + headerBytes, write, context);
      if (end.status === 'done') {
        offset += headerBytes + end.consumedBytes + 8;
        continue;
      }
      if (end.status === 'stopped') {
        yield overSpool(context, offset);
        return;
      }
      producedBytes = end.producedBytes;
      fault = end.status === 'cut' ? 'the file ends inside a gzip member' : 'a gzip member is damaged';
    }
    search.spend(producedBytes);
    const next = findGzipMember(source, offset + 1, (start) => start.length > 0, search);
    if (next === source.sizeBytes && search.isSpent) {
      yield lostBytes({ ...context, search }, 'too-slow', 'gzip member', { offset, next, sizeBytes: next });
      return;
    }
    const cut = fault.startsWith('the file ends') && next === source.sizeBytes;
    yield problemAt(
      context,
      cut ? 'truncated-file' : 'bad-gzip',
      offset,
      `${fault}; reading continued ${next - offset} bytes later`,
    );
    offset = next;
  }
}

/** Returns the problem of a file whose copy would take too much of the disk. */
export function overSpool(context: RecordContext, offset: number): Problem {
  const { ratio, spoolRatio } = context.limits;
  const message =
    `decompressed, it is over ${ratio} times its size here, or over ${spoolRatio} times and 64 MiB on the whole ` +
    '(--max-ratio, --max-spool-ratio); the rest is left out';
  return problemAt(context, 'ratio-exceeded', offset, message);
}

/** Inflates one deflate stream until it ends, exceeds the ratio limit, or fills the budget. */
export function inflateInto(source: ByteSource, offset: number, write: Write, { limits }: RecordContext) {
  let producedBytes = 0;
  inflateMemory ??= new InflateMemory(PIECE_BYTES);
  return inflateMemory.inflate(source, offset, (piece, consumedBytes) => {
    producedBytes += piece.length;
    if (producedBytes > RATIO_FLOOR_BYTES && producedBytes > limits.ratio * consumedBytes) return false;
    return write(piece);
  });
}

/**
 * Writes the whole text of a zstd file. Each frame is held in memory completely, since the decoder cannot
 * stream.
 */
export function* unzstdWhole(source: ByteSource, write: Write, context: RecordContext): Generator<Problem> {
  let dictionary: ZstdDictionary;
  try {
    dictionary = zstdDictionaryOf(source);
  } catch (error) {
    yield problemAt(context, 'bad-zstd', 0, `the dictionary cannot be read: ${(error as Error).message}`);
  }
  for (let offset = 0; offset < source.sizeBytes; ) {
    const frame = readZstdFrame(source, offset);
    if (frame === null || frame.length === 0) {
      const message = 'the rest of the file is not a complete zstd frame; it is left out';
      yield problemAt(context, frame === null ? 'bad-zstd' : 'truncated-file', offset, message);
      return;
    }
    if (!frame.skippable) {
      const maxBytes = Math.min(
        MAX_FRAME_BYTES,
        Math.max(RATIO_FLOOR_BYTES, context.limits.ratio * frame.length),
      );
      try {
        if (frame.length > MAX_FRAME_BYTES) throw new RangeError(`it has ${frame.length} bytes`);
        if (!write(decompressZstd(takeBytes(source, offset, frame.length), { dictionary, maxBytes }))) {
          yield overSpool(context, offset);
          return;
        }
      } catch (error) {
        const code = error instanceof RangeError ? 'too-large' : 'bad-zstd';
        yield problemAt(context, code, offset, `a zstd frame is left out: ${(error as Error).message}`);
      }
    }
    offset += frame.length;
  }
}

/**
 * Maximum number of records that tools put into one member: a request with its response and metadata, with some
 * reserve.
 */
const MAX_ROWS_IN_MEMBER = 16;

/**
 * Whether an archive is compressed as a whole and not record by record. Its records then have no offset in
 * the file, and it must be decompressed first. The first member decides. It takes up the whole file, or more
 * than the limit of a record, and holds a second record; or it holds many records; or its last record
 * continues in the next member.
 */
export function isWholeFileCompressed(file: RecordFile, context: RecordContext): boolean {
  if (file.compression === 'none') return false;
  const { source } = file;
  const startsLikeRecord = file.records === 'warc' ? startsLikeWarc : startsLikeArc;
  const recordEnd = file.records === 'warc' ? warcRecordEnd : arcRecordEnd;
  const memberAt = (offset: number) =>
    file.compression === 'gzip'
      ? gzipMemberAt(source, offset, context, startsLikeRecord)
      : zstdMemberAt(source, offset, context, file.dictionary);

  const first = memberAt(file.compression === 'zstd' ? skipSkippable(source) : 0);
  if (!first) return false;
  if (file.compression === 'zstd' && first.state === 'too-large') return true;
  const end = first.offset + first.length;
  const text = memorySource(first.bytes);
  const firstEnd = recordEnd(text, 0);
  if (Number.isNaN(firstEnd)) return false;
  if (end >= source.sizeBytes || first.state === 'too-large' || first.state === 'ratio-exceeded') {
    return firstEnd < text.sizeBytes;
  }
  if (first.state !== 'whole') return false;
  const { count, crosses } = walkRecords(text, recordEnd);
  // several archives, each compressed as a whole, one after the other
  if (count > MAX_ROWS_IN_MEMBER) return true;
  if (!crosses) return false;
  // the stated length may be wrong: then the next member still starts with a record
  const next = memberAt(end);
  return next !== null && next.state === 'whole' && !startsLikeRecord(next.bytes);
}

function skipSkippable(source: ByteSource): number {
  for (let offset = 0; ; ) {
    const frame = readZstdFrame(source, offset);
    if (!frame?.skippable || frame.length === 0) return offset;
    offset += frame.length;
  }
}

/** Counts the records of a text, and finds whether the last one goes beyond its end. */
function walkRecords(
  text: ByteSource,
  recordEnd: (source: ByteSource, offset: number) => number,
): { count: number; crosses: boolean } {
  let count = 0;
  for (let at = 0; at < text.sizeBytes; count++) {
    const end = recordEnd(text, at);
    if (!(end > at)) break;
    if (end > text.sizeBytes) return { count: count + 1, crosses: true };
    at = end;
  }
  return { count, crosses: false };
}
