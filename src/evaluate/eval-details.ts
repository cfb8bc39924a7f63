/**
 * Renders the tables that `chaff eval` prints on request: a row per group and contender, in per cent; `-` when a
 * set has no such gold.
 */
import type { EvalResult } from './evaluate.ts';
import { BLOCK_LABELS } from './gold.ts';
import { toClassFigures } from './overlap.ts';
import { type Figures, LARGE_SITE_PAGES, type Summary } from './summarise.ts';
import { layOut, percentOrDash } from './text-table.ts';

/** Tables to print besides the summary. */
export interface EvalDetailsOptions {
  /** A row per group and contender with every figure. @default false */
  details?: boolean;
  /** Also a row per site. @default false */
  sites?: boolean;
  /** Also words by class: accuracy, and precision, recall, F1 of content and of boilerplate. @default false */
  classes?: boolean;
  /** Also a row per set of captures in the cross, such as `11010`. @default false */
  crosses?: boolean;
  /** Also a row per page and detector. @default false */
  documents?: boolean;
}

const HEAD = [
  'group',
  'detector',
  'pages',
  'P',
  'R',
  'F1',
  '4P',
  '4R',
  '4F1',
  'keep',
  'drop',
  'cut',
  'floor',
];
const NOTE =
  'P R F1: words; 4P 4R 4F1: runs of four words; keep: snippets kept; drop: snippets removed; cut: characters of the page ' +
  'that are removed; floor: pages judged alone, for lack of other pages of the site; all in %';

const CLASS_HEAD = ['words by class', 'detector', 'acc', 'con P', 'R', 'F1', 'bp P', 'R', 'F1'];
const CLASS_NOTE =
  'acc: words labelled rightly; con: words of the gold text; bp: all other words of the page; all words together, in %';

const TEMPLATE_HEAD = [
  'templates',
  'detector',
  'text P',
  'R',
  'F',
  'anchor P',
  'R',
  'F',
  'links P',
  'R',
  'F',
  'Rand',
];
const TEMPLATE_NOTE =
  'text, anchor, links: words, words of links and links that are template by gold, all together, in %; ' +
  'Rand: adjusted Rand index of sections, mean of pages';

/** Returns the tables, separated by blank lines; '' when none was requested. */
export function renderEvalDetails(
  result: EvalResult,
  { details, sites = false, classes = false, crosses = false, documents = false }: EvalDetailsOptions = {},
): string {
  const groups: [string, (summary: Summary) => Figures | undefined][] = [
    ['all pages', (summary) => summary.all],
    [`sites ≥ ${LARGE_SITE_PAGES} pages`, (summary) => summary.large],
    ...keyed(result, 'bySet', 'set', true),
    ...keyed(result, 'largeBySet', `≥ ${LARGE_SITE_PAGES} pages of`, true),
    ...keyed(result, 'byType', 'type', false),
    ...keyed(result, 'byLang', 'lang', false),
    ...keyed(result, 'bySitePages', 'pages per host', true),
    ...(sites ? keyed(result, 'bySite', 'site', false) : []),
    ...(crosses ? keyed(result, 'byCross', 'cross', false) : []),
  ];
  const parts: string[] = [];
  const add = (rows: string[][], note = '') => {
    if (rows.length > 1) parts.push([layOut(rows, 2), note].filter((part) => part !== '').join('\n'));
  };
  if (details || sites || crosses) add([HEAD, ...rowsByGroup(result, groups, cells)], NOTE);
  if (classes) add([CLASS_HEAD, ...rowsByGroup(result, groups, classCells)], CLASS_NOTE);
  add([TEMPLATE_HEAD, ...rowsByGroup(result, groups, templateCells)], TEMPLATE_NOTE);
  const kept = BLOCK_LABELS.map((label) => `${label} kept`);
  if (details) add([['blocks of', 'detector', 'class', 'P', 'R', 'F1', ...kept], ...blockRows(result)]);
  if (documents) add(documentRows(result), DOCUMENT_NOTE);
  return parts.join('\n\n');
}

function keyed(
  { detectors }: EvalResult,
  field: 'bySet' | 'largeBySet' | 'byType' | 'byLang' | 'bySitePages' | 'bySite' | 'byCross',
  title: string,
  onlyIfSeveral: boolean,
): [string, (summary: Summary) => Figures | undefined][] {
  const keys = new Set(detectors.flatMap(({ summary }) => Object.keys(summary[field])));
  if (onlyIfSeveral && keys.size < 2) return [];
  return [...keys].map((key) => [`${title} ${key}`, (summary) => summary[field][key]]);
}

function cells(figures: Figures): string[] | undefined {
  const { pages, words, grams, keepRate, dropRate, cutShare, fallbackShare } = figures;
  if (pages === 0) return undefined;
  const rates = [words?.precision, words?.recall, words?.f1, grams?.precision, grams?.recall, grams?.f1];
  return [String(pages), ...[...rates, keepRate, dropRate, cutShare, fallbackShare].map(percentOrDash)];
}

/** Adds a row for each detector with such figures; the first row of a group has the name of the group. */
function rowsByGroup(
  { detectors }: EvalResult,
  groups: readonly [string, (summary: Summary) => Figures | undefined][],
  cellsOf: (figures: Figures) => string[] | undefined,
): string[][] {
  return groups.flatMap(([name, groupOf]) => {
    const rows: string[][] = [];
    for (const { label, summary } of detectors) {
      const figures = groupOf(summary);
      const own = figures && cellsOf(figures);
      if (own) rows.push([rows.length === 0 ? name : '', label, ...own]);
    }
    return rows;
  });
}

function classCells({ classes }: Figures): string[] | undefined {
  if (!classes) return undefined;
  const { accuracy, content, boilerplate } = classes;
  const scores = [content, boilerplate].flatMap(({ precision, recall, f1 }) => [precision, recall, f1]);
  return [accuracy, ...scores].map(percentOrDash);
}

function templateCells({ templates, randIndex }: Figures): string[] | undefined {
  if (!templates) return undefined;
  const { text, anchors, links } = templates;
  const scores = [text, anchors, links].flatMap(({ precision, recall, f1 }) => [precision, recall, f1]);
  return [...scores.map(percentOrDash), randIndex === undefined ? '-' : randIndex.toFixed(3)];
}

function blockRows({ detectors }: EvalResult): string[][] {
  const rows: string[][] = [];
  for (const [name, key] of [
    ['all pages', 'all'],
    [`sites ≥ ${LARGE_SITE_PAGES} pages`, 'large'],
  ] as const) {
    for (const { label, summary } of detectors) {
      const blocks = summary[key].blocks;
      if (!blocks) continue;
      const { words, wordsKept } = blocks.counts;
      const kept = words.map((count, index) =>
        percentOrDash(count > 0 ? wordsKept[index] / count : undefined),
      );
      for (const kind of ['content', 'boilerplate'] as const) {
        const { precision, recall, f1 } = blocks[kind];
        rows.push([
          name,
          label,
          kind,
          ...[precision, recall, f1].map(percentOrDash),
          ...(kind === 'content' ? kept : []),
        ]);
      }
    }
  }
  return rows;
}

/**
 * Returns a row per page and detector, with the columns of Leśniak 2017, appendix D; words are counted, not
 * elements.
 */
const DOCUMENT_HEAD = [
  'page',
  'time',
  'detector',
  'cross',
  'tp',
  'fn',
  'fp',
  'tn',
  'acc',
  'bp P',
  'con P',
  'bp R',
  'con R',
  'bp F1',
  'con F1',
];

const DOCUMENT_NOTE =
  'tp, fn: words of the gold text that were kept, and lost; fp, tn: other words of the page that were kept, and gone; ' +
  'cross: the page, up, down, previous, next; the rest in %';

/** Returns the head and the rows, without pages that have no gold text. */
function documentRows({ detectors }: Pick<EvalResult, 'detectors'>): string[][] {
  const rows: string[][] = [];
  for (let page = 0; page < detectors[0].pages.length; page++) {
    for (const { label, pages } of detectors) {
      const { url, time = '-', cross = '-', classes } = pages[page];
      const figures = classes && toClassFigures([classes]);
      if (!figures) continue;
      const { contentKept, contentLost, boilerplateKept, boilerplateGone } = figures.counts;
      const { accuracy, content, boilerplate } = figures;
      const shares = [
        accuracy,
        boilerplate.precision,
        content.precision,
        boilerplate.recall,
        content.recall,
        boilerplate.f1,
        content.f1,
      ];
      rows.push([
        url,
        time,
        label,
        cross,
        ...[contentKept, contentLost, boilerplateKept, boilerplateGone].map(String),
        ...shares.map((share) => (100 * share).toFixed(1)),
      ]);
    }
  }
  return [DOCUMENT_HEAD, ...rows];
}
