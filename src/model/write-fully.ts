/**
 * Complete writes and reads of files. One `write` of the system may take only a part of the bytes, for
 * example on a disk that is nearly full, and reports the error on the next call. A caller that makes one call
 * loses bytes without notice.
 */
import { readSync, writeSync } from 'node:fs';

/** Pause before a busy descriptor is tried again, in ms. */
const BUSY_MS = 5;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/** Options of `writeFully`. */
export interface WriteFullyOptions {
  /** Offset in the file. @default the end of the last write */
  position?: number;
  /** The system call. Tests replace it. @default writeSync of node:fs */
  writeSome?: typeof writeSync;
}

/** Writes all bytes to a file descriptor or throws the system's error. Blocks while a pipe is full. */
export function writeFully(
  fd: number,
  bytes: Uint8Array,
  { position, writeSome = writeSync }: WriteFullyOptions = {},
): void {
  for (let done = 0; done < bytes.length; ) {
    const at = position === undefined ? null : position + done;
    let count = 0;
    try {
      count = writeSome(fd, bytes, done, bytes.length - done, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pauseCell, 0, 0, BUSY_MS);
      continue;
    }
    if (count === 0) throw new Error('nothing was written, and the system gave no reason');
    done += count;
  }
}

/**
 * Fills a buffer from a position of a file. Throws an error with `name` if the file ends before the buffer is
 * full.
 */
export function readFully(
  fd: number,
  bytes: Uint8Array,
  { position, name }: { position: number; name: string },
): void {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(fd, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error(`${name} is cut off`);
    done += count;
  }
}
