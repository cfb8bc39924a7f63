/**
 * Reads the templates of a site, those whose removal saves the most bytes first, and all facts about one template.
 */
import type { ExploreStore } from './explore-store.ts';
import { roleAndPlace } from './map-rows.ts';

/** One template in the list of a site. */
export interface TemplateRow {
  id: string;
  /** Number of distinct URLs that have it. */
  pages: number;
  occurrences: number;
  sizeBytes: number;
  /** Bytes of source of all occurrences, which its removal saves. */
  totalBytes: number;
  firstSeen: string;
  lastSeen: string;
  role: string;
  place: string;
  text: string;
  links: number;
}

/** Some templates of a site and their total number. */
export interface TemplateList {
  total: number;
  rows: TemplateRow[];
}

/** Maximum number of templates of one answer; those that save the most are kept. */
const MAX_TEMPLATES = 2000;

/** Returns the templates of a site that save the most bytes. */
export function readTemplateList(store: ExploreStore, site: string, detector: string): Promise<TemplateList> {
  return store.kept(`templates ${detector} ${site}`, () => listTemplates(store, site, detector));
}

async function listTemplates(store: ExploreStore, site: string, detector: string): Promise<TemplateList> {
  const [{ total }] = await store.rows<{ total: number }>(
    'SELECT count(*) AS total FROM templates WHERE site = $1 AND detector = $2',
    [site, detector],
  );
  const rows = await store.rows<TemplateRow>(
    `SELECT ${await columnsOf(store)}, left(text, 200) AS text FROM templates WHERE site = $1 AND detector = $2
     ORDER BY total_bytes DESC, template LIMIT ${MAX_TEMPLATES}`,
    [site, detector],
  );
  return { total, rows };
}

async function columnsOf(store: ExploreStore): Promise<string> {
  return `template AS id, pages, occurrences, size_bytes AS "sizeBytes", total_bytes AS "totalBytes",
    first_seen AS "firstSeen", last_seen AS "lastSeen", links, ${await roleAndPlace(store)}`;
}

/** All facts about one template. */
export interface TemplateFacts extends TemplateRow {
  site: string;
  detector: string;
  /** URLs of the site, and bytes of source of all its captures. */
  siteUrls: number;
  siteBytes: number;
  targets: string[];
  /** Captures with the template by snapshot, in order; `of` is the number of captures of that snapshot. */
  snapshots: { snapshot: string; pages: number; of: number }[];
  /** Mean start and end on its pages, as shares of their length (0 to 1). */
  startShare: number;
  endShare: number;
  /** Most frequent reason that the detector gives for it. */
  reason: string;
  /** Templates of the site with nearly the same text, most similar first. */
  variants: (TemplateRow & { likeness: number })[];
  /** A page with it and the number of its range there; null when no range has it. */
  example: { page: number; range: number } | null;
  /** Other sites with this template. */
  otherSites: { site: string; pages: number }[];
}

/** Reads all facts about a template; undefined when the folder lacks it. */
export async function readTemplate(
  store: ExploreStore,
  { site, detector, id }: { site: string; detector: string; id: string },
): Promise<TemplateFacts | undefined> {
  const [row] = await store.rows<TemplateRow & { targets: { items?: string[] } | string[] }>(
    `SELECT ${await columnsOf(store)}, text, targets FROM templates
     WHERE site = $1 AND detector = $2 AND template = $3`,
    [site, detector, id],
  );
  if (!row) return undefined;
  const [sums, totals, [seen], otherSites, { rows: all }] = await Promise.all([
    readSiteSums(store, site),
    readSnapshotTotals(store, site),
    store.rows<Seen>(
      // the ranges of all pages are searched, so this is done once
      `WITH held AS (SELECT page, "start", "end", reason, html_bytes, snapshot, label FROM ranges JOIN pages USING (page)
         WHERE template = $2 AND detector = $3 AND site = $1),
       first AS (SELECT page, min("start") AS "start" FROM held WHERE label = 'template' GROUP BY page ORDER BY page LIMIT 1)
       SELECT coalesce(avg("start" / html_bytes) FILTER (label = 'template'), 0) AS "startShare",
         coalesce(avg("end" / html_bytes) FILTER (label = 'template'), 0) AS "endShare",
         coalesce(mode(reason) FILTER (label = 'template'), '') AS reason,
         (SELECT first.page FROM first) AS page, (SELECT first."start" FROM first) AS "start",
         (SELECT to_json(list({snapshot: snapshot, pages: pages})) FROM (
            SELECT snapshot, count(DISTINCT page) AS pages FROM held GROUP BY snapshot)) AS held
       FROM held`,
      [site, id, detector],
    ),
    store.rows<{ site: string; pages: number }>(
      `SELECT site, pages FROM templates WHERE template = $1 AND detector = $2 AND site <> $3
       ORDER BY pages DESC, site LIMIT 50`,
      [id, detector, site],
    ),
    readTemplateList(store, site, detector),
  ]);
  const held = new Map<string, number>();
  for (const { snapshot, pages } of JSON.parse(seen.held ?? '[]')) held.set(snapshot, pages);
  const { targets, ...rest } = row;
  return {
    ...rest,
    site,
    detector,
    ...sums,
    targets: Array.isArray(targets) ? targets : (targets?.items ?? []),
    snapshots: totals.map(({ snapshot, of }) => ({ snapshot, pages: held.get(snapshot) ?? 0, of })),
    startShare: seen.startShare,
    endShare: seen.endShare,
    reason: seen.reason,
    example: await readExample(store, detector, seen),
    variants: variantsOf(rest, all),
    otherSites,
  };
}

/** What one search of the ranges finds about a template. */
interface Seen {
  startShare: number;
  endShare: number;
  reason: string;
  /** First page with it, and where it starts there. */
  page: number | null;
  start: number | null;
  /** Captures with it by snapshot, as JSON. */
  held: string | null;
}

async function readExample(
  store: ExploreStore,
  detector: string,
  { page, start }: Seen,
): Promise<TemplateFacts['example']> {
  if (page === null || start === null) return null;
  const [{ range }] = await store.rows<{ range: number }>(
    'SELECT count(*)::UINTEGER AS range FROM ranges WHERE page = $1 AND detector = $2 AND "start" < $3',
    [page, detector, start],
  );
  return { page, range };
}

function readSiteSums(store: ExploreStore, site: string): Promise<{ siteUrls: number; siteBytes: number }> {
  return store.kept(`sums ${site}`, async () => {
    const [sums] = await store.rows<{ siteUrls: number; siteBytes: number }>(
      'SELECT count(DISTINCT url_key) AS "siteUrls", sum(html_bytes) AS "siteBytes" FROM pages WHERE site = $1',
      [site],
    );
    return sums;
  });
}

function readSnapshotTotals(store: ExploreStore, site: string): Promise<{ snapshot: string; of: number }[]> {
  return store.kept(`snapshots ${site}`, () =>
    store.rows(
      'SELECT snapshot, count(*) AS of FROM pages WHERE site = $1 GROUP BY snapshot ORDER BY snapshot',
      [site],
    ),
  );
}

const MAX_VARIANTS = 20;
const MIN_LIKENESS = 0.5;

/** Returns templates with nearly the same words, by the Jaccard similarity of their sets of words. */
function variantsOf(template: TemplateRow, all: readonly TemplateRow[]): TemplateFacts['variants'] {
  const words = wordsOf(template.text.slice(0, 200));
  if (words.size === 0) return [];
  return all
    .filter(({ id }) => id !== template.id)
    .map((other) => ({ ...other, likeness: jaccard(words, wordsOf(other.text)) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || b.totalBytes - a.totalBytes)
    .slice(0, MAX_VARIANTS);
}

/** Returns the words of a text; characters for scripts without spaces. */
function wordsOf(text: string): Set<string> {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return new Set(words.length > 3 ? words : text.replace(/\s/g, ''));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return both === 0 ? 0 : both / (a.size + b.size - both);
}
