/**
 * One CSS selector per template (a completely shared class on at least `minPages` pages of a site) that matches
 * its members and nothing else on any page of that site; and the few pages that show all templates.
 *
 * Two readings of the pages: the first collects what the members of each template have in common, the second
 * tries all candidates on every page and counts what they match. Memory depends on the number of templates
 * looked at (`maxTemplates`) and the largest page, not on the pages. The same pages give the same file.
 *
 * A composite template gets a selector, or a list of them, for its elements; the text between them has none.
 */
import { writeFile } from 'node:fs/promises';
import { isVoid } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { FragmentClass, FragmentMember, FragmentResult, SharedPage } from '../shared-page.ts';
import { type AuditPage, AuditPages } from './audit-pages.ts';
import { chooseSelector, MatchCounts } from './choose-selector.ts';
import { type Context, ContextReader } from './member-context.ts';
import { noSnippetTag, openingTag, withAttribute } from './opening-tag.ts';
import { PageElements } from './page-elements.ts';
import { formatSelector, type Selector } from './selector.ts';
import { makeCandidates } from './selector-candidates.ts';
import { formatSelectors, type SelectorFormat, selectorFormatOf } from './selector-formats.ts';
import { SelectorMatcher } from './selector-matcher.ts';

export interface SelectorOptions {
  /** Fewest pages of a site that hold a template; from 1. @default 2 */
  minPages?: number;
  /** Templates looked at: those that save most bytes. @default 2000 */
  maxTemplates?: number;
}

export interface WriteSelectorsOptions extends SelectorOptions {
  file: string;
  /** @default by the name of the file; see `selectorFormatOf` */
  format?: SelectorFormat;
}

export interface SelectorRow {
  /** Id of the shared class. */
  template: string;
  site: string;
  /** Empty when there is none, not even a poor one. */
  selector: string;
  /** Whether it matches all members on all their pages, and nothing else on any page of the site. */
  exact: boolean;
  /** Elements of the template that it misses; other elements that it matches. */
  missed: number;
  others: number;
  /** Of the other elements, those that are part of a shared fragment themselves. */
  othersShared: number;
  /** Pages, members and elements of members on this site; a member of a composite has several elements. */
  pages: number;
  members: number;
  elements: number;
  savedBytes: number;
  /** A page that shows it; the pages of all rows are the list of `audit`. */
  url: string;
  place: string;
  text: string;
  /** Its opening tag with `data-pagefind-ignore`, and how to write it with `data-nosnippet`; empty when there is none. */
  pagefindTag: string;
  noSnippetTag: string;
}

export interface SelectorResult {
  rows: SelectorRow[];
  audit: AuditPage[];
  /** Templates with pages enough that were not looked at. */
  left: number;
}

export interface SelectorSummary {
  templates: number;
  exact: number;
  auditPages: number;
  left: number;
  format: SelectorFormat;
}

const DEFAULT_MAX_TEMPLATES = 2000;
/** Elements of one composite member that are looked at. */
const MOST_ELEMENTS = 200;
/** Elements of a composite that get selectors of their own. */
const MOST_PLACES = 12;

/** Finds the selectors and writes them to a file. */
export async function writeSelectors(
  result: FragmentResult,
  options: WriteSelectorsOptions,
): Promise<SelectorSummary> {
  const { file, format = selectorFormatOf(file) } = options;
  const found = await findSelectors(result, options);
  await writeFile(file, formatSelectors(found, format));
  return {
    templates: found.rows.length,
    exact: found.rows.filter(({ exact }) => exact).length,
    auditPages: found.audit.length,
    left: found.left,
    format,
  };
}

/** One class on one site. */
interface Template {
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
}

export async function findSelectors(
  result: FragmentResult,
  options: SelectorOptions = {},
): Promise<SelectorResult> {
  const { minPages = 2, maxTemplates = DEFAULT_MAX_TEMPLATES } = options;
  for (const [name, value] of Object.entries({ minPages, maxTemplates }))
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number from 1, not ${value}`);

  const shared = result.classes.filter(({ relation, pages }) => relation === 'complete' && pages >= minPages);
  shared.sort((a, b) => b.savedBytes - a.savedBytes || (a.id < b.id ? -1 : 1));
  const chosen = new Map(shared.slice(0, maxTemplates).map((each) => [each.id, each]));
  const templates = await collectContexts(result, chosen, { minPages, maxTemplates });
  const audit = await tryCandidates(result, templates);
  const { pages, pageOf } = audit.choose(new Set(templates.all.map(({ number }) => number)));
  return {
    rows: templates.all.map((template) => describe(template, pageOf.get(template.number) ?? '')),
    audit: pages,
    left: shared.length - chosen.size + templates.left,
  };
}

class Templates {
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

async function collectContexts(
  result: FragmentResult,
  chosen: ReadonlyMap<string, FragmentClass>,
  { minPages, maxTemplates }: Required<SelectorOptions>,
): Promise<Templates> {
  const templates = new Templates();
  for await (const page of result.readPages()) {
    const reader = new ContextReader(new PageElements(page.tree));
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

async function tryCandidates(result: FragmentResult, templates: Templates): Promise<AuditPages> {
  const audit = new AuditPages();
  const sites = new Map<string, SiteCandidates>();
  for await (const page of result.readPages()) {
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
  }
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

function describe(template: Template, url: string): SelectorRow {
  const { shared, candidates, counts } = template;
  const { candidates: list, exact, ...judgement } = chooseSelector(counts, candidates.length);
  return {
    template: shared.id,
    site: template.site,
    selector: list.map((at) => formatSelector(candidates[at])).join(', '),
    exact,
    ...judgement,
    pages: template.pages,
    members: template.members,
    elements: counts.wanted,
    savedBytes: shared.savedBytes,
    url,
    place: shared.place,
    text: shared.text,
    pagefindTag: template.tag,
    noSnippetTag: template.noSnippet,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
