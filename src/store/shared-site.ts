/** A site whose pages lie in several tasks, from what those have left and from its pages that are published. */
import { SiteStudy } from '../study/site-study.ts';
import { type Database, quote, quoteFiles } from './database.ts';
import { readSequenceParts } from './sequence-part.ts';

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
     SELECT page, url, url_key, time FROM read_parquet(${quoteFiles(pageFiles)}) WHERE site = ${quote(site)}`,
  );
  const { repeats, older } = await readRepeats(database);
  const study = new SiteStudy(gathered, repeats, older);
  const rows = database.batches<{ page: number; url: string }>(
    'SELECT page, url FROM site_pages ORDER BY page',
  );
  for await (const batch of rows) for (const { page, url } of batch) study.addUrl(page, url);
  return study;
}

interface Repeats {
  /** Captures of pages that were captured several times, each with the first one. */
  repeats: Map<number, number>;
  /** Those of them that a later one follows. */
  older: Set<number>;
}

/** Two numbers a capture, all at once. */
async function readRepeats(database: Database): Promise<Repeats> {
  const older = new Set<number>();
  const repeats = new Map<number, number>();
  // hashes in a table, which goes to disk when there are too many
  await database.run(
    'CREATE OR REPLACE TABLE page_hashes AS SELECT page, hash(url_key) AS hash, time FROM site_pages',
  );
  const rows = database.numbers(
    `SELECT page, first_page, (page <> latest)::UTINYINT FROM page_hashes JOIN (
       SELECT hash, min(page) AS first_page, arg_max(page, time || lpad(page::VARCHAR, 10, '0')) AS latest
       FROM page_hashes GROUP BY hash HAVING count(*) > 1) USING (hash)`,
  );
  for await (const { columns, rowCount } of rows) {
    const [pages, firsts, isOlder] = columns;
    for (let row = 0; row < rowCount; row++) {
      repeats.set(pages[row], firsts[row]);
      if (isOlder[row] === 1) older.add(pages[row]);
    }
  }
  await database.run('DROP TABLE page_hashes');
  return { repeats, older };
}
