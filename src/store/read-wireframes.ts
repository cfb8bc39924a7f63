/**
 * Reads the wireframes of some sites, with the page of each and the number of pages that have the templates in its
 * boxes.
 */
import { quote } from './database.ts';
import type { OutputFolder } from './open-folder.ts';

/** One page drawn by its boxes; positions and sizes are in pixels. */
export interface Wireframe {
  site: string;
  snapshot: string;
  page: number;
  url: string;
  urlKey: string;
  title: string;
  time: string;
  /** Height of the page in pixels. */
  height: number;
  /** Captures of the same schema, which shows how typical the page is. */
  alike: number;
  /** Bytes of its text outside templates. */
  ownBytes: number;
  boxes: { role: string; pages: number; left: number; top: number; width: number; height: number }[];
}

/** Maximum number of boxes that are read. */
const MAX_BOXES = 100_000;

type Row = Omit<Wireframe, 'boxes' | 'height'> & Wireframe['boxes'][number] & { pageHeight: number };

/** Returns the wireframes by page; none when the folder has no wireframes. */
export async function readWireframes(folder: OutputFolder, sites: readonly string[]): Promise<Wireframe[]> {
  if (!folder.has('wireframes') || sites.length === 0) return [];
  const detector = quote(folder.detectors[0]);
  const rows = await folder.ask<Row>(
    // only pages that are shown: reading the schemas of all pages would take memory that grows with the archive
    `WITH shown AS (SELECT * FROM wireframes WHERE site IN (${sites.map(quote).join(', ')})),
     likeness AS (
       SELECT page, max(s.pages) AS alike FROM (SELECT DISTINCT page, site FROM shown) w
         JOIN page_schemas e USING (page)
         JOIN schemas s ON s.site = w.site AND s.detector = e.detector AND s.schema = e.schema
       GROUP BY page)
     SELECT w.site, w.snapshot, w.page, p.url, p.url_key AS "urlKey", p.title, p.time, w.page_height AS "pageHeight",
       (1 - p.${folder.detectors[0]}_text_share) * p.text_bytes AS "ownBytes",
       w.role, w."left", w.top, w.width, w.height, coalesce(t.pages, 0) AS pages, coalesce(a.alike, 0) AS alike
     FROM shown w JOIN pages p USING (page)
     LEFT JOIN templates t ON t.site = w.site AND t.detector = ${detector} AND t.template = w.template
     LEFT JOIN likeness a ON a.page = w.page
     ORDER BY w.page, w.box LIMIT ${MAX_BOXES}`,
  );
  const found: Wireframe[] = [];
  for (const { role, pages, left, top, width, height, pageHeight, ...page } of rows) {
    if (found.at(-1)?.page !== page.page) found.push({ ...page, height: pageHeight, boxes: [] });
    found.at(-1)!.boxes.push({ role, pages, left, top, width, height });
  }
  return found;
}

/**
 * Returns the wireframe with the most captures of its schema; of equal ones the latest. Pages with less own text than
 * half of the others are left out: a page to log in, or a list of a single item, shows little of a site.
 */
export function typicalWireframe(wireframes: readonly Wireframe[]): Wireframe | undefined {
  const texts = wireframes.map(({ ownBytes }) => ownBytes).sort((a, b) => a - b);
  const median = texts[Math.floor((texts.length - 1) / 2)];
  return wireframes
    .filter(({ ownBytes }) => ownBytes >= median)
    .reduce<Wireframe | undefined>((best, each) => {
      if (best === undefined || each.alike > best.alike) return each;
      return each.alike === best.alike && each.time > best.time ? each : best;
    }, undefined);
}
