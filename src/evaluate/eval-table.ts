/**
 * Renders the tables of `chaff eval`: contenders are rows and groups of pages are columns, one small table per
 * measure, so that a reader compares along a column. Figures are in per cent; `-` when a set has no such gold.
 */
import { countOf } from '../model/count-of.ts';
import { type Comparison, compareContenders } from './compare.ts';
import { type EvalDetailsOptions, renderEvalDetails } from './eval-details.ts';
import type { EvalResult } from './evaluate.ts';
import type { Interval } from './host-bootstrap.ts';
import { UNITS } from './labelled-page.ts';
import type { LeakCounts, LeakResult } from './site-leaks.ts';
import { type Figures, LARGE_SITE_PAGES, type Summary } from './summarise.ts';
import { layOut, percentOrDash } from './text-table.ts';

/** Base of the comparison, and details to print. */
export interface EvalTableOptions extends EvalDetailsOptions {
  /** The contender that the others are compared with. @default the first */
  against?: string;
}

type Column = [title: string, group: (summary: Summary) => Figures | undefined, value: FigureOf];
type FigureOf = (figures: Figures) => number | undefined;

const WORDS: FigureOf = ({ words }) => words?.f1;
const GRAMS: FigureOf = ({ grams }) => grams?.f1;
const LARGE = `hosts ≥ ${LARGE_SITE_PAGES}`;

/** Minimum number of pages of a language in the table; others are in --details and JSON only. */
const MIN_LANGUAGE_PAGES = 10;

const MEASURES: readonly [title: string, value: FigureOf][] = [
  ['P', ({ words }) => words?.precision],
  ['R', ({ words }) => words?.recall],
  ['F1', WORDS],
  ['4P', ({ grams }) => grams?.precision],
  ['4R', ({ grams }) => grams?.recall],
  ['4F1', GRAMS],
  ['keep', ({ keepRate }) => keepRate],
  ['drop', ({ dropRate }) => dropRate],
  ['cut', ({ cutShare }) => cutShare],
  ['floor', ({ fallbackShare }) => fallbackShare],
];
const MEASURES_NOTE = [
  'P R F1: precision, recall and F1 of words; 4P 4R 4F1: the same for runs of four words;',
  'keep: snippets or values that must be kept and are; drop: snippets that must be removed and are;',
  'cut: characters of the page that are removed; floor: pages judged alone, for lack of other pages of the site; all in %',
].join('\n');

/** Returns the result of `chaff eval` as text for a terminal. */
export function renderEvalTable(result: EvalResult, options: EvalTableOptions = {}): string {
  const { detectors } = result;
  const keys = (field: 'bySet' | 'byType' | 'byLang' | 'bySitePages') =>
    [...new Set(detectors.flatMap(({ summary }) => Object.keys(summary[field])))].filter((key) =>
      detectors.some(({ summary }) => summary[field][key]),
    );
  const columns = (field: 'bySet' | 'byType' | 'byLang' | 'bySitePages', value: FigureOf): Column[] =>
    keys(field).map((key): Column => [key, (summary) => summary[field][key], value]);
  const ends = (value: FigureOf): Column[] => [
    ['all', (summary) => summary.all, value],
    [LARGE, (summary) => summary.large, value],
  ];
  const several = (list: Column[]) => (list.length > 1 ? list : []);
  const snippets = keys('bySet').flatMap((key) =>
    MEASURES.filter(([title]) => ['keep', 'drop', 'cut'].includes(title)).map(
      ([title, value]): Column => [`${key} ${title}`, (summary) => summary.bySet[key], value],
    ),
  );
  const hasSnippets = new Set(
    keys('bySet').filter((key) => detectors[0].summary.bySet[key]?.keepRate !== undefined),
  );
  const parts = [
    `${matrix('all pages', result, [...MEASURES.map(([title, value]): Column => [title, (summary) => summary.all, value])])}\n${MEASURES_NOTE}`,
    matrix('words F1', result, [...ends(WORDS), ...several(columns('bySet', WORDS))]),
    matrix('4-gram F1', result, [...ends(GRAMS), ...several(columns('bySet', GRAMS))]),
    matrix('words F1, pages per host', result, several(columns('bySitePages', WORDS))),
    matrix('words F1, type', result, several(columns('byType', WORDS))),
    matrix(
      'words F1, language',
      result,
      several(
        columns('byLang', WORDS).filter(([, groupOf]) =>
          detectors.some(({ summary }) => (groupOf(summary)?.pages ?? 0) >= MIN_LANGUAGE_PAGES),
        ),
      ),
    ),
    matrix(
      'snippets and values',
      result,
      hasSnippets.size > 0 && keys('bySet').length > 1
        ? snippets.filter(([title]) => hasSnippets.has(title.replace(/ \w+$/, '')))
        : [],
    ),
    unitTable(result),
    comparisonTable(compareContenders(detectors, { base: options.against })),
    renderEvalDetails(result, options),
    accounts(result),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * Returns a row per contender and a column per group, after a row with the number of pages; empty when no column
 * has figures.
 */
function matrix(title: string, { detectors }: EvalResult, all: Column[]): string {
  const columns = all.filter(([, groupOf, figureIn]) =>
    detectors.some(({ summary }) => {
      const figures = groupOf(summary);
      return figures !== undefined && figureIn(figures) !== undefined;
    }),
  );
  if (columns.length === 0) return '';
  const most = columns.map(([, groupOf]) =>
    Math.max(...detectors.map(({ summary }) => groupOf(summary)?.pages ?? 0)),
  );
  // leave out a contender that lacks some of the pages, because it is not comparable
  const rows = detectors.map(({ label, summary }) => [
    label,
    ...columns.map(([, groupOf, figureIn], index) => {
      const figures = groupOf(summary);
      return percentOrDash(figures?.pages === most[index] ? figureIn(figures) : undefined);
    }),
  ]);
  const pages = most.map((count) => count.toLocaleString('en'));
  return layOut([[title, ...columns.map(([name]) => name)], ['pages', ...pages], ...rows]);
}

/** Returns how many units of labelled pages each contender keeps whole; empty without such pages. */
function unitTable({ detectors }: EvalResult): string {
  const rows = detectors.flatMap(({ label, summary }) => {
    const { units } = summary.all;
    if (!units) return [];
    return [
      [
        label,
        ...UNITS.flatMap((kind) => [units[kind].whole, units[kind].found, units[kind].all].map(String)),
      ],
    ];
  });
  if (rows.length === 0) return '';
  const head = ['kept whole', ...UNITS.flatMap((kind) => [kind, 'found', 'of'])];
  const note =
    'rows of data tables, items of lists, labels with their value: all words in a row in the output; found: a third of the words';
  return `${layOut([head, ...rows])}\n${note}`;
}

/**
 * Returns intervals and leads on all pages and on large hosts; a lead whose interval includes 0 is not significant.
 */
function comparisonTable({ base, groups }: Comparison): string {
  const shown = groups.filter(({ group }) => group === 'all' || group === 'large');
  if (shown.length === 0) return '';
  const titles = shown.map(({ group }) => (group === 'all' ? 'all' : LARGE));
  const rows = shown[0].contenders.map(({ label }, index) => [
    label,
    ...shown.flatMap(({ contenders }) => {
      const { f1, baseAhead } = contenders[index];
      return [interval(f1), interval(baseAhead, true)];
    }),
  ]);
  const head = ['words F1 (95 % interval)', ...titles.flatMap((title) => [title, `${base} ahead by`])];
  const note =
    'intervals: hosts drawn again 2,000 times; leads: paired page by page, * where the whole interval is above or below 0';
  const others = groups.filter(({ group }) => group !== 'all' && group !== 'large');
  const leads =
    others.length === 0
      ? ''
      : layOut([
          [`${base} ahead by`, ...others.map(({ group }) => group.replace(/^\w+:/, ''))],
          ...others[0].contenders
            .map(({ label }, index) => [
              label,
              ...others.map(({ contenders }) => lead(contenders[index].baseAhead)),
            ])
            .filter(([label]) => label !== base),
        ]);
  return [layOut([head, ...rows]), leads, note].filter((part) => part !== '').join('\n\n');
}

function interval(value: Interval | undefined, isLead = false): string {
  if (!value) return '-';
  const { mean, low, high } = value;
  const text = `${isLead ? signed(mean) : percentOrDash(mean)} (${percentOrDash(low)} to ${percentOrDash(high)})`;
  return isLead ? `${text}${isSure(value) ? '*' : ' '}` : text;
}

function lead(value: Interval | undefined): string {
  return value ? `${signed(value.mean)}${isSure(value) ? '*' : ' '}` : '-';
}

function isSure({ low, high }: Interval): boolean {
  return low > 0 || high < 0;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${percentOrDash(value)}`;
}

function accounts({ goldPages, missing, learntPages, sites, problems, digest }: EvalResult): string {
  const lines = [
    `${countOf(goldPages, 'gold page')}, ${goldPages - missing.length} scored, ${missing.length} missing; ` +
      `${countOf(learntPages, 'page')} of ${countOf(sites, 'site')} learnt from; ${countOf(problems.length, 'problem')}`,
    `corpus ${digest}`,
  ];
  for (const { url, reason } of missing.slice(0, 10)) lines.push(`missing: ${url} (${reason})`);
  if (missing.length > 10) lines.push(`missing: ${missing.length - 10} more`);
  return lines.join('\n');
}

/** Returns the figures of whole sites without gold as text for a terminal. */
export function renderLeakTable(
  { labels, sites, totals }: LeakResult,
  { sites: perSite = false } = {},
): string {
  const cells = ({ repeatedChars, outputChars, uniqueKept, uniqueParagraphs }: LeakCounts) => [
    percentOrDash(outputChars === 0 ? undefined : repeatedChars / outputChars),
    percentOrDash(uniqueParagraphs === 0 ? undefined : uniqueKept / uniqueParagraphs),
  ];
  const rows = labels.map((label, index) => [
    label,
    ...cells(totals[index]),
    (totals[index].outputChars / 1e6).toFixed(1),
  ]);
  const note =
    `repeated: characters of the output in lines of at least 5 pages and 5 % of the site; unique kept: paragraphs of 12 words ` +
    `and more that one page\nalone has; in %. ${countOf(totals[0].pages, 'page')} of ${countOf(sites.length, 'site')}, ` +
    `${totals[0].uniqueParagraphs.toLocaleString('en')} such paragraphs`;
  const parts = [`${layOut([['whole sites', 'repeated', 'unique kept', 'M characters'], ...rows])}\n${note}`];
  if (perSite) {
    const head = ['site', 'pages', ...labels.flatMap((label) => [`${label} repeated`, 'kept'])];
    parts.push(
      layOut([
        head,
        ...sites.map(({ site, counts }) => [site, String(counts[0].pages), ...counts.flatMap(cells)]),
      ]),
    );
  }
  return parts.join('\n\n');
}
