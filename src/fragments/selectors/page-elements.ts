/**
 * The elements of a page as selectors see them: tag, id, classes, attributes, position among siblings. They
 * are read from the source on demand, element by element; positions are counted once per parent. Cost: one
 * scan of a page's start tags.
 *
 * As in browsers, references in attributes are decoded and the first attribute of a name counts, and elements
 * inside a `template` are not part of the page. A formatting element that browsers reopen after a block
 * (`<b><p></b>`) has the attributes of the last element with its name.
 */
import { scanAttributes } from '../../parse/attributes.ts';
import { decodeAttribute } from '../../parse/character-references.ts';
import { TAG, tagName, tagsOf } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';

/** The parts of an element that selectors match. */
export interface ElementFeatures {
  tag: string;
  id: string | undefined;
  classes: readonly string[];
  attributes: ReadonlyMap<string, string>;
}

const FORMATTING = new Set(tagsOf('a b big code em font i nobr s small strike strong tt u'));
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_CLASSES: readonly string[] = [];

/** Reads the elements of one page. */
export class PageElements {
  readonly tree: Tree;
  /** Whether ids and classes are compared without case on this page. */
  readonly quirks: boolean;
  readonly #source: Buffer;
  /** Parents whose children have been counted. */
  readonly #counted = new Set<number>();
  #nthOfType = new Int32Array(0);
  #nthChild = new Int32Array(0);
  /** For implied formatting elements, the element whose start tag they repeat. */
  readonly #repeats = new Map<number, number>();

  constructor(tree: Tree) {
    this.tree = tree;
    this.quirks = tree.quirks;
    this.#source = Buffer.from(tree.source.buffer, tree.source.byteOffset, tree.source.byteLength);
    this.#findRepeats();
  }

  tag(node: number): string {
    // browsers read <image> as <img>, and so does the parser
    return tagName(this.tree, node);
  }

  features(node: number): ElementFeatures {
    const tag = this.tag(node);
    const written = this.#repeats.get(node) ?? node;
    const { start, openEnd } = this.tree;
    // an implied element, or a start tag too short for attributes
    if (openEnd[written] - start[written] <= tag.length + 2)
      return { tag, id: undefined, classes: NO_CLASSES, attributes: NO_ATTRIBUTES };

    const attributes = new Map<string, string>();
    for (const span of scanAttributes(this.tree.source, start[written], openEnd[written])) {
      const name = this.#source.toString('utf8', span.nameStart, span.nameEnd).toLowerCase();
      if (!attributes.has(name)) attributes.set(name, this.#value(span.valueStart, span.valueEnd));
    }
    const id = attributes.get('id');
    const classNames = attributes.get('class');
    return {
      tag,
      // an empty id counts as none
      id: id === '' ? undefined : id,
      classes: classNames === undefined ? NO_CLASSES : splitClasses(classNames),
      attributes,
    };
  }

  /** Returns the position among the siblings with the same tag, from 1. */
  nthOfType(node: number): number {
    this.#countChildren(this.tree.parent[node]);
    return this.#nthOfType[node];
  }

  /** Returns the position among all sibling elements, from 1. */
  nthChild(node: number): number {
    this.#countChildren(this.tree.parent[node]);
    return this.#nthChild[node];
  }

  /** Returns whether the element is part of the page, not inside a `template`. */
  isLive(node: number): boolean {
    for (let up = this.tree.parent[node]; up > 0; up = this.tree.parent[up]) {
      if (this.tree.name[up] === TAG.template) return false;
    }
    return true;
  }

  #value(start: number, end: number): string {
    // line ends are one character in HTML
    return decodeAttribute(this.#source.toString('utf8', start, end).replace(/\r\n?/g, '\n')).replaceAll(
      '\0',
      '\ufffd',
    );
  }

  #countChildren(parent: number): void {
    if (this.#counted.has(parent)) return;
    this.#counted.add(parent);
    const { kind, last, name, nodeCount } = this.tree;
    if (this.#nthChild.length === 0) {
      this.#nthChild = new Int32Array(nodeCount);
      this.#nthOfType = new Int32Array(nodeCount);
    }
    const ofType = new Map<number, number>();
    const end = parent < 0 ? nodeCount : last[parent];
    let children = 0;
    for (let child = parent + 1; child < end; child = last[child]) {
      if (kind[child] !== ELEMENT) continue;
      const sameType = (ofType.get(name[child]) ?? 0) + 1;
      ofType.set(name[child], sameType);
      this.#nthOfType[child] = sameType;
      this.#nthChild[child] = ++children;
    }
  }

  #findRepeats(): void {
    const { kind, name, start, openEnd, nodeCount } = this.tree;
    const lastWritten = new Map<number, number>();
    for (let node = 1; node < nodeCount; node++) {
      if (kind[node] !== ELEMENT || !FORMATTING.has(name[node])) continue;
      if (openEnd[node] > start[node]) lastWritten.set(name[node], node);
      else if (lastWritten.has(name[node])) this.#repeats.set(node, lastWritten.get(name[node])!);
    }
  }
}

function splitClasses(value: string): string[] {
  const names = value.split(/[\t\n\f\r ]+/).filter((name) => name !== '');
  return names.length < 2 ? names : [...new Set(names)];
}
