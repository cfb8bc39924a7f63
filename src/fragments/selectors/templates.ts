/**
 * Templates while selectors are looked for: one per class and site, with what its members have in common.
 */
import { compare } from '../../model/order.ts';
import { isVoid } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { FragmentClass, FragmentMember, FragmentResult } from '../shared-page.ts';
import { MatchCounts } from './choose-selector.ts';
import { type Context, ContextReader } from './member-context.ts';
import { noSnippetTag, openingTag, withAttribute } from './opening-tag.ts';
import { PageElements } from './page-elements.ts';
import type { Selector } from './selector.ts';
import { makeCandidates } from './selector-candidates.ts';
import { readWitnesses, type Witness } from './witnesses.ts';

/** Elements of one composite member that are looked at. */
const MOST_ELEMENTS = 200;
/** Elements of a composite that get selectors of their own. */
const MOST_PLACES = 12;

/** One class on one site. */
export interface Template {
  number: number;
  site: string;
  shared: FragmentClass;
  pages: number;
  members: number;
  lastPage: number;
  contexts: Context[];
  tag: string;
  noSnippet: string;
  candidates: Selector[];
  /** Number of its first candidate among those of the site. */
  first: number;
  counts: MatchCounts;
  /** What its elements hold; of a composite none. */
  witnesses: Witness[];
}

export class Templates {
  /** Those on enough pages, most bytes first. */
  all: Template[] = [];
  left = 0;
  readonly #bySite = new Map<string, Map<string, Template>>();
  #count = 0;

  get(site: string, classId: string): Template | undefined {
    return this.#bySite.get(site)?.get(classId);
  }

  bySite(site: string): Iterable<Template> {
    return this.#bySite.get(site)?.values() ?? [];
  }

  /** The template of a class on a site, made when there is room. */
  open(site: string, shared: FragmentClass, most: number): Template | undefined {
    let onSite = this.#bySite.get(site);
    if (onSite === undefined) this.#bySite.set(site, (onSite = new Map()));
    let template = onSite.get(shared.id);
    if (template === undefined && this.#count < most) {
      template = {
        number: this.#count++,
        site,
        shared,
        pages: 0,
        members: 0,
        lastPage: -1,
        contexts: [],
        tag: '',
        noSnippet: '',
        candidates: [],
        first: 0,
        counts: new MatchCounts(),
        witnesses: [],
      };
      onSite.set(shared.id, template);
    }
    return template;
  }

  /** Drops those on too few pages and puts the rest in order. */
  close(minPages: number): void {
    for (const onSite of this.#bySite.values()) {
      for (const [id, template] of onSite) {
        if (template.pages < minPages) onSite.delete(id);
        else this.all.push(template);
      }
    }
    this.all.sort(
      (a, b) =>
        compare(a.site, b.site) ||
        b.shared.savedBytes - a.shared.savedBytes ||
        compare(a.shared.id, b.shared.id),
    );
  }
}

/** First reading of the pages: where the members of the chosen classes stand. */
export async function collectContexts(
  result: FragmentResult,
  chosen: ReadonlyMap<string, FragmentClass>,
  { minPages, maxTemplates }: { minPages: number; maxTemplates: number },
): Promise<Templates> {
  const templates = new Templates();
  for await (const page of result.readPages()) {
    const elements = new PageElements(page.tree);
    const reader = new ContextReader(elements);
    for (const member of page.members) {
      const shared = member.relation === 'complete' ? chosen.get(member.classId) : undefined;
      if (shared === undefined) continue;
      const template = templates.open(page.page.site, shared, 2 * maxTemplates);
      if (template === undefined) {
        templates.left++;
        continue;
      }
      if (template.lastPage !== page.number) template.pages++;
      template.lastPage = page.number;
      if (template.members++ === 0) {
        const tag = openingTag(page.tree, member.node);
        template.tag = withAttribute(tag, 'data-pagefind-ignore');
        template.noSnippet = noSnippetTag(tag, page.tree, member.node);
        if (shared.parts === 1) template.witnesses = readWitnesses(elements, member.node);
      }
      addContexts(template, reader, page.tree, member);
    }
  }
  templates.close(minPages);
  for (const template of templates.all) template.candidates = makeCandidates(template.contexts);
  return templates;
}

/** All elements of a composite together, and the first few by themselves, should they have nothing in common. */
function addContexts(template: Template, reader: ContextReader, tree: Tree, member: FragmentMember): void {
  const elements = elementsOf(tree, member);
  for (const node of elements) reader.add(template.contexts, node);
  if (elements.length > 1 && elements.length <= MOST_PLACES)
    for (const [at, node] of elements.entries()) reader.add(template.contexts, node, `${at} `);
}

/** The elements that a member consists of; not the line breaks and rules between its parts. */
export function elementsOf({ kind, last, name }: Tree, { node, sibling }: FragmentMember): number[] {
  const elements: number[] = [];
  for (let at = node; at < sibling && elements.length < MOST_ELEMENTS; at = last[at])
    if (kind[at] === ELEMENT && (at === node || !isVoid(name[at]))) elements.push(at);
  return elements;
}
