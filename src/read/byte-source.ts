/**
 * Sources of bytes that can be read at any offset, synchronously: a file, a span of a file, or memory. A file
 * is read through one reused buffer that reads ahead, so that reading a file in order costs one system call
 * per window and never holds a whole file in memory. The buffer grows to the largest span asked for. Files
 * stay open between reads.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileState } from './raw-record.ts';

/** Bytes that can be read at any offset. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Whether views stay valid: bytes in memory need no copy. */
  readonly stable: boolean;
  /**
   * Returns the bytes from `offset`: at least `wantBytes` unless the source ends before, and more if they are
   * buffered. Valid until the next call unless `stable`; `takeBytes` returns bytes to keep.
   */
  view(offset: number, wantBytes: number): Uint8Array;
}

/** Options of `fileSource`. */
export interface FileSourceOptions {
  /** Span of the file to read, such as an entry of a zip. @default the whole file */
  start?: number;
  /** End of the span. */
  end: number;
  /** Bytes read at a time. @default 1 MiB */
  windowBytes?: number;
  /** Bytes read at a time after a short step forward. @default windowBytes */
  forwardBytes?: number;
  /** Called with all bytes that are read, and with their position in the file. */
  onRead?: (bytes: Uint8Array, position: number) => void;
}

/** Longest step forward that counts as sequential reading, as when some records are skipped. */
const STEP_FORWARD_BYTES = 128 * 1024;

const NOTHING = new Uint8Array(0);

/** Opens a file that stays open between reads. Throws the error of node:fs if that fails. */
export function openSource(path: string, options: Partial<FileSourceOptions> = {}): ByteSource {
  const onRead = (bytes: Uint8Array, position: number) => followers.get(path)?.(bytes, position);
  return fileSource(() => openFile(path).fd, { end: openFile(path).sizeBytes, onRead, ...options });
}

type Follower = (bytes: Uint8Array, position: number) => void;
const followers = new Map<string, Follower>();

/**
 * Passes all bytes that are read from a file to `take`, with their position, until the returned function is
 * called.
 */
export function followReads(path: string, take: Follower): () => void {
  followers.set(path, take);
  return () => followers.delete(path);
}

/**
 * Makes a source from an open file. `openFd` returns the descriptor for each read, because `openFile` closes
 * files that have not been used for long.
 */
export function fileSource(
  openFd: () => number,
  { start = 0, end, windowBytes = 1024 * 1024, forwardBytes = windowBytes, onRead }: FileSourceOptions,
): ByteSource {
  const sizeBytes = Math.max(0, end - start);
  let buffer = NOTHING;
  let windowStart = 0; // offset in the source
  let windowEnd = 0;

  return {
    sizeBytes,
    stable: false,
    view(offset, wantBytes) {
      const wantEnd = Math.min(offset + wantBytes, sizeBytes);
      if (offset >= sizeBytes) return NOTHING;
      if (offset < windowStart || wantEnd > windowEnd) {
        const isForward = offset > windowStart && offset <= windowEnd + STEP_FORWARD_BYTES;
        const aheadBytes = isForward ? forwardBytes : windowBytes;
        const fillBytes = Math.min(Math.max(wantEnd - offset, aheadBytes), sizeBytes - offset);
        // buffered bytes are moved, not read again
        const keptBytes = offset >= windowStart && offset < windowEnd ? windowEnd - offset : 0;
        const from = offset - windowStart;
        if (fillBytes > buffer.length) {
          const larger = new Uint8Array(Math.max(fillBytes, Math.min(buffer.length * 2, sizeBytes)));
          if (keptBytes > 0) larger.set(buffer.subarray(from, from + keptBytes));
          buffer = larger;
        } else if (keptBytes > 0) {
          buffer.copyWithin(0, from, from + keptBytes);
        }
        windowStart = offset;
        windowEnd = offset + keptBytes;
        const readBytes = readFully(openFd(), buffer, keptBytes, fillBytes - keptBytes, start + windowEnd);
        onRead?.(buffer.subarray(keptBytes, keptBytes + readBytes), start + windowEnd);
        windowEnd += readBytes;
      }
      return buffer.subarray(offset - windowStart, windowEnd - windowStart);
    },
  };
}

/**
 * Makes a source from bytes. `windowBytes` limits how much a view holds beyond what was asked, so that tests
 * can feed a reader byte by byte.
 */
export function memorySource(bytes: Uint8Array, { windowBytes = bytes.length } = {}): ByteSource {
  return {
    sizeBytes: bytes.length,
    stable: true,
    view: (offset, wantBytes) => bytes.subarray(offset, offset + Math.max(wantBytes, windowBytes)),
  };
}

/** Returns bytes that stay valid; fewer than asked if the source ends before. */
export function takeBytes(source: ByteSource, offset: number, sizeBytes: number): Uint8Array {
  const view = source.view(offset, sizeBytes).subarray(0, sizeBytes);
  return source.stable ? view : view.slice();
}

/** Returns the first position of `needle` in `[start, end)` of the source, or -1. Reads window by window. */
export function indexOfBytes(source: ByteSource, needle: Uint8Array, start: number, end: number): number {
  const STEP_BYTES = 256 * 1024;
  const last = Math.min(end, source.sizeBytes) - needle.length;
  for (let at = start; at <= last; ) {
    const view = source.view(at, Math.min(STEP_BYTES, last - at + needle.length));
    const found = Buffer.from(view.buffer, view.byteOffset, view.byteLength).indexOf(needle);
    if (found >= 0) return at + found <= last ? at + found : -1;
    if (view.length < needle.length) return -1; // the file is shorter than it was
    at += view.length - needle.length + 1;
  }
  return -1;
}

function readFully(fd: number, buffer: Uint8Array, at: number, wantBytes: number, position: number): number {
  let done = 0;
  while (done < wantBytes) {
    const got = readSync(fd, buffer, at + done, wantBytes - done, position + done);
    if (got === 0) break; // the file was cut while being read
    done += got;
  }
  return done;
}

interface OpenFile extends FileState {
  fd: number;
}

const MAX_OPEN_FILES = 64;
/**
 * Open files by path, since inputs are plain data that is copied between threads; the last used comes last.
 */
const files = new Map<string, OpenFile>();

/**
 * Opens a file, or returns it if it is open, so that reading single captures does not open a file for each.
 * If too many are open, the least recently used one is closed. Throws the error of node:fs if opening fails.
 */
export function openFile(path: string): OpenFile {
  let file = files.get(path);
  if (file) {
    files.delete(path);
  } else {
    const fd = openSync(path, 'r');
    const { size, mtimeMs } = fstatSync(fd);
    file = { fd, sizeBytes: size, modifiedMs: mtimeMs };
    for (const oldest of files.keys()) {
      if (files.size < MAX_OPEN_FILES) break;
      closeFile(oldest);
    }
  }
  files.set(path, file);
  return file;
}

/** Closes a file if it is open. */
export function closeFile(path: string): void {
  const file = files.get(path);
  if (!file) return;
  files.delete(path);
  closeSync(file.fd);
}

/** One line of a text source. */
export interface Line {
  /** Offset of the line in the source. */
  offset: number;
  /** Length in bytes without the line break. */
  length: number;
  /** Undefined if the line is longer than the limit. Valid until the next line is read. */
  bytes: Uint8Array | undefined;
}

const LF = 10;
const CR = 13;

/** Yields the lines of a source with their offsets; memory holds one line at a time. */
export function* readLines(source: ByteSource, maxBytes: number): Generator<Line> {
  for (let offset = 0; offset < source.sizeBytes; ) {
    let wantBytes = 1;
    let view = source.view(offset, wantBytes);
    if (view.length === 0) return; // the file was cut while being read
    let end = view.indexOf(LF);
    // the line reaches beyond the window: ask for more, in growing steps
    while (end < 0 && view.length <= maxBytes && offset + view.length < source.sizeBytes) {
      const seen = view.length;
      wantBytes = seen * 2 + 64;
      view = source.view(offset, wantBytes);
      if (view.length === seen) break;
      end = view.indexOf(LF, seen);
    }
    if (end < 0 && view.length <= maxBytes) end = view.length;
    if (end < 0 || end > maxBytes) {
      const length = lineLength(source, offset);
      yield { offset, length, bytes: undefined };
      offset += length + 1;
      continue;
    }
    const length = end > 0 && view[end - 1] === CR ? end - 1 : end;
    yield { offset, length, bytes: view.subarray(0, length) };
    offset += end + 1;
  }
}

function lineLength(source: ByteSource, offset: number): number {
  for (let at = offset; ; ) {
    const view = source.view(at, 1);
    if (view.length === 0) return source.sizeBytes - offset;
    const end = view.indexOf(LF);
    if (end >= 0) return at + end - offset;
    at += view.length;
  }
}
