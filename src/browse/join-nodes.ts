/**
 * Which node of ours is which of the browser's. Marked elements (`markedCopy`) say so themselves. The rest
 * (implied elements, formatting, texts) are found among the children of a node already joined, in order, between
 * marked ones: browsers build the same tree as we do but for what they move out of tables.
 *
 * Cost: one pass over both trees; a child that is not found is looked for among a bounded number of siblings.
 */
import { tagName, tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';

export interface JoinedNodes {
  /** Node of ours for each of the browser's; -1 for none. */
  ours: Int32Array;
  /** Node of the browser's for each of ours; -1 for none. */
  theirs: Int32Array;
}

/** Siblings looked at for a child. */
const MOST_STEPS = 64;
const BROWSER_ELEMENT = 1;
const BROWSER_TEXT = 3;

export function joinNodes(tree: Tree, { documents, strings }: LayoutSnapshot): JoinedNodes {
  const { nodes } = documents[0];
  const joined: JoinedNodes = {
    ours: new Int32Array(nodes.nodeType.length).fill(-1),
    theirs: new Int32Array(tree.nodeCount).fill(-1),
  };
  joinMarked(tree, documents[0].nodes, strings, joined);
  if (nodes.nodeType.length > 0) join(joined, 0, 0);
  joinChildren(tree, documents[0].nodes, strings, joined);
  return joined;
}

type SnapshotNodes = LayoutSnapshot['documents'][number]['nodes'];

function join({ ours, theirs }: JoinedNodes, node: number, their: number): void {
  ours[their] = node;
  theirs[node] = their;
}

function joinMarked(tree: Tree, nodes: SnapshotNodes, strings: string[], joined: JoinedNodes): void {
  const mark = strings.indexOf(MARK);
  if (mark < 0) return;
  const { attributes } = nodes;
  for (let their = 0; their < attributes.length; their++) {
    // ours comes first in the tag; what the page itself writes there is checked like the rest
    const pairs = attributes[their];
    if (pairs.length === 0 || pairs[0] !== mark) continue;
    const node = Number(strings[pairs[1]]);
    if (!(node > 0 && node < tree.nodeCount) || joined.theirs[node] >= 0 || !isMarked(tree, node)) continue;
    join(joined, node, their);
  }
}

function joinChildren(tree: Tree, nodes: SnapshotNodes, strings: string[], joined: JoinedNodes): void {
  const { kind, last } = tree;
  const { firstChild, nextSibling } = linkChildren(nodes.parentIndex);
  const names = new BrowserNames(nodes, strings);
  for (let parent = 0; parent < tree.nodeCount; parent++) {
    const theirParent = joined.theirs[parent];
    if (theirParent < 0) continue;
    let from = firstChild[theirParent];
    for (let child = parent + 1; child < last[parent]; child = last[child]) {
      if (kind[child] !== ELEMENT && kind[child] !== TEXT) continue;
      const known = joined.theirs[child];
      if (known >= 0) {
        if (nodes.parentIndex[known] === theirParent) from = nextSibling[known];
        continue;
      }
      const name = kind[child] === TEXT ? '' : tagName(tree, child);
      let their = from;
      for (let step = 0; their >= 0 && step < MOST_STEPS; step++, their = nextSibling[their]) {
        const taken = joined.ours[their];
        // beyond the next marked sibling nothing of before can stand
        if (taken > child && tree.parent[taken] === parent) break;
        if (taken >= 0 || !names.are(their, name)) continue;
        join(joined, child, their);
        from = nextSibling[their];
        break;
      }
    }
  }
}

/** Compares names by their numbers; a text has the name ''. */
class BrowserNames {
  readonly #nodes: SnapshotNodes;
  readonly #strings: string[];
  readonly #lowerCase = new Map<number, string>();

  constructor(nodes: SnapshotNodes, strings: string[]) {
    this.#nodes = nodes;
    this.#strings = strings;
  }

  are(their: number, name: string): boolean {
    const { nodeType, nodeName, nodeValue } = this.#nodes;
    if (nodeType[their] === BROWSER_TEXT)
      return name === '' && /[^ \t\n\f\r]/.test(this.#strings[nodeValue[their]]);
    return nodeType[their] === BROWSER_ELEMENT && this.#nameOf(nodeName[their]) === name;
  }

  #nameOf(number: number): string {
    let name = this.#lowerCase.get(number);
    if (name === undefined) {
      name = this.#strings[number].toLowerCase();
      this.#lowerCase.set(number, name);
    }
    return name;
  }
}

function linkChildren(parentIndex: number[]): { firstChild: Int32Array; nextSibling: Int32Array } {
  const count = parentIndex.length;
  const firstChild = new Int32Array(count).fill(-1);
  const nextSibling = new Int32Array(count).fill(-1);
  for (let node = count - 1; node >= 0; node--) {
    const parent = parentIndex[node];
    if (parent < 0) continue;
    nextSibling[node] = firstChild[parent];
    firstChild[parent] = node;
  }
  return { firstChild, nextSibling };
}

/**
 * A page that Chromium has laid out (DOMSnapshot.captureSnapshot of the DevTools protocol): its nodes in document order as
 * columns, and a box for each that has one. Strings are numbers of a table.
 */
export interface LayoutSnapshot {
  /** The page, then documents of frames. */
  documents: SnapshotDocument[];
  strings: string[];
}

export interface SnapshotDocument {
  nodes: {
    /** -1 for the document. */
    parentIndex: number[];
    nodeType: number[];
    nodeName: number[];
    nodeValue: number[];
    /** Names and values in turn, in the order of the source. */
    attributes: number[][];
  };
  layout: {
    /** The node of each box; a node may have several. */
    nodeIndex: number[];
    /** Left, top, width, height in CSS pixels of the page. */
    bounds: number[][];
    /** Values of the styles that were asked for; the first is `visibility`. */
    styles: number[][];
  };
  contentWidth?: number;
  contentHeight?: number;
}

/** What to ask for with a snapshot. */
export const SNAPSHOT_STYLES = ['visibility'];

/**
 * The copy of a page that the browser is given: each start tag that made an element of our tree has that
 * element's number as a first attribute, ` data-chaff="17"`. So boxes find their nodes whatever the browser
 * moves, repeats or leaves out; no stylesheet asks for such an attribute, and the page itself stays as it is.
 *
 * Formatting elements (`b`, `font` …) are left unmarked: the standard has browsers open them again when they are
 * misnested, and lets no more than three equal ones pile up. With numbers no two would be equal, and old pages
 * that never close a `font` would grow without end. They are found by their place among marked ones.
 */

export const MARK = 'data-chaff';

const UNMARKED = new Set(tagsOf('b big code em font i nobr s small strike strong tt u'));
const LESS = 0x3c;

/** Whether a start tag of this node stands in the source and is marked in the copy. */
export function isMarked({ kind, name, start, openEnd, source }: Tree, node: number): boolean {
  return (
    kind[node] === ELEMENT &&
    openEnd[node] > start[node] + 1 &&
    source[start[node]] === LESS &&
    !UNMARKED.has(name[node])
  );
}

export function markedCopy(tree: Tree): Buffer {
  const { source, nodeCount, start, openEnd } = tree;
  const starts: number[] = [];
  for (let node = 0; node < nodeCount; node++) if (isMarked(tree, node)) starts.push(node);
  // nodes stand in source order but for those that misnested formatting has moved
  starts.sort((a, b) => start[a] - start[b]);

  const copy = Buffer.allocUnsafe(source.length + starts.length * (MARK.length + 4 + 10));
  let from = 0;
  let to = 0;
  for (const node of starts) {
    const at = endOfName(source, start[node] + 1, openEnd[node]);
    if (at <= from) continue; // a tag is marked once
    copy.set(source.subarray(from, at), to);
    to += at - from;
    to += copy.write(` ${MARK}="${node}"`, to, 'latin1');
    from = at;
  }
  copy.set(source.subarray(from), to);
  return copy.subarray(0, to + source.length - from);
}

function endOfName(source: Uint8Array, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const byte = source[at];
    if (byte <= 0x20 || byte === 0x2f || byte === 0x3e) break;
  }
  return at;
}
