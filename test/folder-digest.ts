/**
 * Returns one digest for a whole output folder: equal digests mean the same labels, texts and problems, byte for
 * byte. Only the timings in `run.json` are left out, because they differ between two runs of the same job.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { InputDigest } from '../src/store/input-digest.ts';

/** `sha256:…` over the names and contents of all files, hidden ones aside. */
export function folderDigest(folder: string): string {
  const hash = createHash('sha256');
  for (const name of filesOf(folder)) {
    const path = join(folder, name);
    const digest = name === 'run.json' ? digestRunFile(path) : new InputDigest(path).finish();
    hash.update(`${name.split(sep).join('/')}\0${digest}\n`);
  }
  return `sha256:${hash.digest('hex')}`;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length)
        .replace(/^[/\\]+/, ''),
    )
    .filter((name) => !name.startsWith('.'))
    .sort();
}

function digestRunFile(path: string): string {
  const { timings: _, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
}
