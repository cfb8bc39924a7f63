/**
 * Chooses the CSS selector of a template from candidates, and pages that show all templates (`AuditPages`).
 * During a pass over the pages, every element that any candidate of a template matches is counted under the
 * set of candidates that match it, separately for the template's own elements and for others. For each
 * candidate and each list of candidates these counts give the number of missed elements of the template and
 * of other matched elements, without a second pass.
 */

import { urlHash } from '../../analysis/byte-hash.ts';
import type { FragmentResult, SharedPage } from '../shared-page.ts';
import { PageElements } from './page-elements.ts';
import { SelectorMatcher } from './selector-matcher.ts';
import { elementsOf, type SelectorTemplate, type Templates } from './selector-templates.ts';

/** Maximum number of distinct sets per template; a template that needs more has no good selector anyway. */
const MAX_SETS = 300;

/** Counts elements by the set of candidates that match them. */
export class MatchCounts {
  /** Number of the template's own elements. */
  wanted = 0;
  readonly #own = new Map<string, MatchedSet>();
  readonly #others = new Map<string, MatchedSet>();
  /** Number of elements whose set was not kept. */
  #lostOwn = 0;
  #lostOthers = 0;

  /** Counts an element of the template and the candidates (ascending) that match it. */
  addOwn(candidates: readonly number[]): void {
    this.wanted++;
    if (!add(this.#own, candidates, false)) this.#lostOwn++;
  }

  /** Counts another element; `isShared`: it is part of another template or inside one. */
  addOther(candidates: readonly number[], isShared: boolean): void {
    if (!add(this.#others, candidates, isShared)) this.#lostOthers++;
  }

  /** Returns the numbers of missed and other elements of a list of candidates. */
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

  /** Returns the sets of candidates that match own elements, with their counts. */
  ownSets(): Iterable<MatchedSet> {
    return this.#own.values();
  }
}

/** Errors of a selector on the pages of a site. */
export interface Judgement {
  /** Elements of the template that are not matched. */
  missed: number;
  /** Other elements that are matched. */
  others: number;
  /** Of these, elements of other templates or inside a template. */
  othersShared: number;
}

interface MatchedSet {
  candidates: readonly number[];
  count: number;
  shared: number;
}

/** The chosen candidates of a template and their errors. */
export interface Choice extends Judgement {
  /** Candidates to join by commas, ascending. */
  candidates: number[];
  /** Whether the list matches all elements of the template and no others. */
  exact: boolean;
}

/**
 * Returns the first exact candidate, else the shortest exact list, else the candidates with the fewest
 * errors.
 */
export function chooseSelector(counts: MatchCounts, candidateCount: number): Choice {
  const single = Array.from({ length: candidateCount }, (_, at) => counts.judge(new Set([at])));
  const exact = single.findIndex(({ missed, others }) => missed === 0 && others === 0);
  if (exact >= 0) return { candidates: [exact], exact: true, missed: 0, others: 0, othersShared: 0 };

  // cover the template by candidates that match nothing else
  const clean = single.flatMap(({ others }, at) => (others === 0 ? [at] : []));
  const list = cover(counts, clean);
  const union = counts.judge(new Set(list));
  if (list.length > 0 && union.missed === 0) return { candidates: list, exact: true, ...union };

  // no exact list: prefer no missed elements, then the fewest matches outside of templates
  const harmless = single.flatMap(({ others, othersShared }, at) => (others === othersShared ? [at] : []));
  const lists = [...single.keys()].map((at) => [at]);
  for (const more of [list, cover(counts, harmless)]) if (more.length > 1) lists.push(more);
  let best: Choice = { candidates: [], exact: false, missed: counts.wanted, others: 0, othersShared: 0 };
  for (const candidates of lists) {
    const judgement = candidates.length === 1 ? single[candidates[0]] : counts.judge(new Set(candidates));
    if (isBetter(judgement, best)) best = { candidates, exact: false, ...judgement };
  }
  // a list without other matches that finds most elements beats a candidate with more wrong matches than
  // found elements
  return list.length > 0 && union.missed < wrongOf(best)
    ? { candidates: list, exact: false, ...union }
    : best;
}

function isBetter(a: Judgement, b: Judgement): boolean {
  return (a.missed - b.missed || wrongOf(a) - wrongOf(b) || a.others - b.others) < 0;
}

/** Returns the number of matched elements outside of all templates. */
function wrongOf({ others, othersShared }: Judgement): number {
  return others - othersShared;
}

/** Covers the template's own elements greedily: takes the candidate that matches most uncovered elements each time. */
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

/** Counts an element; returns false if its set is new and there are `MAX_SETS` already. */
function add(sets: Map<string, MatchedSet>, candidates: readonly number[], isShared: boolean): boolean {
  const key = candidates.join();
  let set = sets.get(key);
  if (set === undefined) {
    if (sets.size >= MAX_SETS) return false;
    sets.set(key, (set = { candidates: [...candidates], count: 0, shared: 0 }));
  }
  set.count++;
  if (isShared) set.shared++;
  return true;
}

/**
 * Second pass over the pages: tries every candidate on every page of its site, counts each matched element as
 * the template's own or another, and records which pages show which templates.
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

/** The candidates of all templates of a site, with consecutive numbers. */
class SiteCandidates {
  readonly #matcher = new SelectorMatcher();
  readonly #owners: SelectorTemplate[] = [];
  readonly #byClass = new Map<string, SelectorTemplate>();

  constructor(templates: Iterable<SelectorTemplate>) {
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
    const wanted = new Map<number, SelectorTemplate>();
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
          // two classes may lead to the same selector
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

/** A page in a short list of pages that show all templates: "look at these N URLs". */
export interface AuditPage {
  url: string;
  site: string;
  /** Number of templates that this page is the first of the list to show. */
  shows: number;
}

/** Maximum number of stored kinds of pages; further kinds are ignored. */
const MAX_KINDS = 50_000;

interface Kind {
  url: string;
  site: string;
  hash: bigint;
  templates: number[];
}

/**
 * Chooses few pages that show all templates, by greedy set cover: it takes the page with the most new
 * templates each time, which is within a logarithm of the optimum. Pages with the same templates are one
 * entry (the URL with the smallest hash), so a site costs as many entries as it has kinds of pages.
 */
export class AuditPages {
  readonly #kinds = new Map<string, Kind>();

  /** Adds a page with the numbers of its templates, ascending and distinct. */
  add(url: string, site: string, templates: readonly number[]): void {
    if (templates.length === 0) return;
    const key = templates.join();
    const hash = urlHash(url);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      if (hash < known.hash || (hash === known.hash && url < known.url))
        Object.assign(known, { url, site, hash });
    } else if (this.#kinds.size < MAX_KINDS) {
      this.#kinds.set(key, { url, site, hash, templates: [...templates] });
    }
  }

  /** Returns the list, and for each template its page in the list; only templates in `wanted` count. */
  choose(wanted: ReadonlySet<number>): { pages: AuditPage[]; pageOf: Map<number, string> } {
    const left = new Set(wanted);
    const pages: AuditPage[] = [];
    const pageOf = new Map<number, string>();
    const gainOf = ({ templates }: Kind): number =>
      templates.reduce((sum, each) => sum + Number(left.has(each)), 0);
    const byGain: Kind[][] = [];
    for (const kind of this.#kinds.values()) (byGain[gainOf(kind)] ??= []).push(kind);

    // gains only shrink: some of the kinds with the largest gain still have it, the others move down
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
