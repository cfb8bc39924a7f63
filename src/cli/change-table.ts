/** Changes of sites as lines: a table by site and date for people, rows for programs. */

import { countOf, formatCount } from '../model/count-of.ts';
import type { ChangeClass, ChangeRow } from '../store/change-rows.ts';
import { type ListFormat, percent, RowLines, shorten } from './list-format.ts';
import { printable } from './summary.ts';

/** Lines of a class at one date in the table; the rest is summed up. */
const MOST_LINES = 10;
const TEXT_CHARACTERS = 48;
const URL_CHARACTERS = 70;
/** Innermost elements of a place in the table. */
const PLACE_STEPS = 3;

/** The lines of row after row; `end` gives the last lines of a table. */
export class ChangeLines {
  readonly #rows: RowLines | undefined;
  readonly #isJson: boolean;
  #started = false;
  #site = '';
  #snapshot = '';
  #class: ChangeClass | '' = '';
  #shown = 0;
  #hidden = 0;

  constructor(format: ListFormat) {
    this.#rows = format === 'table' ? undefined : new RowLines(format);
    this.#isJson = format === 'jsonl';
  }

  of(row: ChangeRow): Generator<string> {
    return this.#rows?.of(this.#isJson ? withoutNulls(row) : row) ?? this.#tableLines(row);
  }

  *end(): Generator<string> {
    if (this.#hidden > 0) {
      yield `    … and ${formatCount(this.#hidden)} more of ${this.#class}; --format csv lists them all`;
    }
    this.#hidden = 0;
    this.#shown = 0;
  }

  *#tableLines(row: ChangeRow): Generator<string> {
    const isNewSite = row.site !== this.#site || !this.#started;
    const isNewDate = isNewSite || row.snapshot !== this.#snapshot;
    if (isNewDate || row.class !== this.#class) yield* this.end();
    if (isNewSite) yield `${this.#started ? '\n' : ''}${printable(row.site)}`;
    if (isNewDate) yield `  ${row.snapshot} (${countOf(row.compared, 'page')} compared, since ${row.since})`;
    this.#started = true;
    this.#site = row.site;
    this.#snapshot = row.snapshot;
    this.#class = row.class;
    if (this.#shown < MOST_LINES) {
      this.#shown++;
      yield `    ${row.class.padEnd(9)} ${LINE_OF[row.class](row)}`;
    } else this.#hidden++;
  }
}

const LINE_OF: Record<ChangeClass, (row: ChangeRow) => string> = {
  redesign: (row) =>
    `${row.size === 'part' ? 'in part: ' : ''}${figuresOf(row).join(', ')} (confidence ${row.confidence?.toFixed(2)})`,
  template: (row) => `${pagesOf(row)}  ${row.kind} ${placeOf(row)}: ${textsOf(row)}`,
  slot: (row) => `${pagesOf(row)}  ${placeOf(row)}, as ${textsOf(row)}`,
  content: (row) =>
    `${`+${formatCount(row.newWords ?? 0)} −${formatCount(row.lostWords ?? 0)} words`.padEnd(20)}  ${shorten(printable(row.url ?? ''), URL_CHARACTERS)}: ${textsOf(row)}`,
};

/** The measures of a redesign that could be taken. */
function figuresOf({ newTemplateShare, layoutSimilarity, designKept }: ChangeRow): string[] {
  const figures: string[] = [];
  if (newTemplateShare !== null) figures.push(`${percent(newTemplateShare)} of the template's words are new`);
  if (layoutSimilarity !== null) figures.push(`layouts are ${percent(layoutSimilarity)} alike`);
  if (designKept !== null) figures.push(`${percent(designKept)} of the design was kept`);
  return figures;
}

function pagesOf({ pages, compared }: ChangeRow): string {
  return `on ${formatCount(pages)} of ${countOf(compared, 'page')}`.padEnd(20);
}

function placeOf({ place }: ChangeRow): string {
  return printable((place ?? '').split(' > ').slice(-PLACE_STEPS).join(' > '));
}

function textsOf({ old, new: text }: ChangeRow): string {
  const quoted = (value: string) => `“${shorten(printable(value), TEXT_CHARACTERS)}”`;
  if (old === null) return `+ ${quoted(text ?? '')}`;
  return text === null ? `− ${quoted(old)}` : `${quoted(old)} → ${quoted(text)}`;
}

function withoutNulls(row: ChangeRow): Partial<ChangeRow> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
