/**
 * Reads the data that report.html draws for some sites: pages with the ranges on them, and the templates of these
 * ranges. One query serves all sites, because a query costs more to start than to answer for one site. Ranges come
 * as columns of numbers and name templates by their index in the list. Memory holds the drawn data and the ids of
 * all templates of these sites.
 */
import { type Database, quote } from './database.ts';

/** One site with the templates of one detector. */
export interface SitePicture {
  site: string;
  detector: string;
  /** Pages of the site, longest first: all pages, or a sample that does not depend on their order. */
  bars: PageBar[];
  /** Templates of the site, most pages first. */
  templates: TemplateSummary[];
  /** Number of all templates, which may exceed the length of `templates`. */
  templateCount: number;
}

/** Numbers per range in `PageBar.ranges`. */
export const BAR_STEP = 4;

/** One page with its ranges. */
export interface PageBar {
  page: number;
  url: string;
  time: string;
  title: string;
  sizeBytes: number;
  /**
   * `template` and `unsure` ranges in order, four numbers each: start, end, index of the template in the picture's
   * list (-1 when not listed), and 1 for unsure, else 0.
   */
  ranges: number[];
}

/** Counts, sizes in bytes, times and description of a template. */
export interface TemplateSummary {
  id: string;
  pages: number;
  occurrences: number;
  sizeBytes: number;
  totalBytes: number;
  firstSeen: string;
  lastSeen: string;
  text: string;
  /** Role (`menu`) and the path of its element (`div#top > nav.main`). */
  role: string;
  place: string;
}

/** Sites, detectors and size limits of the pictures. */
export interface PictureOptions {
  sites: readonly string[];
  detectors: readonly string[];
  /** Maximum number of pages and templates of a picture. */
  mostBars: number;
  mostTemplates: number;
}

/** Returns pictures by site, then by detector, in the order given. The views of the folder must exist. */
export async function readPictures(database: Database, options: PictureOptions): Promise<SitePicture[]> {
  const { sites, detectors } = options;
  if (sites.length === 0) return [];
  const pictures = sites.flatMap((site) =>
    detectors.map((detector) => ({ site, detector, bars: [], templates: [], templateCount: 0 })),
  );
  await readTemplates(database, pictures, options);
  await readBars(database, pictures, options);
  return pictures;
}

const TEMPLATE_COLUMNS = [
  'id',
  'pages',
  'occurrences',
  'sizeBytes',
  'totalBytes',
  'firstSeen',
  'lastSeen',
  'text',
  'role',
  'place',
] as const satisfies (keyof TemplateSummary)[];

async function readTemplates(
  database: Database,
  pictures: SitePicture[],
  { sites, mostTemplates }: PictureOptions,
): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TEMP TABLE named_templates AS
     SELECT site, detector, template,
       (row_number() OVER (PARTITION BY site, detector ORDER BY pages DESC, total_bytes DESC, template) - 1)::INTEGER
         AS number
     FROM templates WHERE site IN (${sites.map(quote).join(', ')})`,
  );
  const pictureOf = new Map(pictures.map((picture) => [`${picture.detector} ${picture.site}`, picture]));
  const rows = await database.objects<TemplateSummary & { site: string; detector: string; number: number }>(
    `SELECT site, detector, number, template AS id, pages, occurrences, size_bytes AS "sizeBytes",
       total_bytes AS "totalBytes", first_seen AS "firstSeen", last_seen AS "lastSeen", text, role, place
     FROM templates JOIN named_templates USING (site, detector, template) WHERE number < ${mostTemplates}`,
    ['site', 'detector', 'number', ...TEMPLATE_COLUMNS],
  );
  for (const { site, detector, number, ...template } of rows) {
    const picture = pictureOf.get(`${detector} ${site}`);
    if (picture) picture.templates[number] = template;
  }
  const counts = await database.rows<{ site: string; detector: string; n: number }>(
    'SELECT site, detector, count(*) AS n FROM named_templates GROUP BY ALL',
  );
  for (const { site, detector, n } of counts) {
    const picture = pictureOf.get(`${detector} ${site}`);
    if (picture) picture.templateCount = n;
  }
}

async function readBars(
  database: Database,
  pictures: SitePicture[],
  { sites, detectors, mostBars, mostTemplates }: PictureOptions,
): Promise<void> {
  // choose the pages with the smallest hashes, by one heap per site
  await database.run(
    `CREATE OR REPLACE TEMP TABLE drawn AS
     SELECT site, unnest(arg_min(page, md5(url || ' ' || time) || lpad(page::VARCHAR, 10, '0'), ${mostBars})) AS page
     FROM pages WHERE site IN (${sites.map(quote).join(', ')}) GROUP BY site`,
  );
  const firstPicture = new Map(sites.map((site, k) => [site, k * detectors.length]));
  const barsOf = new Map<number, PageBar[]>(); // page -> bars in the order of the detectors
  const pages = await database.objects<Omit<PageBar, 'ranges'> & { site: string }>(
    `SELECT site, page, url, time, title, html_bytes AS "sizeBytes" FROM pages SEMI JOIN drawn USING (page)
     ORDER BY html_bytes DESC, page`,
    ['site', 'page', 'url', 'time', 'title', 'sizeBytes'],
  );
  for (const { site, ...page } of pages) {
    const first = firstPicture.get(site)!;
    const bars = detectors.map((): PageBar => ({ ...page, ranges: [] }));
    for (let k = 0; k < bars.length; k++) pictures[first + k].bars.push(bars[k]);
    barsOf.set(page.page, bars);
  }
  const ranges = database.numbers(
    `SELECT page, (list_position([${detectors.map(quote).join(', ')}], detector) - 1)::UTINYINT AS detector,
       "start", "end", (CASE WHEN number < ${mostTemplates} THEN number ELSE -1 END)::INTEGER AS number,
       (label = 'unsure')::UTINYINT AS unsure
     FROM ranges JOIN drawn USING (page) LEFT JOIN named_templates USING (site, detector, template)
     WHERE label <> 'content' ORDER BY page, detector, "start"`,
  );
  for await (const { columns, rowCount } of ranges) {
    const [page, detector, start, end, number, unsure] = columns;
    for (let row = 0; row < rowCount; row++) {
      const bar = barsOf.get(page[row])![detector[row]];
      bar.ranges.push(start[row], end[row], number[row], unsure[row]);
    }
  }
}
