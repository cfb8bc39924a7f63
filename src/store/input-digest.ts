/**
 * Digests of inputs. `InputDigest` is of everything (1.4 GB/s a core, a few percent of a run) and goes into
 * `run.json`; `peekInput` reads the two ends only and says in a moment whether a stopped run may go on.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const READ_BYTES = 1 << 20;
const PEEK_BYTES = 1 << 16;

/**
 * SHA-256 of a file, or of the names and contents of all files below a folder. Of a file that is read in order meanwhile,
 * the bytes are taken as they come; only those that were not are read here.
 */
export class InputDigest {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  readonly #isFile: boolean;
  /** Bytes of the file that are in the hash. */
  #takenBytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#isFile = statSync(path).isFile();
  }

  /** Takes bytes that were read from a position of the file, unless some before them are missing. */
  take(bytes: Uint8Array, position: number): void {
    const known = this.#takenBytes - position;
    if (!this.#isFile || known < 0 || known >= bytes.length) return;
    this.#hash.update(bytes.subarray(known));
    this.#takenBytes = position + bytes.length;
  }

  /** The digest as hexadecimal. */
  finish(): string {
    eachFile(this.#path, (file, name) => {
      if (name !== '') this.#hash.update(`${name}\0`);
      updateWithFile(this.#hash, file, this.#isFile ? this.#takenBytes : 0);
    });
    return this.#hash.digest('hex');
  }
}

/** SHA-256 of the size and the first and last 64 KiB of a file; of names and sizes for a folder. */
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
