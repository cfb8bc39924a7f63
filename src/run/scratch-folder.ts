/** A folder for the work of a command that writes to a pipe: gone when the command is done. */
import { rmSync } from 'node:fs';
import { makeScratchFolder } from '../model/scratch.ts';
import { RunFolder } from '../store/run-folder.ts';

export async function withScratchFolder<T>(work: (folder: RunFolder) => Promise<T>): Promise<T> {
  const scratch = openScratchFolder();
  try {
    return await work(scratch.folder);
  } finally {
    scratch.remove();
  }
}

export function openScratchFolder(): { folder: RunFolder; remove: () => void } {
  const path = makeScratchFolder();
  return {
    folder: RunFolder.open(path, { fingerprint: 'scratch' }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
