/**
 * Writes shared fragments as files, and pages that include them, for server-side includes, edge-side includes
 * and Nunjucks; and chooses the names of their files (`PagePaths`). Two passes over the pages: one counts,
 * one writes. Memory: the chosen fragments, one page, and a number for the name of each page.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNumber } from '../../model/check-option.ts';
import { makeFolder } from '../../model/make-folder.ts';
import type { FragmentResult } from '../shared-page.ts';
import { INCLUDE_STYLES, type IncludeStyle } from './include-syntax.ts';
import { originalBytes } from './rebuild-pages.ts';
import { siteFiles } from './site-files.ts';
import { type StyleSummary, StyleWriter } from './style-writer.ts';

/** Options of `writeIncludes`. */
export interface IncludesOptions {
  /** Folder in which a folder for each style is created; it must be new, empty, or made by an earlier run. */
  folder: string;
  /** @default all */
  styles?: readonly IncludeStyle[];
  /** Cost of one include besides the bytes of its tag, in bytes; from 0. @default 256 */
  includeCostBytes?: number;
}

/** Result of `writeIncludes`. */
export interface IncludesSummary {
  folder: string;
  styles: StyleSummary[];
}

/** Default cost of one include besides its tag, in bytes. */
export const DEFAULT_INCLUDE_COST_BYTES = 256;

/** File that marks a folder as written by an earlier run. */
const MARKER = 'chaff-includes.json';

/** Writes the shared fragments and pages of a result in every requested style. */
export async function writeIncludes(
  result: FragmentResult,
  { folder, styles = INCLUDE_STYLES, includeCostBytes = DEFAULT_INCLUDE_COST_BYTES }: IncludesOptions,
): Promise<IncludesSummary> {
  for (const style of styles) {
    if (!INCLUDE_STYLES.includes(style)) {
      throw new RangeError(`styles must be of ${INCLUDE_STYLES.join(', ')}, not "${style}"`);
    }
  }
  checkNumber('includeCostBytes', includeCostBytes, { min: 0 });
  openFolder(folder);
  const membersOf = new Map(result.classes.map(({ id, members }) => [id, members]));
  const writers = styles.map(
    (style) =>
      new StyleWriter(style, { folder: join(folder, style), costBytes: includeCostBytes, membersOf }),
  );
  await result.visitPages((shared) => {
    const original = originalBytes(shared.page);
    for (const writer of writers) writer.count(shared, original);
  });
  for (const writer of writers) writer.choose();

  const paths = new PagePaths();
  const hosts = new Set<string>();
  await result.visitPages((shared) => {
    const original = originalBytes(shared.page);
    const path = paths.pathOf(shared.page.url, shared.number);
    if (hosts.size < MAX_NAMED_HOSTS) hosts.add(path.slice(0, path.indexOf('/')));
    for (const writer of writers) writer.write(shared, original, path);
  });
  for (const { summary, charsets } of writers) {
    const below = join(folder, summary.style);
    for (const [name, text] of siteFiles(summary.style, [...hosts], [...charsets].sort())) {
      writeFileSync(join(below, name), text);
    }
  }
  return { folder, styles: writers.map(({ summary }) => summary) };
}

/** Maximum number of hosts in a configuration. */
const MAX_NAMED_HOSTS = 20;

/** Throws when a folder has files that an earlier run did not write. */
export function checkIncludesFolder(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, MARKER))) return;
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  if (readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty and was not written by an earlier run; name another folder`);
  }
}

/** Creates the folder, or deletes the files that an earlier run wrote into it. */
function openFolder(folder: string): void {
  checkIncludesFolder(folder);
  makeFolder(folder);
  writeFileSync(join(folder, MARKER), `${JSON.stringify({ layout: 1, styles: INCLUDE_STYLES })}\n`);
  for (const style of INCLUDE_STYLES) rmSync(join(folder, style), { recursive: true, force: true });
}

const MAX_SEGMENT = 100;
const MAX_PATH = 800;
const MAX_SEGMENTS = 40;

/**
 * Chooses the names of files for pages from their URLs: host, path, query. Every byte outside [A-Za-z0-9._-]
 * is percent-encoded, no segment is `.` or `..` or starts with a dot, and a long segment ends in a hash.
 * Files end in `.html` or `.htm` and folders never do, so the file of a page never blocks the folder of pages
 * below it. Names that are equal or differ only in case get a hash. `~` marks changes and occurs in no other
 * name.
 *
 * Cost: one number per page, to know which names are used.
 */
export class PagePaths {
  readonly #taken = new Set<number>();

  /** Returns the path of a page, with `/` between segments; `number` distinguishes captures of one URL. */
  pathOf(url: string, number: number): string {
    const path = plainPath(url);
    if (this.#take(path)) return path;
    for (let round = 0; ; round++) {
      const other = path.replace(/(\.html?)$/i, `~${digest(`${url}\n${number}\n${round}`)}$1`);
      if (this.#take(other)) return other;
    }
  }

  /** Reserves a path. A false match of the 48 hash bits only gives one of two pages a longer name. */
  #take(path: string): boolean {
    const key = Number.parseInt(digest(path.toLowerCase()), 16);
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}

function plainPath(url: string): string {
  const [, host, path, query] =
    /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?/is.exec(url) ?? [];
  const folders = (path ?? '').split('/');
  const file = `${folders.pop()}${query ?? ''}`;
  const segments = [folderSegment((host ?? '').toLowerCase() || 'no-host')];
  for (const folder of folders) if (folder !== '') segments.push(folderSegment(folder));
  segments.push(fileName(file));
  const whole = segments.join('/');
  if (whole.length <= MAX_PATH && segments.length <= MAX_SEGMENTS) return whole;
  return `${segments[0]}/long~${digest(url)}.html`;
}

function fileName(file: string): string {
  if (file === '') return 'index.html';
  if (file.startsWith('?')) return fileName(`index${file}`);
  const encoded = encodeSegment(file);
  const [, stem, extension] = /^(.*?)(\.html?)?$/is.exec(encoded) ?? [];
  return `${safeSegment(stem)}${extension ?? '.html'}`;
}

/** Returns the name of a folder; it never ends like the name of a page's file. */
function folderSegment(segment: string): string {
  const safe = safeSegment(encodeSegment(segment));
  return /\.html?$/i.test(safe) ? `${safe}~` : safe;
}

/**
 * Percent-encodes a segment. Allowed bytes stay; `%` itself is encoded, because `a%2Fb` and `a/b` are two
 * pages.
 */
function encodeSegment(segment: string): string {
  let out = '';
  for (const byte of Buffer.from(segment)) {
    out += SAFE[byte] ?? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

const SAFE: (string | undefined)[] = [];
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-') {
  SAFE[letter.charCodeAt(0)] = letter;
}

/**
 * Makes a segment safe: no dots at either end, no reserved name of a system or site generator, not too long.
 */
function safeSegment(segment: string): string {
  // without the look-behind, each dot of a long run would start a search for the end of the run
  let safe = segment.replace(/^\.+|(?<!\.)\.+$/g, (dots) => '%2E'.repeat(dots.length));
  if (/^(?:node_modules|con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(safe) || safe === '') {
    safe = `${safe}~`;
  }
  if (safe.length <= MAX_SEGMENT) return safe;
  return `${safe.slice(0, MAX_SEGMENT - 13)}~${digest(safe)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
