/**
 * Reads the lists of each site for the report: schemas, pages that changed their schema, outliers, main areas,
 * pages by own content. Every site has the same number of rows, fewer when there are more sites, so that a thousand
 * sites make an equally small report.
 */
import { quote } from '../database.ts';
import type { OutputFolder, SiteSummary } from '../open-folder.ts';
import { bool, f32, type RowOf, text, u32 } from '../table.ts';
import { STUDY_QUERIES, schemasSeen } from './study-queries.ts';

/** Columns of each list in its query and its file; `of_site` is the total number of rows of the site. */
const LISTS = {
  schemas: {
    site: text(),
    schema: u32(),
    pages: u32(),
    share: f32(),
    pattern: text(),
    templates: u32(),
    /** Times of its first and last capture; '' when unknown. */
    first_seen: text(),
    last_seen: text(),
    typical_url: text(),
    title: text(),
    of_site: u32(),
  },
  keyPages: {
    site: text(),
    target: text(),
    linked_from: u32(),
    title: text(),
    in_archive: bool(),
    of_site: u32(),
  },
  ownContent: {
    site: text(),
    url: text(),
    time: text(),
    title: text(),
    own_bytes: u32(),
    text_bytes: u32(),
    of_site: u32(),
  },
  outliers: { site: text(), url: text(), time: text(), title: text(), html_bytes: u32(), of_site: u32() },
  schemaChanges: {
    site: text(),
    url: text(),
    time_before: text(),
    schema_before: u32(),
    time: text(),
    schema: u32(),
    of_site: u32(),
  },
};

/** Name of a list. */
export type ListName = keyof typeof LISTS;
/** Row of a list. */
export type ListRow<List extends ListName> = RowOf<(typeof LISTS)[List]>;

/** Returns the names of the columns of a list. */
export function listColumns<List extends ListName>(list: List): (keyof ListRow<List> & string)[] {
  return Object.keys(LISTS[list]) as (keyof ListRow<List> & string)[];
}

/** The first rows of each list for each site. */
export type SiteLists = { [List in ListName]: ListRow<List>[] } & {
  /** Maximum number of rows per site. */
  mostOfASite: number;
  /**
   * First schemas of the sites that are shown, and schemas that listed changes refer to, with the ranges of their
   * typical pages.
   */
  drawnSchemas: DrawnSchema[];
};

/** A schema with the templates on its typical page. */
export interface DrawnSchema extends Omit<ListRow<'schemas'>, 'of_site'> {
  typical_page: number;
  html_bytes: number;
  /** Template ranges on the typical page, and the number of pages of the site with each template. */
  stretches: { start: number; end: number; pages: number }[];
}

/** Maximum number of sites whose schemas and areas are shown. */
export const SHOWN_SITES = 30;
/** Rows of each list of a site that are shown. */
export const SHOWN_ROWS = 8;
const SHOWN_SCHEMAS = 12;

/**
 * Maximum number of sites that are read (those with the most pages); maximum rows of a list over all sites, and of one
 * site.
 */
const LISTED_SITES = 2000;
const ALL_ROWS = 20_000;
const MAX_ROWS_PER_SITE = 100;

/** Returns the rows per site of a list, for this many sites. */
export function rowsOfASite(sites: number): number {
  return Math.max(SHOWN_ROWS, Math.min(MAX_ROWS_PER_SITE, Math.floor(ALL_ROWS / Math.max(1, sites))));
}

/** Detector of the schemas and main areas, and detector of the content. */
export interface ListDetectors {
  schemaDetector: string;
  contentDetector: string;
}

/** Returns the SQL of a list with at most `most` rows per site. */
export function listQuery(list: ListName, detectors: ListDetectors, most: number): string {
  const { schemaDetector, contentDetector } = detectors;
  return STUDY_QUERIES[list].sql(list === 'ownContent' ? contentDetector : schemaDetector, most);
}

/** Reads the lists of sites; `sites` must be ordered by pages, most first. */
export async function readSiteLists(
  folder: OutputFolder,
  detectors: ListDetectors,
  sites: readonly Pick<SiteSummary, 'site' | 'pages' | 'urls'>[],
): Promise<SiteLists> {
  const listed = sites.slice(0, LISTED_SITES).map(({ site }) => site);
  const most = rowsOfASite(listed.length);
  const only = listed.length < sites.length ? ` WHERE site IN (${listed.map(quote).join(', ')})` : '';
  const ask = <List extends ListName>(list: List): Promise<ListRow<List>[]> =>
    folder.ask<ListRow<List>>(`FROM (${listQuery(list, detectors, most)})${only}`, listColumns(list));
  // only a page with several captures can change its schema
  const hasRepeats = sites.some(({ pages, urls }) => pages > urls);
  const schemaChanges = hasRepeats ? await ask('schemaChanges') : [];
  return {
    mostOfASite: most,
    schemas: await ask('schemas'),
    drawnSchemas: await readDrawnSchemas(
      folder,
      detectors.schemaDetector,
      listed.slice(0, SHOWN_SITES),
      schemaChanges,
    ),
    outliers: await ask('outliers'),
    schemaChanges,
    keyPages: await ask('keyPages'),
    ownContent: await ask('ownContent'),
  };
}

/** Reads the first schemas of each site, and those that its listed changes refer to. */
export async function readDrawnSchemas(
  folder: Pick<OutputFolder, 'ask'>,
  detector: string,
  sites: readonly string[],
  changes: readonly Pick<ListRow<'schemaChanges'>, 'site' | 'schema_before' | 'schema'>[],
): Promise<DrawnSchema[]> {
  if (sites.length === 0) return [];
  const named = sites.flatMap((site) =>
    changes
      .filter((change) => change.site === site)
      .slice(0, SHOWN_ROWS)
      .flatMap(({ schema_before, schema }) => [schema_before, schema])
      .map((schema) => `(${quote(site)}, ${schema})`),
  );
  const isNamed = named.length === 0 ? '' : ` OR (s.site, schema) IN (${[...new Set(named)].join(', ')})`;
  const rows = await folder.ask<Omit<DrawnSchema, 'stretches'>>(
    `WITH seen AS (${schemasSeen(detector)})
     SELECT s.site, schema, s.pages, share, pattern, len(templates) AS templates, first_seen, last_seen, typical_page,
       url AS typical_url, title, html_bytes
     FROM schemas s JOIN pages ON page = typical_page JOIN seen ON seen.site = s.site AND seen.number = schema
     WHERE detector = ${quote(detector)} AND s.site IN (${sites.map(quote).join(', ')})
       AND ((NOT outlier AND schema <= ${SHOWN_SCHEMAS})${isNamed})
     ORDER BY s.site, schema`,
  );
  const schemas = rows.map((row): DrawnSchema => ({ ...row, stretches: [] }));
  const byPage = new Map(schemas.map((schema) => [schema.typical_page, schema]));
  if (schemas.length === 0) return schemas;
  // in two steps: as one query, DuckDB joins the ranges of all pages before it selects a few
  const stretches = await folder.ask<{ page: number; start: number; end: number; pages: number }>(
    `WITH typical AS MATERIALIZED (
       SELECT page, site FROM pages WHERE page IN (${[...byPage.keys()].join(', ')})),
     drawn AS MATERIALIZED (
       SELECT page, site, "start", "end", template FROM ranges JOIN typical USING (page)
       WHERE detector = '${detector}' AND label IN ('template', 'slot'))
     SELECT page, "start", "end", t.pages
     FROM drawn d JOIN templates t ON t.site = d.site AND t.detector = '${detector}' AND t.template = d.template
     ORDER BY page, "start"`,
    ['page', 'start', 'end', 'pages'],
  );
  for (const { page, start, end, pages } of stretches)
    byPage.get(page)!.stretches.push({ start, end, pages });
  return schemas;
}
