/**
 * The stack of open elements, and the hashes of what they hold so far. Entry 0 is the document, entry 1 the
 * html element. Three kinds of question are asked all the time, and each takes one look instead of a walk:
 *
 * - where is the innermost open `p`? `innermost[tag]`, kept by linking each entry to the next outer one of
 *   its name;
 * - does a scope marker, a special element or a list item's boundary stand above an entry? each entry knows
 *   the innermost such entry at or below itself.
 *
 * So 20,000 nested elements cost what 20 do. Entries deeper than the depth limit take part in parsing, but
 * their nodes are closed at once and what they hold becomes their siblings, as in browsers.
 */
import { enlarged } from '../model/growing-array.ts';
import type { Columns } from './columns.ts';
import type { FormattingList } from './formatting-list.ts';
import { EMPTY_HIGH, EMPTY_LOW, foldHigh, foldLow, mixHigh, mixLow } from './hashes.ts';
import { BREAK, GHOST, HIDDEN, ITEM_BOUNDARY, NOT_HTML, SCOPE, SPECIAL, TAG } from './tag-names.ts';

/**
 * An entry is 16 integers of `entries`, one cache line:
 *
 *    0  node
 *    1  key: tag of an HTML element, GHOST or NOT_HTML for the rest
 *    2  flags
 *    3  position in the list of active formatting elements, or -1
 *    4  next outer entry with the same key
 *    5  innermost scope marker at or below; 6 special element; 7 boundary of list items
 *    8  hash of the start tag: content lanes, shape lanes
 *   12  hash of the children closed so far: content lanes, shape lanes
 *
 * Here they are numbers and not names: a constant of a module is a load each time, 8 % of all parsing.
 */
export const ENTRY_SIZE = 16;
export const NODE = 0;
export const KEY = 1;
export const FLAGS = 2;
export const FORMATTING = 3;
export const TAG_HASH = 8;
export const CHILDREN = 12;

export class OpenElements {
  depth = 0;
  entries: Int32Array = new Int32Array(0);
  /** Index of the innermost entry of each tag, or -1. */
  innermost: Int32Array = new Int32Array(0);

  /** Open elements whose text is not text of the page. */
  hiddenDepth = 0;
  /** Whether a block began or ended since the last text: the next one starts a new word. */
  wordEnded = false;

  readonly #columns: Columns;
  readonly #formatting: FormattingList;
  readonly #maxDepth: number;

  constructor(columns: Columns, formatting: FormattingList, maxDepth: number) {
    this.#columns = columns;
    this.#formatting = formatting;
    this.#maxDepth = maxDepth;
  }

  /** Begins a page, in arrays for the entries and for `innermost`, which is -1 throughout. */
  reset(entries: Int32Array, innermost: Int32Array): void {
    this.entries = entries;
    this.innermost = innermost;
    this.depth = 0;
    this.hiddenDepth = 0;
    this.wordEnded = false;
  }

  node(index: number): number {
    return this.entries[index * 16];
  }

  key(index: number): number {
    return this.entries[index * 16 + 1];
  }

  flags(index: number): number {
    return this.entries[index * 16 + 2];
  }

  formattingEntry(index: number): number {
    return this.entries[index * 16 + 3];
  }

  setFormattingEntry(index: number, entry: number): void {
    this.entries[index * 16 + 3] = entry;
  }

  get currentKey(): number {
    return this.key(this.depth - 1);
  }

  get currentFlags(): number {
    return this.flags(this.depth - 1);
  }

  /** Index of the deepest entry that may hold nodes. */
  get holder(): number {
    return Math.min(this.depth - 1, this.#maxDepth);
  }

  /** Index of the deepest entry that any page may hold nodes in. */
  get maxDepth(): number {
    return this.#maxDepth;
  }

  /** Whether an entry is deep enough to be closed at once. */
  isCapped(index: number): boolean {
    return index > this.#maxDepth;
  }

  /** Opens an element whose node was just added; the lanes are the hash of its start tag. */
  push(
    node: number,
    key: number,
    flags: number,
    low: number,
    high: number,
    shapeLow: number,
    shapeHigh: number,
  ): void {
    const index = this.depth++;
    const at = index * 16;
    if (at >= this.entries.length) this.#grow();
    const { entries, innermost } = this;
    entries[at] = node;
    entries[at + 1] = key;
    entries[at + 2] = flags;
    entries[at + 3] = -1;
    entries[at + 8] = low;
    entries[at + 9] = high;
    entries[at + 10] = shapeLow;
    entries[at + 11] = shapeHigh;
    entries[at + 12] = EMPTY_LOW;
    entries[at + 13] = EMPTY_HIGH;
    entries[at + 14] = EMPTY_LOW;
    entries[at + 15] = EMPTY_HIGH;
    entries[at + 4] = innermost[key];
    innermost[key] = index;
    const outer = index === 0 ? 0 : at - 16;
    entries[at + 5] = (flags & SCOPE) !== 0 ? index : entries[outer + 5];
    entries[at + 6] = (flags & SPECIAL) !== 0 ? index : entries[outer + 6];
    entries[at + 7] = (flags & ITEM_BOUNDARY) !== 0 ? index : entries[outer + 7];
    if ((flags & HIDDEN) !== 0) this.hiddenDepth++;
    if (index > this.#maxDepth) {
      this.#columns.depthCapped = true;
      this.closeEntry(index, this.#columns.openEnd[node], node + 1);
    }
  }

  /** Closes the innermost element at offset `end`; ghosts that surface close with it. */
  pop(end: number): void {
    this.popBefore(end, this.#columns.nodeCount);
  }

  /** Closes the innermost element at offset `end`, before node `last`. */
  popBefore(end: number, last: number): void {
    do {
      const index = --this.depth;
      const at = index * 16;
      const { entries } = this;
      const flags = entries[at + 2];
      this.innermost[entries[at + 1]] = entries[at + 4];
      const entry = entries[at + 3];
      if (entry >= 0) this.#formatting.index[entry] = -1;
      if ((flags & HIDDEN) !== 0) this.hiddenDepth--;
      if ((flags & BREAK) !== 0) this.wordEnded = true;
      if (index <= this.#maxDepth) this.closeEntry(index, end, last);
    } while (this.depth > 0 && this.currentKey === GHOST);
  }

  /** Closes all entries above `index` at `start`, and `index` itself at `end`. */
  popThrough(index: number, start: number, end: number): void {
    while (this.depth > index + 1) this.pop(start);
    // a ghost at `index` has closed with the one above it
    if (this.depth > index) this.pop(end);
  }

  /** Closes entries above `index`. */
  popAbove(index: number, end: number): void {
    while (this.depth > index + 1) this.pop(end);
  }

  /** Ends the node of an entry: its hashes are complete and count towards its parent's. The entry stays. */
  closeEntry(index: number, end: number, last: number): void {
    const columns = this.#columns;
    const { entries } = this;
    const at = index * 16;
    const node = entries[at];
    columns.end[node] = end;
    columns.last[node] = last;

    // start tag and children, mixed
    const high = (entries[at + 9] + entries[at + 13]) | 0;
    const contentLow = mixLow(entries[at + 8] ^ entries[at + 12], high);
    const contentHigh = mixHigh(contentLow, high);
    const shape = (entries[at + 11] + entries[at + 15]) | 0;
    const shapeLow = mixLow(entries[at + 10] ^ entries[at + 14], shape);
    const shapeHigh = mixHigh(shapeLow, shape);
    columns.contentLow[node] = contentLow;
    columns.contentHigh[node] = contentHigh;
    columns.shapeLow[node] = shapeLow;
    columns.shapeHigh[node] = shapeHigh;

    if (index > 0) {
      const holder = index <= this.#maxDepth ? index - 1 : this.#maxDepth;
      this.fold(holder, contentLow, contentHigh, shapeLow, shapeHigh);
    }
  }

  /** Folds a closed child into the entry that holds it. */
  fold(index: number, low: number, high: number, shapeLow: number, shapeHigh: number): void {
    const { entries } = this;
    const at = index * 16 + 12;
    entries[at] = foldLow(entries[at], low, high);
    entries[at + 1] = foldHigh(entries[at + 1], low, high);
    entries[at + 2] = foldLow(entries[at + 2], shapeLow, shapeHigh);
    entries[at + 3] = foldHigh(entries[at + 3], shapeLow, shapeHigh);
  }

  /** Whether an element is in scope; likewise in button, list item, table scope. */
  inScope(tag: number): boolean {
    const index = this.innermost[tag];
    return index >= 0 && index >= this.scopeMarker;
  }

  inButtonScope(tag: number): boolean {
    return this.inScope(tag) && this.innermost[tag] >= this.innermost[TAG.button];
  }

  inItemScope(tag: number): boolean {
    const index = this.innermost[tag];
    return this.inScope(tag) && index >= this.innermost[TAG.ul] && index >= this.innermost[TAG.ol];
  }

  inTableScope(tag: number): boolean {
    const index = this.innermost[tag];
    return index >= 0 && index >= this.innermost[TAG.table] && index >= this.innermost[TAG.template];
  }

  /** Innermost scope marker. */
  get scopeMarker(): number {
    return this.entries[(this.depth - 1) * 16 + 5];
  }

  hasSpecialAbove(index: number): boolean {
    return this.entries[(this.depth - 1) * 16 + 6] > index;
  }

  hasItemBoundaryAbove(index: number): boolean {
    return this.entries[(this.depth - 1) * 16 + 7] > index;
  }

  /**
   * Removes an element from the stack. When it is not the innermost it cannot end yet: it stays as a ghost,
   * and ends with what it holds.
   */
  forget(index: number, end: number): void {
    if (index === this.depth - 1) {
      this.pop(end);
      return;
    }
    const entry = this.formattingEntry(index);
    if (entry >= 0) this.#formatting.index[entry] = -1;
    this.setFormattingEntry(index, -1);
    this.#rename(index, GHOST, this.flags(index) & (HIDDEN | BREAK));
  }

  /** Makes an entry one that no name finds, and that only an explicit pop closes. */
  park(index: number): void {
    this.#rename(index, NOT_HTML, this.flags(index));
  }

  /** Takes the entries from `index` on out of the links, so that they can be altered; `relinkFrom` puts them back. */
  unlinkFrom(index: number): void {
    const { entries } = this;
    for (let i = this.depth - 1; i >= index; i--) {
      const at = i * 16;
      this.innermost[entries[at + 1]] = entries[at + 4];
    }
  }

  relinkFrom(index: number): void {
    const { entries, innermost } = this;
    for (let i = index; i < this.depth; i++) {
      const at = i * 16;
      const outer = at - 16;
      const key = entries[at + 1];
      const flags = entries[at + 2];
      entries[at + 4] = innermost[key];
      innermost[key] = i;
      entries[at + 5] = (flags & SCOPE) !== 0 ? i : entries[outer + 5];
      entries[at + 6] = (flags & SPECIAL) !== 0 ? i : entries[outer + 6];
      entries[at + 7] = (flags & ITEM_BOUNDARY) !== 0 ? i : entries[outer + 7];
    }
  }

  /** Room for one more entry. */
  reserve(): void {
    if (this.depth * 16 >= this.entries.length) this.#grow();
  }

  #rename(index: number, key: number, flags: number): void {
    this.unlinkFrom(index);
    this.entries[index * 16 + 1] = key;
    this.entries[index * 16 + 2] = flags;
    this.relinkFrom(index);
  }

  #grow(): void {
    this.entries = enlarged(this.entries, this.entries.length * 2);
  }
}
