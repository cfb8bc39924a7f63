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
import type { Columns } from './columns.ts';
import type { FormattingList } from './formatting-list.ts';
import { EMPTY_HIGH, EMPTY_LOW, foldHigh, foldLow, mixHigh, mixLow } from './hashes.ts';
import { BREAK, enlarged, GHOST, HIDDEN, ITEM_BOUNDARY, NOT_HTML, SCOPE, SPECIAL, TAG } from './tag-names.ts';

const FIRST_CAPACITY = 1024;

// one entry is 16 integers of `entries`, so that an entry is one cache line and the loop one array
export const ENTRY_SHIFT = 4;
export const NODE = 0;
/** Tag of an HTML element; GHOST or NOT_HTML for the rest. */
export const KEY = 1;
export const FLAGS = 2;
/** Position in the list of active formatting elements, or -1. */
export const FORMATTING = 3;
const NEXT = 4; // next outer entry with the same key
const SCOPE_MARKER = 5; // innermost scope marker at or below; likewise the two that follow
const SPECIAL_ENTRY = 6;
const BOUNDARY = 7;
/** Hash of the start tag: content lanes, shape lanes. */
export const TAG_HASH = 8;
/** Hash of the children closed so far: content lanes, shape lanes. */
export const CHILDREN = 12;

export class OpenElements {
  depth = 0;
  entries = new Int32Array(FIRST_CAPACITY << ENTRY_SHIFT);
  /** Index of the innermost entry of each tag, or -1. */
  readonly innermost = new Int32Array(65_536).fill(-1);

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

  reset(): void {
    // an entry left open means that the last page was given up
    if (this.depth > 0) this.innermost.fill(-1);
    this.depth = 0;
    this.hiddenDepth = 0;
    this.wordEnded = false;
  }

  node(index: number): number {
    return this.entries[(index << ENTRY_SHIFT) + NODE];
  }

  key(index: number): number {
    return this.entries[(index << ENTRY_SHIFT) + KEY];
  }

  flags(index: number): number {
    return this.entries[(index << ENTRY_SHIFT) + FLAGS];
  }

  formattingEntry(index: number): number {
    return this.entries[(index << ENTRY_SHIFT) + FORMATTING];
  }

  setFormattingEntry(index: number, entry: number): void {
    this.entries[(index << ENTRY_SHIFT) + FORMATTING] = entry;
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
    const at = index << ENTRY_SHIFT;
    if (at >= this.entries.length) this.#grow();
    const { entries, innermost } = this;
    entries[at + NODE] = node;
    entries[at + KEY] = key;
    entries[at + FLAGS] = flags;
    entries[at + FORMATTING] = -1;
    entries[at + TAG_HASH] = low;
    entries[at + TAG_HASH + 1] = high;
    entries[at + TAG_HASH + 2] = shapeLow;
    entries[at + TAG_HASH + 3] = shapeHigh;
    entries[at + CHILDREN] = EMPTY_LOW;
    entries[at + CHILDREN + 1] = EMPTY_HIGH;
    entries[at + CHILDREN + 2] = EMPTY_LOW;
    entries[at + CHILDREN + 3] = EMPTY_HIGH;
    entries[at + NEXT] = innermost[key];
    innermost[key] = index;
    const outer = index === 0 ? 0 : at - (1 << ENTRY_SHIFT);
    entries[at + SCOPE_MARKER] = (flags & SCOPE) !== 0 ? index : entries[outer + SCOPE_MARKER];
    entries[at + SPECIAL_ENTRY] = (flags & SPECIAL) !== 0 ? index : entries[outer + SPECIAL_ENTRY];
    entries[at + BOUNDARY] = (flags & ITEM_BOUNDARY) !== 0 ? index : entries[outer + BOUNDARY];
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
      const at = index << ENTRY_SHIFT;
      const { entries } = this;
      const flags = entries[at + FLAGS];
      this.innermost[entries[at + KEY]] = entries[at + NEXT];
      const entry = entries[at + FORMATTING];
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
    const at = index << ENTRY_SHIFT;
    const node = entries[at + NODE];
    columns.end[node] = end;
    columns.last[node] = last;

    // start tag and children, mixed
    const high = (entries[at + TAG_HASH + 1] + entries[at + CHILDREN + 1]) | 0;
    const contentLow = mixLow(entries[at + TAG_HASH] ^ entries[at + CHILDREN], high);
    const contentHigh = mixHigh(contentLow, high);
    const shape = (entries[at + TAG_HASH + 3] + entries[at + CHILDREN + 3]) | 0;
    const shapeLow = mixLow(entries[at + TAG_HASH + 2] ^ entries[at + CHILDREN + 2], shape);
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
    const at = (index << ENTRY_SHIFT) + CHILDREN;
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
    return this.entries[((this.depth - 1) << ENTRY_SHIFT) + SCOPE_MARKER];
  }

  hasSpecialAbove(index: number): boolean {
    return this.entries[((this.depth - 1) << ENTRY_SHIFT) + SPECIAL_ENTRY] > index;
  }

  hasItemBoundaryAbove(index: number): boolean {
    return this.entries[((this.depth - 1) << ENTRY_SHIFT) + BOUNDARY] > index;
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
      const at = i << ENTRY_SHIFT;
      this.innermost[entries[at + KEY]] = entries[at + NEXT];
    }
  }

  relinkFrom(index: number): void {
    const { entries, innermost } = this;
    for (let i = index; i < this.depth; i++) {
      const at = i << ENTRY_SHIFT;
      const outer = at - (1 << ENTRY_SHIFT);
      const key = entries[at + KEY];
      const flags = entries[at + FLAGS];
      entries[at + NEXT] = innermost[key];
      innermost[key] = i;
      entries[at + SCOPE_MARKER] = (flags & SCOPE) !== 0 ? i : entries[outer + SCOPE_MARKER];
      entries[at + SPECIAL_ENTRY] = (flags & SPECIAL) !== 0 ? i : entries[outer + SPECIAL_ENTRY];
      entries[at + BOUNDARY] = (flags & ITEM_BOUNDARY) !== 0 ? i : entries[outer + BOUNDARY];
    }
  }

  /** Room for one more entry. */
  reserve(): void {
    if (this.depth << ENTRY_SHIFT >= this.entries.length) this.#grow();
  }

  #rename(index: number, key: number, flags: number): void {
    this.unlinkFrom(index);
    this.entries[(index << ENTRY_SHIFT) + KEY] = key;
    this.entries[(index << ENTRY_SHIFT) + FLAGS] = flags;
    this.relinkFrom(index);
  }

  #grow(): void {
    this.entries = enlarged(this.entries, this.entries.length * 2);
  }
}
