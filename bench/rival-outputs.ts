/**
 * What rivals made of gold pages, kept in a folder: theirs are the slow ones, and scoring ours again should take
 * seconds. A file per rival, version and set, a JSON line per page, so that a run that was stopped goes on where
 * it was. The folder must not be in the repository: it holds the pages' texts.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Extracted, Rival } from './extractor-rivals.ts';
import type { GoldPage } from './gold-pages.ts';

export interface RivalOutput extends Extracted {
  url: string;
}

export interface RivalOutputOptions {
  cache: string;
  /** Of those that were not in the cache. */
  onPage?: (done: number, missing: number) => void;
}

/** The rival's output for every page, from the cache as far as that goes. */
export async function rivalOutputs(
  rival: Rival,
  set: string,
  pages: readonly GoldPage[],
  { cache, onPage }: RivalOutputOptions,
): Promise<RivalOutput[]> {
  const folder = join(cache, `${rival.name}-${rival.version}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${set}.jsonl`);
  const known = readCache(file);
  const missing = pages.filter(({ row }) => !known.has(row.url));
  if (missing.length > 0) {
    // after a line that was cut short
    if (known.size > 0) appendFileSync(file, '\n');
    const running = await rival.start();
    try {
      for (const [done, page] of missing.entries()) {
        const output = { url: page.row.url, ...(await running.extract(page)) };
        known.set(output.url, output);
        appendFileSync(file, `${JSON.stringify(output)}\n`);
        onPage?.(done + 1, missing.length);
      }
    } finally {
      running.stop();
    }
  }
  return pages.map(({ row }) => known.get(row.url)!);
}

/** By URL; lines that are cut short are left out. */
function readCache(file: string): Map<string, RivalOutput> {
  const known = new Map<string, RivalOutput>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (line === '') continue;
    try {
      const output = JSON.parse(line) as RivalOutput;
      known.set(output.url, output);
    } catch {}
  }
  return known;
}
