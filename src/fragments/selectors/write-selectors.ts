/**
 * Finds one CSS selector per template (a completely shared class on at least `minPages` pages of a site) that
 * matches its members and nothing else on any page of that site, and few pages that show all templates.
 *
 * Three passes over the pages: the first collects the common features of each template's members, the second
 * tries all candidates on every page and counts their matches, the third (only if some templates have no
 * exact selector) looks for contents of their elements that other matches lack. Memory depends on the number
 * of templates (`maxTemplates`) and the largest page, not on the number of pages. The same pages give the
 * same file.
 *
 * A composite template gets a selector, or a list of them, for its elements; the text between them has none.
 */

import { writeFile } from 'node:fs/promises';
import { checkWhole } from '../../model/check-option.ts';
import type { FragmentResult } from '../shared-page.ts';
import { type AuditPage, chooseSelector, type Judgement, tryCandidates } from './choose-selector.ts';
import { narrowByContent } from './narrow-by-content.ts';
import { formatSelectors, type SelectorFormat, selectorFormatOf } from './selector-formats.ts';
import { formatSelector, type Selector } from './selector-matcher.ts';
import { collectContexts, type SelectorTemplate } from './selector-templates.ts';

/** Options of `findSelectors`. */
export interface SelectorOptions {
  /** Minimum number of pages of a site with a template; from 1. @default 2 */
  minPages?: number;
  /** Maximum number of templates; those that save most bytes are taken. @default 2000 */
  maxTemplates?: number;
}

/** Options of `writeSelectors`. */
export interface WriteSelectorsOptions extends SelectorOptions {
  file: string;
  /** @default by the extension of the file; see `selectorFormatOf` */
  format?: SelectorFormat;
}

/** A template and its selector. */
export interface SelectorRow {
  /** Id of the shared class. */
  template: string;
  site: string;
  /** Empty when there is no selector, not even an inexact one. */
  selector: string;
  /** Whether it matches all members on all their pages, and nothing else on any page of the site. */
  exact: boolean;
  /** Elements of the template that it misses; other elements that it matches. */
  missed: number;
  others: number;
  /** Of the other elements, those that belong to a shared fragment. */
  othersShared: number;
  /**
   * When `selector` requires content (`:has`): the closest selector without it, for tools that do not support
   * it.
   */
  plain?: Judgement & { selector: string };
  /** Pages, members and elements of members on this site; a member of a composite has several elements. */
  pages: number;
  members: number;
  elements: number;
  savedBytes: number;
  /** A page that shows the template; the pages of all rows form the list `audit`. */
  url: string;
  place: string;
  text: string;
  /**
   * Its opening tag with `data-pagefind-ignore`, and its replacement with `data-nosnippet`; empty if
   * impossible.
   */
  pagefindTag: string;
  noSnippetTag: string;
}

/** Selectors of all templates and the pages that show them. */
export interface SelectorResult {
  rows: SelectorRow[];
  audit: AuditPage[];
  /** Number of templates on enough pages that exceeded `maxTemplates`. */
  left: number;
}

/** Result of `writeSelectors`, in numbers. */
export interface SelectorSummary {
  templates: number;
  exact: number;
  auditPages: number;
  left: number;
  format: SelectorFormat;
}

const DEFAULT_MAX_TEMPLATES = 2000;
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

/** Finds the selectors of all templates of a result. */
export async function findSelectors(
  result: FragmentResult,
  options: SelectorOptions = {},
): Promise<SelectorResult> {
  const { minPages = 2, maxTemplates = DEFAULT_MAX_TEMPLATES } = options;
  for (const [name, value] of Object.entries({ minPages, maxTemplates })) checkWhole(name, value, 1);

  const shared = result.classes.filter(({ relation, pages }) => relation === 'complete' && pages >= minPages);
  shared.sort((a, b) => b.savedBytes - a.savedBytes || (a.id < b.id ? -1 : 1));
  const chosen = new Map(shared.slice(0, maxTemplates).map((each) => [each.id, each]));
  const templates = await collectContexts(result, chosen, { minPages, maxTemplates });
  const audit = await tryCandidates(result, templates);
  const closest = new Map(
    templates.all.map((template) => {
      const { candidates, exact, ...judgement } = chooseSelector(template.counts, template.candidates.length);
      return [template, { selectors: candidates.map((at) => template.candidates[at]), exact, judgement }];
    }),
  );
  const narrowed = await narrowByContent(result, closest);
  const { pages, pageOf } = audit.choose(new Set(templates.all.map(({ number }) => number)));
  return {
    rows: templates.all.map((template) =>
      describe(template, closest.get(template)!, narrowed.get(template), pageOf.get(template.number) ?? ''),
    ),
    audit: pages,
    left: shared.length - chosen.size + templates.left,
  };
}

/** The selector chosen for a template. */
export interface ClosestSelector {
  /** Selectors to join by commas. */
  selectors: Selector[];
  exact: boolean;
  judgement: Judgement;
}

function describe(
  template: SelectorTemplate,
  { selectors, exact, judgement }: ClosestSelector,
  narrowed: Selector[] | undefined,
  url: string,
): SelectorRow {
  const { shared, counts } = template;
  const plain = { selector: formatList(selectors), ...judgement };
  return {
    template: shared.id,
    site: template.site,
    ...(narrowed === undefined
      ? { exact, ...plain }
      : { selector: formatList(narrowed), exact: true, missed: 0, others: 0, othersShared: 0, plain }),
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

function formatList(selectors: readonly Selector[]): string {
  return selectors.map(formatSelector).join(', ');
}
