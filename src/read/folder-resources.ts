/**
 * What the pages of a folder are shown with: the stylesheets, images and fonts that lie in it, under the URLs
 * that its pages have (see html-record.ts). Only files that walking the folder finds are ever read.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { staysInside, walkFolder } from './folder.ts';
import { urlOfFile } from './html-record.ts';
import type { Resource } from './read-resource.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
};

export function* listFolderResources(path: string): Generator<{ url: string; entry: string }> {
  const root = resolve(path);
  const folderName = basename(realpathSync(root));
  for (const entry of walkFolder(root, (name) => typeOf(name) !== undefined)) {
    yield { url: urlOfFile(folderName, entry), entry };
  }
}

/** A file that was listed; null when it is gone, has become a link to elsewhere, or is too large. */
export function readFolderResource(path: string, entry: string, maxBytes: number): Resource | null {
  const contentType = typeOf(entry);
  const root = resolve(path);
  try {
    if (contentType === undefined || !staysInside(root, entry)) return null;
    const file = join(root, entry);
    const { size } = statSync(file);
    return size > maxBytes ? null : { status: 200, contentType, location: '', body: readFileSync(file) };
  } catch {
    return null;
  }
}

function typeOf(name: string): string | undefined {
  return TYPES[extname(name).toLowerCase()];
}
