/** Reads the sites of a folder for the first view. */
import type { ExploreStore } from './explore-store.ts';

/** Counts and template shares of one site. */
export interface SiteRow {
  site: string;
  pages: number;
  urls: number;
  snapshots: number;
  /** ISO times of the first and last capture; '' when unknown. */
  firstTime: string;
  lastTime: string;
  htmlBytes: number;
  textBytes: number;
  /** Pages with a problem. */
  problems: number;
  unsurePages: number;
  /** Share of text inside templates (0 to 1) by detector. */
  shares: Record<string, number>;
}

/** Maximum number of sites of one answer; those with the most pages are kept. */
const MAX_SITES = 20_000;

/** Returns the sites with the most pages. */
export function readSites(store: ExploreStore): Promise<SiteRow[]> {
  return store.kept('sites', async () => {
    if (!store.has('pages')) return [];
    const { detectors } = store.facts;
    const shares = detectors.map(
      (name) => `coalesce(sum(${name}_text_bytes) / nullif(sum(text_bytes), 0), 0)::DOUBLE AS share_${name}`,
    );
    const rows = await store.rows<Record<string, number> & Omit<SiteRow, 'shares'>>(
      `SELECT site, count(*) AS pages, count(DISTINCT url_key) AS urls, count(DISTINCT snapshot) AS snapshots,
         coalesce(min(nullif(time, '')), '') AS "firstTime", max(time) AS "lastTime",
         sum(html_bytes) AS "htmlBytes", sum(text_bytes) AS "textBytes",
         count(*) FILTER (problems <> '') AS problems, count(*) FILTER (${detectors[0]}_unsure) AS "unsurePages",
         ${shares.join(', ')}
       FROM pages GROUP BY site ORDER BY pages DESC, site LIMIT ${MAX_SITES}`,
    );
    return rows.map((row) => ({
      site: row.site,
      pages: row.pages,
      urls: row.urls,
      snapshots: row.snapshots,
      firstTime: row.firstTime,
      lastTime: row.lastTime,
      htmlBytes: row.htmlBytes,
      textBytes: row.textBytes,
      problems: row.problems,
      unsurePages: row.unsurePages,
      shares: Object.fromEntries(detectors.map((name) => [name, row[`share_${name}`]])),
    }));
  });
}
