/** Reads the kinds of pages of a site: schemas of the report, and layout groups of `chaff groups`. */
import { schemaDetectorOf } from '../../study/schema-detector.ts';
import type { ExploreStore } from './explore-store.ts';

/** One schema of a site. */
export interface SchemaRow {
  schema: number;
  pages: number;
  share: number;
  pattern: string;
  outlier: boolean;
  typicalPage: number;
  typicalUrl: string;
  typicalTitle: string;
  templates: number;
}

const MAX_ROWS = 2000;

/** Returns the schemas of a site. */
export async function readSchemas(store: ExploreStore, site: string, detector: string): Promise<SchemaRow[]> {
  return store.rows<SchemaRow>(
    `SELECT schema, s.pages, share::DOUBLE AS share, pattern, outlier, typical_page AS "typicalPage",
       coalesce(url, '') AS "typicalUrl", coalesce(title, '') AS "typicalTitle", len(templates) AS templates
     FROM schemas s LEFT JOIN pages p ON p.page = typical_page
     WHERE s.site = $1 AND detector = $2 ORDER BY schema LIMIT ${MAX_ROWS}`,
    [site, schemaDetectorOf(detector, store.facts.detectors)],
  );
}

/** One layout group of a site. */
export interface GroupRow {
  group: number;
  pages: number;
  urls: number;
  /** Mean similarity (0 to 1) of its pages to the middle page. */
  similarity: number;
  /** Page that is most similar to the others. */
  page: number | null;
  url: string;
  title: string;
}

/** Returns the layout groups of a site. */
export async function readGroups(store: ExploreStore, site: string): Promise<GroupRow[]> {
  return store.rows<GroupRow>(
    `SELECT g.*, p.page, coalesce(p.title, '') AS title
     FROM (SELECT "group", count(*) AS pages, count(DISTINCT url) AS urls, avg(similarity) AS similarity,
             arg_max(url, similarity) AS url, arg_max(time, similarity) AS time
           FROM groups WHERE site = $1 GROUP BY "group") g
       LEFT JOIN pages p ON p.url = g.url AND p.time = g.time
     ORDER BY g.pages DESC, g."group" LIMIT ${MAX_ROWS}`,
    [site],
  );
}
