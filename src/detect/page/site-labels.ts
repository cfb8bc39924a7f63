/**
 * What the nodes of a page are, by what its site shows: the labels a page-level model is trained with.
 *
 * `sitelevel` is the paper's rule (node-labels.ts): SITELEVEL of section 3 alone, by bytes of HTML. `html` is the same
 * with the defaults of our dom, which asks for one place and joins siblings across small gaps. `any` takes a node for
 * template when dom, text or frequent texts cover more than 85 % of its text: what one of them misses another sees,
 * and what a page-level model must learn to cut is what any reader of the site would call repeated.
 */
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { DomOptions } from '../dom-settings.ts';
import { NON_TEMPLATE, NodeLabeller, TEMPLATE, TEMPLATE_HTML_SHARE } from './node-labels.ts';
import type { FrequentTexts } from './shared-texts.ts';

export const LABEL_RULES = ['html', 'sitelevel', 'any'] as const;
export type LabelRule = (typeof LABEL_RULES)[number];

/** Our dom as SITELEVEL: every node by its hash alone, wherever it stands, without bounds on small nodes and without gaps. */
export const SITE_LEVEL: Readonly<DomOptions> = {
  evidence: 'content',
  minPages: 2,
  trivialBytes: 0,
  gapBytes: 0,
  gapTextBytes: 0,
};

/** What is known of a page from its site. */
export interface SiteEvidence {
  dom: readonly Range[];
  /** For the rule `any`. */
  text?: readonly Range[];
  frequent?: FrequentTexts;
}

export class SiteLabeller {
  readonly #dom = new NodeLabeller();
  readonly #text = new NodeLabeller();
  #classes = new Uint8Array(0);

  /** Classes of the first `count` of some nodes; the column is refilled by the next call. */
  label(
    tree: Tree,
    { dom, text, frequent }: SiteEvidence,
    nodes: Int32Array,
    count = nodes.length,
  ): Uint8Array {
    const byDom = this.#dom.label(tree, dom, nodes, count);
    if (!text || !frequent) return byDom.classes;
    const byText = this.#text.label(tree, text, nodes, count);
    frequent.read(tree);
    if (this.#classes.length < count) this.#classes = new Uint8Array(count * 2);
    for (let k = 0; k < count; k++) {
      const isTemplate =
        byDom.textShare[k] > TEMPLATE_HTML_SHARE ||
        byText.textShare[k] > TEMPLATE_HTML_SHARE ||
        frequent.share(tree, nodes[k]) > TEMPLATE_HTML_SHARE;
      this.#classes[k] = isTemplate ? TEMPLATE : NON_TEMPLATE;
    }
    return this.#classes;
  }
}
