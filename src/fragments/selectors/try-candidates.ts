/**
 * Second reading of the pages: every candidate on every page of its site, each matched element counted as the
 * template's own or another. Also collects which pages show which templates.
 */
import type { FragmentResult, SharedPage } from '../shared-page.ts';
import { AuditPages } from './audit-pages.ts';
import { PageElements } from './page-elements.ts';
import { SelectorMatcher } from './selector-matcher.ts';
import { elementsOf, type Template, type Templates } from './templates.ts';

export async function tryCandidates(result: FragmentResult, templates: Templates): Promise<AuditPages> {
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
