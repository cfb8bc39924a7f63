/** Reads lists of pages of a site, template, schema, layout group, class of fragments, or part of the map. */
import type { DuckDBValue } from '@duckdb/node-api';
import { schemaDetectorOf } from '../../study/schema-detector.ts';
import { quote } from '../database.ts';
import type { ExploreStore } from './explore-store.ts';

/** One page in a list. */
export interface PageListRow {
  page: number;
  site: string;
  url: string;
  time: string;
  title: string;
  htmlBytes: number;
  textBytes: number;
  /** Share of its text inside templates (0 to 1), by the first detector. */
  share: number;
  problems: string;
}

/** Conditions that all must hold; without any, all pages are listed. */
export interface PageFilter {
  site?: string;
  /** Text that the URL or title contains. */
  find?: string;
  /** Id of a template, by `detector`. */
  template?: string;
  /** Number of a schema of the site, by `detector`. */
  schema?: number;
  detector?: string;
  /** Number of a layout group of the site. */
  group?: number;
  /** Class of shared fragments. */
  fragment?: string;
  /** Numbers of the pages to list, in this order. */
  pages?: ArrayLike<number>;
}

/** Some rows of a list and the total number of pages. */
export interface PageList {
  total: number;
  rows: PageListRow[];
}

/** Reads some of the pages that match a filter, by number, and their total. */
export async function readPageList(
  store: ExploreStore,
  filter: PageFilter,
  { limit = 100, offset = 0 } = {},
): Promise<PageList> {
  const values: DuckDBValue[] = [];
  const given = (value: DuckDBValue): string => `$${values.push(value)}`;
  const {
    site,
    find,
    template,
    schema,
    detector = store.facts.detectors[0],
    group,
    fragment,
    pages,
  } = filter;
  const others = [schema, group, fragment, pages, find || undefined];
  if (site !== undefined && template !== undefined && others.every((other) => other === undefined)) {
    const all = await pagesWithTemplate(store, site, template, detector);
    const { rows } = await readPageList(store, { pages: all.slice(offset, offset + limit) }, { limit });
    return { total: all.length, rows };
  }
  const where: string[] = ['true'];
  if (site !== undefined) where.push(`site = ${given(site)}`);
  if (find) {
    const words = given(find.toLowerCase());
    where.push(`(contains(lower(url), ${words}) OR contains(lower(title), ${words}))`);
  }
  if (template !== undefined) {
    where.push(
      `page IN (SELECT page FROM ranges WHERE template = ${given(template)} AND detector = ${given(detector)})`,
    );
  }
  if (schema !== undefined) {
    where.push(
      `page IN (SELECT page FROM page_schemas WHERE schema = ${given(schema)} AND detector = ${given(schemaDetectorOf(detector, store.facts.detectors))})`,
    );
  }
  if (group !== undefined)
    where.push(`(url, time) IN (SELECT (url, time) FROM groups WHERE "group" = ${given(group)})`);
  if (fragment !== undefined)
    where.push(`page IN (SELECT page FROM fragment_members WHERE class = ${given(fragment)})`);
  if (pages !== undefined)
    where.push(`page IN (${pages.length === 0 ? 'NULL' : Array.from(pages).join(', ')})`);
  const condition = where.join(' AND ');
  const table = store.has('pages') ? 'pages' : 'fragment_pages';
  const columns = store.has('pages')
    ? `title, text_bytes AS "textBytes", ${store.facts.detectors[0]}_text_share::DOUBLE AS share, problems`
    : `'' AS title, 0 AS "textBytes", complete_share::DOUBLE AS share, '' AS problems`;
  const order =
    pages === undefined ? 'page' : `list_position([${Array.from(pages).join(', ') || 'NULL'}], page)`;
  const [{ total }] = await store.rows<{ total: number }>(
    `SELECT count(*) AS total FROM ${table} WHERE ${condition}`,
    values,
  );
  const rows = await store.rows<PageListRow>(
    `SELECT page, site, url, time, html_bytes AS "htmlBytes", ${columns}
     FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  return { total, rows };
}

/** Returns the numbers of the pages of a site with a template, ascending: the ranges are searched once for all parts of a list. */
function pagesWithTemplate(
  store: ExploreStore,
  site: string,
  template: string,
  detector: string,
): Promise<Uint32Array> {
  return store.kept(`pages ${detector} ${template} ${site}`, async () => {
    const [pages] = await store.columns(
      `SELECT page FROM pages WHERE site = ${quote(site)} AND page IN (
         SELECT page FROM ranges WHERE template = ${quote(template)} AND detector = ${quote(detector)}) ORDER BY page`,
    );
    return (pages ?? new Uint32Array()) as Uint32Array;
  });
}

/** A page with its schema and template shares. */
export interface PageListFacts extends PageListRow {
  schema: { number: number; pattern: string; outlier: boolean } | null;
  /** Share of text inside templates by detector. */
  shares: Record<string, number>;
}

/** Reads the facts about one page; undefined when the folder has no page of this number. */
export async function readPageListFacts(
  store: ExploreStore,
  page: number,
  detector: string,
): Promise<PageListFacts | undefined> {
  const { rows } = await readPageList(store, { pages: [page] });
  if (rows.length === 0) return undefined;
  const shares: Record<string, number> = {};
  if (store.has('pages')) {
    const names = store.facts.detectors.map((name) => `${name}_text_share::DOUBLE AS ${name}`);
    Object.assign(
      shares,
      (await store.rows(`SELECT ${names.join(', ')} FROM pages WHERE page = $1`, [page]))[0],
    );
  }
  const schemas = store.has('page_schemas')
    ? await store.rows<NonNullable<PageListFacts['schema']>>(
        `SELECT schema AS number, pattern, outlier FROM schemas
         JOIN page_schemas p USING (schema, detector)
         WHERE p.page = $1 AND detector = $3 AND site = $2`,
        [page, rows[0].site, schemaDetectorOf(detector, store.facts.detectors)],
      )
    : [];
  return { ...rows[0], shares, schema: schemas[0] ?? null };
}
