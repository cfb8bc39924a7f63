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
  const sample = new PlacedSample(pages, thresholdPages, frequent);
  // a page is a call: a loop over all nodes of a site would be compiled anew for every site
  for (let page = 0; page < pages.length; page++) sample.countPlaces(page);
  sample.closeCounts();
  for (let page = 0; page < pages.length; page++) sample.askForLines(page);
  for (let page = 0; page < pages.length; page++) sample.countLines(page);
  for (let page = 0; page < pages.length; page++) sample.keepSteady(page);
  for (let page = 0; page < pages.length; page++) sample.keepInside(page);
  return sample.select();
}

/** The hash of a node together with a place or a context. */
export function placeKey(low: number, high: number, place: number, out: Lanes): void {
  const a = Math.imul(low ^ place, 0x85ebca6b);
  const b = Math.imul(high ^ Math.imul(place, 0x9e3779b1), 0xc2b2ae35);
  out.low = a ^ (a >>> 15);
  out.high = b ^ (b >>> 14);
}

// an outermost frequent node of a sampled page
const NODE = 0;
const FOUND = 1; // which of the frequent nodes
const IN_LINE = 2;
const PLACE = 3; // from the front, from the back, context
const KEY = 6; // numbers of the keys of these
const STRIDE = 9;

const FRONT = 0;
const BACK = 1;
const CONTEXT = 2;
const SIDES = 3;

/** The sampled pages, with their outermost frequent nodes counted at their places. */
class PlacedSample {
  readonly #pages: readonly NodeColumns[];
  readonly #thresholdPages: number;
  readonly #frequent: HashCounts;
  readonly #table: HashTable;
  readonly #walk = new NodeWalk();
  readonly #key: Lanes = { low: 0, high: 0 };
  /** The outermost nodes, and where those of each page end. */
  #records: Int32Array = new Int32Array(16_384 * STRIDE);
  readonly #recordEnds: number[] = [0];
  /** Node and place, node and context; and on how many pages each is. */
  readonly #keys = new HashCounter(16_384);
  #pagesOfKey: Uint32Array = new Uint32Array(0);
  /** Places in lines of changing text, whatever stands there, and where those of each page end. */
  #linePlaces: Int32Array = new Int32Array(65_536);
  readonly #lineEnds: number[] = [0];
  /** Those of them where the pages that have anything there decide, and these pages. */
  readonly #asked = new HashFilter(16);
  readonly #lines = new HashCounter();
  readonly #steady: Uint8Array;
  readonly #entered: Uint8Array;
  readonly #kept = new HashCounter(4096);
  #isKept = new Uint8Array(0);

  constructor(pages: readonly NodeColumns[], thresholdPages: number, frequent: HashCounts) {
    this.#pages = pages;
    this.#thresholdPages = thresholdPages;
    this.#frequent = frequent;
    this.#table = new HashTable(frequent.low, frequent.high);
    this.#steady = new Uint8Array(frequent.low.length);
    this.#entered = new Uint8Array(frequent.low.length);
  }

  countPlaces(page: number): void {
    const columns = this.#pages[page];
    const walk = this.#walk;
    walk.open(columns, this.#table);
    const { nodes, count, places, foundNodes, foundAt, foundCount } = walk;
    let lineEnd = this.#lineEnds[page];
    let end = this.#recordEnds[page];
    this.#linePlaces = withRoom(this.#linePlaces, lineEnd + 2 * count);
    this.#records = withRoom(this.#records, end + STRIDE * foundCount);
    const linePlaces = this.#linePlaces;
    const records = this.#records;
    const { fromFront, fromBack, inLine } = places;
    for (let i = 0; i < count; i++) {
      const node = nodes[i];
      places.place(columns, node);
      if (inLine[node] === 0) continue;
      linePlaces[lineEnd++] = fromFront[node];
      linePlaces[lineEnd++] = fromBack[node];
    }
    for (let i = 0; i < foundCount; i++) {
      const node = foundNodes[i];
      records[end + NODE] = node;
      records[end + FOUND] = foundAt[i];
      records[end + IN_LINE] = inLine[node];
      records[end + PLACE + FRONT] = fromFront[node];
      records[end + PLACE + BACK] = fromBack[node];
      records[end + PLACE + CONTEXT] = contextOf(columns, node);
      for (let side = 0; side < SIDES; side++) {
        placeKey(columns.contentLow[node], columns.contentHigh[node], records[end + PLACE + side], this.#key);
        records[end + KEY + side] = this.#keys.add(this.#key.low, this.#key.high, page);
      }
      end += STRIDE;
    }
    this.#recordEnds.push(end);
    this.#lineEnds.push(lineEnd);
  }

  /** Once the places of all pages are counted. */
  closeCounts(): void {
    this.#pagesOfKey = this.#keys.pagesByNumber();
    this.#isKept = new Uint8Array(this.#keys.size);
  }

  /** Asks how many pages have anything at the places in lines where a node stands on enough pages. */
  askForLines(page: number): void {
    const records = this.#records;
    const pagesOfKey = this.#pagesOfKey;
    for (let at = this.#recordEnds[page]; at < this.#recordEnds[page + 1]; at += STRIDE) {
      if (records[at + IN_LINE] === 0) continue;
      for (let side = FRONT; side <= BACK; side++) {
        if (pagesOfKey[records[at + KEY + side]] >= this.#thresholdPages)
          this.#asked.add(records[at + PLACE + side]);
      }
    }
  }

  countLines(page: number): void {
    const places = this.#linePlaces;
    const { words, shift } = this.#asked;
    for (let i = this.#lineEnds[page]; i < this.#lineEnds[page + 1]; i++) {
      const place = places[i];
      const bit = place >>> shift;
      if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 1) this.#lines.add(place, place, page);
    }
  }

  /** The steady ones, and the places that speak for them. */
  keepSteady(page: number): void {
    const records = this.#records;
    const pagesOfKey = this.#pagesOfKey;
    for (let at = this.#recordEnds[page]; at < this.#recordEnds[page + 1]; at += STRIDE) {
      for (let side = FRONT; side <= BACK; side++) {
        const key = records[at + KEY + side];
        const count = pagesOfKey[key];
        if (count < this.#thresholdPages || this.#isKept[key] === 1) continue;
        const place = records[at + PLACE + side];
        if (records[at + IN_LINE] === 1 && count * 2 < this.#lines.pagesOf(place, place)) continue;
        this.#isKept[key] = 1;
        this.#steady[records[at + FOUND]] = 1;
        this.#keep(records[at + FOUND], place);
      }
    }
  }

  /** What is inside a steady node is steady, in its context there. */
  keepInside(page: number): void {
    const records = this.#records;
    const columns = this.#pages[page];
    for (let at = this.#recordEnds[page]; at < this.#recordEnds[page + 1]; at += STRIDE) {
      const found = records[at + FOUND];
      if (this.#steady[found] === 0) continue;
      const key = records[at + KEY + CONTEXT];
      if (this.#pagesOfKey[key] >= this.#thresholdPages && this.#isKept[key] === 0) {
        this.#isKept[key] = 1;
        this.#keep(found, records[at + PLACE + CONTEXT]);
      }
      if (this.#entered[found] === 1) continue;
      this.#entered[found] = 1;
      this.#enter(columns, records[at + NODE]);
    }
  }

  #enter(columns: NodeColumns, node: number): void {
    for (let inside = node + 1; inside < columns.last[node]; inside++) {
      const found = this.#table.find(columns.contentLow[inside], columns.contentHigh[inside]);
      if (found < 0) continue; // a comment
      this.#steady[found] = 1;
      this.#keep(found, contextOf(columns, inside));
    }
  }

  #keep(found: number, place: number): void {
    placeKey(this.#frequent.low[found], this.#frequent.high[found], place, this.#key);
    this.#kept.add(this.#key.low, this.#key.high, 0);
  }

  select(): SteadyNodes {
    const { low, high } = this.#kept.select(1);
    return { nodes: keepMarked(this.#frequent, this.#steady), places: { low, high } };
  }
}

/** The array, or a longer one of the same beginning. */
function withRoom(array: Int32Array, length: number): Int32Array {
  if (length <= array.length) return array;
  const longer = new Int32Array(2 * length);
  longer.set(array);
  return longer;
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
