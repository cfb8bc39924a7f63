/** Reads how sites change: snapshots with their template shares, redesigns and changes. */
import type { ExploreStore } from './explore-store.ts';

/** One snapshot of a site. */
export interface SnapshotRow {
  site: string;
  snapshot: string;
  /** ISO time of its earliest page. */
  time: string;
  pages: number;
  /** Share of text inside templates (0 to 1), by the first detector. */
  share: number;
  /** Number of templates that are new in this snapshot, and of those of the snapshot before that are gone. */
  came: number;
  went: number;
}

/** One redesign or smaller change of a site. */
export interface RedesignRow {
  site: string;
  snapshot: string;
  since: string;
  first: string;
  pages: number;
  why: string;
  /** Confidence that the site was redesigned, from 0 to 1; below 0.5 it is a smaller change. */
  confidence: number;
  /** Page of the snapshot with the shortest URL that was captured before; null when no page was. */
  example: number | null;
}

/** Snapshots and redesigns of one site, or of all. */
export interface HistoryAnswer {
  snapshots: SnapshotRow[];
  redesigns: RedesignRow[];
}

const MAX_ROWS = 5000;

/** Reads the snapshots and redesigns of a site; of all sites for ''. */
export function readSiteHistory(store: ExploreStore, site: string): Promise<HistoryAnswer> {
  return store.kept(`history ${site}`, async () => {
    const [detector] = store.facts.detectors;
    const snapshots = await store.rows<SnapshotRow>(
      `WITH held AS (
         SELECT DISTINCT p.site, snapshot, template FROM ranges r JOIN pages p USING (page)
         WHERE detector = $1 AND template <> '' AND ($2 = '' OR p.site = $2)),
       numbered AS (
         SELECT site, snapshot, coalesce(min(nullif(time, '')), '') AS time, count(*) AS pages,
           coalesce(sum(${detector}_text_bytes) / nullif(sum(text_bytes), 0), 0) AS share,
           row_number() OVER (PARTITION BY site ORDER BY snapshot) AS n
         FROM pages WHERE $2 = '' OR site = $2 GROUP BY site, snapshot),
       pairs AS (
         SELECT a.site, a.snapshot, b.snapshot AS before FROM numbered a JOIN numbered b ON a.site = b.site AND a.n = b.n + 1),
       came AS (
         SELECT q.site, q.snapshot, count(*) AS came FROM pairs q JOIN held h ON h.site = q.site AND h.snapshot = q.snapshot
         ANTI JOIN held o ON o.site = q.site AND o.snapshot = q.before AND o.template = h.template GROUP BY ALL),
       went AS (
         SELECT q.site, q.snapshot, count(*) AS went FROM pairs q JOIN held h ON h.site = q.site AND h.snapshot = q.before
         ANTI JOIN held o ON o.site = q.site AND o.snapshot = q.snapshot AND o.template = h.template GROUP BY ALL)
       SELECT n.site, n.snapshot, n.time, n.pages, n.share, coalesce(came, 0) AS came, coalesce(went, 0) AS went
       FROM numbered n LEFT JOIN came USING (site, snapshot) LEFT JOIN went USING (site, snapshot)
       ORDER BY n.site, n.snapshot LIMIT ${MAX_ROWS}`,
      [detector, site],
    );
    const redesigns = store.has('history_redesigns')
      ? await store.rows<RedesignRow>(
          `WITH seen AS (
             SELECT site, snapshot, page, url_key, time, min(time) OVER (PARTITION BY site, url_key) AS earliest
             FROM pages SEMI JOIN history_redesigns USING (site)),
           examples AS (
             SELECT site, snapshot, arg_min(page, (length(url_key), page)) AS example
             FROM seen WHERE earliest < time GROUP BY site, snapshot)
           SELECT site, snapshot, since, first, pages, why, confidence::DOUBLE AS confidence, example
           FROM history_redesigns LEFT JOIN examples USING (site, snapshot)
           WHERE $1 = '' OR site = $1 ORDER BY site, first LIMIT ${MAX_ROWS}`,
          [site],
        )
      : [];
    return { snapshots, redesigns };
  });
}

/** One row of `changes.jsonl`, as `chaff changes` writes it. */
export interface ChangeListRow {
  class: string;
  site: string;
  snapshot: string;
  since: string;
  pages: number;
  compared: number;
  kind: string | null;
  place: string | null;
  old: string | null;
  new: string | null;
  newWords: number | null;
  lostWords: number | null;
  confidence: number | null;
  url: string | null;
  /** Number of the page; null when the folder lacks the capture. */
  page: number | null;
}

/** Reads the first changes of a site ('' for all), class ('' for all) and search text, and their counts. */
export async function readChangeList(
  store: ExploreStore,
  { site, kind, find, limit = 500 }: { site: string; kind: string; find: string; limit?: number },
): Promise<{ total: number; rows: ChangeListRow[]; byClass: { class: string; count: number }[] }> {
  const where = `($1 = '' OR c.site = $1) AND ($2 = '' OR class = $2)
    AND ($3 = '' OR contains(lower(concat_ws(' ', place, old, "new", c.url)), lower($3)))`;
  const values = [site, kind, find];
  const [{ total }] = await store.rows<{ total: number }>(
    `SELECT count(*) AS total FROM changes c WHERE ${where}`,
    values,
  );
  const rows = await store.rows<ChangeListRow>(
    `SELECT class, c.site, c.snapshot, since, pages, compared, kind, place, left(old, 300) AS old, left("new", 300) AS new,
       "newWords", "lostWords", confidence, c.url, p.page
     FROM changes c LEFT JOIN pages p ON p.url = c.url AND p.time = c.time
     WHERE ${where} ORDER BY c.snapshot DESC, class = 'content', pages DESC, c.url LIMIT ${limit}`,
    values,
  );
  const byClass = await store.rows<{ class: string; count: number }>(
    `SELECT class, count(*) AS count FROM changes WHERE $1 = '' OR site = $1 GROUP BY class ORDER BY class`,
    [site],
  );
  return { total, rows, byClass };
}
