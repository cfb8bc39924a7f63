/** Reads classes of shared fragments from a folder of `chaff fragments`. */
import type { ExploreStore } from './explore-store.ts';

/** One class of shared fragments. */
export interface FragmentRow {
  id: string;
  kind: string;
  parts: number;
  pages: number;
  members: number;
  sites: number;
  averageBytes: number;
  savedBytes: number;
  place: string;
  text: string;
  page: number;
  site: string;
  url: string;
}

const MAX_ROWS = 2000;

/** Returns classes of one relation with the most saved bytes first. */
export async function readFragments(
  store: ExploreStore,
  { relation, site, find }: { relation: string; site: string; find: string },
): Promise<{ total: number; rows: FragmentRow[] }> {
  const where = `relation = $1 AND ($2 = '' OR site = $2) AND ($3 = '' OR contains(lower(place || ' ' || text), lower($3)))`;
  const values = [relation, site, find];
  const [{ total }] = await store.rows<{ total: number }>(
    `SELECT count(*) AS total FROM fragment_classes WHERE ${where}`,
    values,
  );
  const rows = await store.rows<FragmentRow>(
    `SELECT class AS id, kind, parts, pages, members, sites, avg_bytes AS "averageBytes", saved_bytes AS "savedBytes",
       place, text, page, site, url
     FROM fragment_classes WHERE ${where} ORDER BY saved_bytes DESC, class LIMIT ${MAX_ROWS}`,
    values,
  );
  return { total, rows };
}
