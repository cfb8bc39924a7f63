/**
 * Shared fragments as Ma and Gu (2005) define them, literally and without optimisation: nodes are compared pairwise
 * (Definition 1), all runs of adjacent siblings are fragments (Definition 2), and maximal is decided by recursion over
 * what contains a fragment (Problem Statement). Two rules of ours are added: what is between the parts of a composite
 * must be the same, and runs that overlap another one of their class are not composites.
 */

import type { Relation } from '../src/fragments/shared-page.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';
import { type FragmentNode, readNodes, sizeOf } from './fragment-node.ts';

interface Fragment {
  parts: FragmentNode[];
  /** Fragments that are the same, itself included. */
  same: Fragment[];
  containers: Fragment[];
  isUncovered?: boolean;
}

/** Maximal shared fragments as lines: parts, then page and bytes of each member of the class. */
export function fragmentsByDefinition(
  pages: Page[],
  { relation, minBytes, minShared }: { relation: Relation; minBytes: number; minShared: number },
): string[] {
  const parser = new Parser();
  const nodes = pages.flatMap(({ source }, page) => readNodes(parser.parse(source), page));
  const isStored = (node: FragmentNode) => node.kind === 'element' && sizeOf(node, relation) >= minBytes;
  const fragments: Fragment[] = [];
  for (const node of nodes.filter(isStored)) {
    const siblings = (node.parent?.children ?? [node]).filter(isStored);
    for (let end = siblings.indexOf(node) + 1; end <= siblings.length; end++) {
      fragments.push({ parts: siblings.slice(siblings.indexOf(node), end), same: [], containers: [] });
    }
  }
  for (const fragment of fragments) {
    fragment.same = fragments.filter((other) => areSame(fragment, other, relation));
    fragment.containers = fragments.filter((other) => contains(other, fragment));
  }
  const isFragment = ({ parts, same }: Fragment) =>
    parts.length === 1 ||
    !same.some((a) => same.some((b) => a !== b && a.parts.some((part) => b.parts.includes(part))));

  // condition 2; condition 1 is the case where no member is contained in anything shared
  const isUncovered = (fragment: Fragment): boolean =>
    (fragment.isUncovered ??= !fragment.containers.some(isMaximal));
  const isMaximal = (fragment: Fragment): boolean =>
    fragment.same.length >= minShared &&
    isFragment(fragment) &&
    isUncovered(fragment) &&
    fragment.same.filter(isUncovered).length >= minShared;

  const lines = fragments.filter(isMaximal).map(({ parts, same }) => {
    const members = same.filter(isMaximal).map((member) => {
      const last = member.parts[member.parts.length - 1];
      return `${member.parts[0].page}: ${member.parts[0].start}-${last.end}`;
    });
    return `${parts.length} | ${members.join(', ')}`;
  });
  return [...new Set(lines)].sort();
}

function areSame({ parts: a }: Fragment, { parts: b }: Fragment, relation: Relation): boolean {
  if (a.length !== b.length) return false;
  return a.every((part, k) => {
    if (!(relation === 'complete' ? isEqual : isSimilar)(part, b[k])) return false;
    if (k === 0) return true;
    const [gapA, gapB] = [between(a[k - 1], part), between(b[k - 1], b[k])];
    const isSame = relation === 'complete' ? isEqual : isSimilar;
    return gapA.length === gapB.length && gapA.every((node, at) => isSame(node, gapB[at]));
  });
}

function between(node: FragmentNode, next: FragmentNode): FragmentNode[] {
  const { children } = node.parent!;
  return children.slice(children.indexOf(node) + 1, children.indexOf(next));
}

/** Whether a fragment directly or transitively contains another one. */
function contains(outer: Fragment, inner: Fragment): boolean {
  if (outer === inner) return false;
  if (inner.parts.every((part) => outer.parts.includes(part))) return true;
  for (let up = inner.parts[0].parent; up !== undefined; up = up.parent)
    if (outer.parts.includes(up)) return true;
  return false;
}

/** Whether two nodes are equal or similar by Definition 1 of the paper. */
function isSimilar(a: FragmentNode, b: FragmentNode): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.attributes.length === b.attributes.length &&
    a.attributes.every(({ name }) => b.attributes.some((other) => other.name === name)) &&
    a.children.length === b.children.length &&
    a.children.every((child, k) => isSimilar(child, b.children[k]))
  );
}

function isEqual(a: FragmentNode, b: FragmentNode): boolean {
  return (
    isSimilar(a, b) &&
    a.text === b.text &&
    a.attributes.every(({ name, value }) =>
      b.attributes.some((other) => other.name === name && other.value === value),
    ) &&
    a.children.every((child, k) => isEqual(child, b.children[k]))
  );
}
