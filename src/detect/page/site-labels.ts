/**
 * What the nodes of a page are, by what its site shows: the labels a page-level model is trained with.
 *
 * `sitelevel` is the paper's rule: SITELEVEL of section 3 alone, by bytes of HTML. `html` is the same
 * with the defaults of our dom, which asks for one place and joins siblings across small gaps. `any` takes a node for
 * template when dom, text or frequent texts cover more than 85 % of its text: what one of them misses another sees,
 * and what a page-level model must learn to cut is what any reader of the site would call repeated.
 */
import { isInTemplate, type Range } from '../../model/range.ts';
import { TextCursor } from '../../parse/source-map.ts';
import type { Tree } from '../../parse/tree.ts';
import type { DomOptions } from '../dom-settings.ts';
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

/**
 * Labels of tree nodes from the ranges of a site-level detector: a training set without people (Chakrabarti,
 * Kumar and Punera 2007, section 5.1). A node is template when more than 85 % of its HTML lies inside
 * templates; all others are not. How much of its text does is told too, since markup alone may decide a
 * node that hardly says anything.
 *
 * Cost: two binary searches among the page's templates a node.
 */

/** A node with a larger share of its HTML inside templates is template. */
const TEMPLATE_HTML_SHARE = 0.85;

const NON_TEMPLATE = 0;
export const TEMPLATE = 1;

/** Columns parallel to the nodes asked for; they belong to the labeller and are refilled for the next page. */
export interface NodeLabels {
  count: number;
  /** TEMPLATE or NON_TEMPLATE. */
  classes: Uint8Array;
  /** Share of the node's bytes of source inside templates. */
  htmlShare: Float32Array;
  /** Share of its bytes of text inside templates; that of its HTML where it has no text. */
  textShare: Float32Array;
  /** Bytes of its detagged text. */
  textBytes: Int32Array;
}

export class NodeLabeller {
  #classes = new Uint8Array(0);
  #htmlShare = new Float32Array(0);
  #textShare = new Float32Array(0);
  #textBytes = new Int32Array(0);
  readonly #html = new Cover();
  readonly #text = new Cover();

  /** Labels the first `count` of some nodes of a tree by ranges that tile its source. */
  label(tree: Tree, ranges: readonly Range[], nodes: Int32Array, count = nodes.length): NodeLabels {
    this.#grow(count);
    this.#fill(tree, ranges);
    const { start, end, last, textStart } = tree;
    for (let k = 0; k < count; k++) {
      const node = nodes[k];
      const htmlBytes = end[node] - start[node];
      const share = htmlBytes === 0 ? 0 : this.#html.between(start[node], end[node]) / htmlBytes;
      const textFrom = textStart[node];
      const textBytes = textStart[last[node]] - textFrom;
      this.#classes[k] = share > TEMPLATE_HTML_SHARE ? TEMPLATE : NON_TEMPLATE;
      this.#htmlShare[k] = share;
      this.#textShare[k] =
        textBytes === 0 ? share : this.#text.between(textFrom, textFrom + textBytes) / textBytes;
      this.#textBytes[k] = textBytes;
    }
    return {
      count,
      classes: this.#classes,
      htmlShare: this.#htmlShare,
      textShare: this.#textShare,
      textBytes: this.#textBytes,
    };
  }

  /** Takes the templates of a page as stretches of its source and of its text. */
  #fill(tree: Tree, ranges: readonly Range[]): void {
    const cursor = new TextCursor(tree);
    this.#html.clear();
    this.#text.clear();
    for (const { start, end, label } of ranges) {
      if (!isInTemplate(label)) continue;
      this.#html.add(start, end);
      const textFrom = cursor.positionOf(start);
      this.#text.add(textFrom, cursor.positionOf(end));
    }
  }

  #grow(count: number): void {
    if (count <= this.#classes.length) return;
    const size = count * 2;
    this.#classes = new Uint8Array(size);
    this.#htmlShare = new Float32Array(size);
    this.#textShare = new Float32Array(size);
    this.#textBytes = new Int32Array(size);
  }
}

/** Disjoint stretches in order, and how much of any other stretch they cover. */
class Cover {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** What all stretches before each cover. */
  readonly #before: number[] = [];
  #total = 0;

  clear(): void {
    this.#starts.length = this.#ends.length = this.#before.length = 0;
    this.#total = 0;
  }

  add(start: number, end: number): void {
    if (end <= start) return;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#before.push(this.#total);
    this.#total += end - start;
  }

  between(start: number, end: number): number {
    return this.#upTo(end) - this.#upTo(start);
  }

  #upTo(position: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle] < position) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const at = low - 1;
    return this.#before[at] + Math.min(position, this.#ends[at]) - this.#starts[at];
  }
}
