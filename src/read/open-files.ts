/**
 * Files that stay open between reads, so that reading captures here and there does not open a file for each.
 * Kept by path, since inputs are plain data that is copied between threads; the longest unused is closed when
 * there are too many.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { FileState } from './input.ts';

export interface OpenFile extends FileState {
  fd: number;
}

const MAX_OPEN_FILES = 64;
const files = new Map<string, OpenFile>();

/** The open file; throws as node:fs does when it cannot be opened. */
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
  files.set(path, file); // last is newest
  return file;
}

export function closeFile(path: string): void {
  const file = files.get(path);
  if (!file) return;
  files.delete(path);
  closeSync(file.fd);
}
