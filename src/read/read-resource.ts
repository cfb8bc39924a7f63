/**
 * Reads the resources that a page is displayed with: stylesheets, images and fonts. The HTTP status and
 * headers decide their type; bodies are decoded from their transfer and content encodings and left as they
 * are.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { staysInside, urlOfFile, walkFolder } from './folder.ts';
import { decodeRecord } from './make-page.ts';
import type { Input, RecordLocation } from './raw-record.ts';
import { recordAt } from './read-captures.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';

/** A resource of a page, as it was served. */
export interface Resource {
  status: number;
  /** Content type with its parameters; empty if undeclared. */
  contentType: string;
  /** Target of a redirect, as written; empty for other responses. */
  location: string;
  body: Uint8Array;
}

/**
 * Reads the resource at a location that `surveyInput` returned; null if it cannot be read completely within
 * the limits.
 */
export function readResourceAt(
  input: Input,
  location: RecordLocation,
  options: ReadOptions = {},
): Resource | null {
  const checked = checkReadOptions(options);
  const record = recordAt(input, location, checked);
  if (record === null || record.kind === 'revisit' || record.exceeded) return null;
  const decoded = decodeRecord(input, record, checked);
  if (decoded === null || decoded.body.length > checked.limits.pageBytes) return null;
  return {
    ...decoded,
    location: decoded.status >= 300 && decoded.status < 400 ? locationOf(record.block) : '',
  };
}

/** Longest head that is searched for a Location header, in bytes. */
const MAX_HEAD_BYTES = 64 * 1024;

function locationOf(block: Uint8Array): string {
  const bytes = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, MAX_HEAD_BYTES));
  const head = bytes.toString('latin1').split(/\r?\n\r?\n/, 1)[0];
  return /^location[ \t]*:[ \t]*(.*?)[ \t]*$/im.exec(head)?.[1] ?? '';
}

/** Media types of resource files, by extension. */
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

/** Yields the resources in a folder; URLs are those of `urlOfFile`. */
export function* listFolderResources(path: string): Generator<{ url: string; entry: string }> {
  const root = resolve(path);
  const folderName = basename(realpathSync(root));
  for (const entry of walkFolder(root, (name) => typeOf(name) !== undefined)) {
    yield { url: urlOfFile(folderName, entry), entry };
  }
}

/** Reads a listed file; null if it is missing, has become a link to elsewhere, or is too large. */
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
