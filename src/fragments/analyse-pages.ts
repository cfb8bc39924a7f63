/**
 * The analysis of shared fragments in memory, as the definitions read: for small collections, for tests of
 * what works on its result, and as the twin that the analysis in the database is compared with. It knows no
 * hashes: two nodes are equal (or similar) when their written forms are the same string. Cost: the number of
 * nodes times the depth, in time and in memory.
 */
import { createHash } from 'node:crypto';
import type { Page } from '../model/page.ts';
import { Parser } from '../parse/parser.ts';
import { describeFragment } from './describe-fragment.ts';
import { type FragmentNode, formOf, readNodes, sizeOf } from './fragment-node.ts';
import {
  DEFAULT_MIN_BYTES,
  DEFAULT_MIN_SHARED,
  type FragmentClass,
  type FragmentMember,
  type FragmentResult,
  RELATIONS,
  type Relation,
  type SharedPage,
  type SharingOptions,
} from './shared-page.ts';

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
    relations = RELATIONS,
  }: AnalyseOptions = {},
): FragmentResult {
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
    const primitive = findMaximal(stored, relation, minShared);
    for (const path of mergeAdjacent(primitive, stored, relation)) {
      const summed = sumUp(path, relation, pages);
      classes.push(summed);
      path[0].forEach((first, k) => {
        const { id, start } = first;
        const { last, end } = path[path.length - 1][k];
        const member = { relation, classId: summed.id, node: id, sibling: last, start, end };
        membersOf[first.page].push(member);
      });
    }
  }
  for (const members of membersOf) members.sort((a, b) => a.start - b.start || b.end - a.end);
  describeClasses(classes, membersOf, pages);
  return {
    folder: '',
    classes,
    pageCount: pages.length,
    async *readPages(): AsyncGenerator<SharedPage> {
      const reader = new Parser();
      for (let number = 0; number < pages.length; number++) {
        const page = pages[number];
        yield { number, page, tree: reader.parse(page.source), members: membersOf[number] };
      }
    },
  };
}

/**
 * The maximal shared fragments, by class, each class in page order. A fragment is maximal when no ancestor of
 * it is and at least `minShared` fragments of its class have no maximal ancestor; ancestors are larger, so
 * classes are decided from the largest to the smallest.
 */
function findMaximal(stored: Set<FragmentNode>, relation: Relation, minShared: number): FragmentNode[][] {
  const byForm = new Map<string, FragmentNode[]>();
  for (const node of stored) {
    const form = formOf(node, relation);
    const alike = byForm.get(form);
    if (alike === undefined) byForm.set(form, [node]);
    else alike.push(node);
  }
  const fromLargest = [...byForm.values()].sort((a, b) => sizeOf(b[0], relation) - sizeOf(a[0], relation));
  const maximal = new Set<FragmentNode>();
  const classes: FragmentNode[][] = [];
  for (const members of fromLargest) {
    const uncovered = members.filter((node) => !ancestorsOf(node).some((ancestor) => maximal.has(ancestor)));
    if (uncovered.length < minShared) continue;
    for (const node of uncovered) maximal.add(node);
    classes.push(uncovered);
  }
  return classes;
}

/**
 * Puts classes together whose members always stand side by side: A before B, with the same between them.
 * Gives each result as the list of its parts, each part with its members in page order.
 */
function mergeAdjacent(
  classes: FragmentNode[][],
  stored: Set<FragmentNode>,
  relation: Relation,
): FragmentNode[][][] {
  const classOf = new Map<FragmentNode, FragmentNode[]>();
  for (const members of classes) for (const node of members) classOf.set(node, members);

  const following = new Map<FragmentNode[], FragmentNode[]>();
  for (const members of classes) {
    const nexts = members.map((node) => nextStored(node, stored, relation));
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
    const path = [head];
    for (let next = following.get(head); next !== undefined; next = following.get(next)) path.push(next);
    return path;
  });
}

/** The next stored sibling, and what stands between. */
function nextStored(node: FragmentNode, stored: Set<FragmentNode>, relation: Relation) {
  const siblings = node.parent?.children ?? [];
  let gap = '';
  for (const sibling of siblings.slice(siblings.indexOf(node) + 1)) {
    if (stored.has(sibling)) return { node: sibling, gap };
    gap += formOf(sibling, relation);
  }
  return undefined;
}

function ancestorsOf(node: FragmentNode): FragmentNode[] {
  const ancestors: FragmentNode[] = [];
  for (let up = node.parent; up !== undefined; up = up.parent) ancestors.push(up);
  return ancestors;
}

function sumUp(path: FragmentNode[][], relation: Relation, pages: readonly Page[]): FragmentClass {
  const [head] = path;
  const tail = path[path.length - 1];
  const [first] = head;
  const total = head.reduce((sum, { start }, k) => sum + tail[k].end - start, 0);
  const form = path.map((members) => formOf(members[0], relation)).join();
  return {
    id: createHash('sha256').update(`${relation} ${form}`, 'latin1').digest('hex').slice(0, 16),
    relation,
    kind: path.length === 1 ? 'primitive' : 'composite',
    parts: path.length,
    pages: new Set(head.map(({ page }) => page)).size,
    members: head.length,
    sites: new Set(head.map(({ page }) => pages[page].site)).size,
    avgBytes: total / head.length,
    structuralBytes: path.reduce((sum, members) => sum + sizeOf(members[0], 'structural'), 0),
    savedBytes: Math.round(total - total / head.length),
    place: '',
    text: '',
    page: first.page,
    site: pages[first.page].site,
    url: pages[first.page].url,
  };
}

/** Says where the first member of every class stands and what it says; each page is parsed once. */
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
