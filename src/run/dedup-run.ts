/**
 * Finds near-duplicate pages of some archives. The stages are survey, plan, learn and label, where the shingles outside
 * templates are kept of each page; then all pages are grouped. While groups are made, a page takes about 400 bytes of
 * memory, and a page with duplicates also its URL.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupByStars, type HashedPages, type StarGroups } from '../analysis/near-duplicate-groups.ts';
import { SHINGLE_DEFAULTS, Shingler } from '../analysis/shingles.ts';
import type { DetectorName } from '../detect/detector.ts';
import type { PageIdentity, Plan } from '../store/plan.ts';
import { checkJob, DEFAULT_DETECTOR } from './job.ts';
import { type ProblemOptions, type RunOptions, type RunSummary, withSession } from './session.ts';
import { decodeShingles, type PageShingles, SHINGLES_FILE } from './sinks/shingle-sink.ts';
import type { PlannedContext } from './stages/run-stage.ts';
import { chunkLabelTasks, labelAll, learnAll } from './stages/site-stages.ts';

/** Options of `runDedup`. */
export interface DedupRunOptions extends RunOptions, ProblemOptions {
  /** Words of a shingle, 1 to 100. @default 6 */
  words?: number;
  /** Number of smallest hashes that are stored per page, 1 to 1000. @default 8 */
  hashes?: number;
  /** Number of stored hashes that two pages must share. @default 4 */
  match?: number;
  /** The newest capture of each URL only, or all captures as separate pages. @default 'last' */
  captures?: 'last' | 'all';
  /** Only groups with pages of several sites count as duplicates. @default false */
  acrossSites?: boolean;
  /** Called with the pages of all groups, largest group first, then with the ungrouped pages. */
  onPage: (row: DedupRow) => void | Promise<void>;
}

/**
 * `first`: the earliest capture of a group, which represents it; `copy`: a near-duplicate of it; `single`: a page
 * without near-duplicates; `short`: a page with fewer words outside templates than a shingle, and without an exact
 * copy.
 */
type DedupKind = 'first' | 'copy' | 'single' | 'short';

/** One page with its place among the near-duplicates. */
export interface DedupRow {
  kind: DedupKind;
  /** Number of the group, from 1; null for an ungrouped page. */
  group: number | null;
  /** Number of pages and of sites in the group. */
  pages: number;
  sites: number;
  site: string;
  url: string;
  time: string;
  /** Words outside templates. */
  words: number;
  /** Number of stored hashes that the page shares with the first page of the group. */
  matching: number;
  stored: number;
  /** Whether its words are exactly those of the first page. */
  exact: boolean;
}

/** The accounts of a search for near-duplicates. */
export interface DedupSummary extends RunSummary {
  groups: number;
  /** Pages that are near-duplicates of an earlier page. */
  copies: number;
  /** Pages with too few words for a comparison. */
  short: number;
  /** Pages that reached the bound on comparisons (see analysis/near-duplicate-groups.ts). */
  crowded: number;
}

/** Finds the near-duplicates among the pages of the inputs (names, globs, folders, `-`). */
export async function runDedup(names: string[], options: DedupRunOptions): Promise<DedupSummary> {
  const {
    words = SHINGLE_DEFAULTS.words,
    hashes = SHINGLE_DEFAULTS.hashes,
    match = Math.min(SHINGLE_DEFAULTS.match, hashes),
    captures = 'last',
    acrossSites = false,
    onPage,
    onProblem,
    signal,
    onProgress,
  } = options;
  new Shingler({ words, hashes });
  if (!Number.isInteger(match) || match < 1 || match > hashes) {
    throw new RangeError(`match must be a whole number from 1 to ${hashes}, the hashes stored, not ${match}`);
  }
  if (captures !== 'last' && captures !== 'all') {
    throw new RangeError(`captures must be last or all, not "${captures}"`);
  }
  const [detector = DEFAULT_DETECTOR] = options.detectors ?? [];
  const job = checkJob({ ...options, detectors: dedupDetectors(detector) });
  // the same capture under another URL is a duplicate to find
  const newest = captures === 'last' ? 'last of URL' : captures;
  // superseded captures are not read, so guesses about them would stay unchecked
  const running = { ...options, captures: newest, readsAllPages: true } as const;
  return withSession(names, job, running, async (session) => {
    const { plan } = session;
    const stage = chunkLabelTasks(session);
    const { find } = await learnAll(session, stage);
    await labelAll(session, stage, { find, output: { kind: 'shingles', words, hashes } });

    onProgress?.({ stage: 'analyse', done: 0, total: 1, pages: 0, bytes: 0 });
    const pages = gatherPages(session, { tasks: stage.names, least: words });
    signal?.throwIfAborted();
    const groups = new DuplicateGroups(pages, groupByStars(pages, { hashes, match }), { acrossSites });
    onProgress?.({ stage: 'analyse', done: 1, total: 1, pages: pages.count, bytes: 0 });
    await listPages(plan, groups, { onPage, signal });
    const { groupCount, copyCount, shortCount, crowded } = groups;
    const summary = session.summarize(stage, onProblem);
    return { ...summary, groups: groupCount, copies: copyCount, short: shortCount, crowded };
  });
}

/**
 * The detectors of a run with the requested `detector`. `joint` keeps the footer of a layout that few pages have, and
 * short forum texts that many pages have. `dom` cuts them, so that they do not make pages near-duplicates.
 */
export function dedupDetectors(detector: DetectorName): DetectorName[] {
  return detector === 'joint' ? ['joint', 'dom'] : [detector];
}

/** Collects the hashes of each page, earliest page first, then by number: an earlier page represents later ones. */
function gatherPages(
  { folder, plan }: PlannedContext,
  { tasks, least }: { tasks: string[]; least: number },
): PageColumns {
  const files = tasks.map((name) => join(folder.taskFolder(name), SHINGLES_FILE));
  const shingled = allShingles(files);
  const found: PageShingles[] = [];
  const seconds: number[] = [];
  const sites: number[] = [];
  let site: string | undefined;
  let siteCount = 0;
  let next = shingled.next();
  for (const identity of plan.identities()) {
    if (next.done) break;
    if (next.value.page !== identity.page) continue;
    // the pages of a site are consecutive
    if (identity.site !== site) siteCount++;
    site = identity.site;
    found.push(next.value);
    sites.push(siteCount);
    seconds.push(secondsOf(identity));
    next = shingled.next();
  }
  const order = Array.from(found, (_, k) => k).sort((a, b) => seconds[a] - seconds[b] || a - b);
  const starts = new Uint32Array(found.length + 1);
  for (const [k, at] of order.entries()) starts[k + 1] = starts[k] + found[at].hashes.length;
  const hashes = new Float64Array(starts[found.length]);
  for (const [k, at] of order.entries()) hashes.set(found[at].hashes, starts[k]);
  return {
    count: found.length,
    least,
    starts,
    hashes,
    page: Uint32Array.from(order, (at) => found[at].page),
    site: Uint32Array.from(order, (at) => sites[at]),
    words: Uint32Array.from(order, (at) => found[at].wordCount),
    digest: Float64Array.from(order, (at) => found[at].digest),
  };
}

function* allShingles(files: string[]): Generator<PageShingles> {
  for (const file of files) yield* decodeShingles(readFileSync(file));
}

/** Time of a capture in seconds. A capture without a time comes last, because it may be a copy. */
function secondsOf({ time }: PageIdentity): number {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? Number.MAX_SAFE_INTEGER : ms / 1000;
}

async function listPages(
  plan: Plan,
  groups: DuplicateGroups,
  { onPage, signal }: Pick<DedupRunOptions, 'onPage' | 'signal'>,
): Promise<void> {
  const members = new Map<number, PageIdentity>();
  for (const identity of plan.identities()) {
    if (groups.isGrouped(identity.page)) members.set(identity.page, identity);
  }
  for (const member of groups.members()) {
    signal?.throwIfAborted();
    await onPage(rowOf(members.get(member.page)!, member));
  }
  for (const identity of plan.identities()) {
    const alone = groups.alone(identity.page);
    if (alone) await onPage(rowOf(identity, alone));
  }
}

function rowOf({ site, url, time }: PageIdentity, member: Omit<DedupRow, 'site' | 'url' | 'time'>): DedupRow {
  const { kind, group, pages, sites, words, matching, stored, exact } = member;
  return { kind, group, pages, sites, site, url, time, words, matching, stored, exact };
}

/** Hashes and counts of some pages, earliest first, as columns of numbers. */
interface PageColumns extends HashedPages {
  count: number;
  /** Minimum words of a page for a comparison by shingles. */
  least: number;
  page: Uint32Array;
  /** Site number of each page. */
  site: Uint32Array;
  words: Uint32Array;
  digest: Float64Array;
}

/** A page in the result, without its identity. */
type Member = Omit<DedupRow, 'site' | 'url' | 'time'> & { page: number };

/** Groups of near-duplicate pages, made from the hashes of all pages. */
class DuplicateGroups {
  /** Number of near-duplicates that reached the bound on comparisons. */
  readonly crowded: number;
  groupCount = 0;
  copyCount = 0;
  shortCount = 0;
  readonly #pages: PageColumns;
  readonly #stars: StarGroups;
  /** Number of pages and sites of each group, by its first page. */
  readonly #sizes: Uint32Array;
  readonly #siteCounts: Uint32Array;
  /** Position of each page by its number, from 1. */
  readonly #placeOf: Uint32Array;

  constructor(pages: PageColumns, stars: StarGroups, { acrossSites = false } = {}) {
    this.#pages = pages;
    this.#stars = stars;
    this.crowded = stars.crowded;
    this.#sizes = new Uint32Array(pages.count);
    this.#siteCounts = new Uint32Array(pages.count);
    this.#placeOf = new Uint32Array(pages.page.reduce((most, page) => Math.max(most, page), 0) + 1);
    this.#count();
    if (acrossSites) this.#dissolveOneSiteGroups();
    for (let k = 0; k < pages.count; k++) {
      const size = this.#sizes[stars.first[k]];
      if (size > 1) {
        if (stars.first[k] === k) this.groupCount++;
        else this.copyCount++;
      } else if (pages.words[k] < pages.least) this.shortCount++;
    }
  }

  /** Whether a page shares a group with others. */
  isGrouped(page: number): boolean {
    const k = this.#find(page);
    return k >= 0 && this.#sizes[this.#stars.first[k]] > 1;
  }

  /** The row of an ungrouped page; undefined for grouped ones. */
  alone(page: number): Member | undefined {
    const k = this.#find(page);
    return k < 0 || this.isGrouped(page) ? undefined : this.#member(k, null);
  }

  /** The pages of groups: largest group first, most similar page first within a group. */
  *members(): Generator<Member> {
    const { first, matching } = this.#stars;
    const { count } = this.#pages;
    const sizes = this.#sizes;
    const grouped: number[] = [];
    for (let k = 0; k < count; k++) if (sizes[first[k]] > 1) grouped.push(k);
    grouped.sort(
      (a, b) =>
        sizes[first[b]] - sizes[first[a]] ||
        first[a] - first[b] ||
        Number(first[b] === b) - Number(first[a] === a) ||
        matching[b] - matching[a] ||
        a - b,
    );
    let group = 0;
    for (const k of grouped) {
      if (first[k] === k) group++;
      yield this.#member(k, group);
    }
  }

  #member(k: number, group: number | null): Member {
    const pages = this.#pages;
    const first = this.#stars.first[k];
    const isFirst = first === k || group === null;
    return {
      kind: group === null ? (pages.words[k] < pages.least ? 'short' : 'single') : isFirst ? 'first' : 'copy',
      group,
      page: pages.page[k],
      pages: group === null ? 1 : this.#sizes[first],
      sites: group === null ? 1 : this.#siteCounts[first],
      words: pages.words[k],
      matching: isFirst ? storedHashes(pages, k) : this.#stars.matching[k],
      stored: storedHashes(pages, k),
      exact: isFirst || pages.digest[k] === pages.digest[first],
    };
  }

  #find(page: number): number {
    return (this.#placeOf[page] ?? 0) - 1;
  }

  #count(): void {
    const { count, site, page } = this.#pages;
    const { first } = this.#stars;
    const order = Uint32Array.from({ length: count }, (_, k) => k);
    // the pages of a site are consecutive, so each site is counted once
    order.sort((a, b) => site[a] - site[b]);
    const lastSite = new Uint32Array(count); // site numbers from 1
    for (const k of order) {
      this.#placeOf[page[k]] = k + 1;
      const group = first[k];
      this.#sizes[group]++;
      if (lastSite[group] === site[k]) continue;
      lastSite[group] = site[k];
      this.#siteCounts[group]++;
    }
  }

  #dissolveOneSiteGroups(): void {
    for (let k = 0; k < this.#sizes.length; k++) if (this.#siteCounts[k] === 1) this.#sizes[k] = 1;
  }
}

function storedHashes({ starts }: PageColumns, k: number): number {
  return starts[k + 1] - starts[k];
}
