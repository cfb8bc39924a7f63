/**
 * Digests of inputs. `digestInput` reads everything (1.4 GB/s a core, a few percent of a run) and goes into
 * `run.json`; `peekInput` reads the two ends only and tells in a moment whether a stopped run may go on.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const READ_BYTES = 1 << 20;
const PEEK_BYTES = 1 << 16;

/** SHA-256 of a file, or of the names and contents of all files below a folder, as hexadecimal. */
export function digestInput(path: string): string {
  const hash = createHash('sha256');
  eachFile(path, (file, name) => {
    if (name !== '') hash.update(`${name}\0`);
    updateWithFile(hash, file);
  });
  return hash.digest('hex');
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

function updateWithFile(hash: Hash, path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(READ_BYTES);
    for (let read: number; (read = readSync(descriptor, buffer)) > 0; ) hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
}
