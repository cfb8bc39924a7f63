/**
 * What rivals made of gold pages, kept in a folder: theirs are the slow ones, and scoring ours again should take
 * seconds. A file per rival, version and set, a JSON line per page in the order of the pages, so that a run that
 * was stopped goes on where it was. The folder must not be in the repository: it holds the pages' texts.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Extracted, Rival } from './extractor-rivals.ts';
import type { GoldPage } from './gold-pages.ts';

export interface RivalOutput extends Extracted {
  url: string;
}

export interface RivalOutputOptions {
  cache: string;
  onPage?: (done: number) => void;
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
  const outputs = readCache(file, pages);
  if (outputs.length === pages.length) return outputs;
  // a last line cut short is written anew
  writeFileSync(file, outputs.map((output) => `${JSON.stringify(output)}\n`).join(''));
  const running = await rival.start();
  try {
    for (const page of pages.slice(outputs.length)) {
      const output = { url: page.row.url, ...(await running.extract(page)) };
      outputs.push(output);
      appendFileSync(file, `${JSON.stringify(output)}\n`);
      onPage?.(outputs.length);
    }
  } finally {
    running.stop();
  }
  return outputs;
}

/** The cached lines that stand for the first of the pages. */
function readCache(file: string, pages: readonly GoldPage[]): RivalOutput[] {
  const outputs: RivalOutput[] = [];
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    try {
      const output = JSON.parse(line) as RivalOutput;
      if (output.url !== pages[outputs.length]?.row.url) break;
      outputs.push(output);
    } catch {
      break;
    }
  }
  return outputs;
}
