/**
 * Which nodes recur on enough pages, and whether that makes them template.
 *
 * By content alone (Gibson et al. §3.1) a node is template when its content hash is on enough distinct
 * pages. That also takes what merely repeats: the teaser of a popular story on every listing, that story's
 * title on its own page, a word such as `<code>None</code>` in the middle of a sentence. So paths are
 * counted, not only text (`place`):
 *
 * 1. the node must stand at one place on enough pages. Menus, footers and labels do; a teaser moves along
 *    its row from page to page.
 * 2. at another place than those it is template only in a context (its nearest two ancestors' tags) in
 *    which it is on enough pages, and not in a line of changing text. So a footer under a rare layout and
 *    the "Reply" of the thirtieth comment are template; the heading of a story is not, though its words
 *    stand in every sidebar, and no word vanishes from a sentence.
 *
 * Counting costs one table access a node; places cost three more for each node that is frequent.
 */
import type { Lanes } from '../compare/byte-hash.ts';
import { HashCounter, type HashCounts } from '../compare/hash-counter.ts';
import { HashTable } from '../compare/hash-table.ts';
import { breaksWords } from '../parse/tag-names.ts';
import { COMMENT, DECLARATION, TEXT, type Tree } from '../parse/tree.ts';
import type { Evidence } from './dom-settings.ts';
import { Places } from './places.ts';

/** The columns that the dom detector reads; a copy of them outlives the parser's next page. */
export type NodeColumns = Pick<
  Tree,
  | 'nodeCount'
  | 'kind'
  | 'name'
  | 'parent'
  | 'last'
  | 'start'
  | 'end'
  | 'contentLow'
  | 'contentHigh'
  | 'textStart'
>;

export interface FrequentNodes {
  evidence: Evidence;
  /** Content hashes on enough pages, and at one place on enough pages when that is asked for. */
  nodes: HashCounts;
  /** Node and place, node and context: those on enough pages. */
  places: { low: Int32Array; high: Int32Array };
  /** Trivially small nodes with more occurrences than this are no templates. */
  upperOccurrences: number;
  trivialBytes: number;
}

/** Counts the nodes of the sampled pages. */
export function countNodes(
  pages: readonly NodeColumns[],
  thresholdPages: number,
  evidence: Evidence,
): Pick<FrequentNodes, 'nodes' | 'places'> {
  const counter = new HashCounter(16_384);
  for (let page = 0; page < pages.length; page++) {
    const { nodeCount, kind, contentLow, contentHigh } = pages[page];
    for (let node = 0; node < nodeCount; node++) {
      if (isCandidate(kind[node])) counter.add(contentLow[node], contentHigh[node], page);
    }
  }
  const frequent = counter.select(thresholdPages);
  if (evidence === 'content') {
    return { nodes: frequent, places: { low: new Int32Array(0), high: new Int32Array(0) } };
  }
  return countPlaces(pages, thresholdPages, frequent);
}

function countPlaces(
  pages: readonly NodeColumns[],
  thresholdPages: number,
  frequent: HashCounts,
): Pick<FrequentNodes, 'nodes' | 'places'> {
  const table = new HashTable(frequent.low, frequent.high);
  const places = new Places();
  const counter = new HashCounter(16_384);
  const key: Lanes = { low: 0, high: 0 };

  // each frequent node at its places and in its context
  for (let page = 0; page < pages.length; page++) {
    const { nodeCount, kind, contentLow, contentHigh } = pages[page];
    places.fill(pages[page]);
    for (let node = 0; node < nodeCount; node++) {
      const low = contentLow[node];
      const high = contentHigh[node];
      if (!isCandidate(kind[node]) || table.find(low, high) < 0) continue;
      placeKey(low, high, places.fromFront[node], key);
      counter.add(key.low, key.high, page);
      placeKey(low, high, places.fromBack[node], key);
      counter.add(key.low, key.high, page);
      placeKey(low, high, places.context[node], key);
      counter.add(key.low, key.high, page);
    }
  }

  // those that stand at one place on enough pages
  const steady = new Uint8Array(frequent.low.length);
  const kept = new HashCounter(16_384);
  for (let pass = 0; pass < 2; pass++) {
    for (let page = 0; page < pages.length; page++) {
      const { nodeCount, kind, contentLow, contentHigh } = pages[page];
      places.fill(pages[page]);
      for (let node = 0; node < nodeCount; node++) {
        const low = contentLow[node];
        const high = contentHigh[node];
        if (!isCandidate(kind[node])) continue;
        const found = table.find(low, high);
        if (found < 0) continue;
        if (pass === 1 && steady[found] === 0) continue;
        placeKey(low, high, places.fromFront[node], key);
        if (counter.pagesOf(key.low, key.high) >= thresholdPages) {
          if (pass === 0) steady[found] = 1;
          else kept.add(key.low, key.high, page);
        }
        placeKey(low, high, places.fromBack[node], key);
        if (counter.pagesOf(key.low, key.high) >= thresholdPages) {
          if (pass === 0) steady[found] = 1;
          else kept.add(key.low, key.high, page);
        }
        if (pass === 0) continue;
        placeKey(low, high, places.context[node], key);
        if (counter.pagesOf(key.low, key.high) >= thresholdPages) kept.add(key.low, key.high, page);
      }
    }
  }
  const { low, high } = kept.select(1);
  return { nodes: keepMarked(frequent, steady), places: { low, high } };
}

/** Tells template nodes on a page. */
export class NodeJudge {
  readonly #model: FrequentNodes;
  readonly #nodes: HashTable;
  readonly #placeKeys: HashTable;
  readonly #places = new Places();
  readonly #key: Lanes = { low: 0, high: 0 };
  /** By node: whether changing text stands directly in it, or in inline elements in it. */
  #changing = new Uint8Array(4096);

  constructor(model: FrequentNodes) {
    this.#model = model;
    this.#nodes = new HashTable(model.nodes.low, model.nodes.high);
    this.#placeKeys = new HashTable(model.places.low, model.places.high);
  }

  /** The outermost template nodes, in document order, with the pages that hold each. */
  find(columns: NodeColumns): { node: number; pages: number }[] {
    const { nodeCount, kind, last, start, end, contentLow, contentHigh, textStart } = columns;
    const { nodes, upperOccurrences, trivialBytes, evidence } = this.#model;
    const table = this.#nodes;
    const found: { node: number; pages: number }[] = [];
    if (evidence === 'place') {
      this.#places.fill(columns);
      this.#markChanging(columns);
    }
    for (let node = 0; node < nodeCount; ) {
      const at = isCandidate(kind[node]) ? table.find(contentLow[node], contentHigh[node]) : -1;
      const accepted =
        at >= 0 &&
        (nodes.occurrences[at] <= upperOccurrences ||
          textStart[last[node]] > textStart[node] ||
          end[node] - start[node] > trivialBytes) &&
        (evidence === 'content' || this.#standsRight(columns, node));
      if (accepted) found.push({ node, pages: nodes.pages[at] });
      node = accepted ? last[node] : node + 1;
    }
    return found;
  }

  #standsRight({ contentLow, contentHigh, parent, name }: NodeColumns, node: number): boolean {
    const low = contentLow[node];
    const high = contentHigh[node];
    const key = this.#key;
    const keys = this.#placeKeys;
    placeKey(low, high, this.#places.fromFront[node], key);
    if (keys.find(key.low, key.high) >= 0) return true;
    placeKey(low, high, this.#places.fromBack[node], key);
    if (keys.find(key.low, key.high) >= 0) return true;
    placeKey(low, high, this.#places.context[node], key);
    if (keys.find(key.low, key.high) < 0) return false;
    for (let above = parent[node]; above >= 0; above = parent[above]) {
      if (this.#changing[above] === 1) return false;
      if (breaksWords(name[above])) break;
    }
    return true;
  }

  #markChanging({
    nodeCount,
    kind,
    name,
    parent,
    contentLow,
    contentHigh,
    textStart,
    last,
  }: NodeColumns): void {
    if (this.#changing.length < nodeCount) this.#changing = new Uint8Array(nodeCount * 2);
    const changing = this.#changing;
    changing.fill(0, 0, nodeCount);
    for (let node = 0; node < nodeCount; node++) {
      if (kind[node] !== TEXT || textStart[last[node]] === textStart[node]) continue;
      if (this.#nodes.find(contentLow[node], contentHigh[node]) >= 0) continue;
      for (let above = parent[node]; above >= 0 && changing[above] === 0; above = parent[above]) {
        changing[above] = 1;
        if (breaksWords(name[above])) break;
      }
    }
  }
}

/** Copies what outlives the page. */
export function copyColumns(tree: Tree): NodeColumns {
  const { nodeCount } = tree;
  return {
    nodeCount,
    kind: tree.kind.slice(0, nodeCount),
    name: tree.name.slice(0, nodeCount),
    parent: tree.parent.slice(0, nodeCount),
    last: tree.last.slice(0, nodeCount),
    start: tree.start.slice(0, nodeCount),
    end: tree.end.slice(0, nodeCount),
    contentLow: tree.contentLow.slice(0, nodeCount),
    contentHigh: tree.contentHigh.slice(0, nodeCount),
    textStart: tree.textStart.slice(0, nodeCount + 1),
  };
}

/** Comments and doctypes do not become templates by themselves. */
function isCandidate(kind: number): boolean {
  return kind !== COMMENT && kind !== DECLARATION;
}

/** The hash of a node together with a place or a context. */
function placeKey(low: number, high: number, place: number, out: Lanes): void {
  const a = Math.imul(low ^ place, 0x85ebca6b);
  const b = Math.imul(high ^ Math.imul(place, 0x9e3779b1), 0xc2b2ae35);
  out.low = a ^ (a >>> 15);
  out.high = b ^ (b >>> 14);
}

function keepMarked(counts: HashCounts, marked: Uint8Array): HashCounts {
  const keep = (_: number, i: number) => marked[i] === 1;
  return {
    low: counts.low.filter(keep),
    high: counts.high.filter(keep),
    pages: counts.pages.filter(keep),
    occurrences: counts.occurrences.filter(keep),
  };
}
