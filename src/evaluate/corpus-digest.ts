/**
 * The digest that ties figures to the corpus they were measured on. It is taken of the decompressed bytes
 * of gzip files and of nothing but bytes, so that compressing again, renaming or reordering the files
 * changes nothing, and any change of a page or a gold row does.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Digest of files and of all files in folders. */
export async function digestCorpus(paths: readonly string[]): Promise<string> {
  const digests: string[] = [];
  for (const path of paths) {
    for (const file of await listFiles(path)) digests.push(await digestFile(file));
  }
  const all = createHash('sha256');
  for (const digest of digests.sort()) all.update(digest);
  return `sha256:${all.digest('hex')}`;
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  if (await isGzip(file)) await pipeline(createReadStream(file), createGunzip(), hash);
  else await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
