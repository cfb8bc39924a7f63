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

export class OpenElements {
  depth = 0;
  node = new Int32Array(FIRST_CAPACITY);
  /** Tag of an HTML element; GHOST or NOT_HTML for the rest. */
  key = new Uint16Array(FIRST_CAPACITY);
  flags = new Int32Array(FIRST_CAPACITY);
  /** Position in the list of active formatting elements, or -1. */
  formattingEntry = new Int32Array(FIRST_CAPACITY);
  /** Index of the innermost entry of each tag, or -1. */
  innermost = new Int32Array(65_536).fill(-1);

  /** Open elements whose text is not text of the page. */
  hiddenDepth = 0;
  /** Whether a block began or ended since the last text: the next one starts a new word. */
  wordEnded = false;

  #next = new Int32Array(FIRST_CAPACITY); // next outer entry with the same key
  #scope = new Int32Array(FIRST_CAPACITY);
  #special = new Int32Array(FIRST_CAPACITY);
  #itemBoundary = new Int32Array(FIRST_CAPACITY);

  // hash lanes of the children closed so far
  contentLow = new Int32Array(FIRST_CAPACITY);
  contentHigh = new Int32Array(FIRST_CAPACITY);
  shapeLow = new Int32Array(FIRST_CAPACITY);
  shapeHigh = new Int32Array(FIRST_CAPACITY);

  #columns: Columns;
  #formatting: FormattingList;
  #maxDepth: number;

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

  get currentKey(): number {
    return this.key[this.depth - 1];
  }

  get currentFlags(): number {
    return this.flags[this.depth - 1];
  }

  /** Index of the deepest entry that may hold nodes. */
  get holder(): number {
    return Math.min(this.depth - 1, this.#maxDepth);
  }

  /** Whether an entry is deep enough to be closed at once. */
  isCapped(index: number): boolean {
    return index > this.#maxDepth;
  }

  /** Opens an element whose node was just added, with the hash of its start tag in the content and shape columns. */
  push(node: number, key: number, flags: number): void {
    const index = this.depth++;
    if (index === this.node.length) this.#grow();
    this.node[index] = node;
    this.key[index] = key;
    this.flags[index] = flags;
    this.formattingEntry[index] = -1;
    this.clearLanes(index);
    this.#link(index, key, flags);
    if ((flags & HIDDEN) !== 0) this.hiddenDepth++;
    if (index > this.#maxDepth) {
      this.#columns.depthCapped = true;
      this.#close(index, this.#columns.openEnd[node], node + 1);
    }
  }

  /** Closes the innermost element at offset `end`; ghosts that surface close with it. */
  pop(end: number, last = this.#columns.nodeCount): void {
    do {
      const index = --this.depth;
      const flags = this.flags[index];
      this.innermost[this.key[index]] = this.#next[index];
      const entry = this.formattingEntry[index];
      if (entry >= 0) this.#formatting.index[entry] = -1;
      if ((flags & (HIDDEN | BREAK)) !== 0) {
        if ((flags & HIDDEN) !== 0) this.hiddenDepth--;
        if ((flags & BREAK) !== 0) this.wordEnded = true;
      }
      if (index <= this.#maxDepth) this.#close(index, end, last);
    } while (this.depth > 0 && this.key[this.depth - 1] === GHOST);
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

  /** Folds a closed child into the entry that holds it. */
  fold(index: number, low: number, high: number, shapeLow: number, shapeHigh: number): void {
    const contentLow = this.contentLow[index];
    const contentHigh = this.contentHigh[index];
    this.contentLow[index] = foldLow(contentLow, low, high);
    this.contentHigh[index] = foldHigh(contentHigh, low, high);
    const oldLow = this.shapeLow[index];
    const oldHigh = this.shapeHigh[index];
    this.shapeLow[index] = foldLow(oldLow, shapeLow, shapeHigh);
    this.shapeHigh[index] = foldHigh(oldHigh, shapeLow, shapeHigh);
  }

  /** Whether an element is in scope; likewise in button, list item, table scope. */
  inScope(tag: number): boolean {
    const index = this.innermost[tag];
    return index >= 0 && index >= this.#scope[this.depth - 1];
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
    return this.#scope[this.depth - 1];
  }

  hasSpecialAbove(index: number): boolean {
    return this.#special[this.depth - 1] > index;
  }

  hasItemBoundaryAbove(index: number): boolean {
    return this.#itemBoundary[this.depth - 1] > index;
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
    const entry = this.formattingEntry[index];
    if (entry >= 0) this.#formatting.index[entry] = -1;
    this.formattingEntry[index] = -1;
    this.unlinkFrom(index);
    this.key[index] = GHOST;
    this.flags[index] &= HIDDEN | BREAK;
    this.relinkFrom(index);
  }

  /** Makes an entry one that no name finds, and that only an explicit pop closes. */
  park(index: number): void {
    this.unlinkFrom(index);
    this.key[index] = NOT_HTML;
    this.relinkFrom(index);
  }

  /** Takes the entries from `index` on out of the links, so that they can be altered; `relinkFrom` puts them back. */
  unlinkFrom(index: number): void {
    for (let i = this.depth - 1; i >= index; i--) this.innermost[this.key[i]] = this.#next[i];
  }

  relinkFrom(index: number): void {
    for (let i = index; i < this.depth; i++) this.#link(i, this.key[i], this.flags[i]);
  }

  /** Forgets the children an entry has folded. */
  clearLanes(index: number): void {
    this.contentLow[index] = EMPTY_LOW;
    this.contentHigh[index] = EMPTY_HIGH;
    this.shapeLow[index] = EMPTY_LOW;
    this.shapeHigh[index] = EMPTY_HIGH;
  }

  /** Room for one more entry. */
  reserve(): void {
    if (this.depth === this.node.length) this.#grow();
  }

  /** Closes an entry's node in mid-stack, as `pop` does, and leaves the entry to the caller. */
  closeEntry(index: number, end: number, last: number): void {
    this.#close(index, end, last);
  }

  #link(index: number, key: number, flags: number): void {
    this.#next[index] = this.innermost[key];
    this.innermost[key] = index;
    const outer = index === 0 ? 0 : index - 1;
    this.#scope[index] = (flags & SCOPE) !== 0 ? index : this.#scope[outer];
    this.#special[index] = (flags & SPECIAL) !== 0 ? index : this.#special[outer];
    this.#itemBoundary[index] = (flags & ITEM_BOUNDARY) !== 0 ? index : this.#itemBoundary[outer];
  }

  /** Ends the node of an entry: its hashes are complete and count towards its parent's. */
  #close(index: number, end: number, last: number): void {
    const columns = this.#columns;
    const node = this.node[index];
    columns.end[node] = end;
    columns.last[node] = last;

    // start tag and children, mixed
    const high = (columns.contentHigh[node] + this.contentHigh[index]) | 0;
    const contentLow = mixLow(columns.contentLow[node] ^ this.contentLow[index], high);
    const contentHigh = mixHigh(contentLow, high);
    columns.contentLow[node] = contentLow;
    columns.contentHigh[node] = contentHigh;
    const shape = (columns.shapeHigh[node] + this.shapeHigh[index]) | 0;
    const shapeLow = mixLow(columns.shapeLow[node] ^ this.shapeLow[index], shape);
    const shapeHigh = mixHigh(shapeLow, shape);
    columns.shapeLow[node] = shapeLow;
    columns.shapeHigh[node] = shapeHigh;

    if (index > 0) {
      this.fold(
        index <= this.#maxDepth ? index - 1 : this.#maxDepth,
        contentLow,
        contentHigh,
        shapeLow,
        shapeHigh,
      );
    }
  }

  #grow(): void {
    const capacity = this.node.length * 2;
    this.node = enlarged(this.node, capacity);
    this.key = enlarged(this.key, capacity);
    this.flags = enlarged(this.flags, capacity);
    this.formattingEntry = enlarged(this.formattingEntry, capacity);
    this.contentLow = enlarged(this.contentLow, capacity);
    this.contentHigh = enlarged(this.contentHigh, capacity);
    this.shapeLow = enlarged(this.shapeLow, capacity);
    this.shapeHigh = enlarged(this.shapeHigh, capacity);
    this.#next = enlarged(this.#next, capacity);
    this.#scope = enlarged(this.#scope, capacity);
    this.#special = enlarged(this.#special, capacity);
    this.#itemBoundary = enlarged(this.#itemBoundary, capacity);
  }
}
