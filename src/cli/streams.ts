/**
 * The streams a command talks to: data on stdout, everything else on stderr. Tests pass their own; a
 * reader that goes away (`| head`) ends the command quietly.
 */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface Streams {
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

/** The reader of stdout went away: not a failure, but nothing more is to be done. */
export class ReaderGone extends Error {}

/** Writes and waits until the stream takes more; throws ReaderGone when nobody reads. */
export async function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  if (stream.destroyed || stream.errored) throw new ReaderGone();
  if (stream.write(data)) return;
  try {
    await once(stream, 'drain');
  } catch {
    throw new ReaderGone();
  }
}

/**
 * Keeps a vanished reader from crashing the process. Of data nothing more is to be done then, and `write` notices it;
 * notes on stderr that nobody reads are no reason to stop.
 */
export function tolerateVanishedReader(stream: Writable, onGone = () => {}): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    onGone();
  });
}
