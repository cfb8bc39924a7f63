/** What the report lists of each site, as figures: the rows stand with their sites, these tell them over all. */
import { STUDY_QUERIES } from '../../store/study/queries.ts';
import type { Study } from '../../store/study/read-study.ts';
import { formatBytes, formatCount, formatPercent } from '../format-numbers.ts';
import { countOf } from './count-of.ts';
import { type Figure, rounded } from './figure.ts';

export function siteListFigures(study: Study): Figure[] {
  return [
    schemaFigure(study),
    keyPageFigure(study),
    ownContentFigure(study),
    outlierFigure(study),
    changeFigure(study),
  ];
}

function schemaFigure({ schemaDetector, mostOfASite, schemas }: Study): Figure {
  const figure: Figure = {
    id: 'table-08',
    slug: 'schemas',
    title: 'Schemas',
    sentence: '',
    shownElsewhere: true,
    columns: [
      'site',
      'schema',
      'pages',
      'share',
      'pattern',
      'templates',
      'first_seen',
      'last_seen',
      'typical_url',
      'title',
      'of_site',
    ],
    rows: schemas.map((row) => [
      row.site,
      row.schema,
      row.pages,
      rounded(row.share),
      row.pattern,
      row.templates,
      row.first_seen,
      row.last_seen,
      row.typical_url,
      row.title,
      row.of_site,
    ]),
    query: STUDY_QUERIES.schemas.sql(schemaDetector, mostOfASite),
  };
  if (schemas.length === 0) return { ...figure, absent: 'No pages carry the same templates.' };
  const firsts = firstOfSites(schemas);
  const mean = firsts.reduce((sum, { share }) => sum + share, 0) / firsts.length;
  figure.sentence = `${countOf(sumOf(firsts), 'schema')} by ${schemaDetector} on ${countOf(firsts.length, 'site')}; the first one of a site has ${formatPercent(mean, 1)} of its captures${firsts.length === 1 ? '' : ' on average'}.`;
  return figure;
}

function keyPageFigure({ schemaDetector, mostOfASite, keyPages }: Study): Figure {
  const figure: Figure = {
    id: 'table-09',
    slug: 'key-pages',
    title: 'Main areas',
    sentence: '',
    shownElsewhere: true,
    columns: ['site', 'target', 'linked_from', 'title', 'in_archive', 'of_site'],
    rows: keyPages.map((row) => [
      row.site,
      row.target,
      row.linked_from,
      row.title,
      String(row.in_archive),
      row.of_site,
    ]),
    query: STUDY_QUERIES.keyPages.sql(schemaDetector, mostOfASite),
  };
  if (keyPages.length === 0)
    return { ...figure, absent: 'No template has three links and more, one of them to its own site.' };
  const firsts = firstOfSites(keyPages);
  const most = mostOf(keyPages, ({ linked_from }) => linked_from);
  figure.sentence = `Templates of ${countOf(firsts.length, 'site')} lead to ${countOf(sumOf(firsts), 'page')} of theirs; from the most pages, ${formatCount(most.linked_from)}, to ${most.target}.`;
  return figure;
}

function ownContentFigure({ schemaDetector, mostOfASite, ownContent }: Study): Figure {
  const figure: Figure = {
    id: 'table-10',
    slug: 'own-content',
    title: 'Pages by own content',
    sentence: '',
    shownElsewhere: true,
    columns: ['site', 'url', 'time', 'title', 'own_bytes', 'text_bytes', 'of_site'],
    rows: ownContent.map((row) => [
      row.site,
      row.url,
      row.time,
      row.title,
      row.own_bytes,
      row.text_bytes,
      row.of_site,
    ]),
    query: STUDY_QUERIES.ownContent.sql(schemaDetector, mostOfASite),
  };
  if (ownContent.length === 0) return { ...figure, absent: 'There are no pages.' };
  const firsts = firstOfSites(ownContent);
  const most = mostOf(firsts, ({ own_bytes }) => own_bytes);
  figure.sentence = `Of ${countOf(sumOf(firsts), 'page')} on ${countOf(firsts.length, 'site')} ${most.url} says most itself: ${formatBytes(most.own_bytes)} of its ${formatBytes(most.text_bytes)} of text lie outside templates.`;
  return figure;
}

function outlierFigure({ schemaDetector, mostOfASite, outliers }: Study): Figure {
  const figure: Figure = {
    id: 'table-11',
    slug: 'outliers',
    title: 'Outliers',
    sentence: '',
    shownElsewhere: true,
    columns: ['site', 'url', 'time', 'title', 'html_bytes', 'of_site'],
    rows: outliers.map((row) => [row.site, row.url, row.time, row.title, row.html_bytes, row.of_site]),
    query: STUDY_QUERIES.outliers.sql(schemaDetector, mostOfASite),
  };
  if (outliers.length === 0) return { ...figure, absent: 'No page is unlike the rest of its site.' };
  const firsts = firstOfSites(outliers);
  figure.sentence = `${countOf(sumOf(firsts), 'page is', 'pages are')} unlike the rest of the site, ${onSites(firsts)}.`;
  return figure;
}

function changeFigure({ schemaDetector, mostOfASite, schemaChanges }: Study): Figure {
  const figure: Figure = {
    id: 'table-12',
    slug: 'schema-changes',
    title: 'Changes of schema',
    sentence: '',
    shownElsewhere: true,
    columns: ['site', 'url', 'time_before', 'schema_before', 'time', 'schema', 'of_site'],
    rows: schemaChanges.map((row) => [
      row.site,
      row.url,
      row.time_before,
      row.schema_before,
      row.time,
      row.schema,
      row.of_site,
    ]),
    query: STUDY_QUERIES.schemaChanges.sql(schemaDetector, mostOfASite),
  };
  if (schemaChanges.length === 0)
    return { ...figure, absent: 'No page was captured twice and went another way than its like.' };
  const firsts = firstOfSites(schemaChanges);
  figure.sentence = `From one capture to the next pages went another way than their like ${sumOf(firsts) === 1 ? 'once' : `${formatCount(sumOf(firsts))} times`}, ${onSites(firsts)}.`;
  return figure;
}

interface OfSite {
  site: string;
  of_site: number;
}

/** The first row of each site; rows of a site follow each other. */
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

/** The first of the rows with the largest number. */
function mostOf<T>(rows: readonly T[], numberOf: (row: T) => number): T {
  return rows.reduce((most, row) => (numberOf(row) > numberOf(most) ? row : most));
}
