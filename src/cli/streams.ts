/**
 * The streams of a command: data on stdout, messages on stderr. Tests pass their own. A reader that closes stdout (`|
 * head`) ends the command quietly; any other failure to write data ends it with an error. Messages that cannot be
 * written to stderr do not stop the command.
 */
import { once } from 'node:events';
import { createReadStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { isatty, ReadStream, WriteStream } from 'node:tty';
import { getSystemErrorMap } from 'node:util';
import { writeFully } from '../model/write-fully.ts';

/** Standard input, output and error of a command. */
export interface Streams {
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

/** The reader of stdout closed it: not a failure, but the command should end. */
export class ReaderGone extends Error {}

/** Standard output cannot be written; the written data is incomplete. */
export class OutputError extends Error {
  constructor(cause: NodeJS.ErrnoException) {
    const reason = getSystemErrorMap().get(cause.errno ?? 0)?.[1] ?? cause.message;
    super(`cannot write standard output: ${reason}; the output is incomplete, so run the command again`, {
      cause,
    });
  }
}

/**
 * Writes and waits until the stream accepts more; throws ReaderGone when the reader has closed it, else OutputError.
 */
export async function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  checkOutput(stream);
  if (stream.write(data)) return;
  try {
    await once(stream, 'drain');
  } catch (error) {
    throw outputFailure(error as Error);
  }
}

/** Waits until everything is written; throws as `write` does. */
export async function flush(stream: Writable): Promise<void> {
  checkOutput(stream);
  await new Promise<void>((resolve, reject) => {
    stream.write('', (error) => (error ? reject(outputFailure(error)) : resolve()));
  });
}

/** Calls `onFailure` when data can no longer be written, with the error that `write` throws. */
export function watchOutput(stream: Writable, onFailure: (reason: Error) => void): void {
  stream.on('error', (error) => onFailure(outputFailure(error)));
}

/** Ignores messages that cannot be written, which would otherwise end the process. */
export function ignoreFailures(stream: Writable): void {
  stream.on('error', () => {});
}

function checkOutput(stream: Writable): void {
  if (stream.errored) throw outputFailure(stream.errored);
  if (stream.destroyed) throw new ReaderGone();
}

function outputFailure(error: NodeJS.ErrnoException): Error {
  const isGone = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
  return isGone ? new ReaderGone() : new OutputError(error);
}

/** The streams of the process. */
export function standardStreams(): Streams {
  return { stdin: new StandardInput(0), stdout: openForWriting(1), stderr: openForWriting(2) };
}

/**
 * Standard input, opened at the first read: an open socket reads at once, and would take data meant for others, such as
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

/** Whether a descriptor is a pipe or socket, which may block for a long time; Node waits for them without a thread. */
function isPipe(fd: number): boolean {
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket();
}

/** A stream to a file or device that writes synchronously and completely. */
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
