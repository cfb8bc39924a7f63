/**
 * Tables that queries cannot make: whole templates put together from their parts, and the schemas of sites. The
 * ranges of all pages are read once, in order, as columns of numbers; one site and detector is held at a time, pages
 * with the same templates as one.
 */
import { aggregateTemplates } from '../../study/aggregate-templates.ts';
import { findSchemas } from '../../study/schemas.ts';
import { SequenceCollector, type TemplateSequences } from '../../study/template-sequences.ts';
import { urlPattern } from '../../study/url-pattern.ts';
import { ColumnBuffer, copyToParquet, type Schema } from '../column-buffer.ts';
import { type Database, quote } from '../database.ts';

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

const SCHEMA_SCHEMA = {
  site: 'VARCHAR',
  detector: 'WORD',
  schema: 'UINTEGER',
  pages: 'UINTEGER',
  share: 'FLOAT',
  pattern: 'VARCHAR',
  typical_page: 'UINTEGER',
  templates: 'VARCHAR',
  outlier: 'BOOLEAN',
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
  const tables = {
    aggregates: new ColumnBuffer(AGGREGATE_SCHEMA),
    schemas: new ColumnBuffer(SCHEMA_SCHEMA),
    pageSchemas: new ColumnBuffer(PAGE_SCHEMA_SCHEMA),
  };
  const found: FoundSchema[] = [];
  for (const detector of detectors) {
    for await (const site of sitesOf(database, detector)) {
      const sequences = site.collector.finish();
      addAggregates(tables.aggregates, site, sequences);
      found.push(...addSchemas(tables.pageSchemas, site, sequences));
    }
  }
  await tables.pageSchemas.toTable(database, 'found_page_schemas');
  const patterns = await patternsOf(database);
  for (const each of found) {
    const { site, detector, schema, pages, share, typicalPage, templates } = each;
    const outlier = pages < OUTLIER_PAGES && share < OUTLIER_SHARE;
    const pattern = patterns.get(patternKey(each)) ?? '';
    tables.schemas.add(site, detector, schema, pages, share, pattern, typicalPage, templates, outlier);
  }
  await tables.aggregates.toParquet(database, files.aggregates, {
    select: `* REPLACE (string_split(templates, ' ') AS templates), (covered_bytes / all_bytes)::FLOAT AS covered_share`,
  });
  await tables.schemas.toParquet(database, files.schemas, {
    select: `* REPLACE (string_split(templates, ' ') AS templates)`,
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

/** A schema before the URLs of its pages are looked at. */
interface FoundSchema {
  site: string;
  detector: string;
  schema: number;
  pages: number;
  share: number;
  typicalPage: number;
  templates: string;
}

function addSchemas(
  table: ColumnBuffer,
  { site, detector, pages, ids }: SiteSequences,
  sequences: TemplateSequences,
): FoundSchema[] {
  const { schemas, numberOf, likenessOf } = findSchemas(sequences);
  const typical = new Map<number, number>(); // first page of the sequence that leads a schema
  for (const [k, page] of pages.entries()) {
    table.add(page, detector, numberOf[k], likenessOf[k]);
    const sequence = sequences.sequenceOf[k];
    if (!typical.has(sequence)) typical.set(sequence, page);
  }
  return schemas.map(({ number, pages: own, leader, templates }) => ({
    site,
    detector,
    schema: number,
    pages: own,
    share: own / pages.length,
    typicalPage: typical.get(leader)!,
    templates: templates.map((template) => ids[template]).join(' '),
  }));
}

/** What the URLs of each schema have in common, by `patternKey`. */
async function patternsOf(database: Database): Promise<Map<string, string>> {
  const patterns = new Map<string, string>();
  const rows = database.batches<{ site: string; detector: string; schema: number; urls: string }>(
    `SELECT site, detector::VARCHAR AS detector, schema,
       array_to_string(arg_min(url, md5(url), ${PATTERN_URLS}), chr(10)) AS urls
     FROM found_page_schemas JOIN pages USING (page) GROUP BY ALL`,
  );
  for await (const batch of rows) {
    for (const row of batch) patterns.set(patternKey(row), urlPattern(row.urls.split('\n')));
  }
  return patterns;
}

function patternKey({ site, detector, schema }: { site: string; detector: string; schema: number }): string {
  return `${detector} ${schema} ${site}`;
}
