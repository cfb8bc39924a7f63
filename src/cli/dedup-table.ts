/** Near-duplicate pages as lines: a table for people, rows for programs. */

import { countOf, formatCount } from '../model/count-of.ts';
import type { DedupRow } from '../run/dedup-run.ts';
import { type ListFormat, RowLines } from './list-format.ts';
import { printable } from './summary.ts';

/** In the table: groups, and pages of one group; the rest is summed up. */
const MOST_GROUPS = 20;
const MOST_PAGES = 10;

/** The lines of page after page; groups follow each other, pages that are alone come last. */
export class DedupLines {
  readonly #rows: RowLines | undefined;
  readonly #all: boolean;
  #isStarted = false;
  #group = 0;
  #pagesOfGroup = 0;
  #groupsLeft = 0;
  #pagesLeft = 0;

  /** `all`: also pages without duplicates. */
  constructor(format: ListFormat, { all = false } = {}) {
    this.#rows = format === 'table' ? undefined : new RowLines(format);
    this.#all = all;
  }

  *of(row: DedupRow): Generator<string> {
    if (row.group === null && !this.#all) return;
    if (this.#rows) yield* this.#rows.of(row);
    else if (row.group === null) yield* this.#aloneLine(row);
    else yield* this.#tableLines(row, row.group);
  }

  *end(): Generator<string> {
    if (this.#rows) return;
    yield* this.#closeGroup();
    if (this.#groupsLeft === 0) return;
    yield '';
    yield `… and ${countOf(this.#groupsLeft, 'group')} more of ${countOf(this.#pagesLeft, 'page')}; --format csv lists them all`;
  }

  *#tableLines(row: DedupRow, group: number): Generator<string> {
    if (group !== this.#group) {
      yield* this.#closeGroup();
      this.#group = group;
      this.#pagesOfGroup = 0;
      if (group > MOST_GROUPS) {
        this.#groupsLeft++;
        this.#pagesLeft += row.pages;
      } else {
        if (this.#isStarted) yield '';
        this.#isStarted = true;
        yield `group ${formatCount(group)}: ${countOf(row.pages, 'page')} of ${countOf(row.sites, 'site')}`;
      }
    }
    if (group > MOST_GROUPS || ++this.#pagesOfGroup > MOST_PAGES) return;
    yield `  ${matchOf(row).padStart(9)}  ${row.time.padEnd(20)}  ${printable(row.url)}`;
  }

  *#closeGroup(): Generator<string> {
    const left = this.#pagesOfGroup - MOST_PAGES;
    if (this.#group <= MOST_GROUPS && left > 0) yield `             … and ${countOf(left, 'page')} more`;
    this.#pagesOfGroup = 0;
  }

  *#aloneLine(row: DedupRow): Generator<string> {
    yield* this.#closeGroup();
    if (this.#group !== 0) {
      yield* this.end();
      yield '';
      this.#group = 0;
      this.#groupsLeft = 0;
    }
    yield `  ${row.kind.padStart(9)}  ${row.time.padEnd(20)}  ${printable(row.url)}`;
  }
}

/** `first`, `copy`, or the hashes shared with the first page. */
function matchOf({ kind, exact, matching, stored }: DedupRow): string {
  if (kind === 'first') return 'first';
  return exact ? 'copy' : `${matching} of ${stored}`;
}

/** A URL as a line of its own: characters that would end it are written as URLs write them. */
export function urlLine({ url }: Pick<DedupRow, 'url'>): string {
  return url.replace(/[\x00-\x20\x7f]/g, (character) => encodeURIComponent(character));
}
