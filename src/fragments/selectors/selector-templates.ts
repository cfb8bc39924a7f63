/**
 * The templates for which selectors are searched: one per class and site, with the common features of its
 * members, and the opening tag of its element as the pages write it, with an attribute added. A site's owner
 * can search the sources for that tag and replace it.
 */
import { compare } from '../../model/order.ts';
import { isVoid, tagName } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { FragmentClass, FragmentMember, FragmentResult } from '../shared-page.ts';
import { MatchCounts } from './choose-selector.ts';
import { readWitnesses, type Witness } from './narrow-by-content.ts';
import { PageElements } from './page-elements.ts';
import { ContextReader, makeCandidates, type SelectorContext } from './selector-candidates.ts';
import type { Selector } from './selector-matcher.ts';

/** Maximum number of elements of one composite member that are read. */
const MAX_ELEMENTS = 200;
/** Maximum number of elements of a composite that get their own selectors. */
const MAX_PLACES = 12;

/** A class on one site. */
export interface SelectorTemplate {
  number: number;
  site: string;
  shared: FragmentClass;
  pages: number;
  members: number;
  lastPage: number;
  contexts: SelectorContext[];
  tag: string;
  noSnippet: string;
  candidates: Selector[];
  /** Number of its first candidate among the candidates of the site. */
  first: number;
  counts: MatchCounts;
  /** Contents of its elements; empty for a composite. */
  witnesses: Witness[];
}

/** The templates of all sites, by site and class. */
export class Templates {
  /** Templates on enough pages, most bytes first. */
  all: SelectorTemplate[] = [];
  left = 0;
  readonly #bySite = new Map<string, Map<string, SelectorTemplate>>();
  #count = 0;

  get(site: string, classId: string): SelectorTemplate | undefined {
    return this.#bySite.get(site)?.get(classId);
  }

  bySite(site: string): Iterable<SelectorTemplate> {
    return this.#bySite.get(site)?.values() ?? [];
  }

  /** Returns the template of a class on a site; creates it if there are fewer than `most`. */
  open(site: string, shared: FragmentClass, most: number): SelectorTemplate | undefined {
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

  /** Drops templates on too few pages and sorts the others. */
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

/** First pass over the pages: collects where the members of the chosen classes are. */
export async function collectContexts(
  result: FragmentResult,
  chosen: ReadonlyMap<string, FragmentClass>,
  { minPages, maxTemplates }: { minPages: number; maxTemplates: number },
): Promise<Templates> {
  const templates = new Templates();
  await result.visitPages((page) => {
    let elements: PageElements | undefined;
    let reader: ContextReader | undefined;
    for (const member of page.members) {
      const shared = member.relation === 'complete' ? chosen.get(member.classId) : undefined;
      if (shared === undefined) continue;
      const template = templates.open(page.page.site, shared, 2 * maxTemplates);
      if (template === undefined) {
        templates.left++;
        continue;
      }
      const { tree } = page;
      elements ??= new PageElements(tree);
      reader ??= new ContextReader(elements);
      if (template.lastPage !== page.number) template.pages++;
      template.lastPage = page.number;
      if (template.members++ === 0) {
        const tag = openingTag(tree, member.node);
        template.tag = withAttribute(tag, 'data-pagefind-ignore');
        template.noSnippet = noSnippetTag(tag, tree, member.node);
        if (shared.parts === 1) template.witnesses = readWitnesses(elements, member.node);
      }
      addContexts(template, reader, tree, member);
    }
  });
  templates.close(minPages);
  for (const template of templates.all) template.candidates = makeCandidates(template.contexts);
  return templates;
}

/**
 * Adds all elements of a composite together, and the first few separately in case they have nothing in
 * common.
 */
function addContexts(
  template: SelectorTemplate,
  reader: ContextReader,
  tree: Tree,
  member: FragmentMember,
): void {
  const elements = elementsOf(tree, member);
  for (const node of elements) reader.add(template.contexts, node);
  if (elements.length > 1 && elements.length <= MAX_PLACES)
    for (const [at, node] of elements.entries()) reader.add(template.contexts, node, `${at} `);
}

/** Returns the elements of a member, without line breaks and rules between its parts. */
export function elementsOf({ kind, last, name }: Tree, { node, sibling }: FragmentMember): number[] {
  const elements: number[] = [];
  for (let at = node; at < sibling && elements.length < MAX_ELEMENTS; at = last[at])
    if (kind[at] === ELEMENT && (at === node || !isVoid(name[at]))) elements.push(at);
  return elements;
}

const LONGEST_TAG = 2000;

/**
 * Returns the opening tag of an element; empty when the page has none. White space becomes one space, and
 * characters that control terminals or the direction of text are written as references or removed.
 */
function openingTag({ source, start, openEnd }: Tree, node: number): string {
  if (openEnd[node] - start[node] < 3 || openEnd[node] - start[node] > LONGEST_TAG) return '';
  const tag = Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString(
    'utf8',
    start[node],
    openEnd[node],
  );
  return tag
    .replace(/[\t\n\f\r ]+/g, ' ')
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '')
    .replace(
      /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
      (mark) => `&#x${mark.charCodeAt(0).toString(16)};`,
    );
}

/** Returns the tag with an attribute added at its end. */
function withAttribute(tag: string, attribute: string): string {
  const end = / ?\/?>$/.exec(tag);
  // the space is needed because an unquoted value before a slash would include the attribute
  return end === null ? tag : `${tag.slice(0, end.index)} ${attribute}${end[0].trimStart()}`;
}

/** Elements on which Google reads `data-nosnippet`. */
const SNIPPET_TAGS = new Set(['span', 'div', 'section']);
/**
 * Elements that cannot be wrapped in a div: their parents allow no other child, or they are not in the body.
 */
const UNWRAPPED = new Set(
  'html head body title meta link style script base li dt dd tr td th tbody thead tfoot caption col colgroup option optgroup frame frameset area param source track legend summary figcaption'.split(
    ' ',
  ),
);

/** Returns how to exclude an element from snippets; empty when the attribute cannot be added. */
function noSnippetTag(tag: string, tree: Tree, node: number): string {
  const name = tagName(tree, node);
  if (tag === '' || UNWRAPPED.has(name)) return '';
  return SNIPPET_TAGS.has(name) ? withAttribute(tag, 'data-nosnippet') : `<div data-nosnippet>${tag}`;
}
