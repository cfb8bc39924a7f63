/**
 * What an element holds that a selector can ask for: `:has(a[href="/news"])`. The members of a class hold all the
 * same, so what the first one holds is a witness for each of them, and an element that lacks it is not one.
 */
import { ELEMENT } from '../../parse/tree.ts';
import { usableAttributes, usableValue } from './member-context.ts';
import type { PageElements } from './page-elements.ts';
import type { Step } from './selector.ts';

export interface Witness {
  /** Tells the same thing by the same text. */
  key: string;
  step: Step;
}

/** Nodes of an element that is looked into. */
const MOST_NODES = 20_000;
/** Witnesses kept of each kind: ids, attributes, classes at their places. */
const MOST_OF_KIND = 16;

/** Witnesses of an element, evenly over what it holds, ids first. */
export function readWitnesses(elements: PageElements, node: number): Witness[] {
  if (elements.tree.last[node] - node > MOST_NODES) return [];
  const kinds: Map<string, Witness>[] = [new Map(), new Map(), new Map()];
  for (const [kind, witness] of allWitnesses(elements, node)) kinds[kind].set(witness.key, witness);
  return kinds.flatMap((kind) => spread([...kind.values()], MOST_OF_KIND));
}

/** Keys of all that an element holds, of those that are `asked` for; undefined when it holds too much to tell. */
export function readHeldKeys(
  elements: PageElements,
  node: number,
  asked: ReadonlySet<string>,
): Set<string> | undefined {
  // nodes are no fewer than elements
  if (elements.tree.last[node] - node > MOST_NODES) return undefined;
  const held = new Set<string>();
  for (const [, { key }] of allWitnesses(elements, node)) if (asked.has(key)) held.add(key);
  return held;
}

function* allWitnesses(elements: PageElements, node: number): Generator<[kind: number, witness: Witness]> {
  const { kind, last } = elements.tree;
  const end = last[node];
  for (let at = node + 1; at < end; at++) {
    if (kind[at] !== ELEMENT) continue;
    const { tag, id, classes, attributes } = elements.features(at);
    // what a template holds is not part of the page
    if (tag === 'template') at = last[at] - 1;
    if (!/^[a-z][a-z0-9-]*$/.test(tag)) continue;
    if (id !== undefined && usableValue(id)) yield [0, witness({ tag, id })];
    for (const attribute of usableAttributes(tag, attributes))
      yield [1, witness({ tag, attributes: [attribute] })];
    for (const name of classes) {
      if (usableValue(name)) yield [2, witness({ tag, classes: [name], nthChild: elements.nthChild(at) })];
    }
  }
}

function witness(step: Step): Witness {
  const { tag, id, classes, attributes, nthChild } = step;
  const [attribute] = attributes ?? [];
  return { key: [tag, id, classes?.[0], attribute?.name, attribute?.value, nthChild].join('\0'), step };
}

/** So many of a list, at equal distances. */
function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]);
}
