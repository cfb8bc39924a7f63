/**
 * Which frequent nodes are steady, and the places and contexts that speak for them (the rules are in
 * dom-evidence.ts). Outermost frequent nodes are counted with their places; how many pages have anything at a
 * place in a line of changing text is counted afterwards, for the few places where that decides.
 *
 * Three accesses to a table for an outermost node; 8 bytes for each, and 8 for each node in such a line. The memory
 * is kept for the next site, up to a bound.
 */

import type { Lanes } from '../analysis/byte-hash.ts';
import { emptyCounts, HashCounter, type HashCounts } from '../analysis/hash-counter.ts';
import { HashFilter } from '../analysis/hash-filter.ts';
import { HashTable } from '../analysis/hash-table.ts';
import { withRoom } from '../model/growing-array.ts';
import { type NodeColumns, NodeWalk } from './node-walk.ts';
import { PlaceCounter } from './place-counter.ts';
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
  const steady = new SteadySelection(pages, thresholdPages, frequent);
  // a page is a call: a loop over all nodes of a site would be compiled anew for every site
  for (let page = 0; page < pages.length; page++) steady.countPlaces(page);
  steady.countLines();
  steady.keepSteady();
  for (let page = 0; page < pages.length; page++) steady.markInside(page);
  for (let page = 0; page < pages.length; page++) steady.keepContexts(page);
  return steady.select();
}

/** The hash of a node together with a place or a context. */
export function placeKey(low: number, high: number, place: number, out: Lanes): void {
  const a = Math.imul(low ^ place, 0x85ebca6b);
  const b = Math.imul(high ^ Math.imul(place, 0x9e3779b1), 0xc2b2ae35);
  out.low = a ^ (a >>> 15);
  out.high = b ^ (b >>> 14);
}

/** How a node was seen at a place; contexts are no such places. */
const ALONE = 1;
const IN_LINE = 2;

/** Steady by its places; steady, and so is all that is inside. */
const BY_PLACE = 1;
const THROUGHOUT = 2;

/** An outermost frequent node of a sampled page: its id, and the number of its context. */
const RECORD = 2;

/** Entries of a list that is kept for the next site. */
const MOST_KEPT = 1 << 20;

const NO_INTEGERS = new Int32Array(0);

/** What grows with a sample and is used again for the next one: one site is learnt at a time. */
class Memory {
  readonly walk = new NodeWalk();
  readonly counter = new PlaceCounter();
  /** The outermost frequent nodes. */
  records: Int32Array = NO_INTEGERS;
  /** Places in lines of changing text, whatever stands there. */
  linePlaces: Int32Array = NO_INTEGERS;
  /** How the outermost frequent nodes of a page stand there. */
  sightings: Int32Array = NO_INTEGERS;

  constructor() {
    // all that nearly all sites need
    this.records = new Int32Array(1 << 17);
    this.linePlaces = new Int32Array(1 << 18);
    this.sightings = new Int32Array(4096);
  }

  letGo(): void {
    if (this.records.length > MOST_KEPT) this.records = new Int32Array(MOST_KEPT);
    if (this.linePlaces.length > MOST_KEPT) this.linePlaces = new Int32Array(MOST_KEPT);
  }
}

let memory: Memory | undefined;

class SteadySelection {
  readonly #pages: readonly NodeColumns[];
  readonly #thresholdPages: number;
  readonly #frequent: HashCounts;
  readonly #table: HashTable;
  readonly #memory = (memory ??= new Memory());
  readonly #key: Lanes = { low: 0, high: 0 };
  /** By page: where its records and its places in lines end. */
  readonly #recordEnds: number[] = [0];
  readonly #lineEnds: number[] = [0];
  /** Places in lines where the pages that have anything there decide, and these pages. */
  #lines = new HashCounter(0);
  /** By frequent node: BY_PLACE, THROUGHOUT or 0. */
  readonly #steady: Uint8Array;
  readonly #kept = new HashCounter(4096);
  /** By number of a context: 1 when what is inside its node was kept there. */
  #entered = new Uint8Array(0);

  constructor(pages: readonly NodeColumns[], thresholdPages: number, frequent: HashCounts) {
    this.#pages = pages;
    this.#thresholdPages = thresholdPages;
    this.#memory.counter.open(thresholdPages);
    this.#frequent = frequent;
    this.#table = new HashTable(frequent.low, frequent.high);
    this.#steady = new Uint8Array(frequent.low.length);
  }

  countPlaces(page: number): void {
    const columns = this.#pages[page];
    const { walk } = this.#memory;
    walk.open(columns, this.#table);
    walk.placeAll(columns);
    this.#noteLines(columns, page);
    this.#countFound(columns, page);
  }

  #noteLines(columns: NodeColumns, page: number): void {
    const memory = this.#memory;
    const { walk } = memory;
    const { nodes, count, places } = walk;
    const { fromFront, fromBack } = places;
    let end = this.#lineEnds[page];
    memory.linePlaces = withRoom(memory.linePlaces, end + 2 * count);
    const { linePlaces } = memory;
    for (let i = 0; i < count; i++) {
      const node = nodes[i];
      if (!walk.isInLine(columns, node)) continue;
      linePlaces[end++] = fromFront[node];
      linePlaces[end++] = fromBack[node];
    }
    this.#lineEnds.push(end);
  }

  #countFound(columns: NodeColumns, page: number): void {
    const memory = this.#memory;
    const { walk } = memory;
    const { places, foundNodes, foundCount } = walk;
    const end = this.#recordEnds[page];
    memory.records = withRoom(memory.records, end + RECORD * foundCount);
    memory.sightings = withRoom(memory.sightings, foundCount);
    const { records, sightings } = memory;
    for (let i = 0; i < foundCount; i++) {
      sightings[i] = walk.isInLine(columns, foundNodes[i]) ? IN_LINE : ALONE;
      records[end + RECORD * i] = foundNodes[i];
      records[end + RECORD * i + 1] = contextOf(columns, foundNodes[i]);
    }
    this.#countAt(places.fromFront, page);
    this.#countAt(places.fromBack, page);
    this.#countContexts(end, page);
    this.#recordEnds.push(end + RECORD * foundCount);
  }

  #countAt(placeOf: Int32Array, page: number): void {
    const { walk, counter, sightings } = this.#memory;
    const { foundNodes, foundAt, foundCount } = walk;
    for (let i = 0; i < foundCount; i++) counter.add(foundAt[i], placeOf[foundNodes[i]], page, sightings[i]);
  }

  /** Contexts become their numbers. */
  #countContexts(from: number, page: number): void {
    const { walk, counter, records } = this.#memory;
    const { foundAt, foundCount } = walk;
    for (let i = 0, at = from + 1; i < foundCount; i++, at += RECORD) {
      records[at] = counter.add(foundAt[i], records[at], page, 0);
    }
  }

  /** Counts the pages that have anything at a place in a line where a node stands on enough pages. */
  countLines(): void {
    const { counter } = this.#memory;
    const asked = new HashFilter(16);
    let askedPlaces = 0;
    for (const number of counter.frequent) {
      // where it stands alone as well it need not prove itself in lines
      if (counter.sightingsOf(number) !== IN_LINE) continue;
      asked.add(counter.placeOf(number));
      askedPlaces++;
    }
    if (askedPlaces === 0) return;
    this.#lines = new HashCounter(4 * askedPlaces);
    for (let page = 0; page < this.#pages.length; page++) this.#countAsked(page, asked);
  }

  #countAsked(page: number, { words, shift }: HashFilter): void {
    const { linePlaces } = this.#memory;
    const end = this.#lineEnds[page + 1];
    for (let i = this.#lineEnds[page]; i < end; i++) {
      const place = linePlaces[i];
      const bit = place >>> shift;
      if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 1) this.#lines.add(place, place, page);
    }
  }

  /** The steady ones, and the places that speak for them. */
  keepSteady(): void {
    const { counter } = this.#memory;
    this.#entered = new Uint8Array(counter.size);
    for (const number of counter.frequent) {
      const sightings = counter.sightingsOf(number);
      if (sightings === 0) continue;
      const place = counter.placeOf(number);
      if (sightings === IN_LINE && counter.pagesOf(number) * 2 < this.#lines.pagesOf(place, place)) continue;
      this.#steady[counter.nodeOf(number)] = BY_PLACE;
      this.#keep(counter.nodeOf(number), place);
    }
  }

  /** What is inside a steady node is steady. */
  markInside(page: number): void {
    const { records, counter } = this.#memory;
    const steady = this.#steady;
    const { last, contentLow, contentHigh } = this.#pages[page];
    const end = this.#recordEnds[page + 1];
    for (let at = this.#recordEnds[page]; at < end; at += RECORD) {
      const found = counter.nodeOf(records[at + 1]);
      if (steady[found] !== BY_PLACE) continue;
      steady[found] = THROUGHOUT;
      const node = records[at];
      for (let inside = node + 1; inside < last[node]; inside++) {
        const part = this.#table.find(contentLow[inside], contentHigh[inside]);
        if (part >= 0) steady[part] = THROUGHOUT; // all but comments
      }
    }
  }

  /** The contexts that speak for steady nodes: those on enough pages, and those inside of steady nodes. */
  keepContexts(page: number): void {
    const { records, counter } = this.#memory;
    const entered = this.#entered;
    const columns = this.#pages[page];
    const end = this.#recordEnds[page + 1];
    for (let at = this.#recordEnds[page]; at < end; at += RECORD) {
      const context = records[at + 1];
      const found = counter.nodeOf(context);
      if (this.#steady[found] === 0 || entered[context] === 1) continue;
      entered[context] = 1;
      if (counter.pagesOf(context) >= this.#thresholdPages) this.#keep(found, counter.placeOf(context));
      this.#enter(columns, records[at]);
    }
  }

  #enter(columns: NodeColumns, node: number): void {
    for (let inside = node + 1; inside < columns.last[node]; inside++) {
      const found = this.#table.find(columns.contentLow[inside], columns.contentHigh[inside]);
      if (found < 0) continue; // a comment
      this.#keep(found, contextOf(columns, inside));
    }
  }

  #keep(found: number, place: number): void {
    placeKey(this.#frequent.low[found], this.#frequent.high[found], place, this.#key);
    this.#kept.add(this.#key.low, this.#key.high, 0);
  }

  select(): SteadyNodes {
    this.#memory.letGo();
    const { low, high } = this.#kept.select(1);
    return { nodes: keepMarked(this.#frequent, this.#steady), places: { low, high } };
  }
}

function keepMarked(counts: HashCounts, marked: Uint8Array): HashCounts {
  let count = 0;
  for (let i = 0; i < marked.length; i++) if (marked[i] !== 0) count++;
  const kept = emptyCounts(count);
  for (let i = 0, next = 0; i < marked.length; i++) {
    if (marked[i] === 0) continue;
    kept.low[next] = counts.low[i];
    kept.high[next] = counts.high[i];
    kept.pages[next] = counts.pages[i];
    kept.occurrences[next++] = counts.occurrences[i];
  }
  return kept;
}
