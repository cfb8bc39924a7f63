/** The exports of `chaff fragments` (selectors, includes, dictionaries): their flags and their messages. */
import { type Command, Option } from 'commander';
import { COMPRESSION_METHODS, METHOD_NAMES, type SiteCompression } from '../fragments/dictionary/measure.ts';
import {
  DEFAULT_DICTIONARY_BYTES,
  type DictionarySummary,
  dictionariesBeside,
  MAX_DICTIONARY_BYTES,
  MIN_DICTIONARY_BYTES,
  writeDictionaries,
} from '../fragments/dictionary/write-dictionaries.ts';
import { INCLUDE_STYLES, type IncludeStyle } from '../fragments/includes/include-syntax.ts';
import { type VerifiedStyle, verifyIncludes } from '../fragments/includes/rebuild-pages.ts';
import type { StyleSummary } from '../fragments/includes/style-writer.ts';
import {
  checkIncludesFolder,
  DEFAULT_INCLUDE_COST_BYTES,
  type IncludesSummary,
  writeIncludes,
} from '../fragments/includes/write-includes.ts';
import { SELECTOR_FORMATS, type SelectorFormat } from '../fragments/selectors/selector-formats.ts';
import { type SelectorSummary, writeSelectors } from '../fragments/selectors/write-selectors.ts';
import type { FragmentResult } from '../fragments/shared-page.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { type Context, UsageError } from './context.ts';
import { formatTable, percent } from './list-format.ts';
import { wholeNumber } from './option-table.ts';
import { OutputOption } from './path-options.ts';
import { printable } from './summary.ts';
import { coloursOf } from './terminal.ts';

/** Flags of `addSelectorOptions`. */
export interface SelectorFlags {
  selectors?: string;
  selectorFormat?: SelectorFormat;
}

/** Adds the options of the selector export. */
export function addSelectorOptions(command: Command): void {
  command
    .addOption(
      new OutputOption(
        '--selectors <file>',
        'write one CSS selector per template, and a few pages that show all templates',
      ),
    )
    .addOption(
      new Option(
        '--selector-format <name>',
        'format of the selectors; by default from the name of the file',
      ).choices(SELECTOR_FORMATS),
    );
}

/** Throws for a combination of flags that cannot work, before any work is done. */
export function checkSelectorFlags({
  selectors,
  selectorFormat,
  relation,
}: SelectorFlags & { relation: string }): void {
  if (selectors === undefined) {
    if (selectorFormat !== undefined) throw new UsageError('--selector-format needs --selectors');
    return;
  }
  if (relation === 'structural') throw new UsageError('--selectors needs the complete relation');
}

/** Writes the selectors; returns a function that prints how many are exact. */
export async function exportSelectors(
  { streams }: Context,
  result: FragmentResult,
  { file, format, quiet }: { file: string; format?: SelectorFormat; quiet?: boolean },
): Promise<() => void> {
  const summary = await writeSelectors(result, { file, format });
  return () => {
    if (!quiet)
      streams.stderr.write(`${selectorLine(summary)}; in ${coloursOf(streams.stderr).bold(file)}\n`);
  };
}

function selectorLine({ templates, exact, auditPages, left }: SelectorSummary): string {
  const more = left === 0 ? '' : `; ${countOf(left, 'template')} that save less are left out`;
  const pages = `${countOf(auditPages, 'page')} ${auditPages === 1 ? 'shows' : 'show'} all of them`;
  const found =
    templates === 0
      ? 'no template on two pages'
      : `${exact} of ${countOf(templates, 'template')} exact, ${pages}`;
  return `selectors: ${found}${more}`;
}

/** Flags of `addIncludeOptions`. */
export interface IncludeFlags {
  includes?: string;
  includeStyle: IncludeStyle | 'all';
  includeCost: number;
}

/** Adds the options of the include export. */
export function addIncludeOptions(command: Command): void {
  command
    .addOption(
      new OutputOption('--includes <folder>', 'write fragments as files, and pages that include them'),
    )
    .addOption(
      new Option('--include-style <name>', 'style of the includes')
        .choices([...INCLUDE_STYLES, 'all'])
        .default('all'),
    )
    .option(
      '--include-cost <bytes>',
      'cost of an include in addition to its tag',
      wholeNumber(0),
      DEFAULT_INCLUDE_COST_BYTES,
    );
}

/** Throws for a folder that cannot be written, before any work is done. */
export function checkIncludeFlags({
  includes,
  includeStyle,
  relation,
}: IncludeFlags & { relation: string }): void {
  if (includes === undefined) return;
  if (relation === 'structural' && includeStyle !== 'nunjucks') {
    throw new UsageError(
      '--includes needs the complete relation: only --include-style nunjucks can use structural fragments',
    );
  }
  try {
    checkIncludesFolder(includes);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Writes the includes and rebuilds every page from them; returns a function that prints the result. */
export async function exportIncludes(
  { streams }: Context,
  result: FragmentResult,
  {
    folder,
    includeStyle,
    includeCost,
    quiet,
  }: Omit<IncludeFlags, 'includes'> & { folder: string; quiet?: boolean },
): Promise<() => void> {
  const styles = includeStyle === 'all' ? INCLUDE_STYLES : [includeStyle];
  const summary = await writeIncludes(result, { folder, styles, includeCostBytes: includeCost });
  const verified = await verifyIncludes(folder, styles, result);
  return () => printIncludes(streams, summary, verified, quiet);
}

/** Prints the result; throws when a page could not be rebuilt. */
function printIncludes(
  streams: Context['streams'],
  summary: IncludesSummary,
  verified: VerifiedStyle[],
  quiet = false,
): void {
  if (!quiet) {
    summary.styles.forEach((style, k) => {
      streams.stderr.write(`${styleLine(style, verified[k].rebuilt)}\n`);
    });
    streams.stderr.write(
      `includes are in ${coloursOf(streams.stderr).bold(summary.folder)}; each style has a README.md\n`,
    );
  }
  for (const { style, failed, failedCount } of verified) {
    if (failedCount === 0) continue;
    for (const url of failed) streams.stderr.write(`not rebuilt (${style}): ${printable(url)}\n`);
    throw new Error(`${countOf(failedCount, 'page')} cannot be rebuilt from the ${style} includes`);
  }
}

function styleLine(
  { style, wholePages, fragments, partials, servedBytes, storedBytes }: StyleSummary,
  rebuilt: number,
): string {
  const files = [countOf(fragments, 'fragment')];
  if (partials > 0) files.push(countOf(partials, 'partial'));
  const share = servedBytes === 0 ? 0 : Math.round((100 * (servedBytes - storedBytes)) / servedBytes);
  const whole = wholePages === 0 ? '' : `, ${formatCount(wholePages)} of them kept whole`;
  return `includes (${style}): ${countOf(rebuilt, 'page')} rebuilt byte for byte${whole}; ${files.join(', ')}; ${kilobytes(servedBytes)} in ${kilobytes(storedBytes)} (${share} % saved)`;
}

function kilobytes(bytes: number): string {
  return `${formatCount(Math.round(bytes / 1000))} kB`;
}

/** Flags of `addDictionaryOptions`. */
export interface DictionaryFlags {
  dictionary?: string;
  dictionarySize: number;
}

const MAX_NAMED_FILES = 6;

/** Adds the options of the dictionary export. */
export function addDictionaryOptions(command: Command): void {
  command
    .addOption(
      new OutputOption(
        '--dictionary <file>',
        'write a compression dictionary per site, and measure it on other pages',
        { also: (path) => [`${path}.zdict`, ...dictionariesBeside(path)] },
      ),
    )
    .option(
      '--dictionary-size <bytes>',
      'largest dictionary',
      wholeNumber(MIN_DICTIONARY_BYTES, MAX_DICTIONARY_BYTES),
      DEFAULT_DICTIONARY_BYTES,
    );
}

/** Writes and measures the dictionaries; returns a function that prints what they save. */
export async function exportDictionaries(
  { streams }: Context,
  result: FragmentResult,
  { file, dictionarySize, quiet }: { file: string; dictionarySize: number; quiet?: boolean },
): Promise<() => void> {
  const summary = await writeDictionaries(result, { file, maxBytes: dictionarySize });
  return () => {
    if (!quiet) printDictionaries(streams, summary);
  };
}

function printDictionaries(streams: Context['streams'], summary: DictionarySummary): void {
  streams.stderr.write(compressionText(summary));
  const named = summary.files.filter((name) => !name.endsWith('.zdict'));
  const more = named.length - MAX_NAMED_FILES;
  const names = named.slice(0, MAX_NAMED_FILES).map((name) => coloursOf(streams.stderr).bold(name));
  if (names.length === 0) return;
  streams.stderr.write(
    `in ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}; beside ${named.length === 1 ? 'it' : 'each'} a .zdict for .warc.zst\n`,
  );
}

const MAX_SITES = 10;
const MAX_NAME_CHARACTERS = 60;

/** Tables of the sites with the most pages, and one line for all sites. */
function compressionText(summary: DictionarySummary): string {
  const measured = summary.sites.filter(({ pagesMeasured }) => pagesMeasured > 0);
  const shown = [...measured].sort((a, b) => b.pagesUsed - a.pagesUsed).slice(0, MAX_SITES);
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
  const name = printable(site).slice(0, MAX_NAME_CHARACTERS);
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
  const lines = formatTable(rows, (column) => column > 0);
  const title =
    `${name}: a dictionary of ${formatCount(dictionaryBytes)} bytes from ${countOf(pagesUsed, 'page')}, ` +
    `measured on ${countOf(pagesMeasured, 'other page')}`;
  return `${title}\n${lines.join('\n')}\n\n`;
}
