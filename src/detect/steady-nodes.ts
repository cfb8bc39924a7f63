/**
 * Which frequent nodes are steady, and the places and contexts that speak for them (the rules are in
 * dom-evidence.ts). Outermost frequent nodes are counted with their places; how many pages have anything at a
 * place in a line of changing text is counted afterwards, for the few places where that decides.
 *
 * Three accesses to a table for an outermost node; 36 bytes for each, and 8 for each node in such a line.
 */
import type { Lanes } from '../compare/byte-hash.ts';
import { HashCounter, type HashCounts } from '../compare/hash-counter.ts';
import { HashFilter } from '../compare/hash-filter.ts';
import { HashTable } from '../compare/hash-table.ts';
import { type NodeColumns, NodeWalk } from './node-walk.ts';
import { contextOf } from './places.ts';

export interface SteadyNodes {
  nodes: HashCounts;
  /** Node and place, node and context: those on enough pages. */
  places: { low: Int32Array; high: Int32Array };
}

export function selectSteady(
  pages: readonly NodeColumns[],
  thresholdPages: number,
  frequent: HashCounts,
): SteadyNodes {
  const table = new HashTable(frequent.low, frequent.high);
  const counts = new PlaceCounts();
  // a page at a time is a call at a time: a loop over the pages of a site would be compiled anew for every site
  for (let page = 0; page < pages.length; page++) counts.add(pages[page], page, table);
  const pagesOf = counts.keys.pagesByNumber();
  const lines = counts.countLines(pagesOf, thresholdPages);
  const { records } = counts.outermost;
  const kept = new KeptKeys(frequent, pagesOf.length);

  // the steady ones, and the places that speak for them
  const steady = new Uint8Array(frequent.low.length);
  for (let at = 0; at < counts.outermost.length; at += STRIDE) {
    for (let side = 0; side < 2; side++) {
      const count = pagesOf[records[at + FRONT_KEY + side]];
      if (count < thresholdPages) continue;
      const place = records[at + FRONT + side];
      if (records[at + IN_LINE] === 1 && count * 2 < lines.pagesOf(place, place)) continue;
      steady[records[at + FOUND]] = 1;
      kept.add(records[at + FOUND], place, records[at + FRONT_KEY + side]);
    }
  }

  // what is inside a steady node is steady, in its context there
  const entered = new Uint8Array(frequent.low.length);
  for (let at = 0; at < counts.outermost.length; at += STRIDE) {
    const found = records[at + FOUND];
    if (steady[found] === 0) continue;
    const columns = pages[records[at + PAGE]];
    const node = records[at + NODE];
    const key = records[at + CONTEXT_KEY];
    if (pagesOf[key] >= thresholdPages) kept.add(found, contextOf(columns, node), key);
    if (entered[found] === 1) continue;
    entered[found] = 1;
    for (let inside = node + 1; inside < columns.last[node]; inside++) {
      const part = table.find(columns.contentLow[inside], columns.contentHigh[inside]);
      if (part < 0) continue; // a comment
      steady[part] = 1;
      kept.add(part, contextOf(columns, inside));
    }
  }
  return { nodes: keepMarked(frequent, steady), places: kept.select() };
}

/** The hash of a node together with a place or a context. */
export function placeKey(low: number, high: number, place: number, out: Lanes): void {
  const a = Math.imul(low ^ place, 0x85ebca6b);
  const b = Math.imul(high ^ Math.imul(place, 0x9e3779b1), 0xc2b2ae35);
  out.low = a ^ (a >>> 15);
  out.high = b ^ (b >>> 14);
}

// an outermost frequent node of a sampled page: where it is, which it is, its places and their keys by number
const PAGE = 0;
const NODE = 1;
const FOUND = 2;
const IN_LINE = 3;
const FRONT = 4; // … and from the back
const FRONT_KEY = 6; // … and from the back
const CONTEXT_KEY = 8;
const STRIDE = 9;

/** Integers in a row, as many as come. */
class IntegerList {
  records: Int32Array;
  length = 0;

  constructor(capacity: number) {
    this.records = new Int32Array(capacity);
  }

  /** Makes room for so many more. */
  reserve(more: number): void {
    if (this.length + more <= this.records.length) return;
    const records = new Int32Array(2 * (this.length + more));
    records.set(this.records.subarray(0, this.length));
    this.records = records;
  }
}

/** The outermost frequent nodes of the pages, counted at their places. */
class PlaceCounts {
  /** Node and place, node and context. */
  readonly keys = new HashCounter(16_384);
  readonly outermost = new IntegerList(16_384 * STRIDE);
  // places in lines of changing text, whatever stands there; by page, where its own end
  readonly #linePlaces = new IntegerList(65_536);
  readonly #lineEnds: number[] = [];
  readonly #walk = new NodeWalk();
  readonly #key: Lanes = { low: 0, high: 0 };

  add(columns: NodeColumns, page: number, table: HashTable): void {
    const { keys, outermost } = this;
    const walk = this.#walk;
    const key = this.#key;
    walk.open(columns, table);
    const { nodes, found, inLine, count } = walk;
    const { fromFront, fromBack } = walk.places;
    const linePlaces = this.#linePlaces;
    linePlaces.reserve(2 * count);
    outermost.reserve(STRIDE * count);
    const lines = linePlaces.records;
    const { records } = outermost;
    let lineEnd = linePlaces.length;
    let at = outermost.length;
    for (let i = 0; i < count; i++) {
      const node = nodes[i];
      const front = fromFront[node];
      const back = fromBack[node];
      if (inLine[node] === 1) {
        lines[lineEnd++] = front;
        lines[lineEnd++] = back;
      }
      if (found[i] < 0) continue;
      const low = columns.contentLow[node];
      const high = columns.contentHigh[node];
      records[at + PAGE] = page;
      records[at + NODE] = node;
      records[at + FOUND] = found[i];
      records[at + IN_LINE] = inLine[node];
      records[at + FRONT] = front;
      records[at + FRONT + 1] = back;
      placeKey(low, high, front, key);
      records[at + FRONT_KEY] = keys.add(key.low, key.high, page);
      placeKey(low, high, back, key);
      records[at + FRONT_KEY + 1] = keys.add(key.low, key.high, page);
      placeKey(low, high, contextOf(columns, node), key);
      records[at + CONTEXT_KEY] = keys.add(key.low, key.high, page);
      at += STRIDE;
    }
    outermost.length = at;
    linePlaces.length = lineEnd;
    this.#lineEnds.push(lineEnd);
  }

  /**
   * How many pages have anything at the places in lines where a node stands on enough pages; of other places,
   * too few or none are counted.
   */
  countLines(pagesOf: Uint32Array, thresholdPages: number): HashCounter {
    const { records, length } = this.outermost;
    const asked = new HashFilter(16);
    for (let at = 0; at < length; at += STRIDE) {
      if (records[at + IN_LINE] === 0) continue;
      if (pagesOf[records[at + FRONT_KEY]] >= thresholdPages) asked.add(records[at + FRONT]);
      if (pagesOf[records[at + FRONT_KEY + 1]] >= thresholdPages) asked.add(records[at + FRONT + 1]);
    }
    const lines = new HashCounter();
    let from = 0;
    for (const [page, end] of this.#lineEnds.entries()) {
      addAsked(this.#linePlaces.records, from, end, { asked, lines, page });
      from = end;
    }
    return lines;
  }
}

function addAsked(
  places: Int32Array,
  from: number,
  end: number,
  { asked, lines, page }: { asked: HashFilter; lines: HashCounter; page: number },
): void {
  for (let i = from; i < end; i++) if (asked.mayHold(places[i])) lines.add(places[i], places[i], page);
}

/** Keys of nodes and places, each once. */
class KeptKeys {
  readonly #frequent: HashCounts;
  readonly #kept = new HashCounter(4096);
  readonly #isKept: Uint8Array;
  readonly #key: Lanes = { low: 0, high: 0 };

  constructor(frequent: HashCounts, numbered: number) {
    this.#frequent = frequent;
    this.#isKept = new Uint8Array(numbered);
  }

  /** `number`: of the key, when it has one, so that it is looked up once. */
  add(found: number, place: number, number = -1): void {
    if (number >= 0) {
      if (this.#isKept[number] === 1) return;
      this.#isKept[number] = 1;
    }
    placeKey(this.#frequent.low[found], this.#frequent.high[found], place, this.#key);
    this.#kept.add(this.#key.low, this.#key.high, 0);
  }

  select(): { low: Int32Array; high: Int32Array } {
    const { low, high } = this.#kept.select(1);
    return { low, high };
  }
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
