/**
 * Which of the candidates to take, and which pages show all templates (`AuditPages`). While pages go by, every element that any candidate of a template matches is
 * counted under the set of candidates that match it, apart for the template's own elements and for others.
 * Those few counts answer for each candidate, and for each list of candidates, how many elements of the template
 * it misses and how many others it hits, without a second look at the pages.
 */

import { urlHash } from '../../analysis/byte-hash.ts';
import type { FragmentResult, SharedPage } from '../shared-page.ts';
import { PageElements } from './page-elements.ts';
import { SelectorMatcher } from './selector-matcher.ts';
import { elementsOf, type Template, type Templates } from './selector-templates.ts';

/** Sets that are told apart per template; a template that needs more has no good selector anyway. */
const MOST_SETS = 300;

/** Elements by the set of candidates that match them. */
export class MatchCounts {
  /** Own elements, in all. */
  wanted = 0;
  readonly #own = new Map<string, MatchedSet>();
  readonly #others = new Map<string, MatchedSet>();
  /** Elements whose set could not be kept. */
  #lostOwn = 0;
  #lostOthers = 0;

  /** An element of the template, and the candidates (ascending) that match it. */
  addOwn(candidates: readonly number[]): void {
    this.wanted++;
    if (!add(this.#own, candidates, false)) this.#lostOwn++;
  }

  /** Another element, and whether it is shared too: part of another template, or inside of one. */
  addOther(candidates: readonly number[], isShared: boolean): void {
    if (!add(this.#others, candidates, isShared)) this.#lostOthers++;
  }

  /** What a list of candidates gives. */
  judge(list: ReadonlySet<number>): Judgement {
    let missed = this.#lostOwn;
    let others = this.#lostOthers;
    let othersShared = 0;
    for (const { candidates, count } of this.#own.values())
      if (!candidates.some((each) => list.has(each))) missed += count;
    for (const { candidates, count, shared } of this.#others.values()) {
      if (!candidates.some((each) => list.has(each))) continue;
      others += count;
      othersShared += shared;
    }
    return { missed, others, othersShared };
  }

  ownSets(): Iterable<MatchedSet> {
    return this.#own.values();
  }
}

export interface Judgement {
  /** Elements of the template that are not matched. */
  missed: number;
  /** Other elements that are matched. */
  others: number;
  /** Of these, elements of other templates or inside of a template. */
  othersShared: number;
}

interface MatchedSet {
  candidates: readonly number[];
  count: number;
  shared: number;
}

export interface Choice extends Judgement {
  /** Candidates to join by commas, ascending. */
  candidates: number[];
  exact: boolean;
}

/** The first candidate that is exact, else the shortest list that is, else what comes closest. */
export function chooseSelector(counts: MatchCounts, candidateCount: number): Choice {
  const single = Array.from({ length: candidateCount }, (_, at) => counts.judge(new Set([at])));
  const exact = single.findIndex(({ missed, others }) => missed === 0 && others === 0);
  if (exact >= 0) return { candidates: [exact], exact: true, missed: 0, others: 0, othersShared: 0 };

  // clean candidates, each time the one that adds most
  const clean = single.flatMap(({ others }, at) => (others === 0 ? [at] : []));
  const list = cover(counts, clean);
  const union = counts.judge(new Set(list));
  if (list.length > 0 && union.missed === 0) return { candidates: list, exact: true, ...union };

  // nothing is exact: rather miss none, and of these hit the fewest that are nobody's template
  const harmless = single.flatMap(({ others, othersShared }, at) => (others === othersShared ? [at] : []));
  const lists = [...single.keys()].map((at) => [at]);
  for (const more of [list, cover(counts, harmless)]) if (more.length > 1) lists.push(more);
  let best: Choice = { candidates: [], exact: false, missed: counts.wanted, others: 0, othersShared: 0 };
  for (const candidates of lists) {
    const judgement = candidates.length === 1 ? single[candidates[0]] : counts.judge(new Set(candidates));
    if (isBetter(judgement, best)) best = { candidates, exact: false, ...judgement };
  }
  // a clean list that finds most beats one that hits more than it finds
  return list.length > 0 && union.missed < wrongOf(best)
    ? { candidates: list, exact: false, ...union }
    : best;
}

function isBetter(a: Judgement, b: Judgement): boolean {
  return (a.missed - b.missed || wrongOf(a) - wrongOf(b) || a.others - b.others) < 0;
}

/** Elements hit that no template holds. */
function wrongOf({ others, othersShared }: Judgement): number {
  return others - othersShared;
}

/** Greedy cover of the own elements by candidates. */
function cover(counts: MatchCounts, candidates: readonly number[]): number[] {
  const usable = new Set(candidates);
  let open = [...counts.ownSets()].map(({ candidates: set, count }) => ({
    set: set.filter((each) => usable.has(each)),
    count,
  }));
  const chosen: number[] = [];
  for (;;) {
    const gains = new Map<number, number>();
    for (const { set, count } of open)
      for (const each of set) gains.set(each, (gains.get(each) ?? 0) + count);
    let best = -1;
    for (const [each, gain] of gains) {
      const most = best < 0 ? 0 : gains.get(best)!;
      if (gain > most || (gain === most && each < best)) best = each;
    }
    if (best < 0) return chosen.sort((a, b) => a - b);
    chosen.push(best);
    open = open.filter(({ set }) => !set.includes(best));
  }
}

function add(sets: Map<string, MatchedSet>, candidates: readonly number[], isShared: boolean): boolean {
  const key = candidates.join();
  let set = sets.get(key);
  if (set === undefined) {
    if (sets.size >= MOST_SETS) return false;
    sets.set(key, (set = { candidates: [...candidates], count: 0, shared: 0 }));
  }
  set.count++;
  if (isShared) set.shared++;
  return true;
}

/**
 * Second pass over the pages: tries every candidate on every page of its site, and counts each matched element as the
 * template's own or another. Also collects which pages show which templates.
 */
export async function tryCandidates(result: FragmentResult, templates: Templates): Promise<AuditPages> {
  const audit = new AuditPages();
  const sites = new Map<string, SiteCandidates>();
  await result.visitPages((page) => {
    const { site, url } = page.page;
    let candidates = sites.get(site);
    if (candidates === undefined) sites.set(site, (candidates = new SiteCandidates(templates.bySite(site))));
    candidates.tryPage(page);
    const here = new Set<number>();
    for (const { relation, classId } of page.members) {
      const template = relation === 'complete' ? templates.get(site, classId) : undefined;
      if (template !== undefined) here.add(template.number);
    }
    audit.add(
      url,
      site,
      [...here].sort((a, b) => a - b),
    );
  });
  return audit;
}

/** The candidates of all templates of a site, numbered in one row. */
class SiteCandidates {
  readonly #matcher = new SelectorMatcher();
  readonly #owners: Template[] = [];
  readonly #byClass = new Map<string, Template>();

  constructor(templates: Iterable<Template>) {
    for (const template of templates) {
      this.#byClass.set(template.shared.id, template);
      template.first = this.#owners.length;
      for (const selector of template.candidates) {
        this.#matcher.add(this.#owners.length, selector);
        this.#owners.push(template);
      }
    }
  }

  tryPage({ tree, members }: SharedPage): void {
    if (this.#byClass.size === 0) return;
    const complete = members
      .filter(({ relation }) => relation === 'complete')
      .sort((a, b) => a.node - b.node);
    const wanted = new Map<number, Template>();
    for (const member of complete) {
      const template = this.#byClass.get(member.classId);
      if (template !== undefined) for (const node of elementsOf(tree, member)) wanted.set(node, template);
    }

    let next = 0; // the first fragment that does not end before the node
    this.#matcher.match(new PageElements(tree), (node, numbers) => {
      while (next < complete.length && complete[next].sibling <= node) next++;
      const isShared = next < complete.length && complete[next].node <= node;
      numbers.sort((a, b) => a - b);
      for (let at = 0; at < numbers.length; ) {
        const template = this.#owners[numbers[at]];
        const own: number[] = [];
        for (; at < numbers.length && this.#owners[numbers[at]] === template; at++) {
          const number = numbers[at] - template.first;
          // the same selector may be reached twice, by one class and by another
          if (own[own.length - 1] !== number) own.push(number);
        }
        if (wanted.get(node) === template) {
          template.counts.addOwn(own);
          wanted.delete(node);
        } else template.counts.addOther(own, isShared);
      }
    });
    for (const template of wanted.values()) template.counts.addOwn([]);
  }
}

/**
 * Few pages that show all templates: "look at these N URLs". Greedy set cover: each time the page with the most
 * templates not yet seen, which is within a logarithm of the fewest possible. Pages with the same templates are
 * one entry (the URL with the smallest hash), so a site costs as many entries as it has kinds of pages.
 */

export interface AuditPage {
  url: string;
  site: string;
  /** Templates that this page is the first of the list to show. */
  shows: number;
}

/** Kinds of pages that are kept; of further ones, those with most templates are not missed often. */
const MOST_KINDS = 50_000;

interface Kind {
  url: string;
  site: string;
  hash: bigint;
  templates: number[];
}

export class AuditPages {
  readonly #kinds = new Map<string, Kind>();

  /** Adds a page with the numbers of its templates, ascending, each once. */
  add(url: string, site: string, templates: readonly number[]): void {
    if (templates.length === 0) return;
    const key = templates.join();
    const hash = urlHash(url);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      if (hash < known.hash || (hash === known.hash && url < known.url))
        Object.assign(known, { url, site, hash });
    } else if (this.#kinds.size < MOST_KINDS) {
      this.#kinds.set(key, { url, site, hash, templates: [...templates] });
    }
  }

  /** The list, and for each template its page in the list; only templates in `wanted` count. */
  choose(wanted: ReadonlySet<number>): { pages: AuditPage[]; pageOf: Map<number, string> } {
    const left = new Set(wanted);
    const pages: AuditPage[] = [];
    const pageOf = new Map<number, string>();
    const gainOf = ({ templates }: Kind): number =>
      templates.reduce((sum, each) => sum + Number(left.has(each)), 0);
    const byGain: Kind[][] = [];
    for (const kind of this.#kinds.values()) (byGain[gainOf(kind)] ??= []).push(kind);

    // gains only shrink: of the kinds that once had the most, some still have it, the others move down
    for (let gain = byGain.length - 1; gain > 0; ) {
      const still: Kind[] = [];
      for (const kind of byGain[gain] ?? []) {
        const now = gainOf(kind);
        if (now === gain) still.push(kind);
        else (byGain[now] ??= []).push(kind);
      }
      if (still.length === 0) {
        gain--;
        continue;
      }
      const best = still.reduce((a, b) => (b.hash < a.hash || (b.hash === a.hash && b.url < a.url) ? b : a));
      for (const each of best.templates) if (left.delete(each)) pageOf.set(each, best.url);
      pages.push({ url: best.url, site: best.site, shows: gain });
      byGain[gain] = still.filter((kind) => kind !== best);
    }
    return { pages, pageOf };
  }
}
