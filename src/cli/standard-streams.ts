/**
 * The standard streams of the process by their descriptors, for a thread other than the main one. Node's own streams are
 * not used: those of a thread pass through the main one, and the one of a file makes a single write and loses what the
 * disk did not take.
 */
import { createReadStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { isatty, ReadStream, WriteStream } from 'node:tty';
import { writeFully } from '../model/write-fully.ts';
import type { Streams } from './streams.ts';

export function standardStreams(): Streams {
  return { stdin: new StandardInput(0), stdout: openForWriting(1), stderr: openForWriting(2) };
}

/**
 * Opened when it is first read: a socket reads as soon as it is open, and would take what is meant for others, such as
 * the next turn of a shell's `while read` loop.
 */
class StandardInput extends Readable {
  readonly #fd: number;
  #source: Readable | undefined;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  override _read(): void {
    if (this.#source) {
      this.#source.resume();
      return;
    }
    const source = openForReading(this.#fd);
    this.#source = source;
    source.on('data', (chunk) => {
      if (!this.push(chunk)) source.pause();
    });
    source.on('end', () => this.push(null));
    source.on('error', (error) => this.destroy(error));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source?.destroy();
    done(error);
  }
}

function openForReading(fd: number): Readable {
  if (isatty(fd)) return new ReadStream(fd);
  return isPipe(fd)
    ? new Socket({ fd, readable: true, writable: false })
    : createReadStream('', { fd, autoClose: false });
}

function openForWriting(fd: number): Writable {
  if (isatty(fd)) return new WriteStream(fd);
  return isPipe(fd) ? new Socket({ fd, readable: false, writable: true }) : fileStream(fd);
}

/** Pipes and sockets may take nothing for a long time; Node waits for them without a thread. */
function isPipe(fd: number): boolean {
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket();
}

/** A file or a device, written at once and in full. */
export function fileStream(fd: number, writeBytes = writeFully): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writeBytes(fd, chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
