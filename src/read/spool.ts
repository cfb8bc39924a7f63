/**
 * Temporary copies: of pipes, and of what is compressed as a whole and so cannot be read at an offset. They
 * lie on disk, bounded by the ratio limit; memory stays constant. Two kinds: files that inputs name and
 * `closeInputs` removes, and hidden ones that belong to an open container and vanish with it.
 */
import { closeSync, openSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { makeScratchFolder } from '../model/scratch.ts';
import { writeFully } from '../model/write-fully.ts';
import { type ByteSource, fileSource, takeBytes } from './byte-source.ts';
import { gzipHeaderBytes } from './gzip-header.ts';
import { findGzipMember } from './gzip-members.ts';
import { inflateFrom } from './inflate.ts';
import { problemAt, RATIO_FLOOR_BYTES, type RecordContext } from './record-context.ts';
import { decompressZstd, readZstdFrame } from './zstd.ts';
import { type ZstdDictionary, zstdDictionaryOf } from './zstd-frames.ts';

/** Takes bytes to a spool; false when it will take no more. */
type Write = (bytes: Uint8Array) => void;

export interface SpoolFile {
  path: string;
  fd: number;
}

const LF = 10;
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;

/** A new empty file in a folder of its own, so that removing it needs no care. */
export function makeSpoolFile(spoolDir?: string): SpoolFile {
  const path = join(makeScratchFolder(spoolDir), 'spool');
  return { path, fd: openSync(path, 'w+', 0o600) };
}

export function removeSpoolFile(path: string): void {
  try {
    unlinkSync(path);
    rmdirSync(dirname(path));
  } catch {
    // somebody was quicker
  }
}

export interface HiddenSpool {
  source: ByteSource;
  close(): void;
}

/** Fills a spool that no other process sees; where the system allows, it has no name from the start. */
export function hiddenSpool(fill: (write: Write) => void): HiddenSpool {
  const { path, fd } = makeSpoolFile();
  removeSpoolFile(path);
  const close = () => {
    closeSync(fd);
    removeSpoolFile(path);
  };
  try {
    const sizeBytes = fillSpool(fd, fill);
    return { source: fileSource(() => fd, { end: sizeBytes }), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the bytes written. */
export function fillSpool(fd: number, fill: (write: Write) => void): number {
  let sizeBytes = 0;
  fill((bytes) => {
    writeFully(fd, bytes);
    sizeBytes += bytes.length;
  });
  return sizeBytes;
}

export interface UnpackOptions {
  /** Whether a line break goes between members that lack one, as in the blocks of ZipNum indexes. @default false */
  lines?: boolean;
}

/** The whole text of a gzip file, all members in a row; what is damaged is reported and left out. */
export function* gunzipWhole(
  source: ByteSource,
  writeBytes: Write,
  context: RecordContext,
  { lines = false }: UnpackOptions = {},
): Generator<Problem> {
  let last = LF;
  const write: Write = (bytes) => {
    if (bytes.length > 0) last = bytes[bytes.length - 1];
    writeBytes(bytes);
  };
  for (let offset = 0; offset < source.sizeBytes; ) {
    if (lines && last !== LF) write(Uint8Array.of(LF));
    const headerBytes = gzipHeaderBytes(source.view(offset, 64 * 1024));
    let fault = 'no gzip member starts here';
    if (headerBytes > 0) {
      const end = inflateInto(source, offset + headerBytes, write, context);
      if (end.status === 'done') {
        offset += headerBytes + end.consumedBytes + 8;
        continue;
      }
      if (end.status === 'stopped') {
        const message = `a gzip member gives over ${context.limits.ratio} times its size; the rest is left out`;
        yield problemAt(context, 'ratio-exceeded', offset, message);
        return;
      }
      fault = end.status === 'cut' ? 'the file ends inside a gzip member' : 'a gzip member is damaged';
    }
    const next = findGzipMember(source, offset + 1, (start) => start.length > 0);
    const cut = fault.startsWith('the file ends') && next === source.sizeBytes;
    yield problemAt(
      context,
      cut ? 'truncated-file' : 'bad-gzip',
      offset,
      `${fault}; went on ${next - offset} bytes later`,
    );
    offset = next;
  }
}

/** Inflates one deflate stream, stopped by the ratio limit. */
export function inflateInto(source: ByteSource, offset: number, write: Write, { limits }: RecordContext) {
  let producedBytes = 0;
  return inflateFrom(source, offset, (piece, consumedBytes) => {
    producedBytes += piece.length;
    if (producedBytes > RATIO_FLOOR_BYTES && producedBytes > limits.ratio * consumedBytes) return false;
    write(piece);
    return true;
  });
}

/** The whole text of a zstd file. A frame is held in memory whole: the decoder knows no other way. */
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
      const message = 'the file ends in, or goes on with, something that is no zstd frame; it is left out';
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
        write(decompressZstd(takeBytes(source, offset, frame.length), { dictionary, maxBytes }));
      } catch (error) {
        const code = error instanceof RangeError ? 'too-large' : 'bad-zstd';
        yield problemAt(context, code, offset, `a zstd frame is left out: ${(error as Error).message}`);
      }
    }
    offset += frame.length;
  }
}
