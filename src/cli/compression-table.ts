/** What dictionaries save, as a table for the terminal: a row a method, a block a site. */
import { COMPRESSION_METHODS, METHOD_NAMES, type SiteCompression } from '../fragments/dictionary/measure.ts';
import type { DictionarySummary } from '../fragments/dictionary/write-dictionaries.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { percent, table } from './list-format.ts';
import { printable } from './summary.ts';

const MOST_SITES = 10;
const MOST_NAME_CHARACTERS = 60;

/** The tables of the sites with the most pages, and a line for all. */
export function compressionText(summary: DictionarySummary): string {
  const measured = summary.sites.filter(({ pagesMeasured }) => pagesMeasured > 0);
  const shown = [...measured].sort((a, b) => b.pagesUsed - a.pagesUsed).slice(0, MOST_SITES);
  const more = measured.length - shown.length;
  return [
    ...shown.map(siteText),
    ...(more > 0 ? [`… and ${countOf(more, 'more site')}\n`] : []),
    `${summaryLine(summary)}\n`,
  ].join('');
}

/** `dictionaries: 2 sites, 131,072 bytes; on 140 pages not used for them 5,210 bytes a page with gzip, …` */
function summaryLine({ sites }: DictionarySummary): string {
  const written = sites.filter(({ dictionaryBytes }) => dictionaryBytes > 0);
  if (written.length === 0) return 'dictionaries: none, the pages share too little';
  const bytes = written.reduce((sum, { dictionaryBytes }) => sum + dictionaryBytes, 0);
  const pages = written.reduce((sum, { pagesMeasured }) => sum + pagesMeasured, 0);
  const what = `dictionaries: ${countOf(written.length, 'site')}, ${formatCount(bytes)} bytes`;
  if (pages === 0) return `${what}; no page was left to measure them on`;
  const mean = (wanted: string): string => {
    const total = written.reduce(
      (sum, { methods }) => sum + (methods.find(({ method }) => method === wanted)?.totalBytes ?? 0),
      0,
    );
    return formatCount(Math.round(total / pages));
  };
  return (
    `${what}; on ${countOf(pages, 'page')} not used for them ${mean('gzip-6')} bytes a page with gzip, ` +
    `${mean('brotli-5')} with brotli, ${mean('zstd-3-dictionary')} with zstd and the dictionary, ` +
    `${mean('brotli-5-dictionary')} with brotli and the dictionary`
  );
}

function siteText({ site, dictionaryBytes, pagesUsed, pagesMeasured, methods }: SiteCompression): string {
  const name = printable(site).slice(0, MOST_NAME_CHARACTERS);
  const gzip = methods[COMPRESSION_METHODS.indexOf('gzip-6')].totalBytes;
  const rows = [
    ['bytes per page', 'mean', 'median', 'total', 'of gzip'],
    ...methods.map(({ method, meanBytes, medianBytes, totalBytes }) => [
      METHOD_NAMES[method],
      formatCount(meanBytes),
      formatCount(medianBytes),
      formatCount(totalBytes),
      percent(totalBytes / Math.max(1, gzip)),
    ]),
  ];
  const lines = table(rows, (column) => column > 0);
  const title =
    `${name}: a dictionary of ${formatCount(dictionaryBytes)} bytes from ${countOf(pagesUsed, 'page')}, ` +
    `measured on ${countOf(pagesMeasured, 'other page')}`;
  return `${title}\n${lines.join('\n')}\n\n`;
}
