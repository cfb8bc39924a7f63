/**
 * Plans which pages a run labels, from the surveys of all inputs: finds the body of each revisit, divides the
 * captures of each site into snapshots, draws a sample of each snapshot and numbers the pages. The plan is sorted
 * columns in memory, some 90 bytes per capture plus its URL, whatever the size of the pages.
 *
 * The plan does not depend on the order of the inputs: a sample is the URLs with the smallest seeded hashes, and
 * pages are numbered by (site, snapshot, file, offset).
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
import { dayNumber, nameSnapshots, type SnapshotRule } from './snapshot-rule.ts';
import { TableFile } from './table-rows.ts';

/** Number of spare candidates of a sample: they replace captures whose bodies turn out not to be pages. */
const SPARE_SAMPLES = 16;

/** Options of a plan: the captures to use, and how to group and sample them. */
export interface PlanOptions extends Selection {
  /** Which captures of a site are compared with each other. */
  snapshot: SnapshotRule;
  /** Maximum number of pages that the model of a site snapshot is learnt from. */
  sample: number;
  /**
   * Maximum number of pages to label. Other pages are skipped as `filtered`, but models are learnt from them. @default
   * all
   */
  limit?: number;
  /** Sites of captures where they differ from the sites in the survey. */
  sites?: SiteChanges;
}

/** Number, site, URL and time of a page. */
export interface PageIdentity {
  page: number;
  /** Number of the capture among those of the surveys. */
  id: number;
  site: string;
  url: string;
  time: string;
}

/** A site snapshot, whose pages are learnt from and labelled together. */
export interface PlannedGroup {
  group: number;
  site: string;
  snapshot: string;
}

/** Captures of the same page that are nearest in time to a given capture. */
export interface OtherCaptures {
  previous?: PlannedPage;
  next?: PlannedPage;
  /** Captures before and after it for detectors that use them, nearest first. */
  earlier?: PlannedPage[];
  later?: PlannedPage[];
  /** Site snapshot and year of the next capture, if that capture is labelled too. */
  nextGroup?: number;
  nextYear?: number;
}

/** A revisit whose original capture is not in the inputs. */
export interface LostRevisit {
  file: string;
  entry: string;
  offset: number;
  url: string;
  time: string;
  site: string;
}

/** The numbered pages of a run, with their snapshots and samples. */
export class Plan {
  readonly #captures: CaptureColumns;
  readonly #lost: LostRow[];
  readonly #skips: Partial<Record<SkipCode, number>>;
  /** Number of pages to label, numbered from 1; models may be learnt from later pages too. */
  readonly pageCount: number;
  /** Number of pages of the largest site, if sites were left out. */
  readonly largestSite: number | undefined;
  /** Maximum number of pages of a sample, without spare candidates. */
  readonly #sample: number;
  readonly #groups: PlannedGroup[];
  /** Row of each page in `#captures`; page n is at index n - 1. */
  readonly #rowOf: Uint32Array;
  readonly #groupOf: Uint32Array;
  /** First page of each group, then the page after the last one. */
  readonly #firstPage: Uint32Array;
  /**
   * Candidates for the samples of all groups, smallest hash first; `#samplesStart` has the first index of each
   * group.
   */
  readonly #samples: number[] = [];
  readonly #samplesStart: number[] = [];
  /** Number of distinct pages (URL keys) of each group. */
  readonly #urls: number[] = [];
  /** URL, time and headers of each revisit, by its row; the row itself has the location of the original's body. */
  readonly #revisits: Map<number, Capture>;

  /** Makes a plan from survey files, given in the order of the inputs. */
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
    this.largestSite = chosen.largestSite;
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

  /** Number of captures in the surveys. */
  countCaptures(): number {
    return this.#captures.captureCount;
  }

  /** Number of captures that give no page, by skip code, as far as known before bodies are read. */
  countSkips(): Partial<Record<SkipCode, number>> {
    return { ...this.#skips };
  }

  /** Number of captures of each input, by the input's ordinal. */
  countByInput(): Map<number, number> {
    return this.#captures.countByInput;
  }

  /** Revisits whose original capture is not in the inputs. */
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

  /** Number of distinct pages (URL keys) of each site snapshot, in page order; used to divide learning into tasks. */
  *groupSizes(): Generator<{ group: number; urls: number }> {
    for (const { group } of this.#groups) {
      if (this.#firstPage[group] <= this.pageCount) yield { group, urls: this.#urls[group] };
    }
  }

  /** Site snapshots with numbers in [first, end). */
  groups(first: number, end: number): PlannedGroup[] {
    return this.#groups.slice(first, end);
  }

  /** Group and size in bytes of each page, in order; used to divide labelling into tasks. */
  *pageSizes(): Generator<{ page: number; group: number; bytes: number }> {
    const { length } = this.#captures;
    for (let k = 0; k < this.pageCount; k++) {
      yield { page: k + 1, group: this.#groupOf[k], bytes: length[this.#rowOf[k]] };
    }
  }

  /** Number, site, URL and time of each page, in order; the pages of a site are consecutive. */
  *identities(): Generator<PageIdentity> {
    const { id, urls } = this.#captures;
    for (let k = 0; k < this.pageCount; k++) {
      const row = this.#rowOf[k];
      const site = this.#captures.siteOf(row);
      yield { page: k + 1, id: id[row], site, url: urls[row], time: this.#captures.timeOf(row) };
    }
  }

  /** Pages with numbers in [first, end); `first` is at least 1. */
  pages(first: number, end: number): PlannedPage[] {
    const pages: PlannedPage[] = [];
    for (let page = first; page < end && page <= this.#rowOf.length; page++) pages.push(this.#page(page));
    return pages;
  }

  /** The pages with the given numbers, in ascending order, each once. */
  pagesAmong(numbers: readonly number[]): PlannedPage[] {
    return [...new Set(numbers)].sort((a, b) => a - b).map((page) => this.#page(page));
  }

  /**
   * Candidates for the samples of the groups [firstGroup, endGroup), smallest URL hash first and spare candidates
   * last. Pages in `known` are reused.
   */
  samples(firstGroup: number, endGroup: number, known: readonly PlannedPage[] = []): PlannedPage[] {
    const numbers = this.#samples.slice(this.#samplesStart[firstGroup], this.#samplesStart[endGroup]);
    return this.#pagesInOrder(numbers, known);
  }

  /**
   * Candidates for the captures from which capture-based detectors learn the groups [firstGroup, endGroup): one
   * capture of each sampled page first, then a second one of each, and so on (detect/cross/cross-model.ts), as many
   * as the samples have pages; spare candidates last. Groups are in order.
   */
  captureSamples(firstGroup: number, endGroup: number, known: readonly PlannedPage[] = []): PlannedPage[] {
    const numbers: number[] = [];
    for (let group = firstGroup; group < endGroup; group++) numbers.push(...this.#captureSample(group));
    return this.#pagesInOrder(numbers, known);
  }

  /**
   * For each page in [first, end): the previous and next captures of the same page (URL key). Pages with a single
   * capture are left out. Captures with equal times have no order. With `next`, the result also has captures
   * further away.
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

  /** Writes the location of every page's record to a file, for `readPlannedPages` after the plan is discarded. */
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

  /**
   * Draws one capture of each page: of its URLs the one with the smallest hash, of that URL the earliest capture,
   * as in detect/sample.ts.
   */
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
    // keep the first capture of each run of equal page hashes
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

  /** Draws captures in rounds, one capture of each sampled page per round; returns their page numbers. */
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

  /**
   * Pages with a time, ordered by page hash, time and number, and the index of each page in that order; made on
   * first use.
   */
  #timeline: { order: Uint32Array; position: Uint32Array } | undefined;

  /**
   * The nearest earlier (step -1) or later (step 1) page, if it directly precedes or follows this one, and the
   * captures up to `CAPTURES_TRIED` away.
   */
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
  /** Rows ordered by group, then in their given order. */
  rows: Uint32Array;
  groupOf: Uint32Array;
  firstPage: Uint32Array;
}

/** Groups rows by site and snapshot; rows of one group keep their order. */
function groupRows(captures: CaptureColumns, rows: Uint32Array, rule: SnapshotRule): GroupedRows {
  const { site, time, sites } = captures;
  const daysOf = new Map<number, Map<number, number>>(); // site -> day -> group
  for (const row of rows) {
    let days = daysOf.get(site[row]);
    if (!days) daysOf.set(site[row], (days = new Map()));
    days.set(dayNumber(time[row]), 0);
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
  const groupOfRow = (row: number) => daysOf.get(site[row])!.get(dayNumber(time[row]))!;
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
