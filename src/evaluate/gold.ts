/**
 * Reads gold: page content as labelled by people. One JSON row per page has the `url` and `time` of the capture and
 * the labels that the set provides (docs/reference/gold-rows.md has the format). A bad row is reported with its line and
 * left out; the others are read.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type BlockLabels, parseBlockLabels } from '../detect/joint/label-blocks.ts';
import type { Problem } from '../model/problem.ts';

/** A part of the page's text with the class that a person gave it; blocks are in document order. */
export interface GoldBlock {
  label: BlockLabel;
  text: string;
}

/** Names of the classes of blocks. */
export const BLOCK_LABELS = [
  'boilerplate',
  'headline',
  'full text',
  'supplemental',
  'related',
  'comments',
] as const;
/** Index into BLOCK_LABELS. */
export type BlockLabel = 0 | 1 | 2 | 3 | 4 | 5;

/** Labels of one page. */
export interface GoldRow {
  /** URL of the capture, exactly as in the archive. */
  url: string;
  /** Time of the labelled capture, ISO 8601; when absent, the earliest capture of the URL. */
  time?: string;
  site: string;
  set: string;
  /** The main content. */
  text?: string;
  /** Snippets and attribute values that the output must have. */
  keep: string[];
  /** Those of `keep` that are attribute values, such as a price, when the row has attributes. */
  values?: string[];
  /** Snippets that the output must not have. */
  drop: string[];
  /** Text nodes of the page with their classes. */
  blocks?: GoldBlock[];
  /** Classes of all text blocks of the page, set by reading. */
  labels?: BlockLabels;
  /** Readers' comments, which are not part of `text`. */
  comments?: string;
  lang?: string;
  type?: string;
  /** Metadata from the source; several authors are separated by `; `. */
  about?: { title?: string; author?: string; published?: string };
}

/** Rows of a gold file and the problems found in it. */
export interface Gold {
  rows: GoldRow[];
  problems: Problem[];
}

/** Reads the gold rows of a JSONL file. Throws only when the file cannot be read. */
export async function readGold(path: string): Promise<Gold> {
  return parseGold(await readFile(path), path);
}

/** Parses gold rows like `readGold`, from bytes in memory. */
export function parseGold(bytes: Uint8Array, file: string): Gold {
  const decoder = new TextDecoder();
  const rows: GoldRow[] = [];
  const problems: Problem[] = [];
  const lineOf = new Map<string, number>();
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const text = decoder.decode(bytes.subarray(start, end)).trim();
    const offset = start;
    start = end + 1;
    if (text === '') continue;
    try {
      const row = toGoldRow(JSON.parse(text));
      const name = goldName(row);
      const earlier = lineOf.get(name);
      if (earlier !== undefined) throw new TypeError(`url already on line ${earlier}`);
      lineOf.set(name, line);
      rows.push(row);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push({ code: 'bad-row', file, offset, message: `line ${line} left out: ${reason}` });
    }
  }
  return { rows, problems };
}

/** Returns a key that is equal for all rows of one capture. */
export function goldName({ url, time = '' }: Pick<GoldRow, 'url' | 'time'>): string {
  return `${url} ${time}`;
}

function toGoldRow(value: unknown): GoldRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('a gold row must be an object');
  }
  const fields = value as Record<string, unknown>;
  const url = optionalText(fields, 'url');
  if (!url) throw new TypeError('url must be a non-empty text');
  const values = attributeValues(fields.attributes);
  const keep = new Set([...textList(fields, 'keep'), ...values]);
  const row: GoldRow = {
    url,
    site: optionalText(fields, 'site') ?? '',
    set: optionalText(fields, 'set') ?? '',
    keep: [...keep].filter((snippet) => snippet.trim() !== ''),
    drop: textList(fields, 'drop').filter((snippet) => snippet.trim() !== ''),
  };
  if (values.length > 0) row.values = values;
  for (const name of ['text', 'comments', 'lang', 'type'] as const) {
    const text = optionalText(fields, name);
    if (text !== undefined) row[name] = text;
  }
  const about = aboutOf(fields);
  if (about) row.about = about;
  const time = optionalText(fields, 'time');
  if (time !== undefined) row.time = toTime(time);
  if (fields.blocks !== undefined && fields.blocks !== null) row.blocks = toBlocks(fields.blocks);
  if (fields.labels !== undefined && fields.labels !== null) row.labels = parseBlockLabels(fields.labels);
  return row;
}

function aboutOf(fields: Record<string, unknown>): GoldRow['about'] {
  const { author } = fields;
  const about: GoldRow['about'] = {
    title: optionalText(fields, 'title'),
    author: isTextList(author) ? author.join('; ') : optionalText(fields, 'author'),
    published: optionalText(fields, 'published'),
  };
  return Object.values(about).some((value) => value !== undefined) ? about : undefined;
}

/** Accepts ISO 8601, or the 14 digits of an index. */
function toTime(text: string): string {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');
  if (Number.isNaN(Date.parse(iso))) throw new TypeError(`time must be ISO 8601 or 14 digits, not "${text}"`);
  return iso;
}

function optionalText(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new TypeError(`${name} must be a text`);
  return value;
}

function textList(fields: Record<string, unknown>, name: string): string[] {
  const value = fields[name];
  if (value === undefined || value === null) return [];
  if (!isTextList(value)) throw new TypeError(`${name} must be a list of texts`);
  return value;
}

function attributeValues(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('attributes must be an object');
  return Object.values(value).flatMap((values) => {
    if (typeof values === 'string') return [values];
    if (isTextList(values)) return values;
    throw new TypeError('attributes must hold texts or lists of texts');
  });
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function toBlocks(value: unknown): GoldBlock[] {
  if (!Array.isArray(value)) throw new TypeError('blocks must be a list of [label, text]');
  return value.map((block) => {
    const [label, text] = Array.isArray(block) ? block : [];
    if (!Number.isInteger(label) || !(label in BLOCK_LABELS) || typeof text !== 'string') {
      throw new TypeError(`blocks must be [label from 0 to ${BLOCK_LABELS.length - 1}, text]`);
    }
    return { label: label as BlockLabel, text };
  });
}

/**
 * One of two halves of the hosts of a corpus: settings are chosen on the even half, figures are reported for the
 * odd half. The half depends only on the name of the host, so that all its pages are in one half, whatever else is
 * in the corpus.
 */
export type HostHalf = 'even' | 'odd';

/** Returns the half of a site (a host as from `siteOf`): whether the first byte of its SHA-256 is even or odd. */
export function hostHalf(site: string): HostHalf {
  return createHash('sha256').update(site).digest()[0] % 2 === 0 ? 'even' : 'odd';
}

/**
 * The digest identifies the corpus on which figures were measured. It covers only the decompressed bytes of files,
 * so that compressing, renaming or reordering files does not change it, and any change of a page or a gold row
 * does.
 */

/** Returns the digest of files and of all files in folders. */
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
