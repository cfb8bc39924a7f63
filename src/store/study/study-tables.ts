/**
 * Tables that queries cannot make: whole templates put together from their parts, and the schemas of sites. The
 * ranges of all pages are read once, in order, as columns of numbers; one site and detector is held at a time, pages
 * with the same templates as one. Where every page has templates of its own there are as many schemas as pages: they
 * go to the database as they are found, and meet the patterns of their URLs there.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { aggregateTemplates } from '../../study/aggregate-templates.ts';
import { findSchemas } from '../../study/schemas.ts';
import { SequenceCollector, type TemplateSequences } from '../../study/template-sequences.ts';
import { urlPattern } from '../../study/url-pattern.ts';
import { ColumnBuffer, copyToParquet, type Schema } from '../column-buffer.ts';
import { type Database, quote } from '../database.ts';
import { PassingTable } from '../passing-table.ts';

/** Whole templates of a site that are worth a row; the paper's curves end at thirty. */
const MOST_AGGREGATES = 1000;
/** A schema of fewer pages, and of less than this share of the site's, is an outlier. */
const OUTLIER_PAGES = 3;
const OUTLIER_SHARE = 0.005;
/** URLs that a pattern is made of. */
const PATTERN_URLS = 200;

const AGGREGATE_SCHEMA = {
  site: 'VARCHAR',
  detector: 'WORD',
  aggregate: 'UINTEGER',
  templates: 'VARCHAR',
  hashes: 'UINTEGER',
  pages: 'UINTEGER',
  occurrences: 'BIGINT',
  total_bytes: 'BIGINT',
  covered_bytes: 'BIGINT',
  all_bytes: 'BIGINT',
  hashes_so_far: 'UINTEGER',
} as const satisfies Schema;

/** Schemas before the URLs of their pages are looked at, in order. */
const FOUND_SCHEMA = {
  place: 'UINTEGER',
  site: 'VARCHAR',
  detector: 'VARCHAR',
  schema: 'UINTEGER',
  pages: 'UINTEGER',
  share: 'FLOAT',
  typical_page: 'UINTEGER',
  templates: 'VARCHAR',
  outlier: 'BOOLEAN',
} as const satisfies Schema;

const PATTERN_SCHEMA = {
  site: 'VARCHAR',
  detector: 'VARCHAR',
  schema: 'UINTEGER',
  pattern: 'VARCHAR',
} as const satisfies Schema;

const PAGE_SCHEMA_SCHEMA = {
  page: 'UINTEGER',
  detector: 'WORD',
  schema: 'UINTEGER',
  likeness: 'FLOAT',
} as const satisfies Schema;

export interface StudyFiles {
  aggregates: string;
  schemas: string;
  pageSchemas: string;
}

/** Writes the tables from the tables `pages`, `ranges` and `templates` of the database. */
export async function writeStudyTables(
  database: Database,
  { detectors, files }: { detectors: readonly string[]; files: StudyFiles },
): Promise<void> {
  const aggregates = new ColumnBuffer(AGGREGATE_SCHEMA);
  const pageSchemas = new ColumnBuffer(PAGE_SCHEMA_SCHEMA);
  // rows are written by one connection while another reads those that follow
  const writer = await database.connect();
  try {
    const schemas = new PassingTable(writer, 'found_schemas', FOUND_SCHEMA);
    await schemas.create();
    const met: string[] = []; // detectors with templates
    for (const detector of detectors) {
      for await (const site of sitesOf(database, detector)) {
        const sequences = site.collector.finish();
        if (met.at(-1) !== detector) met.push(detector);
        addAggregates(aggregates, site, sequences);
        await addSchemas({ schemas, pageSchemas }, site, sequences);
      }
    }
    await schemas.flush();
    await pageSchemas.toTable(database, 'found_page_schemas');
    await makePatterns(database, writer);
    await writeSchemas(database, met, files.schemas);
  } finally {
    writer.closeSync();
  }
  await aggregates.toParquet(database, files.aggregates, {
    select: `* REPLACE (string_split(templates, ' ') AS templates), (covered_bytes / all_bytes)::FLOAT AS covered_share`,
  });
  await copyToParquet(
    database,
    'FROM found_page_schemas ORDER BY page, detector::VARCHAR',
    files.pageSchemas,
  );
}

/** The pages of one site as one detector sees them. */
interface SiteSequences {
  site: string;
  detector: string;
  /** Page numbers, in order. */
  pages: number[];
  /** Ids of the templates, by their number in the sequences. */
  ids: string[];
  collector: SequenceCollector;
}

async function* sitesOf(database: Database, detector: string): AsyncGenerator<SiteSequences> {
  const names = await database.rows<{ site: string; templates: string[] }>(
    `SELECT site, list(template ORDER BY pages DESC, total_bytes DESC, template)::VARCHAR AS templates
     FROM templates WHERE detector = ${quote(detector)} GROUP BY site ORDER BY site`,
  );
  await database.run(`
    CREATE OR REPLACE TEMP TABLE numbered AS
    SELECT site, template, (row_number() OVER (PARTITION BY site ORDER BY pages DESC, total_bytes DESC, template)
      - 1)::INTEGER AS number, (dense_rank() OVER (ORDER BY site) - 1)::INTEGER AS site_number
    FROM templates WHERE detector = ${quote(detector)}`);
  const ranges = database.numbers(
    `SELECT site_number, page, number, "start", "end" - "start" AS size
     FROM ranges JOIN pages USING (page) JOIN numbered USING (site, template)
     WHERE detector = ${quote(detector)} AND label = 'template' ORDER BY page, "start"`,
  );
  let current: SiteSequences | undefined;
  let currentSite = -1;
  let page = -1;
  let templates: number[] = [];
  let offsets: number[] = [];
  let sizes: number[] = [];
  const endPage = (): void => {
    if (!current || page < 0) return;
    current.pages.push(page);
    current.collector.add(templates, offsets, sizes);
    templates = [];
    offsets = [];
    sizes = [];
  };
  for await (const { columns, rowCount } of ranges) {
    const [siteNumbers, pages, numbers, starts, sizeColumn] = columns;
    for (let row = 0; row < rowCount; row++) {
      if (pages[row] !== page) {
        endPage();
        page = pages[row];
        if (siteNumbers[row] !== currentSite) {
          if (current) yield current;
          currentSite = siteNumbers[row];
          const { site, templates: listed } = names[currentSite];
          const ids = String(listed).slice(1, -1).split(', ');
          current = { site, detector, pages: [], ids, collector: new SequenceCollector() };
        }
      }
      templates.push(numbers[row]);
      offsets.push(starts[row]);
      sizes.push(sizeColumn[row]);
    }
  }
  endPage();
  if (current) yield current;
}

function addAggregates(
  table: ColumnBuffer,
  { site, detector, ids }: SiteSequences,
  sequences: TemplateSequences,
): void {
  const allBytes = sequences.bytes.reduce((sum, bytes) => sum + bytes, 0);
  const met = new Set<number>();
  let covered = 0;
  const found = aggregateTemplates(sequences, { most: MOST_AGGREGATES });
  for (const [k, { templates, pages, occurrences, bytes }] of found.entries()) {
    covered += bytes;
    for (const template of templates) met.add(template);
    const named = templates.map((template) => ids[template]).join(' ');
    table.add(
      site,
      detector,
      k + 1,
      named,
      templates.length,
      pages,
      occurrences,
      bytes,
      covered,
      allBytes,
      met.size,
    );
  }
}

async function addSchemas(
  tables: { schemas: PassingTable; pageSchemas: ColumnBuffer },
  { site, detector, pages, ids }: SiteSequences,
  sequences: TemplateSequences,
): Promise<void> {
  const { count, start, template, sequenceOf } = sequences;
  const { schemas, numberOf, likenessOf } = findSchemas(sequences);
  const typical = new Uint32Array(count); // first page of each sequence
  for (const [k, page] of pages.entries()) {
    tables.pageSchemas.add(page, detector, numberOf[k], likenessOf[k]);
    if (sequenceOf[k] >= 0 && typical[sequenceOf[k]] === 0) typical[sequenceOf[k]] = page;
  }
  for (const { number, pages: own, leader } of schemas) {
    const place = tables.schemas.rowCount;
    const share = own / pages.length;
    const named = Array.from(template.subarray(start[leader], start[leader + 1]), (each) => ids[each]);
    const outlier = own < OUTLIER_PAGES && share < OUTLIER_SHARE;
    await tables.schemas.add(
      place,
      site,
      detector,
      number,
      own,
      share,
      typical[leader],
      named.join(' '),
      outlier,
    );
  }
}

/**
 * Makes the table `patterns`: what the URLs of each schema have in common. Of many URLs those with the smallest hashes
 * are looked at, by a heap a schema, which small ones do not need.
 */
async function makePatterns(database: Database, writer: DuckDBConnection): Promise<void> {
  const patterns = new PassingTable(writer, 'patterns', PATTERN_SCHEMA);
  await patterns.create();
  const grouped = (urls: string, size: string): string =>
    `SELECT p.site, f.detector::VARCHAR AS detector, f.schema, ${urls} AS urls
     FROM found_page_schemas f JOIN pages p USING (page)
       JOIN found_schemas s ON s.site = p.site AND s.detector = f.detector::VARCHAR AND s.schema = f.schema
     WHERE s.pages ${size} GROUP BY ALL`;
  for (const sql of [
    grouped('string_agg(url, chr(10))', `<= ${PATTERN_URLS}`),
    grouped(`array_to_string(arg_min(url, md5(url), ${PATTERN_URLS}), chr(10))`, `> ${PATTERN_URLS}`),
  ]) {
    const rows = database.batches<{ site: string; detector: string; schema: number; urls: string }>(sql);
    for await (const batch of rows) {
      for (const { site, detector, schema, urls } of batch) {
        await patterns.add(site, detector, schema, urlPattern(urls.split('\n')));
      }
    }
  }
  await patterns.flush();
}

async function writeSchemas(database: Database, detectors: readonly string[], path: string): Promise<void> {
  const words = detectors.length > 0 ? detectors : [''];
  await database.run(`CREATE TYPE schema_detector AS ENUM (${words.map(quote).join(', ')})`);
  await copyToParquet(
    database,
    `SELECT s.site, s.detector::schema_detector AS detector, s.schema, s.pages, s.share,
       coalesce(p.pattern, '') AS pattern, s.typical_page, string_split(s.templates, ' ') AS templates, s.outlier
     FROM found_schemas s LEFT JOIN patterns p
       ON p.site = s.site AND p.detector = s.detector AND p.schema = s.schema
     ORDER BY s.place`,
    path,
  );
}
