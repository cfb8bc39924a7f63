/**
 * What the report tells about the templates of an archive, by the queries of queries.ts. Every answer has a bound or a row
 * a site, and the report shows the first rows of each, so that an archive of a thousand sites makes the same small report.
 */
import type { OutputFolder, SiteSummary } from '../open-folder.ts';
import { readSiteLists, type SiteLists } from './read-site-lists.ts';
import { type SHARE_COLUMNS, STUDY_QUERIES } from './study-queries.ts';

export type Study = SiteLists & StudyFigures;

export interface StudyFigures {
  /** Whose templates are counted: `text` as in the paper where it ran, else that of the schemas. */
  detector: string;
  /** Whose templates make the schemas: the first detector, or `dom` beside `joint`, which judges block by block. */
  schemaDetector: string;
  /** Whose labels tell content: the first detector. */
  contentDetector: string;
  /** Whether both of the paper's detectors ran, so that shares of both can be told. */
  hasBoth: boolean;
  /** Of settings that were compared; means over sites. */
  settings: { settings: string; windows: number; text_share: number; sites: number }[];
  categoryShares: (ShareRow & MeanShares)[];
  /** Sites that were given a category and have no page, by name; and how many they are. */
  unknownSites: { site: string; sites: number }[];
  siteShares: ShareRow[];
  /** Means over all sites, and how far the detectors are apart on average; undefined when one of them did not run. */
  siteMeans?: MeanShares & { sites: number; apart: number | null };
  /** Counted over all sites, each template once. */
  templateCounts: { templates: number; occurrences: number; on_several_sites: number };
  rankFrequency: { rank: number; occurrences: number; share_so_far: number }[];
  powerLaw: { exponent: number | null; first: number | null; r2: number | null; points: number };
  cache: { entries: number; occurrences: number; bytes_saved: number }[];
  sharedBySites: SharedTemplate[];
  aggregation: { aggregated: number; covered_share: number; hashes: number; sites: number }[];
}

/** Shares over sites, and by size. */
export type MeanShares = Record<ShareColumn | `${ShareColumn}_by_size`, number | null>;
type ShareColumn = (typeof SHARE_COLUMNS)[number];

export interface ShareRow {
  category?: string;
  /** Of a site; empty when it has none, undefined when none were given. */
  categories?: string;
  site?: string;
  sites?: number;
  pages?: number;
  /** Null where no page has text, or links. */
  text_based: number | null;
  dom_html: number | null;
  dom_text: number | null;
  dom_links: number | null;
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

/** Rows that are read of what grows with the archive; a figure says when there are more. */
const MOST_ROWS = 100_000;
/** Names told of sites that are not there. */
const MOST_UNKNOWN_SITES = 10;

/** Of sites that come with the most pages first. */
export async function readStudy(
  folder: OutputFolder,
  sites: readonly Pick<SiteSummary, 'site' | 'pages' | 'urls'>[],
): Promise<Study> {
  const { detectors } = folder;
  const contentDetector = detectors[0];
  const schemaDetector = contentDetector === 'joint' && detectors.includes('dom') ? 'dom' : contentDetector;
  const detector = detectors.includes('text') ? 'text' : schemaDetector;
  const hasBoth = detectors.includes('dom') && detectors.includes('text');
  const ask = <T>(sql: string, most = MOST_ROWS, columns?: readonly (keyof T & string)[]): Promise<T[]> =>
    folder.ask<T>(`FROM (${sql}) LIMIT ${most}`, columns);
  const q = STUDY_QUERIES;
  const hasCategories = folder.has('categories');
  const siteQuery = hasCategories ? q.siteSharesWithCategories : q.siteShares;
  const siteShares: Study['siteShares'] = hasBoth ? await ask(siteQuery.sql(), sites.length) : [];
  const [siteMeans]: Study['siteMeans'][] = hasBoth ? await ask(q.siteMeans.sql()) : [];
  const [templateCounts = { templates: 0, occurrences: 0, on_several_sites: 0 }] = await ask<
    Study['templateCounts']
  >(q.templateCounts.sql(detector));
  const rankFrequency: Study['rankFrequency'] = await ask(q.rankFrequency.sql(detector), MOST_ROWS, [
    'rank',
    'occurrences',
    'share_so_far',
  ]);
  const [powerLaw] = await ask<Study['powerLaw']>(q.powerLaw.sql(detector));
  const cache: Study['cache'] = await ask(q.cache.sql(detector));
  const sharedBySites: Study['sharedBySites'] = await ask(q.sharedBySites.sql(detector));
  return {
    detector,
    schemaDetector,
    contentDetector,
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
    siteMeans,
    templateCounts,
    rankFrequency,
    powerLaw,
    cache,
    sharedBySites,
    aggregation: await ask(q.aggregation.sql(detector)),
    ...(await readSiteLists(folder, { schemaDetector, contentDetector }, sites)),
  };
}
