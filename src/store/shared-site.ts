/** A site whose pages lie in several tasks, from what those have left and from its pages that are published. */
import { urlHash } from '../compare/url-hash.ts';
import { PageKeys } from '../model/page-key.ts';
import { SiteStudy } from '../study/site-study.ts';
import { ColumnBuffer, type Schema } from './column-buffer.ts';
import { type Database, quote, quoteList } from './database.ts';
import { readSequenceParts } from './sequence-part.ts';

const HASH_SCHEMA = { page: 'UINTEGER', hash: 'UBIGINT' } as const satisfies Schema;

export interface SharedSiteSources {
  site: string;
  /** What its tasks have gathered, and the tables of their pages, in order. */
  sequenceFiles: readonly string[];
  pageFiles: readonly string[];
}

/** All that is told of a site; undefined when no page of it has a template. */
export async function readSharedSite(
  database: Database,
  { site, sequenceFiles, pageFiles }: SharedSiteSources,
): Promise<SiteStudy | undefined> {
  const gathered = readSequenceParts(sequenceFiles, site);
  if (gathered.length === 0) return undefined;
  await database.run(
    `CREATE OR REPLACE VIEW site_pages AS
     SELECT page, url FROM read_parquet(${quoteList(pageFiles)}) WHERE site = ${quote(site)}`,
  );
  const study = new SiteStudy(gathered, await readRepeats(database));
  const rows = database.batches<{ page: number; url: string }>('FROM site_pages ORDER BY page');
  for await (const batch of rows) for (const { page, url } of batch) study.addUrl(page, url);
  return study;
}

/** Pages whose URL was captured several times, each with the first of them. Two numbers each, all at once. */
async function readRepeats(database: Database): Promise<Map<number, number>> {
  const repeats = new Map<number, number>();
  await makePageHashes(database);
  const rows = database.numbers(
    `SELECT page, first_page FROM page_hashes JOIN (
       SELECT hash, min(page) AS first_page FROM page_hashes GROUP BY hash HAVING count(*) > 1) USING (hash)`,
  );
  for await (const { columns, rowCount } of rows) {
    const [pages, firsts] = columns;
    for (let row = 0; row < rowCount; row++) repeats.set(pages[row], firsts[row]);
  }
  await database.run('DROP TABLE page_hashes');
  return repeats;
}

/** The keys of all URLs as numbers in a table, which goes to disk when there are too many. */
async function makePageHashes(database: Database): Promise<void> {
  const hashes = new ColumnBuffer(HASH_SCHEMA);
  const keys = new PageKeys();
  await database.run('DROP TABLE IF EXISTS page_hashes');
  await hashes.toTable(database, 'page_hashes');
  // rows are written by one connection while another reads those that follow
  const writer = await database.connect();
  try {
    const rows = database.batches<{ page: number; url: string }>('FROM site_pages ORDER BY page');
    for await (const batch of rows) {
      for (const { page, url } of batch) hashes.add(page, urlHash(keys.of(url)));
      await hashes.appendTo(writer, 'page_hashes');
      hashes.clear();
    }
  } finally {
    writer.closeSync();
  }
}
