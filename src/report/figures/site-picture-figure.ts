/** Figures 5 to 9, the pictures of sites, as numbers: how much of each page drawn lies in which templates. */

import { countOf } from '../../model/count-of.ts';
import { compare } from '../../model/order.ts';
import { BAR_STEP } from '../../store/site-pictures.ts';
import { STUDY_QUERIES } from '../../store/study/queries.ts';
import { formatPercent } from '../format-numbers.ts';
import type { ReportData, ReportPicture } from '../report-data.ts';
import type { Figure } from './figure.ts';

/** Of the pictures of all detectors; the sentence tells of the first and compares the others with it. */
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
    .sort((a, b) => compare(a.site, b.site) || detectors.indexOf(a.detector) - detectors.indexOf(b.detector));
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
  /** Bytes in templates, and in those that half of the pages hold. */
  inside: number;
  widespread: number;
}

/** Shortest first, as they are drawn. */
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
