/**
 * Reads the figures and tables about the templates of an archive for the report, by the queries of
 * study-queries.ts. Every answer has a limit or one row per site, and the report shows the first rows of each, so
 * that an archive of a thousand sites makes an equally small report.
 */
import { schemaDetectorOf } from '../../study/schema-detector.ts';
import type { OutputFolder, SiteSummary } from '../open-folder.ts';
import { readSiteLists, type SiteLists } from './read-site-lists.ts';
import { type SHARE_COLUMNS, STUDY_QUERIES } from './study-queries.ts';

/** Figures and site lists of the report. */
export type Study = SiteLists & StudyFigures;

/** Figures about the templates of an archive. */
interface StudyFigures {
  /** Detector whose templates are counted: `text`, as in the paper, if it ran; else the detector of the schemas. */
  detector: string;
  /** Detector of the schemas: the first detector, or `dom` beside `joint`, which judges block by block. */
  schemaDetector: string;
  /** Detector of the content: the first one. */
  contentDetector: string;
  /** Whether both detectors of the paper ran, so that shares of both can be shown. */
  hasBoth: boolean;
  /** Compared settings; means over sites. */
  settings: { settings: string; windows: number; text_share: number; sites: number }[];
  categoryShares: (ShareRow & MeanShares)[];
  /** Sites with a category but without pages, by name; `sites` is their number. */
  unknownSites: { site: string; sites: number }[];
  siteShares: ShareRow[];
  /** Means over all sites, and the mean difference between the detectors; undefined when one of them did not run. */
  siteMeans?: MeanShares & { sites: number; apart: number | null };
  /** Counts over all sites, each template once. */
  templateCounts: { templates: number; occurrences: number; on_several_sites: number };
  rankFrequency: { rank: number; occurrences: number; share_so_far: number }[];
  powerLaw: { exponent: number | null; first: number | null; r2: number | null; points: number };
  cache: { entries: number; occurrences: number; bytes_saved: number }[];
  sharedBySites: SharedTemplate[];
  aggregation: { aggregated: number; covered_share: number; hashes: number; sites: number }[];
}

/** Mean shares over sites, and means weighted by pages. */
type MeanShares = Record<ShareColumn | `${ShareColumn}_by_size`, number | null>;
type ShareColumn = (typeof SHARE_COLUMNS)[number];

/** Template shares of one site or category. */
interface ShareRow {
  category?: string;
  /** Category of the site; '' when it has none, undefined when no categories were given. */
  categories?: string;
  site?: string;
  sites?: number;
  pages?: number;
  /** Null when no page has text, or links. */
  text_based: number | null;
  dom_html: number | null;
  dom_text: number | null;
  dom_links: number | null;
}

/** A template that several sites have. */
interface SharedTemplate {
  template: string;
  sites: number;
  occurrences: number;
  size_bytes: number;
  on_sites: string;
  likely_cause: string;
  text: string;
}

/** Maximum number of rows of lists that grow with the archive; a figure says when there are more. */
const MAX_ROWS = 100_000;
/** Maximum number of names of sites without pages. */
const MAX_UNKNOWN_SITES = 10;

/** Reads the figures; `sites` must be ordered by pages, most first. */
export async function readStudy(
  folder: OutputFolder,
  sites: readonly Pick<SiteSummary, 'site' | 'pages' | 'urls'>[],
): Promise<Study> {
  const { detectors } = folder;
  const contentDetector = detectors[0];
  const schemaDetector = schemaDetectorOf(contentDetector, detectors);
  const detector = detectors.includes('text') ? 'text' : schemaDetector;
  const hasBoth = detectors.includes('dom') && detectors.includes('text');
  const ask = <T>(sql: string, most = MAX_ROWS, columns?: readonly (keyof T & string)[]): Promise<T[]> =>
    folder.ask<T>(`FROM (${sql}) LIMIT ${most}`, columns);
  const q = STUDY_QUERIES;
  const hasCategories = folder.has('categories');
  const siteQuery = hasCategories ? q.siteSharesWithCategories : q.siteShares;
  const siteShares: Study['siteShares'] = hasBoth ? await ask(siteQuery.sql(), sites.length) : [];
  const [siteMeans]: Study['siteMeans'][] = hasBoth ? await ask(q.siteMeans.sql()) : [];
  const [templateCounts = { templates: 0, occurrences: 0, on_several_sites: 0 }] = await ask<
    Study['templateCounts']
  >(q.templateCounts.sql(detector));
  const rankFrequency: Study['rankFrequency'] = await ask(q.rankFrequency.sql(detector), MAX_ROWS, [
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
          MAX_UNKNOWN_SITES,
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
