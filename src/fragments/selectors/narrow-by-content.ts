/**
 * Third pass over the pages, for templates that no path distinguishes from other elements: a menu that marks
 * the current page, a teaser in a row of teasers. When the closest selector matches all members, the other
 * elements that it matches are searched for the contents of the members. If each of them lacks something,
 * requiring it makes the selector exact: `:has(a[href="/news"])`. All members of a class have equal contents,
 * so everything in the first member is a *witness*.
 *
 * In quirks mode, browsers compare ids and classes without case, so there only attributes are witnesses.
 */
import { ELEMENT } from '../../parse/tree.ts';
import type { FragmentResult } from '../shared-page.ts';
import { PageElements } from './page-elements.ts';
import { usableAttributes, usableValue } from './selector-candidates.ts';
import { type PathStep, type Selector, SelectorMatcher } from './selector-matcher.ts';
import type { SelectorTemplate } from './selector-templates.ts';
import type { ClosestSelector } from './write-selectors.ts';

/** Maximum number of witnesses in one selector. */
const MAX_WITNESSES = 3;
/** Maximum number of distinct sets of witnesses in other elements, per template. */
const MAX_SETS = 2000;

/** Returns the selectors that became exact, by template. */
export async function narrowByContent(
  result: FragmentResult,
  closest: ReadonlyMap<SelectorTemplate, ClosestSelector>,
): Promise<Map<SelectorTemplate, Selector[]>> {
  const sites = new Map<string, SiteNarrowing>();
  for (const [template, { selectors, exact, judgement }] of closest) {
    if (exact || judgement.missed > 0 || template.witnesses.length === 0) continue;
    let site = sites.get(template.site);
    if (site === undefined) sites.set(template.site, (site = new SiteNarrowing()));
    site.add(template, selectors);
  }
  const narrowed = new Map<SelectorTemplate, Selector[]>();
  if (sites.size === 0) return narrowed;
  await result.visitPages((shared) => {
    const site = sites.get(shared.page.site);
    if (site === undefined) return;
    const own = new Map<number, string>();
    for (const { relation, classId, node } of shared.members) {
      if (relation === 'complete') own.set(node, classId);
    }
    site.look(new PageElements(shared.tree), own);
  });
  for (const site of sites.values()) site.collect(narrowed);
  return narrowed;
}

interface Narrowing {
  template: SelectorTemplate;
  selectors: readonly Selector[];
  /** Sets of witnesses in other elements, by their numbers. */
  others: Map<string, Set<number>>;
  /** Witnesses that every own element has. */
  sure: Set<number>;
  isLost: boolean;
}

class SiteNarrowing {
  readonly #narrowings: Narrowing[] = [];
  readonly #matcher = new SelectorMatcher();
  readonly #asked = new Set<string>();

  add(template: SelectorTemplate, selectors: readonly Selector[]): void {
    for (const selector of selectors) this.#matcher.add(this.#narrowings.length, selector);
    for (const { key } of template.witnesses) this.#asked.add(key);
    const sure = new Set(template.witnesses.keys());
    this.#narrowings.push({ template, selectors, others: new Map(), sure, isLost: false });
  }

  look(elements: PageElements, own: ReadonlyMap<number, string>): void {
    this.#matcher.match(elements, (node, numbers) => {
      const held = readHeldKeys(elements, node, this.#asked);
      for (const number of new Set(numbers))
        this.#compare(this.#narrowings[number], held, own.get(node), elements.quirks);
    });
  }

  #compare(
    narrowing: Narrowing,
    held: ReadonlySet<string> | undefined,
    classId: string | undefined,
    quirks: boolean,
  ): void {
    const { template, others, sure } = narrowing;
    if (classId === template.shared.id) {
      for (const at of sure) if (held?.has(template.witnesses[at].key) !== true) sure.delete(at);
      return;
    }
    const has = new Set<number>();
    template.witnesses.forEach((witness, at) => {
      if (held === undefined || held.has(witness.key) || (quirks && !isAttribute(witness))) has.add(at);
    });
    const key = [...has].join();
    if (others.has(key)) return;
    if (others.size < MAX_SETS) others.set(key, has);
    else narrowing.isLost = true;
  }

  collect(narrowed: Map<SelectorTemplate, Selector[]>): void {
    for (const { template, selectors, others, sure, isLost } of this.#narrowings) {
      const asked = isLost ? undefined : chooseWitnesses(sure, [...others.values()]);
      if (asked === undefined) continue;
      const has = asked.map((at) => template.witnesses[at].step);
      narrowed.set(
        template,
        selectors.map((selector) => [...selector.slice(0, -1), { ...selector[selector.length - 1], has }]),
      );
    }
  }
}

function isAttribute({ step }: Witness): boolean {
  return step.attributes !== undefined;
}

/**
 * Returns few witnesses such that every other element lacks one; each time the one that most of the rest
 * lack.
 */
function chooseWitnesses(
  sure: ReadonlySet<number>,
  others: readonly ReadonlySet<number>[],
): number[] | undefined {
  const asked: number[] = [];
  let left = others;
  while (left.length > 0) {
    if (asked.length === MAX_WITNESSES) return undefined;
    let best = -1;
    let fewest = left.length;
    for (const at of sure) {
      const holders = left.filter((held) => held.has(at)).length;
      if (holders < fewest) {
        best = at;
        fewest = holders;
      }
    }
    if (best < 0) return undefined;
    asked.push(best);
    left = left.filter((held) => held.has(best));
  }
  return asked.length > 0 ? asked : undefined;
}

/** An element inside a template, or a step that matches it. */
export interface Witness {
  /** Text that is equal for equal witnesses. */
  key: string;
  step: PathStep;
}

/** Maximum number of nodes of an element that is searched. */
const MAX_NODES = 20_000;
/** Maximum number of witnesses of each kind: ids, attributes, classes at their positions. */
const MAX_OF_KIND = 16;

/** Returns witnesses of an element, evenly distributed over its contents, ids first. */
export function readWitnesses(elements: PageElements, node: number): Witness[] {
  if (elements.tree.last[node] - node > MAX_NODES) return [];
  const kinds: Map<string, Witness>[] = [new Map(), new Map(), new Map()];
  for (const [kind, witness] of allWitnesses(elements, node)) kinds[kind].set(witness.key, witness);
  return kinds.flatMap((kind) => sampleEvenly([...kind.values()], MAX_OF_KIND));
}

/**
 * Returns the keys of all contents of an element that are in `asked`; undefined when it is too large to
 * search.
 */
function readHeldKeys(
  elements: PageElements,
  node: number,
  asked: ReadonlySet<string>,
): Set<string> | undefined {
  // there are at least as many nodes as elements
  if (elements.tree.last[node] - node > MAX_NODES) return undefined;
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
    // the contents of a template element are not part of the page
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

function witness(step: PathStep): Witness {
  const { tag, id, classes, attributes, nthChild } = step;
  const [attribute] = attributes ?? [];
  return { key: [tag, id, classes?.[0], attribute?.name, attribute?.value, nthChild].join('\0'), step };
}

/** Returns `most` entries of a list at equal distances. */
function sampleEvenly<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]);
}
