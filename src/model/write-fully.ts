/**
 * Writes all of some bytes to a file descriptor, and reads all that a buffer takes. One `write` of the system may take only a part, on a disk that is
 * nearly full for example: the error comes with the next call, so a caller that makes one call loses bytes unnoticed.
 */
import { readSync, writeSync } from 'node:fs';

/** Pause before a descriptor that takes nothing now is tried again, in ms. */
const BUSY_MS = 5;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

export interface WriteFullyOptions {
  /** Offset in the file. @default where the last write ended */
  position?: number;
  /** The system call. Tests replace it. @default writeSync of node:fs */
  writeSome?: typeof writeSync;
}

/** Returns when every byte is written, and throws the system's error otherwise. Blocks while a pipe is full. */
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
    if (count === 0) throw new Error('a write took no bytes and gave no reason');
    done += count;
  }
}

/** Fills a buffer from a position of a file; throws when the file, whose name the message has, ends before. */
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
