/** Classes of shared fragments as lines: a table for people, rows for programs. */

import type { FragmentClass, Relation } from '../fragments/shared-page.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import type { SharedCounts } from '../store/run-file.ts';
import { csvCell } from '../view/rows.ts';
import { formatTable, type ListFormat, percent, shorten } from './list-format.ts';
import { printable } from './summary.ts';

/** The classes of one relation, with the counts of all of them. */
export interface RelationClasses {
  relation: Relation;
  /** Classes to show, those that save the most bytes first. */
  classes: FragmentClass[];
  counts: SharedCounts;
}

/** The whole that the sums refer to. */
export interface SharedTotals {
  htmlBytes: number;
  pages: number;
  /** Minimum bytes of a fragment in the analysis. */
  minBytes: number;
}

/** Maximum characters of a place and of a text in the table. */
const PLACE_CHARACTERS = 44;
const TEXT_CHARACTERS = 48;
const HEADER = ['pages', 'members', 'bytes', 'saved', 'where', 'text'];
const FIGURES = 4;

/** The columns of jsonl and csv, named as in `fragments/classes.parquet`. */
const COLUMNS = [
  ['relation', 'relation'],
  ['class', 'id'],
  ['kind', 'kind'],
  ['parts', 'parts'],
  ['pages', 'pages'],
  ['members', 'members'],
  ['sites', 'sites'],
  ['avg_bytes', 'avgBytes'],
  ['avg_complete_bytes', 'avgCompleteBytes'],
  ['structural_bytes', 'structuralBytes'],
  ['saved_bytes', 'savedBytes'],
  ['place', 'place'],
  ['text', 'text'],
  ['page', 'page'],
  ['site', 'site'],
  ['url', 'url'],
] as const satisfies [string, keyof FragmentClass][];

/** The lines of the classes in a format; the table ends with sums. */
export function* fragmentLines(
  relations: RelationClasses[],
  { format, ...totals }: { format: ListFormat } & SharedTotals,
): Generator<string> {
  if (format === 'csv') yield COLUMNS.map(([name]) => name).join(',');
  for (const shown of relations) {
    if (format === 'table') {
      yield* tableLines(shown);
      yield summaryLine(shown, totals);
      yield '';
      continue;
    }
    for (const found of shown.classes) {
      if (format === 'csv') yield COLUMNS.map(([, field]) => csvCell(shownValue(found[field]))).join(',');
      else yield jsonLine(Object.fromEntries(COLUMNS.map(([name, field]) => [name, found[field]])));
    }
  }
}

/** Line like `complete: 412 classes, 61 % of the HTML in shared fragments (63 % of an average page), one copy …`. */
function summaryLine(
  { relation, counts }: Pick<RelationClasses, 'relation' | 'counts'>,
  { htmlBytes, pages, minBytes }: SharedTotals,
): string {
  if (counts.classes === 0) {
    // suggests an option where one would help
    const smaller = pages === 0 || minBytes === 1 ? '' : '; a smaller --min-bytes may find some';
    return `${relation}: no shared fragment of at least ${bytes(minBytes)} on ${countOf(pages, 'page')}${smaller}`;
  }
  const classes = countOf(counts.classes, 'class', 'classes');
  const of = counts.composites > 0 ? ` (${formatCount(counts.composites)} composite)` : '';
  const share = percent(htmlBytes === 0 ? 0 : counts.sharedBytes / htmlBytes);
  return (
    `${relation}: ${classes}${of} on ${formatCount(counts.sharedPages)} of ${countOf(pages, 'page')}; ` +
    `${share} of the HTML lies in shared fragments, ${percent(counts.meanShare)} of an average page; ` +
    `one copy of each saves ${bytes(counts.savedBytes)}`
  );
}

function* tableLines({ relation, classes, counts }: RelationClasses): Generator<string> {
  yield `${relation} fragments`;
  if (classes.length === 0) return;
  yield* formatTable([HEADER, ...classes.map(tableRow)], (column) => column < FIGURES);
  const more = counts.classes - classes.length;
  if (more > 0) yield `… and ${formatCount(more)} more`;
}

function tableRow({
  pages,
  members,
  avgBytes,
  savedBytes,
  place,
  text,
  kind,
  parts,
}: FragmentClass): string[] {
  const where = kind === 'composite' ? `${innerEnd(place, PLACE_CHARACTERS - 4)} +${parts - 1}` : place;
  return [
    formatCount(pages),
    formatCount(members),
    formatCount(Math.round(avgBytes)),
    bytes(savedBytes),
    innerEnd(printable(where), PLACE_CHARACTERS),
    shorten(printable(text), TEXT_CHARACTERS),
  ];
}

/** Text for a CSV cell without control characters, because people view it too. */
function shownValue<T>(value: T): T | string {
  return typeof value === 'string' ? printable(value) : value;
}

/** JSON without characters that control a terminal: JSON.stringify escapes only the first 32 characters. */
function jsonLine(value: unknown): string {
  return wellFormedJson(value).replace(
    /[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The inner end of a place, which identifies it better than the outer end. */
function innerEnd(place: string, most: number): string {
  const characters = Array.from(place);
  return characters.length <= most ? place : `…${characters.slice(1 - most).join('')}`;
}

function bytes(value: number): string {
  if (value < 10_000) return `${formatCount(Math.round(value))} B`;
  if (value < 10_000_000) return `${formatCount(Math.round(value / 1000))} kB`;
  return `${formatCount(Math.round(value / 1e6))} MB`;
}
