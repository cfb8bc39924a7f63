/**
 * Joins the nodes of our tree with those of the browser. Marked elements (`markedCopy`) carry their number.
 * Other nodes (implied elements, formatting, texts) are found among the children of a joined node, in order,
 * between marked ones: browsers build the same tree as our parser, apart from content that they move out of
 * tables.
 *
 * Cost: one pass over both trees; each child is searched among a bounded number of siblings.
 */
import { tagName, tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';

/** The pairs of corresponding nodes in both directions. */
export interface JoinedNodes {
  /** Our node for each of the browser's; -1 for none. */
  ours: Int32Array;
  /** The browser's node for each of ours; -1 for none. */
  theirs: Int32Array;
}

/** Maximum number of siblings among which a child is searched. */
const MAX_STEPS = 64;
const BROWSER_ELEMENT = 1;
const BROWSER_TEXT = 3;

/** Joins the nodes of `tree` with those of a browser's snapshot of its marked copy. */
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
    // our mark is the first attribute of the tag; a mark that the page forges is checked like any other
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
      for (let step = 0; their >= 0 && step < MAX_STEPS; step++, their = nextSibling[their]) {
        const taken = joined.ours[their];
        // children before a marked sibling cannot match nodes after it
        if (taken > child && tree.parent[taken] === parent) break;
        if (taken >= 0 || !names.matches(their, name)) continue;
        join(joined, child, their);
        from = nextSibling[their];
        break;
      }
    }
  }
}

/** Compares names by their numbers in the string table; a text has the name ''. */
class BrowserNames {
  readonly #nodes: SnapshotNodes;
  readonly #strings: string[];
  readonly #lowerCase = new Map<number, string>();

  constructor(nodes: SnapshotNodes, strings: string[]) {
    this.#nodes = nodes;
    this.#strings = strings;
  }

  matches(their: number, name: string): boolean {
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
 * A page that Chromium has laid out (DOMSnapshot.captureSnapshot of the DevTools protocol): its nodes in
 * document order as columns, and the boxes of nodes. Strings are indexes of a table.
 */
export interface LayoutSnapshot {
  /** The document of the page, then the documents of frames. */
  documents: SnapshotDocument[];
  strings: string[];
}

/** One document of a snapshot. */
export interface SnapshotDocument {
  nodes: {
    /** -1 for the document. */
    parentIndex: number[];
    nodeType: number[];
    nodeName: number[];
    nodeValue: number[];
    /** Names and values alternate, in the order of the source. */
    attributes: number[][];
  };
  layout: {
    /** The node of each box; a node may have several. */
    nodeIndex: number[];
    /** Left, top, width, height in CSS pixels of the page. */
    bounds: number[][];
    /** Values of the requested styles; the first is `visibility`. */
    styles: number[][];
  };
  contentWidth?: number;
  contentHeight?: number;
}

/** Styles to request with a snapshot. */
export const SNAPSHOT_STYLES = ['visibility'];

/**
 * Adds marks to the copy of a page that the browser gets: each start tag of an element of our tree has the
 * number of its node as first attribute, ` data-chaff="17"`. Boxes then find their nodes whatever the browser
 * moves, repeats or leaves out. No stylesheet uses that attribute, and the rest of the page is unchanged.
 *
 * Formatting elements (`b`, `font` …) are not marked. The standard makes browsers reopen them when they are
 * misnested, and keep at most three equal ones. Different marks would make none of them equal, and old pages
 * that never close a `font` would grow without end. They are found by their position between marked elements.
 */

/** Name of the attribute that holds the number of a node. */
const MARK = 'data-chaff';

const UNMARKED = new Set(tagsOf('b big code em font i nobr s small strike strong tt u'));
const LESS = 0x3c;

/** Returns whether the source has a start tag of this node that is marked in the copy. */
export function isMarked({ kind, name, start, openEnd, source }: Tree, node: number): boolean {
  return (
    kind[node] === ELEMENT &&
    openEnd[node] > start[node] + 1 &&
    source[start[node]] === LESS &&
    !UNMARKED.has(name[node])
  );
}

/** Returns the copy of a page with marks, in UTF-8. */
export function markedCopy(tree: Tree): Buffer {
  const { source, nodeCount, start, openEnd } = tree;
  const starts: number[] = [];
  for (let node = 0; node < nodeCount; node++) if (isMarked(tree, node)) starts.push(node);
  // nodes are in source order, except those moved by misnested formatting
  starts.sort((a, b) => start[a] - start[b]);

  const copy = Buffer.allocUnsafe(source.length + starts.length * (MARK.length + 4 + 10));
  let from = 0;
  let to = 0;
  for (const node of starts) {
    const at = endOfName(source, start[node] + 1, openEnd[node]);
    if (at <= from) continue; // each tag is marked once
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
