/**
 * What the report tells about the templates of an archive, by the queries of queries.ts. Every answer has a bound, so
 * that an archive of a thousand sites makes the same small report.
 */
import type { OutputFolder } from '../open-folder.ts';
import { STUDY_QUERIES } from './queries.ts';

export interface Study {
  /** Whose templates are counted: `text` as in the paper where it ran, else the first detector. */
  detector: string;
  /** Whose templates make the schemas: the first detector. */
  schemaDetector: string;
  /** Whether both of the paper's detectors ran, so that shares of both can be told. */
  hasBoth: boolean;
  /** Of settings that were compared; means over sites. */
  settings: { settings: string; windows: number; text_share: number; sites: number }[];
  categoryShares: ShareRow[];
  /** Sites that were given a category and have no page, by name; and how many they are. */
  unknownSites: { site: string; sites: number }[];
  siteShares: ShareRow[];
  rankFrequency: { rank: number; occurrences: number; share_so_far: number }[];
  powerLaw: { exponent: number | null; first: number | null; r2: number | null; points: number };
  cache: { entries: number; occurrences: number; bytes_saved: number }[];
  sharedBySites: SharedTemplate[];
  aggregation: { aggregated: number; covered_share: number; hashes: number; sites: number }[];
  schemas: SchemaRow[];
  outliers: { site: string; url: string; time: string; title: string; html_bytes: number }[];
  schemaChanges: SchemaChange[];
  keyPages: { site: string; target: string; linked_from: number; title: string; in_archive: boolean }[];
  ownContent: { site: string; url: string; title: string; own_bytes: number; text_bytes: number }[];
}

export interface ShareRow {
  category?: string;
  site?: string;
  sites?: number;
  pages?: number;
  text_based: number;
  dom_html: number;
  dom_text: number;
  dom_links: number;
}

export interface SharedTemplate {
  template: string;
  sites: number;
  occurrences: number;
  size_bytes: number;
  on_sites: string;
  likely_cause: string;
  text: string;
}

export interface SchemaRow {
  site: string;
  schema: number;
  pages: number;
  share: number;
  pattern: string;
  templates: number;
  typical_page: number;
  typical_url: string;
  title: string;
  html_bytes: number;
  /** Where templates lie on the typical page, and how many pages of the site hold each. */
  stretches: { start: number; end: number; pages: number }[];
}

export interface SchemaChange {
  site: string;
  url: string;
  time_before: string;
  schema_before: number;
  time: string;
  schema: number;
}

/** Rows of each list that are read; the files hold what is told, and the queries tell the rest. */
const MOST_ROWS = 2000;
/** Ranks that are drawn: beyond these a mark stands on its neighbour. */
const MOST_RANKS = 100_000;
const SCHEMAS_OF_A_SITE = 12;
/** Names told of sites that are not there. */
const MOST_UNKNOWN_SITES = 10;

export interface ReadStudyOptions {
  /** Whether any URL was captured more than once. @default true */
  hasRepeats?: boolean;
}

export async function readStudy(
  folder: OutputFolder,
  { hasRepeats = true }: ReadStudyOptions = {},
): Promise<Study> {
  const { detectors } = folder;
  const detector = detectors.includes('text') ? 'text' : detectors[0];
  const schemaDetector = detectors[0];
  const hasBoth = detectors.includes('dom') && detectors.includes('text');
  const ask = <T>(sql: string, most = MOST_ROWS, columns?: readonly (keyof T & string)[]): Promise<T[]> =>
    folder.ask<T>(`FROM (${sql}) LIMIT ${most}`, columns);
  const q = STUDY_QUERIES;
  const siteShares: Study['siteShares'] = hasBoth ? await ask(q.siteShares.sql()) : [];
  const rankFrequency: Study['rankFrequency'] = await ask(q.rankFrequency.sql(detector), MOST_RANKS, [
    'rank',
    'occurrences',
    'share_so_far',
  ]);
  const [powerLaw] = await ask<Study['powerLaw']>(q.powerLaw.sql(detector));
  const cache: Study['cache'] = await ask(q.cache.sql(detector));
  const sharedBySites: Study['sharedBySites'] = await ask(q.sharedBySites.sql(detector));
  const keyPages: Study['keyPages'] = await ask(q.keyPages.sql(schemaDetector));
  const ownContent: Study['ownContent'] = await ask(q.ownContent.sql(schemaDetector), MOST_ROWS, [
    'site',
    'url',
    'title',
    'own_bytes',
    'text_bytes',
  ]);
  const hasCategories = folder.has('categories');
  return {
    detector,
    schemaDetector,
    hasBoth,
    settings: folder.has('settings') ? await ask(q.settings.sql()) : [],
    categoryShares: hasBoth && hasCategories ? await ask(q.categoryShares.sql()) : [],
    unknownSites: hasCategories
      ? await ask(
          `SELECT site, count(*) OVER () AS sites FROM (${q.categoriesWithoutPages.sql()}) GROUP BY site ORDER BY site`,
          MOST_UNKNOWN_SITES,
        )
      : [],
    siteShares,
    rankFrequency,
    powerLaw,
    cache,
    sharedBySites,
    aggregation: await ask(q.aggregation.sql(detector)),
    schemas: await readSchemas(folder, schemaDetector),
    outliers: await ask(q.outliers.sql(schemaDetector)),
    schemaChanges: hasRepeats ? await ask(q.schemaChanges.sql(schemaDetector)) : [],
    keyPages,
    ownContent,
  };
}

async function readSchemas(folder: OutputFolder, detector: string): Promise<SchemaRow[]> {
  const rows = await folder.ask<Omit<SchemaRow, 'stretches'>>(
    `SELECT s.site, schema, s.pages, share, pattern, len(templates) AS templates, typical_page, url AS typical_url, title,
       html_bytes
     FROM schemas s JOIN pages ON page = typical_page
     WHERE detector = '${detector}' AND NOT outlier AND schema <= ${SCHEMAS_OF_A_SITE}
     ORDER BY s.site, schema LIMIT ${MOST_ROWS}`,
  );
  const schemas = rows.map((row): SchemaRow => ({ ...row, stretches: [] }));
  const byPage = new Map(schemas.map((schema) => [schema.typical_page, schema]));
  if (schemas.length === 0) return schemas;
  // step by step: left to itself the database joins the ranges of all pages before it picks those of a few
  const stretches = await folder.ask<{ page: number; start: number; end: number; pages: number }>(
    `WITH typical AS MATERIALIZED (
       SELECT page, site FROM pages WHERE page IN (${[...byPage.keys()].join(', ')})),
     drawn AS MATERIALIZED (
       SELECT page, site, "start", "end", template FROM ranges JOIN typical USING (page)
       WHERE detector = '${detector}' AND label = 'template')
     SELECT page, "start", "end", t.pages
     FROM drawn d JOIN templates t ON t.site = d.site AND t.detector = '${detector}' AND t.template = d.template
     ORDER BY page, "start"`,
    ['page', 'start', 'end', 'pages'],
  );
  for (const { page, start, end, pages } of stretches)
    byPage.get(page)!.stretches.push({ start, end, pages });
  return schemas;
}
