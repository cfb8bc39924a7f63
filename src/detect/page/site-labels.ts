/**
 * Labels the nodes of a page by evidence from its site: the labels that page-level models are trained with.
 *
 * `sitelevel` is the paper's rule: SITELEVEL of section 3 alone, by bytes of HTML. `html` is the same with
 * the defaults of our dom detector, which requires a stable position and joins siblings across small gaps.
 * `any` labels a node template when dom, text or frequent texts cover more than 85 % of its text: each finds
 * templates that the others miss, and a page-level model should learn to cut everything that a reader of the
 * site would call repeated.
 */
import { isInTemplate, type Range } from '../../model/range.ts';
import { TextCursor } from '../../parse/source-map.ts';
import type { Tree } from '../../parse/tree.ts';
import type { DomOptions } from '../dom-settings.ts';
import type { FrequentTexts } from './shared-texts.ts';

/** All values of `LabelRule`. */
export const LABEL_RULES = ['html', 'sitelevel', 'any'] as const;
/** Rule by which nodes are labelled for training. */
export type LabelRule = (typeof LABEL_RULES)[number];

/**
 * Options that make our dom detector SITELEVEL: every node by its hash alone, at any position, without bounds
 * on small nodes and without gaps.
 */
export const SITE_LEVEL: Readonly<DomOptions> = {
  evidence: 'content',
  minPages: 2,
  trivialBytes: 0,
  gapBytes: 0,
  gapTextBytes: 0,
};

/** Evidence about a page from its site. */
export interface SiteRanges {
  dom: readonly Range[];
  /** Only for the rule `any`. */
  text?: readonly Range[];
  frequent?: FrequentTexts;
}

/** Labels the nodes of pages one after another by evidence from their site. */
export class SiteLabeller {
  readonly #dom = new NodeLabeller();
  readonly #text = new NodeLabeller();
  #classes = new Uint8Array(0);

  /** Returns the classes of the first `count` of some nodes; the next call overwrites the column. */
  label(
    tree: Tree,
    { dom, text, frequent }: SiteRanges,
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
 * Minimum share of a node's HTML inside templates, exclusive, for the node to be template: labels from the
 * ranges of a site-level detector make a training set without human work (Chakrabarti, Kumar and Punera 2007,
 * section 5.1). The share of text is reported too, because markup alone may decide for a node with little
 * text.
 *
 * Cost: two binary searches among the page's templates per node.
 */
const TEMPLATE_HTML_SHARE = 0.85;

const NON_TEMPLATE = 0;
/** Class of a node inside templates. */
const TEMPLATE = 1;

/** Columns parallel to the given nodes. They belong to the labeller and are overwritten by the next page. */
export interface NodeLabels {
  count: number;
  /** TEMPLATE or NON_TEMPLATE. */
  classes: Uint8Array;
  /** Share of the node's bytes of source inside templates. */
  htmlShare: Float32Array;
  /** Share of its bytes of text inside templates; its HTML share when it has no text. */
  textShare: Float32Array;
  /** Bytes of its text without tags. */
  textBytes: Int32Array;
}

/** Labels the nodes of pages by template ranges. */
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

  /** Stores the templates of a page as spans of its source and of its text. */
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

/** Disjoint spans in order; measures how much of another span they cover. */
class Cover {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** For each span, the bytes covered by all spans before it. */
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
