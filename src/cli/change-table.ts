/** Changes of sites as lines: a table by site and date for people, rows for programs. */

import { countOf, formatCount } from '../model/count-of.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import type { ChangeClass, ChangeRow } from '../store/changes.ts';
import { csvCell } from '../view/rows.ts';
import { printable } from './summary.ts';

export const CHANGE_FORMATS = ['table', 'jsonl', 'csv'] as const;
export type ChangeFormat = (typeof CHANGE_FORMATS)[number];

/** Lines of a class at one date in the table; the rest is summed up. */
const MOST_LINES = 10;
const TEXT_CHARACTERS = 48;
const URL_CHARACTERS = 70;
/** Innermost elements of a place in the table. */
const PLACE_STEPS = 3;

/** The lines of row after row; a table needs to be told when there are no more. */
export class ChangeLines {
  readonly #format: ChangeFormat;
  #started = false;
  #site = '';
  #snapshot = '';
  #class: ChangeClass | '' = '';
  #shown = 0;
  #hidden = 0;

  constructor(format: ChangeFormat) {
    this.#format = format;
  }

  *of(row: ChangeRow): Generator<string> {
    if (this.#format === 'jsonl') yield wellFormedJson(withoutNulls(row));
    else if (this.#format === 'csv') {
      if (!this.#started) yield Object.keys(row).join(',');
      this.#started = true;
      yield Object.values(row)
        .map((cell) => csvCell(typeof cell === 'string' ? printable(cell) : (cell ?? '')))
        .join(',');
    } else yield* this.#tableLines(row);
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
    `${`+${formatCount(row.newWords ?? 0)} −${formatCount(row.lostWords ?? 0)} words`.padEnd(20)}  ${short(row.url ?? '', URL_CHARACTERS)}: ${textsOf(row)}`,
};

/** What was measured of a redesign, whether or not it told. */
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
  if (old === null) return `+ “${short(text ?? '', TEXT_CHARACTERS)}”`;
  if (text === null) return `− “${short(old, TEXT_CHARACTERS)}”`;
  return `“${short(old, TEXT_CHARACTERS)}” → “${short(text, TEXT_CHARACTERS)}”`;
}

function withoutNulls(row: ChangeRow): Partial<ChangeRow> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function short(text: string, most: number): string {
  const characters = Array.from(printable(text));
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
