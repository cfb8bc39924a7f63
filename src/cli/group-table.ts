/** Layout groups, their members and crosses as lines: a table for people, rows for programs. */

import { countOf, formatCount } from '../model/count-of.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import type { SiteLayouts } from '../run/groups-run.ts';
import { csvCell } from '../view/rows.ts';
import { printable } from './summary.ts';

export const GROUP_FORMATS = ['table', 'jsonl', 'csv'] as const;
export type GroupFormat = (typeof GROUP_FORMATS)[number];
export type GroupList = 'groups' | 'members' | 'crosses';

type Row = Record<string, string | number | null>;

/** Groups of a site in the table; the rest is summed up. */
const MOST_GROUPS = 20;
const PATTERN_CHARACTERS = 40;
const URL_CHARACTERS = 60;

/** The lines of site after site; the header of a CSV comes once. */
export class GroupRows {
  readonly #list: GroupList;
  readonly #format: GroupFormat;
  #started = false;

  constructor(list: GroupList, format: GroupFormat) {
    this.#list = list;
    this.#format = format;
  }

  *of(site: SiteLayouts): Generator<string> {
    if (this.#format === 'table' && this.#list === 'groups') {
      if (this.#started) yield '';
      this.#started = true;
      yield* groupTable(site);
      return;
    }
    const rows =
      this.#list === 'groups'
        ? groupRows(site)
        : this.#list === 'members'
          ? memberRows(site)
          : crossRows(site);
    for (const row of rows) {
      if (this.#format === 'jsonl') {
        yield wellFormedJson(row);
        continue;
      }
      const separator = this.#format === 'csv' ? ',' : '\t';
      if (!this.#started) yield Object.keys(row).join(separator);
      this.#started = true;
      const cells = Object.values(row);
      yield this.#format === 'csv'
        ? cells.map((cell) => csvCell(typeof cell === 'string' ? printable(cell) : (cell ?? ''))).join(',')
        : cells.map((cell) => (cell === null ? '–' : printable(String(cell)))).join('\t');
    }
  }
}

function* groupRows({ site, pages, groups }: SiteLayouts): Generator<Row> {
  for (const { number, typical, ...group } of groups) {
    yield {
      site,
      group: number,
      pages: group.pages,
      urls: group.urls,
      share: rounded(group.share),
      similarity: rounded(group.similarity),
      pattern: group.pattern,
      url: pages[typical].url,
      time: pages[typical].time,
    };
  }
}

function* memberRows({ site, pages, numberOf, similarityToTypical }: SiteLayouts): Generator<Row> {
  for (let page = 0; page < pages.length; page++) {
    const { url, time } = pages[page];
    yield { site, group: numberOf[page], url, time, similarity: rounded(similarityToTypical(page)) };
  }
}

function* crossRows({ site, pages, numberOf, crosses }: SiteLayouts): Generator<Row> {
  if (!crosses) return;
  const { up, down, previous, next, similarity } = crosses;
  for (let page = 0; page < pages.length; page++) {
    const urlOf = (other: number) => (other < 0 ? null : pages[other].url);
    const timeOf = (other: number) => (other < 0 ? null : pages[other].time);
    const alike = (other: number) => (other < 0 ? null : rounded(similarity(page, other)));
    yield {
      site,
      group: numberOf[page],
      url: pages[page].url,
      time: pages[page].time,
      up: urlOf(up[page]),
      up_time: timeOf(up[page]),
      up_similarity: alike(up[page]),
      down: urlOf(down[page]),
      down_time: timeOf(down[page]),
      down_similarity: alike(down[page]),
      previous_time: timeOf(previous[page]),
      previous_similarity: alike(previous[page]),
      next_time: timeOf(next[page]),
      next_similarity: alike(next[page]),
    };
  }
}

function* groupTable({ site, pages, groups }: SiteLayouts): Generator<string> {
  yield `${printable(site)}: ${countOf(pages.length, 'page')} in ${countOf(groups.length, 'group')}`;
  const shown = groups.length > MOST_GROUPS ? groups.slice(0, MOST_GROUPS - 1) : groups;
  const rows = [
    ['group', 'pages', 'share', 'alike', 'pattern', 'typical page'],
    ...shown.map((group) => [
      String(group.number),
      formatCount(group.pages),
      percent(group.share),
      percent(group.similarity),
      short(printable(group.pattern), PATTERN_CHARACTERS),
      short(printable(pages[group.typical].url), URL_CHARACTERS),
    ]),
  ];
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => Array.from(row[k]).length)));
  for (const row of rows) {
    const cells = row.map((cell, k) => {
      const space = ' '.repeat(widths[k] - Array.from(cell).length);
      return k < 4 ? space + cell : cell + space;
    });
    yield cells.join('  ').trimEnd();
  }
  const rest = groups.slice(shown.length);
  if (rest.length === 0) return;
  const left = rest.reduce((sum, group) => sum + group.pages, 0);
  yield `… and ${countOf(rest.length, 'group')} more of ${countOf(left, 'page')}; --format csv lists them all`;
}

function short(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
