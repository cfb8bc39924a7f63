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
import type { Lanes } from '../compare/byte-hash.ts';
import { HashCounter, type HashCounts } from '../compare/hash-counter.ts';
import { HashSketch } from '../compare/hash-sketch.ts';
import { HashTable } from '../compare/hash-table.ts';
import { COMMENT, DECLARATION } from '../parse/tree.ts';
import type { Evidence } from './dom-settings.ts';
import { type NodeColumns, NodeWalk } from './node-walk.ts';
import { contextOf } from './places.ts';

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
  for (let page = 0; page < pages.length; page++) {
    const { nodeCount, kind, contentLow, contentHigh } = pages[page];
    for (let node = 0; node < nodeCount; node++) {
      if (!likely.mayHold(contentLow[node])) continue;
      // comments and doctypes do not become templates by themselves
      if (kind[node] === COMMENT || kind[node] === DECLARATION) continue;
      counter.add(contentLow[node], contentHigh[node], page);
    }
  }
  const frequent = counter.select(thresholdPages);
  if (evidence === 'place') return selectSteady(pages, thresholdPages, frequent);
  return { evidence, nodes: frequent, places: { low: new Int32Array(0), high: new Int32Array(0) } };
}

/** An outermost frequent node of a sampled page. */
interface Outermost {
  page: number;
  node: number;
  found: number;
  front: number;
  back: number;
  inLine: boolean;
}

/**
 * The outermost frequent nodes of the pages, counted at their places. A page at a time is a call at a time: a
 * loop over the pages of a site around all this would be compiled anew for every site.
 */
class PlaceCounts {
  /** Node and place, node and context. */
  readonly counter = new HashCounter(16_384);
  /** Places in lines of changing text, whatever stands there. */
  readonly lines = new HashCounter(16_384);
  readonly outermost: Outermost[] = [];
  readonly #walk = new NodeWalk();
  readonly #key: Lanes = { low: 0, high: 0 };

  add(columns: NodeColumns, page: number, table: HashTable): void {
    const { counter, lines, outermost } = this;
    const walk = this.#walk;
    const key = this.#key;
    walk.open(columns, table);
    const { nodes, found, inLine, places } = walk;
    for (let i = 0; i < walk.count; i++) {
      const node = nodes[i];
      const front = places.fromFront[node];
      const back = places.fromBack[node];
      if (inLine[node] === 1) {
        lines.add(front, front, page);
        lines.add(back, back, page);
      }
      if (found[i] < 0) continue;
      const low = columns.contentLow[node];
      const high = columns.contentHigh[node];
      placeKey(low, high, front, key);
      counter.add(key.low, key.high, page);
      placeKey(low, high, back, key);
      counter.add(key.low, key.high, page);
      placeKey(low, high, contextOf(columns, node), key);
      counter.add(key.low, key.high, page);
      outermost.push({ page, node, found: found[i], front, back, inLine: inLine[node] === 1 });
    }
  }
}

function selectSteady(
  pages: readonly NodeColumns[],
  thresholdPages: number,
  frequent: HashCounts,
): FrequentNodes {
  const table = new HashTable(frequent.low, frequent.high);
  const counts = new PlaceCounts();
  for (let page = 0; page < pages.length; page++) counts.add(pages[page], page, table);
  const { counter, lines, outermost } = counts;
  const key: Lanes = { low: 0, high: 0 };

  // the steady ones, and the places that speak for them
  const steady = new Uint8Array(frequent.low.length);
  const kept = new HashCounter(4096);
  for (const { found, front, back, inLine } of outermost) {
    for (let side = 0; side < 2; side++) {
      const place = side === 0 ? front : back;
      placeKey(frequent.low[found], frequent.high[found], place, key);
      const count = counter.pagesOf(key.low, key.high);
      if (count < thresholdPages) continue;
      if (inLine && count * 2 < lines.pagesOf(place, place)) continue;
      steady[found] = 1;
      kept.add(key.low, key.high, 0);
    }
  }

  // what is inside a steady node is steady, in its context there
  const entered = new Uint8Array(frequent.low.length);
  for (const { page, node, found } of outermost) {
    if (steady[found] === 0) continue;
    const columns = pages[page];
    placeKey(frequent.low[found], frequent.high[found], contextOf(columns, node), key);
    if (counter.pagesOf(key.low, key.high) >= thresholdPages) kept.add(key.low, key.high, 0);
    if (entered[found] === 1) continue;
    entered[found] = 1;
    for (let inside = node + 1; inside < columns.last[node]; inside++) {
      const at = table.find(columns.contentLow[inside], columns.contentHigh[inside]);
      if (at < 0) continue; // a comment
      steady[at] = 1;
      placeKey(frequent.low[at], frequent.high[at], contextOf(columns, inside), key);
      kept.add(key.low, key.high, 0);
    }
  }
  const { low, high } = kept.select(1);
  return { evidence: 'place', nodes: keepMarked(frequent, steady), places: { low, high } };
}

/** A node that is template, and the sampled pages that hold it. */
export interface TemplateNode {
  node: number;
  pages: number;
}

export interface TrivialLimits {
  /** Trivially small nodes with more occurrences than this are no templates. */
  upperOccurrences: number;
  /** A node without text and of at most so many bytes is trivially small. */
  trivialBytes: number;
}

/** Finds the template nodes of a page. */
export class NodeJudge {
  readonly #byContent: boolean;
  readonly #pages: Uint32Array;
  readonly #occurrences: Uint32Array;
  readonly #upperOccurrences: number;
  readonly #trivialBytes: number;
  readonly #nodes: HashTable;
  readonly #placeKeys: HashTable;
  readonly #walk = new NodeWalk();
  readonly #key: Lanes = { low: 0, high: 0 };

  constructor(model: FrequentNodes & TrivialLimits) {
    // fields of its own: models come in several shapes, learnt and decoded
    this.#byContent = model.evidence === 'content';
    this.#pages = model.nodes.pages;
    this.#occurrences = model.nodes.occurrences;
    this.#upperOccurrences = model.upperOccurrences;
    this.#trivialBytes = model.trivialBytes;
    this.#nodes = new HashTable(model.nodes.low, model.nodes.high);
    this.#placeKeys = new HashTable(model.places.low, model.places.high);
  }

  /** The outermost template nodes, in document order. */
  find(columns: NodeColumns): TemplateNode[] {
    const pages = this.#pages;
    const accepted: TemplateNode[] = [];
    const refused: number[] = [];
    const walk = this.#walk;
    walk.open(columns, this.#nodes);
    for (;;) {
      for (let i = 0; i < walk.count; i++) {
        const at = walk.found[i];
        if (at < 0) continue;
        const node = walk.nodes[i];
        const good =
          !this.#isTrivial(columns, node, at) && (this.#byContent || this.#standsRight(columns, node));
        if (good) accepted.push({ node, pages: pages[at] });
        else if (columns.last[node] > node + 1) refused.push(node);
      }
      const next = refused.pop();
      if (next === undefined) break;
      walk.enter(columns, this.#nodes, next);
    }
    return accepted.sort((a, b) => a.node - b.node);
  }

  #isTrivial({ start, end, textStart, last }: NodeColumns, node: number, at: number): boolean {
    return (
      this.#occurrences[at] > this.#upperOccurrences &&
      textStart[last[node]] === textStart[node] &&
      end[node] - start[node] <= this.#trivialBytes
    );
  }

  #standsRight(columns: NodeColumns, node: number): boolean {
    const low = columns.contentLow[node];
    const high = columns.contentHigh[node];
    const { places, inLine } = this.#walk;
    const key = this.#key;
    const keys = this.#placeKeys;
    placeKey(low, high, places.fromFront[node], key);
    if (keys.find(key.low, key.high) >= 0) return true;
    placeKey(low, high, places.fromBack[node], key);
    if (keys.find(key.low, key.high) >= 0) return true;
    if (inLine[node] === 1) return false;
    placeKey(low, high, contextOf(columns, node), key);
    return keys.find(key.low, key.high) >= 0;
  }
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
