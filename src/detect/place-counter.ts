/**
 * Counts, for nodes and the places they stand at, the distinct pages that have that node there. What is counted is
 * numbered in the order in which it is first met, so what pages share lies together; a table finds the numbers.
 *
 * Two accesses to memory each, one of them to the table: 8 to 16 bytes in the table, 20 beside it. Kept from site to
 * site.
 */

/** Five numbers each. */
const PLACE = 0;
const NODE = 1;
const LAST_PAGE = 2;
const PAGES = 3;
const SIGHTINGS = 4;
const STRIDE = 5;

const NO_INTEGERS = new Int32Array(0);

/** Entries that are held from one site to the next. */
const HELD = 32_768;

export class PlaceCounter {
  /** Nodes at places, each counted once. */
  size = 0;
  #entries: Int32Array = NO_INTEGERS;
  /** The number of an entry and one; 0 where there is none. A power of two, at most half full. */
  #table: Int32Array = NO_INTEGERS;
  #thresholdPages = 0;
  /** The numbers of what is on enough pages, in the order in which they came to be. */
  frequent: number[] = [];

  constructor() {
    this.#reserve(2 * HELD);
  }

  /** Notes that a page has a node at a place, and how: sightings are bits. Gives the number of what was counted. */
  add(node: number, place: number, page: number, sighting: number): number {
    const entries = this.#entries;
    const table = this.#table;
    const mask = table.length - 1;
    for (let index = slotOf(node, place) & mask; ; index = (index + 1) & mask) {
      const number = table[index] - 1;
      if (number < 0) {
        table[index] = this.size + 1;
        return this.#append(node, place, page, sighting);
      }
      const at = number * STRIDE;
      if (entries[at + PLACE] !== place || entries[at + NODE] !== node) continue;
      if (entries[at + LAST_PAGE] !== page) {
        entries[at + LAST_PAGE] = page;
        if (++entries[at + PAGES] === this.#thresholdPages) this.frequent.push(number);
      }
      entries[at + SIGHTINGS] |= sighting;
      return number;
    }
  }

  placeOf(number: number): number {
    return this.#entries[number * STRIDE + PLACE];
  }

  nodeOf(number: number): number {
    return this.#entries[number * STRIDE + NODE];
  }

  pagesOf(number: number): number {
    return this.#entries[number * STRIDE + PAGES];
  }

  /** All its sightings, together. */
  sightingsOf(number: number): number {
    return this.#entries[number * STRIDE + SIGHTINGS];
  }

  /** Starts anew: of what is on so many pages, two or more, the numbers are kept. */
  open(thresholdPages: number): void {
    this.#thresholdPages = thresholdPages;
    this.frequent = [];
    if (this.size === 0) return;
    if (this.#table.length > 2 * HELD) this.#reserve(2 * HELD);
    else this.#table.fill(0);
    this.size = 0;
  }

  #append(node: number, place: number, page: number, sighting: number): number {
    const number = this.size++;
    const at = number * STRIDE;
    this.#entries[at + PLACE] = place;
    this.#entries[at + NODE] = node;
    this.#entries[at + LAST_PAGE] = page;
    this.#entries[at + PAGES] = 1;
    this.#entries[at + SIGHTINGS] = sighting;
    if (2 * this.size === this.#table.length) this.#grow();
    return number;
  }

  #grow(): void {
    const before = this.#entries;
    this.#reserve(2 * this.#table.length);
    const entries = this.#entries;
    const table = this.#table;
    const mask = table.length - 1;
    entries.set(before);
    for (let number = 0; number < this.size; number++) {
      let index = slotOf(entries[number * STRIDE + NODE], entries[number * STRIDE + PLACE]) & mask;
      while (table[index] !== 0) index = (index + 1) & mask;
      table[index] = number + 1;
    }
  }

  #reserve(capacity: number): void {
    this.#entries = new Int32Array((capacity / 2) * STRIDE);
    this.#table = new Int32Array(capacity);
  }
}

/** Places are hashes already; nodes are small numbers. */
function slotOf(node: number, place: number): number {
  return place ^ Math.imul(node, 0x9e3779b1);
}
