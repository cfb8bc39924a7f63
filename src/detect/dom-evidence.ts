/**
 * Which nodes recur on enough pages, and whether that makes them template.
 *
 * By content alone (Gibson et al. §3.1) a node is template when its content hash is on enough distinct
 * pages. That also takes what merely repeats: the teaser of a popular story on every listing, that story's
 * title on its own page, `<code>None</code>` or "The" in the middle of a sentence. So paths are counted,
 * not only text (`place`):
 *
 * 1. A node must be steady: stand at one place on enough pages. Menus, footers and labels do; a teaser
 *    moves along its row from page to page. What is inside a steady node is steady with it.
 * 2. In a line with changing text it is template only at such a place, and only where the same node stands
 *    on at least half of the pages that have anything there: "Posted by" is, "The" is not.
 * 3. Elsewhere it is template at such a place, and wherever its context (its nearest two ancestors' tags)
 *    is one in which it is on enough pages: so the footer of a rare layout and the "Reply" of the thirtieth
 *    comment are template, but a story's heading is not, though its words stand in every sidebar.
 *
 * Every part of a frequent node is frequent, so places are counted for outermost frequent nodes only.
 * Counting costs two accesses to a sketch a node, and one to a table for those that may be frequent.
 */
import type { Lanes } from '../analysis/byte-hash.ts';
import { HashCounter, type HashCounts } from '../analysis/hash-counter.ts';
import type { HashFilter } from '../analysis/hash-filter.ts';
import { HashSketch } from '../analysis/hash-sketch.ts';
import { HashTable } from '../analysis/hash-table.ts';
import type { Evidence } from './dom-settings.ts';
import { isCandidate, type NodeColumns, NodeWalk } from './node-walk.ts';
import { contextOf } from './places.ts';
import { placeKey, selectSteady } from './steady-nodes.ts';

export interface FrequentNodes {
  evidence: Evidence;
  /** Content hashes on enough pages; steady ones when places are asked for. */
  nodes: HashCounts;
  /** Node and place, node and context: those on enough pages. */
  places: { low: Int32Array; high: Int32Array };
}

/** Counts the nodes of the sampled pages. */
export function countNodes(
  pages: readonly NodeColumns[],
  thresholdPages: number,
  evidence: Evidence,
): FrequentNodes {
  const sketch = new HashSketch(
    pages.reduce((sum, { nodeCount }) => sum + nodeCount, 0),
    thresholdPages,
  );
  for (let page = 0; page < pages.length; page++) {
    sketch.add(pages[page].contentLow, pages[page].nodeCount, page);
  }
  const likely = sketch.likely();
  const counter = new HashCounter(4096);
  for (let page = 0; page < pages.length; page++) countLikely(pages[page], page, likely, counter);
  const frequent = counter.select(thresholdPages);
  if (evidence === 'place') return { evidence, ...selectSteady(pages, thresholdPages, frequent) };
  return { evidence, nodes: frequent, places: { low: new Int32Array(0), high: new Int32Array(0) } };
}

/** Counts the nodes whose occurrences on the sampled pages lie between two bounds, both included (Gibson et al. §3.1). */
export function countNodesWithin(
  pages: readonly NodeColumns[],
  { least, most }: { least: number; most: number },
): FrequentNodes {
  const counter = new HashCounter(4096);
  for (let page = 0; page < pages.length; page++) {
    const { nodeCount, kind, contentLow, contentHigh } = pages[page];
    for (let node = 0; node < nodeCount; node++) {
      if (isCandidate(kind[node])) counter.add(contentLow[node], contentHigh[node], page);
    }
  }
  const { low, high, pages: pagesOf, occurrences } = counter.select(least, 'occurrences');
  const isWithin = (_: number, i: number): boolean => occurrences[i] <= most;
  return {
    evidence: 'content',
    nodes: {
      low: low.filter(isWithin),
      high: high.filter(isWithin),
      pages: pagesOf.filter(isWithin),
      occurrences: occurrences.filter(isWithin),
    },
    places: { low: new Int32Array(0), high: new Int32Array(0) },
  };
}

function countLikely(
  { nodeCount, kind, contentLow, contentHigh }: NodeColumns,
  page: number,
  { words, shift }: HashFilter,
  counter: HashCounter,
): void {
  for (let node = 0; node < nodeCount; node++) {
    const bit = contentLow[node] >>> shift;
    if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 0 || !isCandidate(kind[node])) continue;
    counter.add(contentLow[node], contentHigh[node], page);
  }
}

export interface TrivialLimits {
  /** Trivially small nodes with more occurrences than this are no templates. */
  upperOccurrences: number;
  /** A node without text and of at most so many bytes is trivially small. */
  trivialBytes: number;
}

const NO_INTEGERS = new Int32Array(0);

/** Finds the template nodes of a page. */
export class NodeJudge {
  /** The outermost template nodes of the page judged last, in document order, `count` of them. */
  nodes = NO_INTEGERS;
  count = 0;
  /** By node: the sampled pages that hold it. Means something for template nodes. */
  pages = NO_INTEGERS;
  readonly #byContent: boolean;
  readonly #pages: Uint32Array;
  readonly #occurrences: Uint32Array;
  readonly #upperOccurrences: number;
  readonly #trivialBytes: number;
  readonly #nodes: HashTable;
  readonly #placeKeys: HashTable;
  readonly #walk = new NodeWalk();
  readonly #key: Lanes = { low: 0, high: 0 };
  /** Found but no template, with something inside: the node twice over, and 1 more when it stands in a line. */
  #refused = NO_INTEGERS;
  #refusedCount = 0;

  constructor(model: FrequentNodes & TrivialLimits) {
    // fields of its own: models come in several shapes, learnt and decoded
    this.#byContent = model.evidence === 'content';
    this.#pages = model.nodes.pages;
    this.#occurrences = model.nodes.occurrences;
    this.#upperOccurrences = model.upperOccurrences;
    this.#trivialBytes = model.trivialBytes;
    this.#nodes = new HashTable(model.nodes.low, model.nodes.high);
    this.#placeKeys = new HashTable(model.places.low, model.places.high);
    this.#reserve(1024);
  }

  find(columns: NodeColumns): void {
    this.#reserve(columns.nodeCount);
    this.count = 0;
    this.#refusedCount = 0;
    const walk = this.#walk;
    walk.open(columns, this.#nodes);
    this.#judgeWalked(columns);
    if (this.#refusedCount === 0) return;
    while (this.#refusedCount > 0) {
      const refused = this.#refused[--this.#refusedCount];
      walk.enter(columns, this.#nodes, refused >>> 1, (refused & 1) === 1);
      this.#judgeWalked(columns);
    }
    this.nodes.subarray(0, this.count).sort();
  }

  #judgeWalked(columns: NodeColumns): void {
    const walk = this.#walk;
    const { foundNodes, foundAt, foundCount } = walk;
    for (let i = 0; i < foundCount; i++) {
      const node = foundNodes[i];
      const at = foundAt[i];
      const isLine = !this.#byContent && walk.isInLine(columns, node);
      if (
        !this.#isTrivial(columns, node, at) &&
        (this.#byContent || this.#standsRight(columns, node, isLine))
      ) {
        this.nodes[this.count++] = node;
        this.pages[node] = this.#pages[at];
      } else if (columns.last[node] > node + 1) {
        this.#refused[this.#refusedCount++] = (node << 1) | (isLine ? 1 : 0);
      }
    }
  }

  #isTrivial({ start, end, textStart, last }: NodeColumns, node: number, at: number): boolean {
    return (
      this.#occurrences[at] > this.#upperOccurrences &&
      textStart[last[node]] === textStart[node] &&
      end[node] - start[node] <= this.#trivialBytes
    );
  }

  /** Contexts are asked first: they speak for most templates, and places must be worked out. */
  #standsRight(columns: NodeColumns, node: number, isInLine: boolean): boolean {
    const low = columns.contentLow[node];
    const high = columns.contentHigh[node];
    const key = this.#key;
    const keys = this.#placeKeys;
    if (!isInLine) {
      placeKey(low, high, contextOf(columns, node), key);
      if (keys.find(key.low, key.high) >= 0) return true;
    }
    const { places } = this.#walk;
    places.place(columns, node);
    placeKey(low, high, places.fromFront[node], key);
    if (keys.find(key.low, key.high) >= 0) return true;
    placeKey(low, high, places.fromBack[node], key);
    return keys.find(key.low, key.high) >= 0;
  }

  #reserve(nodeCount: number): void {
    if (this.nodes.length >= nodeCount) return;
    const capacity = Math.max(nodeCount, this.nodes.length * 2);
    this.nodes = new Int32Array(capacity);
    this.pages = new Int32Array(capacity);
    this.#refused = new Int32Array(capacity);
  }
}
