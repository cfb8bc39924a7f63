/**
 * What a task hands on to the stream of its run: a file of pieces, each behind its length, which hold whole rows. Rows
 * are gathered until there are many, so that a piece is worth a write, and a gzip member, of its own.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { writeFully } from '../../model/write-fully.ts';

/** Bytes of rows that make a piece. */
export const PIECE_BYTES = 1 << 20;
const LENGTH_BYTES = 4;

export class RowSpool {
  readonly #file: number;
  #rows: Uint8Array[] = [];
  #size = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Adds a row, or several. They are not copied. */
  add(rows: Uint8Array): void {
    this.#rows.push(rows);
    this.#size += rows.length;
    if (this.#size >= PIECE_BYTES) this.flush();
  }

  /** Ends the piece: what was added may change then. */
  flush(): void {
    if (this.#size === 0) return;
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(this.#size);
    const piece = Buffer.concat([length, ...this.#rows]);
    writeFully(this.#file, piece);
    this.#rows = [];
    this.#size = 0;
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** The pieces of a spool, in order. */
export function* readSpool(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readBytes(file, LENGTH_BYTES);
      if (length.length === 0) return;
      yield readBytes(file, length.readUInt32LE());
    }
  } finally {
    closeSync(file);
  }
}

/** The next bytes of a file; fewer where it ends. */
function readBytes(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let done = 0;
  while (done < size) {
    const got = readSync(file, bytes, done, size - done, null);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}
