/**
 * From the surveys of all inputs to the pages to label: revisits find the capture that holds their body, captures of a
 * site fall into snapshots, every snapshot gets its sample, every page its number. A sort of columns in memory:
 * some 90 bytes a capture and its URL, whatever the size of the pages.
 *
 * Nothing here depends on the order of the inputs: a sample is the smallest seeded hashes of URLs, numbers
 * follow (site, snapshot, file, offset).
 */
import { createHash } from 'node:crypto';
import { CAPTURES_TRIED } from '../analysis/choose-arms.ts';
import { compare, compareUtf8 } from '../model/order.ts';
import type { Capture } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import { CaptureColumns, NO_TIME, type SiteChanges } from './capture-columns.ts';
import {
  choose,
  compareHashes,
  countSkips,
  type LostRow,
  resolveRevisits,
  type Selection,
} from './choose-captures.ts';
import { PLACE_COLUMNS, type PlannedPage } from './planned-page.ts';
import { dayOf, nameSnapshots, type SnapshotRule } from './snapshot-rule.ts';
import { TableFile } from './table-rows.ts';

/** Candidates beyond the sample, for those that turn out to be no pages when their bodies are read. */
const SPARE_SAMPLES = 16;

export interface PlanOptions extends Selection {
  snapshot: SnapshotRule;
  /** Pages to learn a site snapshot from. */
  sample: number;
  /** Most pages to label; the rest is skipped as filtered, but learnt from. */
  limit?: number;
  /** The site of every page, where it is not the one that the survey names. */
  sites?: SiteChanges;
}

/** A page as `identities` names it. */
export interface PageIdentity {
  page: number;
  /** Number of the capture among those of the surveys. */
  id: number;
  site: string;
  url: string;
  time: string;
}

/** The pages of a site at about one time: what is learnt and labelled together. */
export interface PlannedGroup {
  group: number;
  site: string;
  snapshot: string;
}

/** The captures of the same page nearest in time. */
export interface OtherCaptures {
  previous?: PlannedPage;
  next?: PlannedPage;
  /** Those before and after that detectors may look at, nearest first, when they want them. */
  earlier?: PlannedPage[];
  later?: PlannedPage[];
  /** Site snapshot and year of the next one, if that is labelled too. */
  nextGroup?: number;
  nextYear?: number;
}

/** A revisit whose original is nowhere in the inputs. */
export interface LostRevisit {
  file: string;
  entry: string;
  offset: number;
  url: string;
  time: string;
  site: string;
}

export class Plan {
  readonly #captures: CaptureColumns;
  readonly #lost: LostRow[];
  readonly #skips: Partial<Record<SkipCode, number>>;
  /** Pages to work on, numbered from 1; more may be learnt from. */
  readonly pageCount: number;
  /** Pages to draw for a sample. */
  readonly #sample: number;
  readonly #groups: PlannedGroup[];
  /** Row of every page, in order of pages; page n is at n - 1. */
  readonly #rowOf: Uint32Array;
  readonly #groupOf: Uint32Array;
  /** First page of every group, and the page after the last one. */
  readonly #firstPage: Uint32Array;
  /** The candidates of the samples of all groups, smallest hash first, and where those of each group begin. */
  readonly #samples: number[] = [];
  readonly #samplesStart: number[] = [];
  /** Distinct pages of every group. */
  readonly #urls: number[] = [];
  /** Captures of revisits, by row. */
  readonly #revisits: Map<number, Capture>;

  /** Plans from the files of the surveys, given in the order of the inputs. */
  static make(surveys: readonly string[], options: PlanOptions): Plan {
    const captures = CaptureColumns.read(surveys, options.sites);
    return new Plan(captures, resolveRevisits(surveys, captures), options);
  }

  private constructor(captures: CaptureColumns, lost: LostRow[], options: PlanOptions) {
    const { snapshot, sample, limit } = options;
    this.#captures = captures;
    this.#lost = lost;
    this.#sample = sample;
    this.#revisits = new Map(captures.revisits.map(({ row, capture }) => [row, capture]));
    const chosen = choose(captures, lost, options);
    const grouped = groupRows(captures, chosen.rows, snapshot);
    this.#groups = grouped.groups;
    this.#rowOf = grouped.rows;
    this.#groupOf = grouped.groupOf;
    this.#firstPage = grouped.firstPage;
    const { length: pages } = grouped.rows;
    this.pageCount = Math.min(pages, limit ?? pages);
    this.#skips = countSkips(captures.skips, lost, {
      superseded: chosen.superseded,
      filtered: chosen.filtered + pages - this.pageCount,
    });
    for (let group = 0; group < this.#groups.length; group++) this.#drawSample(group);
    this.#samplesStart.push(this.#samples.length);
  }

  /** Captures that the surveys met. */
  countCaptures(): number {
    return this.#captures.captureCount;
  }

  /** Captures that give no page, by code, so far as known before bodies are read. */
  countSkips(): Partial<Record<SkipCode, number>> {
    return { ...this.#skips };
  }

  /** Captures of each input, by its ordinal. */
  countByInput(): Map<number, number> {
    return this.#captures.countByInput;
  }

  /** Revisits whose original is nowhere in the inputs. */
  unresolvedRevisits(): LostRevisit[] {
    const { file, entry, texts, offset, urls } = this.#captures;
    return this.#lost
      .filter(({ skip }) => skip === 'revisit-unresolved')
      .map(({ row }) => ({
        file: texts[file[row]],
        entry: texts[entry[row]],
        offset: offset[row],
        url: urls[row],
        time: this.#captures.timeOf(row),
        site: this.#captures.siteOf(row),
      }));
  }

  /** Distinct URLs of every site snapshot, those of one page as one, in the order of their pages: what cutting into tasks needs. */
  *groupSizes(): Generator<{ group: number; urls: number }> {
    for (const { group } of this.#groups) {
      if (this.#firstPage[group] <= this.pageCount) yield { group, urls: this.#urls[group] };
    }
  }

  /** The site snapshots numbered from `first` up to, not including, `end`. */
  groups(first: number, end: number): PlannedGroup[] {
    return this.#groups.slice(first, end);
  }

  /** Group and bytes of every page, in order: what cutting into tasks needs. */
  *pageSizes(): Generator<{ page: number; group: number; bytes: number }> {
    const { length } = this.#captures;
    for (let k = 0; k < this.pageCount; k++) {
      yield { page: k + 1, group: this.#groupOf[k], bytes: length[this.#rowOf[k]] };
    }
  }

  /** What identifies every page, in order: the pages of a site follow each other. */
  *identities(): Generator<PageIdentity> {
    const { id, urls } = this.#captures;
    for (let k = 0; k < this.pageCount; k++) {
      const row = this.#rowOf[k];
      const site = this.#captures.siteOf(row);
      yield { page: k + 1, id: id[row], site, url: urls[row], time: this.#captures.timeOf(row) };
    }
  }

  /** The pages numbered from `first`, 1 or more, up to, not including, `end`. */
  pages(first: number, end: number): PlannedPage[] {
    const pages: PlannedPage[] = [];
    for (let page = first; page < end && page <= this.#rowOf.length; page++) pages.push(this.#page(page));
    return pages;
  }

  /** Some pages, in order of their numbers. */
  pagesAmong(numbers: readonly number[]): PlannedPage[] {
    return [...new Set(numbers)].sort((a, b) => a - b).map((page) => this.#page(page));
  }

  /**
   * The candidates of the samples of some groups: smallest URL hash first, some spare ones last. A page of
   * `known` is not made again.
   */
  samples(firstGroup: number, endGroup: number, known: readonly PlannedPage[] = []): PlannedPage[] {
    const numbers = this.#samples.slice(this.#samplesStart[firstGroup], this.#samplesStart[endGroup]);
    return this.#pagesInOrder(numbers, known);
  }

  /**
   * Candidates for the captures that detectors with captures learn some groups from: of the pages of the samples, first
   * one capture of each, then a second one, and so on (detect/cross/cross-model.ts), as many as the samples have
   * pages; some spare ones last. Groups in order.
   */
  captureSamples(firstGroup: number, endGroup: number, known: readonly PlannedPage[] = []): PlannedPage[] {
    const numbers: number[] = [];
    for (let group = firstGroup; group < endGroup; group++) numbers.push(...this.#captureSample(group));
    return this.#pagesInOrder(numbers, known);
  }

  /**
   * The captures of the same page, however its URL is written, before and after each of the pages from `first` up to, not
   * including, `end`; those that are the only capture of a page are left out. Captures of one time have no order.
   * With `next`, also those further away.
   */
  otherCaptures(first: number, end: number, { next: wantsNext = true } = {}): Record<number, OtherCaptures> {
    const found: Record<number, OtherCaptures> = {};
    for (let page = first; page < end && page <= this.#rowOf.length; page++) {
      const earlier = this.#nearCaptures(page, -1);
      const later = this.#nearCaptures(page, 1);
      if (earlier.near.length === 0 && later.near.length === 0) continue;
      if (!wantsNext && earlier.nearest === undefined && later.nearest === undefined) continue;
      const next = later.nearest !== undefined && later.nearest <= this.pageCount ? later.nearest : undefined;
      found[page] = {
        previous: this.#pageIf(earlier.nearest),
        next: wantsNext ? this.#pageIf(later.nearest) : undefined,
        ...(wantsNext && {
          earlier: earlier.near.map((other) => this.#page(other)),
          later: later.near.map((other) => this.#page(other)),
        }),
        nextGroup: next === undefined ? undefined : this.#groupOf[next - 1],
        nextYear:
          next === undefined ? undefined : Number(this.#captures.timeOf(this.#rowOf[next - 1]).slice(0, 4)),
      };
    }
    return found;
  }

  /** Keeps where the bytes of every page lie, to be read by `readPlannedPages` when the plan is gone. */
  keepPlaces(path: string): void {
    const rows = new TableFile(path, PLACE_COLUMNS);
    for (let page = 1; page <= this.#rowOf.length; page++) {
      const { group, at, as, ...rest } = this.#page(page);
      rows.add({
        ...rest,
        ...at,
        entry: at.entry ?? '',
        group_id: group,
        revisit: as ? JSON.stringify(as) : '',
      });
    }
    rows.close();
  }

  #page(page: number): PlannedPage {
    const row = this.#rowOf[page - 1];
    const { texts, file, entry, offset, length, input, urls } = this.#captures;
    const url = urls[row];
    const time = this.#captures.timeOf(row);
    const at = { file: texts[file[row]], offset: offset[row], length: length[row] };
    const entryName = texts[entry[row]];
    const planned: PlannedPage = {
      page,
      group: this.#groupOf[page - 1],
      site: this.#captures.siteOf(row),
      input: input[row],
      at: entryName === '' ? at : { ...at, entry: entryName },
      url,
      time,
    };
    const revisit = this.#revisits.get(row);
    if (revisit !== undefined) planned.as = revisit;
    return planned;
  }

  #pageIf(page: number | undefined): PlannedPage | undefined {
    return page === undefined ? undefined : this.#page(page);
  }

  #pagesInOrder(numbers: readonly number[], known: readonly PlannedPage[]): PlannedPage[] {
    const byNumber = new Map(known.map((planned) => [planned.page, planned]));
    return numbers.map((page) => byNumber.get(page) ?? this.#page(page));
  }

  /** One capture is drawn for a page: of its URLs the one with the smallest hash, of that the earliest, as in detect/sample.ts. */
  #drawSample(group: number): void {
    const { urlHash, pageHash, time } = this.#captures;
    const rows = this.#rowOf;
    const pages = rows
      .subarray(this.#firstPage[group] - 1, this.#firstPage[group + 1] - 1)
      .map((_, k) => this.#firstPage[group] + k);
    pages.sort((a, b) => {
      const x = rows[a - 1];
      const y = rows[b - 1];
      return (
        compareHashes(pageHash, x, y) || compareHashes(urlHash, x, y) || compare(time[x], time[y]) || a - b
      );
    });
    // the first of each run of one page
    const drawn: { page: number; firstPage: number }[] = [];
    for (const page of pages) {
      const last = drawn.at(-1);
      if (last && compareHashes(pageHash, rows[last.page - 1], rows[page - 1]) === 0) {
        if (page < last.firstPage) last.firstPage = page;
      } else drawn.push({ page, firstPage: page });
    }
    drawn.sort(
      (a, b) => compareHashes(urlHash, rows[a.page - 1], rows[b.page - 1]) || a.firstPage - b.firstPage,
    );
    this.#urls.push(drawn.length);
    this.#samplesStart.push(this.#samples.length);
    for (const { page } of drawn.slice(0, this.#sample + SPARE_SAMPLES)) this.#samples.push(page);
  }

  /** Numbers of the pages that are drawn in rounds, each from all pages of the sample. */
  #captureSample(group: number): number[] {
    const { urls, pageHash } = this.#captures;
    const hashOf = (page: number) => {
      const row = this.#rowOf[page - 1];
      return `${pageHash[2 * row + 1]} ${pageHash[2 * row]}`;
    };
    const sampled = new Map<string, { hash: string; page: number }[]>();
    for (const page of this.#samples.slice(this.#samplesStart[group], this.#samplesStart[group + 1])) {
      sampled.set(hashOf(page), []);
    }
    for (let page = this.#firstPage[group]; page < this.#firstPage[group + 1]; page++) {
      const row = this.#rowOf[page - 1];
      const hash = createHash('md5')
        .update(`${urls[row]} ${this.#captures.timeOf(row)}`)
        .digest('hex');
      sampled.get(hashOf(page))?.push({ hash, page });
    }
    const captures = [...sampled.values()];
    for (const list of captures) list.sort((a, b) => compareUtf8(a.hash, b.hash) || a.page - b.page);
    const numbers: number[] = [];
    const most = this.#sample + SPARE_SAMPLES;
    for (let round = 0; numbers.length < most; round++) {
      const drawn = captures.flatMap((list) => (round < list.length ? [list[round].page] : []));
      if (drawn.length === 0) break;
      numbers.push(...drawn);
    }
    return numbers.slice(0, most);
  }

  /** Pages with a time by page hash, time and number, and where each page is among them; made when first asked for. */
  #timeline: { order: Uint32Array; position: Uint32Array } | undefined;

  /** The nearest page that is earlier (step -1) or later (1), if it is next to this one; and those a few captures away. */
  #nearCaptures(page: number, step: 1 | -1): { nearest?: number; near: number[] } {
    this.#timeline ??= this.#sortByTime();
    const { order, position } = this.#timeline;
    const { pageHash, time } = this.#captures;
    const row = this.#rowOf[page - 1];
    const near: number[] = [];
    if (time[row] === NO_TIME) return { near };
    let nearest: number | undefined;
    for (let k = 1; k <= CAPTURES_TRIED; k++) {
      const at = position[page - 1] + step * k;
      if (at < 0 || at >= order.length) break;
      const otherRow = this.#rowOf[order[at] - 1];
      if (compareHashes(pageHash, row, otherRow) !== 0) break;
      if (time[otherRow] === time[row]) continue;
      near.push(order[at]);
      if (k === 1) nearest = order[at];
    }
    return { nearest, near };
  }

  #sortByTime(): { order: Uint32Array; position: Uint32Array } {
    const rows = this.#rowOf;
    const { pageHash, time } = this.#captures;
    const order = rows.map((_, k) => k + 1).filter((page) => time[rows[page - 1]] !== NO_TIME);
    order.sort((a, b) => {
      const x = rows[a - 1];
      const y = rows[b - 1];
      return compareHashes(pageHash, x, y) || time[x] - time[y] || a - b;
    });
    const position = new Uint32Array(rows.length);
    for (let k = 0; k < order.length; k++) position[order[k] - 1] = k;
    return { order, position };
  }
}

interface GroupedRows {
  groups: PlannedGroup[];
  /** Rows by group, and those of a group in their order. */
  rows: Uint32Array;
  groupOf: Uint32Array;
  firstPage: Uint32Array;
}

/** Sorts rows, given in order, by site and snapshot. */
function groupRows(captures: CaptureColumns, rows: Uint32Array, rule: SnapshotRule): GroupedRows {
  const { site, time, sites } = captures;
  const daysOf = new Map<number, Map<number, number>>(); // by site: its days, with the group of each
  for (const row of rows) {
    let days = daysOf.get(site[row]);
    if (!days) daysOf.set(site[row], (days = new Map()));
    days.set(dayOf(time[row]), 0);
  }
  const groups: PlannedGroup[] = [];
  for (const [code, days] of [...daysOf].sort(([a], [b]) => compareUtf8(sites[a], sites[b]))) {
    const names = nameSnapshots(rule, [...days.keys()]);
    const numbers = new Map<string, number>();
    for (const snapshot of [...new Set([...days.keys()].map((day) => names.get(day)!))].sort(compareUtf8)) {
      numbers.set(snapshot, groups.length);
      groups.push({ group: groups.length, site: sites[code], snapshot });
    }
    for (const day of days.keys()) days.set(day, numbers.get(names.get(day)!)!);
  }
  const groupOfRow = (row: number) => daysOf.get(site[row])!.get(dayOf(time[row]))!;
  const firstPage = new Uint32Array(groups.length + 1).fill(1);
  for (const row of rows) firstPage[groupOfRow(row) + 1]++;
  for (let group = 0; group < groups.length; group++) firstPage[group + 1] += firstPage[group] - 1;
  const next = firstPage.slice();
  const sorted = new Uint32Array(rows.length);
  const groupOf = new Uint32Array(rows.length);
  for (const row of rows) {
    const group = groupOfRow(row);
    const page = next[group]++;
    sorted[page - 1] = row;
    groupOf[page - 1] = group;
  }
  return { groups, rows: sorted, groupOf, firstPage };
}
