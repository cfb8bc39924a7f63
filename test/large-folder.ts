/**
 * An output folder of very many pages of one site: the report of a small generated archive, whose rows are repeated with other
 * page numbers and URLs.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { Database, quote } from '../src/store/database.ts';
import { chaff } from './command-line.ts';

export async function makeLargeFolder(
  scratch: string,
  { pages, pagesPerSite = 500 }: { pages: number; pagesPerSite?: number },
): Promise<string> {
  const { warc } = await writeSampleArchive(scratch, { sites: 1, pagesPerSite, generations: 2, captures: 2 });
  const small = join(scratch, 'small.chaff');
  await chaff(['report', warc, '-o', small, '-q']);
  const big = join(scratch, 'big.chaff');
  for (const kind of ['pages', 'ranges', 'templates', 'study'])
    mkdirSync(join(big, kind), { recursive: true });
  const database = await Database.open({ memoryMb: 4096, threads: 2, spillFolder: join(scratch, 'spill') });
  const read = (name: string) => `read_parquet(${quote(join(small, name))})`;
  const write = (sql: string, name: string) =>
    database.run(`COPY (${sql}) TO ${quote(join(big, name))} (FORMAT parquet, COMPRESSION zstd)`);
  try {
    await database.run(
      `CREATE TABLE own AS SELECT *, (row_number() OVER (ORDER BY page) - 1)::UINTEGER AS k FROM ${read('pages/*.parquet')}`,
    );
    const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM own');
    const copies = Math.ceil(pages / n);
    await database.run(`CREATE TABLE copies AS SELECT unnest(range(${copies}))::UINTEGER AS c`);
    const number = `(c * ${n} + k + 1)::UINTEGER`;
    const repeated = (rows: string) =>
      `SELECT r.* REPLACE (${number} AS page) FROM ${rows} r JOIN (SELECT page, k FROM own) USING (page), copies
       WHERE ${number} <= ${pages}`;
    await write(
      `SELECT * EXCLUDE (k, c) REPLACE (${number} AS page, url || '?copy=' || c AS url, url_key || '?copy=' || c AS url_key)
       FROM own, copies WHERE ${number} <= ${pages} ORDER BY page`,
      'pages/part.parquet',
    );
    await write(
      `${repeated(read('ranges/*.parquet'))} ORDER BY page, detector, "start"`,
      'ranges/part.parquet',
    );
    await write(
      `${repeated(read('study/page_schemas.parquet'))} ORDER BY page`,
      'study/page_schemas.parquet',
    );
    for (const name of ['templates/part.parquet', 'study/schemas.parquet']) {
      const from = name.replace('part', '*');
      await write(`SELECT * REPLACE ((pages * ${copies})::UINTEGER AS pages) FROM ${read(from)}`, name);
    }
  } finally {
    database.close();
  }
  const run = JSON.parse(readFileSync(join(small, 'run.json'), 'utf8'));
  run.counts.pages = pages;
  writeFileSync(join(big, 'run.json'), JSON.stringify(run));
  cpSync(join(small, 'problems.jsonl'), join(big, 'problems.jsonl'));
  return big;
}
