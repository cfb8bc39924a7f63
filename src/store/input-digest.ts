/**
 * Digests of inputs. `InputDigest` covers all bytes (1.4 GB/s per core, a few percent of a run) and is stored in
 * `run.json`; `peekInput` reads only both ends and decides within milliseconds whether a stopped run can be
 * resumed.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const READ_BYTES = 1 << 20;
const PEEK_BYTES = 1 << 16;

/**
 * SHA-256 of a file, or of the names and contents of all files below a folder. While a file is read in order, its
 * bytes can be passed to `take`; `finish` reads only the remaining bytes.
 */
export class InputDigest {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  readonly #isFile: boolean;
  /** Bytes of the file that the hash includes so far. */
  #takenBytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#isFile = statSync(path).isFile();
  }

  /** Adds bytes read from a position of the file; ignored when earlier bytes are missing. */
  take(bytes: Uint8Array, position: number): void {
    const known = this.#takenBytes - position;
    if (!this.#isFile || known < 0 || known >= bytes.length) return;
    this.#hash.update(bytes.subarray(known));
    this.#takenBytes = position + bytes.length;
  }

  /** Reads the remaining bytes and returns the digest as hexadecimal. */
  finish(): string {
    eachFile(this.#path, (file, name) => {
      if (name !== '') this.#hash.update(`${name}\0`);
      updateWithFile(this.#hash, file, this.#isFile ? this.#takenBytes : 0);
    });
    return this.#hash.digest('hex');
  }
}

/** Returns the SHA-256 of the size and the first and last 64 KiB of a file; of names and sizes for a folder. */
export function peekInput(path: string): string {
  const hash = createHash('sha256');
  const isFile = statSync(path).isFile();
  eachFile(path, (file, name) => {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      hash.update(`${name}\0${size}\0`);
      if (!isFile) return;
      const buffer = Buffer.alloc(Math.min(size, PEEK_BYTES));
      for (const position of [0, size - buffer.length]) {
        hash.update(buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, position)));
      }
    } finally {
      closeSync(descriptor);
    }
  });
  return hash.digest('hex');
}

function eachFile(path: string, visit: (file: string, name: string) => void): void {
  if (statSync(path).isFile()) {
    visit(path, '');
    return;
  }
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
  for (const name of names) visit(join(path, name), name);
}

function updateWithFile(hash: Hash, path: string, start: number): void {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(READ_BYTES);
    for (let position = start; ; ) {
      const read = readSync(descriptor, buffer, 0, READ_BYTES, position);
      if (read === 0) return;
      hash.update(buffer.subarray(0, read));
      position += read;
    }
  } finally {
    closeSync(descriptor);
  }
}
