/**
 * Third reading of the pages, for templates that no path tells from others: a menu that marks where one is, a
 * teaser in a row of teasers. Where the closest selector matches all members, what it matches besides is asked
 * for what the members hold; when every other element lacks something, asking for that makes it exact.
 *
 * Pages in quirks mode compare ids and classes in any case, so there only attributes are witnesses.
 */
import type { FragmentResult } from '../shared-page.ts';
import { PageElements } from './page-elements.ts';
import type { Selector } from './selector.ts';
import { SelectorMatcher } from './selector-matcher.ts';
import type { Template } from './templates.ts';
import { readHeldKeys, type Witness } from './witnesses.ts';
import type { Closest } from './write-selectors.ts';

/** Things asked for in one selector. */
const MOST_ASKED = 3;
/** Sets of witnesses that other elements hold, told apart per template. */
const MOST_SETS = 2000;

/** The selectors that became exact, by template. */
export async function narrowByContent(
  result: FragmentResult,
  closest: ReadonlyMap<Template, Closest>,
): Promise<Map<Template, Selector[]>> {
  const sites = new Map<string, SiteNarrowing>();
  for (const [template, { selectors, exact, judgement }] of closest) {
    if (exact || judgement.missed > 0 || template.witnesses.length === 0) continue;
    let site = sites.get(template.site);
    if (site === undefined) sites.set(template.site, (site = new SiteNarrowing()));
    site.add(template, selectors);
  }
  const narrowed = new Map<Template, Selector[]>();
  if (sites.size === 0) return narrowed;
  for await (const { page, tree, members } of result.readPages()) {
    const own = new Map<number, string>();
    for (const { relation, classId, node } of members) if (relation === 'complete') own.set(node, classId);
    sites.get(page.site)?.look(new PageElements(tree), own);
  }
  for (const site of sites.values()) site.collect(narrowed);
  return narrowed;
}

interface Narrowing {
  template: Template;
  selectors: readonly Selector[];
  /** What other elements hold of the witnesses, as sets of their numbers. */
  others: Map<string, Set<number>>;
  /** Witnesses that every own element has. */
  sure: Set<number>;
  isLost: boolean;
}

class SiteNarrowing {
  readonly #narrowings: Narrowing[] = [];
  readonly #matcher = new SelectorMatcher();
  readonly #asked = new Set<string>();

  add(template: Template, selectors: readonly Selector[]): void {
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
    if (others.size < MOST_SETS) others.set(key, has);
    else narrowing.isLost = true;
  }

  collect(narrowed: Map<Template, Selector[]>): void {
    for (const { template, selectors, others, sure, isLost } of this.#narrowings) {
      const asked = isLost ? undefined : askFor(sure, [...others.values()]);
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

/** Few witnesses such that every other element lacks one: each time the one that most of the rest lack. */
function askFor(sure: ReadonlySet<number>, others: readonly ReadonlySet<number>[]): number[] | undefined {
  const asked: number[] = [];
  let left = others;
  while (left.length > 0) {
    if (asked.length === MOST_ASKED) return undefined;
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
