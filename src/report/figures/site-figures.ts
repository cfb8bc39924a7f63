/**
 * Makes the figures of single sites: lists (schemas, outliers, main areas, own content) and the picture of the
 * pages.
 */
import { countOf } from '../../model/count-of.ts';
import { compare } from '../../model/order.ts';
import { BAR_STEP } from '../../store/site-pictures.ts';
import { type ListName, type ListRow, listColumns, listQuery } from '../../store/study/read-site-lists.ts';
import type { Study } from '../../store/study/read-study.ts';
import { STUDY_QUERIES } from '../../store/study/study-queries.ts';
import { formatBytes, formatCount, formatPercent } from '../format-numbers.ts';
import type { ReportData, ReportPicture } from '../report-data.ts';
import { type Figure, tableOf } from './figure.ts';

/** Returns a figure for each list of sites: schemas, outliers, main areas, own content. */
export function siteListFigures(study: Study): Figure[] {
  return [
    listFigure(study, 'schemas', {
      id: 'table-09',
      slug: 'schemas',
      title: 'Schemas',
      absent: 'No two pages have the same templates.',
      sentenceFor: (firsts) => {
        const mean = firsts.reduce((sum, { share }) => sum + share, 0) / firsts.length;
        return `${countOf(sumOf(firsts), 'schema')} by ${study.schemaDetector} on ${countOf(firsts.length, 'site')}; the first one of a site has ${formatPercent(mean)} of its captures${firsts.length === 1 ? '' : ' on average'}.`;
      },
    }),
    listFigure(study, 'keyPages', {
      id: 'table-10',
      slug: 'key-pages',
      title: 'Main areas',
      absent: 'No template has three links and more, one of them to its own site.',
      sentenceFor: (firsts) => {
        const most = mostOf(study.keyPages, ({ linked_from }) => linked_from);
        return `Templates of ${countOf(firsts.length, 'site')} link to ${countOf(sumOf(firsts), 'page')} of the same site. Most pages, ${formatCount(most.linked_from)}, link to ${most.target}.`;
      },
    }),
    listFigure(study, 'ownContent', {
      id: 'table-11',
      slug: 'own-content',
      title: 'Pages by own content',
      absent: 'There are no pages.',
      sentenceFor: (firsts) => {
        const most = mostOf(firsts, ({ own_bytes }) => own_bytes);
        return `Of ${countOf(sumOf(firsts), 'page')} on ${countOf(firsts.length, 'site')}, ${most.url} has the most content of its own: ${formatBytes(most.own_bytes)} of its ${formatBytes(most.text_bytes)} of text are outside templates.`;
      },
    }),
    listFigure(study, 'outliers', {
      id: 'table-12',
      slug: 'outliers',
      title: 'Outliers',
      absent: 'No page is unlike the rest of its site.',
      sentenceFor: (firsts) =>
        `${countOf(sumOf(firsts), 'page is', 'pages are')} unlike the rest of their site, ${onSites(firsts)}.`,
    }),
    listFigure(study, 'schemaChanges', {
      id: 'table-13',
      slug: 'schema-changes',
      title: 'Changes of schema',
      absent: 'No page that was captured twice changed its schema otherwise than most pages of that schema.',
      sentenceFor: (firsts) =>
        `${countOf(sumOf(firsts), 'page', 'pages')} changed to another schema than most pages of their schema, ${onSites(firsts)}.`,
    }),
  ];
}

interface ListFigure<List extends ListName> extends Pick<Figure, 'id' | 'slug' | 'title'> {
  /** Sentence for an empty list. */
  absent: string;
  /** Returns the sentence from the first row of each site. */
  sentenceFor: (firsts: ListRow<List>[]) => string;
}

function listFigure<List extends ListName>(
  study: Study,
  list: List,
  { id, slug, title, absent, sentenceFor }: ListFigure<List>,
): Figure {
  const rows = study[list] as unknown as ListRow<List>[];
  const figure: Figure = {
    id,
    slug,
    title,
    sentence: '',
    shownElsewhere: true,
    ...tableOf<ListRow<List>>(rows, listColumns(list)),
    query: listQuery(list, study, study.mostOfASite),
  };
  return rows.length === 0 ? { ...figure, absent } : { ...figure, sentence: sentenceFor(firstOfSites(rows)) };
}

interface OfSite {
  site: string;
  of_site: number;
}

/** Returns the first row of each site; rows of a site must be consecutive. */
function firstOfSites<T extends OfSite>(rows: readonly T[]): T[] {
  return rows.filter(({ site }, k) => k === 0 || rows[k - 1].site !== site);
}

function sumOf(firsts: readonly OfSite[]): number {
  return firsts.reduce((sum, { of_site }) => sum + of_site, 0);
}

function onSites(firsts: readonly OfSite[]): string {
  if (firsts.length === 1) return `${sumOf(firsts) > 1 ? 'all ' : ''}on ${firsts[0].site}`;
  const most = mostOf(firsts, ({ of_site }) => of_site);
  return `on ${countOf(firsts.length, 'site')}, most on ${most.site} (${formatCount(most.of_site)})`;
}

/** Returns the first row with the largest number. */
function mostOf<T>(rows: readonly T[], numberOf: (row: T) => number): T {
  return rows.reduce((most, row) => (numberOf(row) > numberOf(most) ? row : most));
}

/**
 * Returns the figure of the pictures of a site by all detectors; its sentence is about the first and compares the
 * others with it.
 */
export function sitePictureFigure({
  detectors,
  sites,
  pictures,
}: Pick<ReportData, 'detectors' | 'sites' | 'pictures'>): Figure {
  const urlsOf = new Map(sites.map(({ site, urls }) => [site, urls]));
  const drawn = pictures
    .map((picture) => ({
      site: picture.site,
      detector: picture.detector,
      pages: pagesOf(picture, urlsOf.get(picture.site)!),
    }))
    .sort((a, b) => compare(a.site, b.site) || compare(a.detector, b.detector));
  const figure: Figure = {
    id: 'figure-05',
    slug: 'site-pictures',
    title: 'Pictures of the sites (Figures 5 to 9 of the paper)',
    sentence: '',
    shownElsewhere: true,
    columns: ['site', 'detector', 'url', 'time', 'html_bytes', 'template_bytes', 'widespread_bytes'],
    rows: drawn.flatMap(({ site, detector, pages }) =>
      pages.map((page) => [site, detector, page.url, page.time, page.size, page.inside, page.widespread]),
    ),
    query: STUDY_QUERIES.sitePictures.sql(),
  };
  const [detector, ...others] = detectors;
  const ofFirst = drawn.filter((picture) => picture.detector === detector);
  const bars = ofFirst.flatMap(({ pages }) => pages);
  if (bars.length === 0) return { ...figure, absent: 'There are no pages to draw.' };
  const all = sharesOf(bars);
  const bySite = ofFirst.map(({ site, pages }) => ({ site, inside: sharesOf(pages).inside }));
  bySite.sort((a, b) => b.inside - a.inside);
  const [most] = bySite;
  const least = bySite[bySite.length - 1];
  const between =
    bySite.length === 1
      ? ''
      : `; most on ${most.site} (${formatPercent(most.inside)}), least on ${least.site} (${formatPercent(least.inside)})`;
  const compared = others.map((other) => {
    const pages = drawn.filter((picture) => picture.detector === other).flatMap((picture) => picture.pages);
    return ` By ${other} it is ${formatPercent(sharesOf(pages).inside)}.`;
  });
  figure.sentence = `${countOf(bars.length, 'bar')} on ${countOf(ofFirst.length, 'picture')} by ${detector}: ${formatPercent(all.inside)} of the HTML drawn lies in templates, ${formatPercent(all.widespread)} in templates that half of a site’s pages and more hold${between}.${compared.join('')}`;
  return figure;
}

interface DrawnPage {
  url: string;
  time: string;
  size: number;
  /** Bytes in templates, and in templates that half of the pages have. */
  inside: number;
  widespread: number;
}

/** Bars in drawing order, shortest first. */
function pagesOf({ bars, templates }: ReportPicture, urls: number): DrawnPage[] {
  return bars
    .map(({ url, time, sizeBytes, ranges }) => {
      const page = { url, time, size: sizeBytes, inside: 0, widespread: 0 };
      for (let at = 0; at < ranges.length; at += BAR_STEP) {
        if (ranges[at + 3] === 1) continue; // unsure: kept
        const bytes = ranges[at + 1] - ranges[at];
        page.inside += bytes;
        if (2 * (templates[ranges[at + 2]]?.pages ?? 0) >= urls) page.widespread += bytes;
      }
      return page;
    })
    .sort((a, b) => a.size - b.size || compare(a.url, b.url) || compare(a.time, b.time));
}

function sharesOf(pages: readonly DrawnPage[]): { inside: number; widespread: number } {
  const sum = (numberOf: (page: DrawnPage) => number) =>
    pages.reduce((total, page) => total + numberOf(page), 0);
  const size = Math.max(
    1,
    sum((page) => page.size),
  );
  return { inside: sum((page) => page.inside) / size, widespread: sum((page) => page.widespread) / size };
}
