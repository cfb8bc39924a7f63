/**
 * Reads the template map of a site: its templates, and its pages in a chosen order; orders are cached with 13 bytes
 * per page.
 */
import { ROLES } from '../../model/role.ts';
import { schemaDetectorOf } from '../../study/schema-detector.ts';
import { quote } from '../database.ts';
import type { ExploreStore } from './explore-store.ts';

/** Orders of the pages in the map. */
export const MAP_ORDERS = ['length', 'schema', 'url', 'time'] as const;
/** One of `MAP_ORDERS`. */
export type MapOrder = (typeof MAP_ORDERS)[number];

/** Site, detector and order of a map. */
export interface MapKey {
  site: string;
  detector: string;
  order: MapOrder;
}

/** A template in the list of the map. */
interface MapTemplate {
  id: string;
  /** Number of distinct URLs that have it. */
  pages: number;
  sizeBytes: number;
  totalBytes: number;
  /** Role on a page, such as `menu`; '' in folders without roles. */
  role: string;
  place: string;
  /** First characters of its text. */
  text: string;
}

/** Counts and templates of the map of a site. */
export interface MapFacts {
  site: string;
  detector: string;
  captures: number;
  urls: number;
  /** Templates that cover the most bytes, at most MAX_TEMPLATES. */
  templates: MapTemplate[];
  templateCount: number;
  /** Names of roles; ranges refer to them by number from 1. */
  roles: readonly string[];
}

/** Maximum number of templates in the list of a map. */
export const MAX_TEMPLATES = 3000;
const TEXT_CHARACTERS = 100;

/** Reads the counts and templates of a map. */
export async function readMapFacts(store: ExploreStore, site: string, detector: string): Promise<MapFacts> {
  return store.kept(`map ${detector} ${site}`, async () => {
    const [counts] = await store.rows<{ captures: number; urls: number }>(
      'SELECT count(*) AS captures, count(DISTINCT url_key) AS urls FROM pages WHERE site = $1',
      [site],
    );
    const [{ n }] = await store.rows<{ n: number }>(
      'SELECT count(*) AS n FROM templates WHERE site = $1 AND detector = $2',
      [site, detector],
    );
    const templates = await store.rows<MapTemplate>(
      `SELECT template AS id, pages, size_bytes AS "sizeBytes", total_bytes AS "totalBytes",
         ${await roleAndPlace(store)}, left(text, ${TEXT_CHARACTERS}) AS text
       FROM templates WHERE site = $1 AND detector = $2 ${LARGEST_FIRST} LIMIT ${MAX_TEMPLATES}`,
      [site, detector],
    );
    return { site, detector, ...counts, templates, templateCount: n, roles: ROLES };
  });
}

/** SQL for the order of the map's list of templates, to which ranges refer by index. */
export const LARGEST_FIRST = 'ORDER BY total_bytes DESC, template';

/** Returns SQL for the columns `role` and `place`, which are '' in folders of earlier versions. */
export async function roleAndPlace(store: ExploreStore): Promise<string> {
  const columns = await store.columnsOf('templates');
  return ['role', 'place'].map((name) => (columns.includes(name) ? name : `'' AS ${name}`)).join(', ');
}

/** Pages of a map in its order, as columns. */
export interface BarColumns {
  pages: Uint32Array;
  sizes: Uint32Array;
  schemas: Uint32Array;
  /** Bits: 1 for an outlier (of a rare schema, or without a template), 2 for unsure, 4 for a problem. */
  flags: Uint8Array;
}

const ORDER_SQL: Record<MapOrder, string> = {
  length: 'html_bytes DESC, page',
  schema: 'schema = 0, schema, html_bytes DESC, page',
  url: 'url_key, time, page',
  time: "time = '', time, page",
};

/** Maximum number of pages of a site whose other orders are prepared in advance. */
const MAX_PREPARED = 1_000_000;

/** Computes the other orders of an open map in the background, so that choosing one is fast. */
export function prepareOrders(store: ExploreStore, key: MapKey, pageCount: number): void {
  if (pageCount > MAX_PREPARED) return;
  const prepared = store.soon(async () => {
    for (const order of MAP_ORDERS) await readBars(store, { ...key, order });
  });
  // the request for an order reports its failure
  prepared.catch(() => {});
}

/** Returns all pages of a site in an order. */
export function readBars(store: ExploreStore, { site, detector, order }: MapKey): Promise<BarColumns> {
  return store.kept(`bars ${order} ${detector} ${site}`, async () => {
    const schemaDetector = quote(schemaDetectorOf(detector, store.facts.detectors));
    const schemas = store.has('page_schemas')
      ? `LEFT JOIN (SELECT page, schema FROM page_schemas WHERE detector = ${schemaDetector}) USING (page)
         LEFT JOIN (SELECT schema, outlier FROM schemas WHERE detector = ${schemaDetector} AND site = ${quote(site)})
           USING (schema)
         CROSS JOIN (SELECT count(*) > 0 AS known FROM schemas WHERE detector = ${schemaDetector} AND site = ${quote(site)})`
      : 'CROSS JOIN (SELECT 0 AS schema, false AS outlier, false AS known)';
    const [pages, sizes, numbers, flags] = await store.columns(
      `SELECT page, html_bytes, coalesce(schema, 0)::UINTEGER AS schema,
         (coalesce(outlier, known)::INTEGER + 2 * ${detector}_unsure::INTEGER + 4 * (problems <> '')::INTEGER)::UTINYINT
       FROM (SELECT page, html_bytes, url_key, time, problems, ${detector}_unsure FROM pages WHERE site = ${quote(site)})
         ${schemas}
       ORDER BY ${ORDER_SQL[order].replaceAll('schema', 'coalesce(schema, 0)')}`,
    );
    return {
      pages: (pages ?? new Uint32Array()) as Uint32Array,
      sizes: (sizes ?? new Uint32Array()) as Uint32Array,
      schemas: (numbers ?? new Uint32Array()) as Uint32Array,
      flags: (flags ?? new Uint8Array()) as Uint8Array,
    };
  });
}
