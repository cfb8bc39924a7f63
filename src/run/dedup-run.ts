/**
 * Near-duplicate pages of some archives: survey → plan → learn → label, where of each page the shingles of
 * what is not template are kept, then one grouping of all pages. Of a page about 400 bytes are in memory
 * while groups are made, of pages that have duplicates also their URLs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupByStars } from '../analysis/near-duplicate-groups.ts';
import { SHINGLE_DEFAULTS, Shingler } from '../analysis/shingles.ts';
import type { Problem } from '../model/problem.ts';
import type { PageIdentity, Plan } from '../store/plan.ts';
import { DuplicateGroups, type PageColumns } from './duplicate-groups.ts';
import { checkJob } from './job.ts';
import { type RunOptions, type RunSummary, withSession } from './session.ts';
import type { PlannedContext } from './stages/run-stage.ts';
import { chunkLabelTasks, labelAll, learnAll } from './stages/site-stages.ts';
import { decodeShingles, type PageShingles, SHINGLES_FILE } from './tasks/shingle-part.ts';

export interface DedupRunOptions extends RunOptions {
  /** Words of a shingle, 1 to 100. @default 6 */
  words?: number;
  /** Smallest hashes that are stored of a page, 1 to 1000. @default 8 */
  hashes?: number;
  /** Hashes that two pages must share, of those stored. @default 4 */
  match?: number;
  /** Of each URL the newest capture only, or all as pages of their own. @default 'last' */
  captures?: 'last' | 'all';
  /** Only groups with pages of several sites count as duplicates. @default false */
  acrossSites?: boolean;
  /** Called with the pages of all groups, largest group first, then with the pages that are alone. */
  onPage: (row: DedupRow) => void | Promise<void>;
  /** Called with every problem, in canonical order, at the end. */
  onProblem?: (problem: Problem) => void;
}

/**
 * `first`: the earliest capture of a group, which stands for it; `copy`: a near-duplicate of it; `single`: has
 * none; `short`: has fewer words than a shingle, template aside, and no exact copy.
 */
export type DedupKind = 'first' | 'copy' | 'single' | 'short';

export interface DedupRow {
  kind: DedupKind;
  /** Number of the group, from 1; null for a page that is alone. */
  group: number | null;
  /** Pages of the group, and of how many sites. */
  pages: number;
  sites: number;
  site: string;
  url: string;
  time: string;
  /** Words of what is not template. */
  words: number;
  /** Hashes shared with the first page of the group, of those stored. */
  matching: number;
  stored: number;
  /** Whether all its words are those of the first page. */
  exact: boolean;
}

export interface DedupSummary extends RunSummary {
  groups: number;
  /** Pages of which a near-duplicate comes first. */
  copies: number;
  /** Pages with too few words to be compared. */
  short: number;
  /** Pages compared with as many others as may be (see analysis/near-duplicate-groups.ts). */
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
    workers,
    signal,
    onProgress,
    stdin,
    ...jobOptions
  } = options;
  new Shingler({ words, hashes });
  if (!Number.isInteger(match) || match < 1 || match > hashes) {
    throw new RangeError(`match must be a whole number from 1 to ${hashes}, the hashes stored, not ${match}`);
  }
  if (captures !== 'last' && captures !== 'all') {
    throw new RangeError(`captures must be last or all, not "${captures}"`);
  }
  const job = checkJob({ ...jobOptions, detectors: jobOptions.detectors?.slice(0, 1) ?? ['dom'] });
  // a visit under another URL is a duplicate to be found
  const newest = captures === 'last' ? 'last of URL' : captures;
  // captures that are superseded are not read: guesses would stay unchecked
  const running = { workers, signal, onProgress, stdin, captures: newest, readsAllPages: true } as const;
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

/** What is kept of each page, in the order in which pages may stand for others: by time, then by number. */
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
    // the pages of a site follow each other
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

/** A capture without a time comes after all others: nothing says that it is an original. */
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
