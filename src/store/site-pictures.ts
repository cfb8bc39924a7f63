/**
 * What report.html draws of some sites: pages with what lies where on them, and the templates that they name.
 * All sites are asked for at once, because a query costs more to start than to answer for one site; ranges come
 * as columns of numbers, templates among them by their place in the list. Memory is that of what is drawn, and of
 * the ids of all templates of these sites.
 */
import { type Database, quote } from './database.ts';

/** One site as one detector sees it. */
export interface SitePicture {
  site: string;
  detector: string;
  /** Pages of the site, longest first: all of them, or a sample that does not depend on order. */
  bars: PageBar[];
  /** Its templates, most pages first. */
  templates: TemplateSummary[];
  /** All of them; more than `templates` when that is cut. */
  templateCount: number;
}

/** Numbers of a range of a bar. */
export const BAR_STEP = 4;

/** One page with what lies where on it. */
export interface PageBar {
  page: number;
  url: string;
  time: string;
  title: string;
  sizeBytes: number;
  /**
   * Only `template` and `unsure` ranges, in order, four numbers each: start, end, the template's place in the
   * picture's list or -1 when it is not there, and 1 for unsure, else 0.
   */
  ranges: number[];
}

export interface TemplateSummary {
  id: string;
  pages: number;
  occurrences: number;
  sizeBytes: number;
  totalBytes: number;
  firstSeen: string;
  lastSeen: string;
  text: string;
}

export interface PictureOptions {
  sites: readonly string[];
  detectors: readonly string[];
  /** Most pages and templates of a picture. */
  mostBars: number;
  mostTemplates: number;
}

/** Pictures by site, then by detector, in the order given. The views of a folder must be there. */
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
         AS place
     FROM templates WHERE site IN (${sites.map(quote).join(', ')})`,
  );
  const pictureOf = new Map(pictures.map((picture) => [`${picture.detector} ${picture.site}`, picture]));
  const rows = await database.objects<TemplateSummary & { site: string; detector: string; place: number }>(
    `SELECT site, detector, place, template AS id, pages, occurrences, size_bytes AS "sizeBytes",
       total_bytes AS "totalBytes", first_seen AS "firstSeen", last_seen AS "lastSeen", text
     FROM templates JOIN named_templates USING (site, detector, template) WHERE place < ${mostTemplates}`,
    ['site', 'detector', 'place', ...TEMPLATE_COLUMNS],
  );
  for (const { site, detector, place, ...template } of rows) {
    const picture = pictureOf.get(`${detector} ${site}`);
    if (picture) picture.templates[place] = template;
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
  // the pages whose hashes are smallest, by a heap a site
  await database.run(
    `CREATE OR REPLACE TEMP TABLE drawn AS
     SELECT site, unnest(arg_min(page, md5(url || ' ' || time) || lpad(page::VARCHAR, 10, '0'), ${mostBars})) AS page
     FROM pages WHERE site IN (${sites.map(quote).join(', ')}) GROUP BY site`,
  );
  const firstPicture = new Map(sites.map((site, k) => [site, k * detectors.length]));
  const barsOf = new Map<number, PageBar[]>(); // by page, in the order of the detectors
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
       "start", "end", (CASE WHEN place < ${mostTemplates} THEN place ELSE -1 END)::INTEGER AS place,
       (label = 'unsure')::UTINYINT AS unsure
     FROM ranges JOIN drawn USING (page) LEFT JOIN named_templates USING (site, detector, template)
     WHERE label <> 'content' ORDER BY page, detector, "start"`,
  );
  for await (const { columns, rowCount } of ranges) {
    const [page, detector, start, end, place, unsure] = columns;
    for (let row = 0; row < rowCount; row++) {
      const bar = barsOf.get(page[row])![detector[row]];
      bar.ranges.push(start[row], end[row], place[row], unsure[row]);
    }
  }
}
