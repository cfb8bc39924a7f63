/**
 * The analysis of shared fragments in memory, as the definitions read: for small collections, for tests of
 * what works on its result, and as the twin that the analysis in the database is compared with. It knows no
 * hashes: two nodes are equal (or similar) when their written forms are the same string. Cost: the number of
 * nodes times the depth, in time and in memory.
 */
import { createHash } from 'node:crypto';
import { LineStarts } from '../src/fragments/digest.ts';
import {
  DEFAULT_COMPOSITES,
  DEFAULT_MIN_BYTES,
  DEFAULT_MIN_SHARED,
  describeFragment,
  type FragmentClass,
  type FragmentMember,
  type FragmentResult,
  RELATIONS,
  type Relation,
  type SharedPage,
  type SharingOptions,
} from '../src/fragments/shared-page.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';
import { type FragmentNode, formOf, readNodes, sizeOf } from './fragment-node.ts';

/** A result whose pages can also be iterated over. */
export interface PlainResult extends FragmentResult {
  readPages: () => AsyncGenerator<SharedPage>;
}

export interface AnalyseOptions extends SharingOptions {
  /** @default both */
  relations?: readonly Relation[];
}

/** Finds the maximal shared fragments of pages, which are numbered in the order given. */
export function analysePages(
  pages: readonly Page[],
  {
    minShared = DEFAULT_MIN_SHARED,
    minBytes = DEFAULT_MIN_BYTES,
    composites = DEFAULT_COMPOSITES,
    relations = RELATIONS,
  }: AnalyseOptions = {},
): PlainResult {
  if (!(Number.isInteger(minShared) && minShared >= 2)) {
    throw new RangeError(`minShared must be a whole number from 2, not ${minShared}`);
  }
  if (!(Number.isInteger(minBytes) && minBytes >= 1)) {
    throw new RangeError(`minBytes must be a whole number from 1, not ${minBytes}`);
  }
  const parser = new Parser();
  const nodes = pages.flatMap(({ source }, page) => readNodes(parser.parse(source), page));
  const classes: FragmentClass[] = [];
  const membersOf: FragmentMember[][] = pages.map(() => []);
  for (const relation of relations) {
    const stored = new Set(nodes.filter((node) => sizeOf(node, relation) >= minBytes));
    const isExact = composites === 'exact';
    const groups = isExact ? shareRuns(stored, relation, minShared) : sharePrimitives(stored, relation);
    const maximal = findMaximal(groups, relation, minShared);
    for (const runs of isExact ? maximal : mergeAdjacent(maximal, stored, relation)) {
      const summed = sumUp(runs, relation, pages);
      classes.push(summed);
      for (const run of runs) membersOf[run[0].page].push(memberOf(run, summed, pages[run[0].page]));
    }
  }
  for (const members of membersOf) members.sort((a, b) => a.start - b.start || b.end - a.end);
  describeClasses(classes, membersOf, pages);
  async function* readPages(): AsyncGenerator<SharedPage> {
    const reader = new Parser();
    for (let number = 0; number < pages.length; number++) {
      const page = pages[number];
      yield { number, page, tree: reader.parse(page.source), members: membersOf[number] };
    }
  }
  return {
    folder: '',
    classes,
    pageCount: pages.length,
    readPages,
    async visitPages(visit) {
      for await (const shared of readPages()) await visit(shared);
    },
  };
}

/** Adjacent siblings, each of which is stored: a fragment, primitive when it is one. */
type Run = FragmentNode[];

/** All stored elements, those of one form together. */
function sharePrimitives(stored: Set<FragmentNode>, relation: Relation): Run[][] {
  return groupBy(
    [...stored].map((node) => [node]),
    ([node]) => formOf(node, relation),
  );
}

/** All runs of siblings that may be shared, those of the same forms and the same between them together. */
function shareRuns(stored: Set<FragmentNode>, relation: Relation, minShared: number): Run[][] {
  const shared: Run[][] = [];
  let groups = sharePrimitives(stored, relation);
  while (groups.length > 0) {
    shared.push(
      ...groups.filter((runs) => runs[0].length === 1 || !runs.some((run, k) => overlaps(run, runs[k + 1]))),
    );
    // a run is shared only where what it begins with is
    groups = groups
      .filter((runs) => runs.length >= minShared)
      .flatMap((runs) => extend(runs, stored, relation));
  }
  return shared;
}

/** Runs with one more sibling, in groups. */
function extend(runs: Run[], stored: Set<FragmentNode>, relation: Relation): Run[][] {
  const longer = runs.flatMap((run) => {
    const next = nextStored(run[run.length - 1], stored, relation);
    return next === undefined
      ? []
      : [{ run: [...run, next.node], key: `${next.gap} ${formOf(next.node, relation)}` }];
  });
  return groupBy(longer, ({ key }) => key).map((group) => group.map(({ run }) => run));
}

/** Whether two runs of one group, in document order and the first of them before the second, have siblings in common. */
function overlaps(run: Run, next: Run | undefined): boolean {
  return next !== undefined && run.includes(next[0]);
}

/**
 * The maximal shared fragments, by class, each class in page order. A fragment is maximal when none that contains it
 * is, and at least `minShared` fragments of its class are in none; what contains a fragment is larger, so classes are
 * decided from the largest to the smallest.
 */
function findMaximal(groups: Run[][], relation: Relation, minShared: number): Run[][] {
  const sizeOfRun = ([run]: Run[]) => bytesOf(run, relation);
  const maximal = new Map<FragmentNode, Run[]>();
  const isCovered = (run: Run) =>
    ancestorsOf(run[0]).some((ancestor) => maximal.has(ancestor)) ||
    maximal.get(run[0])?.some((longer) => longer.includes(run[run.length - 1]));
  const classes: Run[][] = [];
  for (const runs of groups.toSorted((a, b) => sizeOfRun(b) - sizeOfRun(a))) {
    const uncovered = runs.filter((run) => !isCovered(run));
    if (uncovered.length < minShared) continue;
    for (const run of uncovered)
      for (const node of run) maximal.set(node, [...(maximal.get(node) ?? []), run]);
    classes.push(uncovered);
  }
  return classes;
}

/** Puts classes together whose members always stand side by side: A before B, with the same between them. */
function mergeAdjacent(classes: Run[][], stored: Set<FragmentNode>, relation: Relation): Run[][] {
  const classOf = new Map<FragmentNode, Run[]>();
  for (const members of classes) for (const [node] of members) classOf.set(node, members);

  const following = new Map<Run[], Run[]>();
  for (const members of classes) {
    const nexts = members.map(([node]) => nextStored(node, stored, relation));
    const next = nexts[0] === undefined ? undefined : classOf.get(nexts[0].node);
    if (next === undefined || next === members || next.length !== members.length) continue;
    const always = nexts.every(
      (found) => found !== undefined && classOf.get(found.node) === next && found.gap === nexts[0]?.gap,
    );
    if (always) following.set(members, next);
  }

  const follows = new Set(following.values());
  const heads = classes.filter((members) => !follows.has(members));
  return heads.map((head) => {
    const runs = head.map((run) => [...run]);
    for (let next = following.get(head); next !== undefined; next = following.get(next)) {
      next.forEach(([node], k) => {
        runs[k].push(node);
      });
    }
    return runs;
  });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** The next stored sibling, and the bytes in between. */
function nextStored(node: FragmentNode, stored: Set<FragmentNode>, relation: Relation) {
  const siblings = node.parent?.children ?? [];
  let gap = '';
  for (const sibling of siblings.slice(siblings.indexOf(node) + 1)) {
    if (stored.has(sibling)) return { node: sibling, gap };
    gap += formOf(sibling, relation);
  }
  return undefined;
}

function gapBetween(node: FragmentNode, next: FragmentNode, relation: Relation): string {
  const siblings = node.parent?.children ?? [];
  const between = siblings.slice(siblings.indexOf(node) + 1, siblings.indexOf(next));
  return between.map((sibling) => formOf(sibling, relation)).join('');
}

function ancestorsOf(node: FragmentNode): FragmentNode[] {
  const ancestors: FragmentNode[] = [];
  for (let up = node.parent; up !== undefined; up = up.parent) ancestors.push(up);
  return ancestors;
}

function sumUp(runs: Run[], relation: Relation, pages: readonly Page[]): FragmentClass {
  const [run] = runs;
  const [first] = run;
  const total = runs.reduce((sum, parts) => sum + parts[parts.length - 1].end - parts[0].start, 0);
  const forms = run.map((node) => formOf(node, relation));
  const gaps = run.slice(1).map((node, k) => gapBetween(run[k], node, relation));
  const hash = createHash('sha256').update(JSON.stringify([relation, forms, gaps]), 'latin1');
  return {
    id: hash.digest('hex').slice(0, 16),
    relation,
    kind: run.length === 1 ? 'primitive' : 'composite',
    parts: run.length,
    pages: new Set(runs.map(([{ page }]) => page)).size,
    members: runs.length,
    sites: new Set(runs.map(([{ page }]) => pages[page].site)).size,
    avgBytes: total / runs.length,
    avgCompleteBytes: runs.reduce((sum, parts) => sum + bytesOf(parts, 'complete'), 0) / runs.length,
    structuralBytes: bytesOf(run, 'structural'),
    savedBytes: Math.round(total - total / runs.length),
    place: '',
    text: '',
    page: first.page,
    site: pages[first.page].site,
    url: pages[first.page].url,
  };
}

function bytesOf(run: Run, relation: Relation): number {
  return run.reduce((sum, node) => sum + sizeOf(node, relation), 0);
}

function memberOf(run: Run, { relation, id }: FragmentClass, { source }: Page): FragmentMember {
  const [first] = run;
  const last = run[run.length - 1];
  const lines = new LineStarts();
  const [line, column] = [new Uint32Array(2), new Uint32Array(2)];
  lines.read(source);
  lines.find(Uint32Array.of(first.start, last.end), 2, line, column);
  return {
    relation,
    classId: id,
    node: first.id,
    sibling: last.last,
    parent: first.parent?.id ?? 0,
    start: first.start,
    end: last.end,
    completeBytes: bytesOf(run, 'complete'),
    startLine: line[0],
    startColumn: column[0],
    endLine: line[1],
    endColumn: column[1],
  };
}

/** Describes each class by the path and the text of its first member; each page is parsed once. */
function describeClasses(
  classes: FragmentClass[],
  membersOf: FragmentMember[][],
  pages: readonly Page[],
): void {
  const parser = new Parser();
  const undescribed = new Map(classes.map((found) => [found.id, found]));
  for (let page = 0; page < pages.length; page++) {
    const tree = parser.parse(pages[page].source);
    for (const { classId, node, sibling } of membersOf[page]) {
      const found = undescribed.get(classId);
      if (found !== undefined) Object.assign(found, describeFragment(tree, node, sibling));
      undescribed.delete(classId);
    }
  }
}
