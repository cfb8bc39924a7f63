/**
 * Shared fragments as files and pages that include them, for server-side includes, edge-side includes and
 * Nunjucks. Two passes over the pages: one counts, one writes. Memory: what is chosen, one page, and a number
 * for each page's name.
 */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../model/make-folder.ts';
import type { FragmentResult } from '../shared-page.ts';
import { INCLUDE_STYLES, type IncludeStyle } from './include-syntax.ts';
import { originalBytes } from './original-bytes.ts';
import { PagePaths } from './page-path.ts';
import { siteFiles } from './site-files.ts';
import { type StyleSummary, StyleWriter } from './style-writer.ts';

export interface IncludesOptions {
  /** Where a folder for each style is made; new, empty, or one that an earlier run made. */
  folder: string;
  /** @default all */
  styles?: readonly IncludeStyle[];
  /** What one include costs a site beside the bytes of its tag, in bytes; from 0. @default 256 */
  includeCostBytes?: number;
}

export interface IncludesSummary {
  folder: string;
  styles: StyleSummary[];
}

export const DEFAULT_INCLUDE_COST_BYTES = 256;

/** Tells a folder of ours from one that somebody needs. */
const MARKER = 'chaff-includes.json';

export async function writeIncludes(
  result: FragmentResult,
  { folder, styles = INCLUDE_STYLES, includeCostBytes = DEFAULT_INCLUDE_COST_BYTES }: IncludesOptions,
): Promise<IncludesSummary> {
  for (const style of styles) {
    if (!INCLUDE_STYLES.includes(style)) {
      throw new RangeError(`styles must be of ${INCLUDE_STYLES.join(', ')}, not "${style}"`);
    }
  }
  if (!(Number.isFinite(includeCostBytes) && includeCostBytes >= 0)) {
    throw new RangeError(`includeCostBytes must be a number from 0, not ${includeCostBytes}`);
  }
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

/** Hosts that a configuration is written for. */
const MAX_NAMED_HOSTS = 20;

/** Throws when a folder holds somebody else's files. */
export function checkIncludesFolder(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, MARKER))) return;
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  if (readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty and holds no includes of an earlier run; name another folder`);
  }
}

/** Makes the folder, or clears what an earlier run wrote into it. */
function openFolder(folder: string): void {
  checkIncludesFolder(folder);
  makeFolder(folder);
  writeFileSync(join(folder, MARKER), `${JSON.stringify({ layout: 1, styles: INCLUDE_STYLES })}\n`);
  for (const style of INCLUDE_STYLES) rmSync(join(folder, style), { recursive: true, force: true });
}
