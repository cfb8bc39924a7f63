/** The templates of all sites by rank, from what label tasks have left and the pages that are published. */
import { statSync } from 'node:fs';
import { type RankedTemplates, rankTemplates } from '../study/rank-templates.ts';
import type { Database } from './database.ts';
import { readSequenceParts } from './sequence-part.ts';

/** What tasks have gathered of all sites is held when it is no larger than this, else read again. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;

/** Whether the templates of all sites are few enough to be held. */
export function areHeld(files: readonly string[]): boolean {
  return files.reduce((sum, file) => sum + statSync(file).size, 0) <= MOST_HELD_BYTES;
}

/**
 * The templates of one site after another, detectors by name; to be gone through more than once. The view of pages
 * must be there.
 */
export async function rankSites(
  database: Database,
  files: readonly string[],
): Promise<Iterable<RankedTemplates>> {
  const repeats = await readRepeats(database);
  function* rankAll(): Generator<RankedTemplates> {
    for (const site of readSequenceParts(files)) {
      site.sort((a, b) => (a.detector < b.detector ? -1 : 1));
      for (const part of site) yield rankTemplates(part, repeats);
    }
  }
  return areHeld(files) ? [...rankAll()] : { [Symbol.iterator]: rankAll };
}

/** Pages of URLs that were captured several times, by a number of the URL. */
type Repeats = ReadonlyMap<number, number>;

/** Pages whose URL was captured several times, each with the first of them. Two numbers each, all at once. */
async function readRepeats(database: Database): Promise<Repeats> {
  const repeats = new Map<number, number>();
  const rows = database.numbers(
    `SELECT page, first_page FROM pages JOIN (
       SELECT site, url, min(page) AS first_page FROM pages GROUP BY ALL HAVING count(*) > 1) USING (site, url)`,
  );
  for await (const { columns, rowCount } of rows) {
    const [pages, firsts] = columns;
    for (let row = 0; row < rowCount; row++) repeats.set(pages[row], firsts[row]);
  }
  return repeats;
}
