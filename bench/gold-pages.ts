/** Gold sets for benchmarks: `<set>.jsonl` beside `<set>.warc.gz`, and the pages that their rows name. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bottomK } from '../src/detect/sample.ts';
import { type GoldRow, hostHalf, readGold } from '../src/evaluate/gold.ts';
import type { Page } from '../src/model/page.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { readPages } from '../src/read/read-captures.ts';

/** Files of a gold set. */
export interface GoldSet {
  name: string;
  archive: string;
  gold: string;
}

/** A page with its gold row. */
export interface GoldPage {
  row: GoldRow;
  page: Page;
  html: string;
}

/** Returns the sets of the named folders or files, by default those in `gold` of the folder CHAFF_DATA. */
export function findGoldSets(names: string[]): GoldSet[] {
  const { CHAFF_DATA } = process.env;
  const given = names.length > 0 || CHAFF_DATA === undefined ? names : [join(CHAFF_DATA, 'gold')];
  const files = given.flatMap((name) =>
    existsSync(name) && statSync(name).isDirectory()
      ? readdirSync(name)
          .filter((file) => file.endsWith('.jsonl'))
          .sort()
          .map((file) => join(name, file))
      : [name.replace(/\.warc\.gz$/, '.jsonl')],
  );
  const sets = files.map((gold) => {
    const archive = gold.replace(/\.jsonl$/, '.warc.gz');
    return { name: /([^/\\]+)\.jsonl$/.exec(gold)?.[1] ?? gold, gold, archive };
  });
  const missing = sets.flatMap(({ gold, archive }) => [gold, archive]).filter((file) => !existsSync(file));
  if (sets.length > 0 && missing.length === 0) return sets;
  const what = missing.length > 0 ? `there is no ${missing.join(', ')}` : 'no gold was found';
  console.error(`${what}: name gold files (.jsonl beside .warc.gz), a folder of them, or set CHAFF_DATA`);
  return process.exit(2);
}

/**
 * Returns the pages of a set that have gold, decoded, in the order of the rows; the earliest of several
 * captures.
 */
export async function readGoldPages({ gold, archive }: GoldSet): Promise<GoldPage[]> {
  const { rows } = await readGold(gold);
  const wanted = new Set(rows.map(({ url }) => url));
  const pages = new Map<string, Page>();
  const { inputs } = await openInputs([archive]);
  try {
    for (const input of inputs) {
      for (const event of readPages(input)) {
        if (event.kind !== 'page' || !wanted.has(event.page.url)) continue;
        const { page } = event;
        const known = pages.get(page.url);
        if (!known || page.time < known.time) pages.set(page.url, { ...page, source: page.source.slice() });
      }
    }
  } finally {
    closeInputs(inputs);
  }
  return rows.flatMap((row) => {
    const page = pages.get(row.url);
    return page ? [{ row, page, html: Buffer.from(page.source).toString('utf8') }] : [];
  });
}

/** Options of `drawGoldPages`. */
export interface DrawOptions {
  /** Maximum number of pages of the set. */
  pages: number;
  /** `odd` and `even` for hosts of one half, `all` for all hosts. */
  half: string;
}

/** Returns a seeded sample of the pages that have gold text or blocks. */
export async function drawGoldPages(set: GoldSet, { pages, half }: DrawOptions): Promise<GoldPage[]> {
  const chosen = (await readGoldPages(set)).filter(
    ({ row, page }) =>
      (row.text !== undefined || row.blocks !== undefined) &&
      (half === 'all' || hostHalf(page.site) === half),
  );
  const byUrl = new Map(chosen.map((one) => [one.row.url, one]));
  const drawn = bottomK(
    chosen.map(({ page }) => page),
    pages,
  );
  return drawn.map(({ url }) => byUrl.get(url)!);
}
