/**
 * Which declarations hold for an element: those of the selectors it matches, weaker ones first, then those of
 * its style attribute. Most selectors are never looked at (an element looks only for its id, classes and tag)
 * and most of the rest are ruled out by what does not stand above the element.
 *
 * Cost: bounded per page; once a page has used up its steps, later elements have only their style attribute.
 */
import { doubled } from '../model/growing-array.ts';
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { type Declarations, IMPORTANT } from './css-declarations.ts';
import { PROPERTY, PROPERTY_COUNT } from './css-properties.ts';
import {
  ALWAYS_FILLED,
  ANCESTOR_PLACES,
  CLASS_MARK,
  FILTER_PLACES,
  ID_MARK,
  placeOfPart,
  placeOfTag,
  StyleSheet,
  TAG_MARK,
} from './style-sheet.ts';

/** Steps per page (a selector looked at, an ancestor, a declaration): this many, and as many per node. */
const STEPS = 200_000;
const STEPS_PER_NODE = 100;
/** An element's other classes are not looked at. */
const MAX_TOKENS = 32;
/** Selectors that match one element; more are dropped. */
const MAX_MATCHES = 256;
/** How far up an ancestor is looked for. */
const MAX_CLIMB = 64;

export class CssMatch {
  /** The value of each property for the element under way, where `setFor` is that element. */
  readonly value = new Float64Array(PROPERTY_COUNT);
  readonly setFor = new Int32Array(PROPERTY_COUNT);
  readonly #isImportant = new Uint8Array(PROPERTY_COUNT);
  /** Properties set for the element under way. */
  readonly touched = new Uint8Array(PROPERTY_COUNT);
  touchedCount = 0;

  #sheet: StyleSheet | null = null;
  #tree!: Tree;
  #node = -1;
  #stepsLeft = 0;
  /** Hashes of ids, classes and foreign names: those of a node from `tokenStart` on. */
  #tokens = new Int32Array(1024);
  #tokenCount = 0;
  #tokenStart = new Int32Array(0);
  #tokenEnd = new Int32Array(0);
  /**
   * How many of the elements above the one under way have a tag, class or id with this place; the last of
   * them is `open`. What a selector wants above the element and has no count here is not there.
   */
  readonly #filter = new Uint16Array(FILTER_PLACES);
  #open = 0;
  readonly #matches = new Int32Array(MAX_MATCHES);

  /** Begins a page; without a sheet only style attributes count. */
  reset(tree: Tree, sheet: StyleSheet | null): void {
    this.#tree = tree;
    this.#sheet = sheet;
    this.#stepsLeft = STEPS + STEPS_PER_NODE * tree.nodeCount;
    this.#tokenCount = 0;
    this.setFor.fill(-1);
    if (sheet === null) return;
    if (this.#tokenStart.length < tree.nodeCount) {
      const room = tree.nodeCount + (tree.nodeCount >> 1);
      this.#tokenStart = new Int32Array(room);
      this.#tokenEnd = new Int32Array(room);
    }
    this.#tokenStart[0] = this.#tokenEnd[0] = 0;
    this.#filter.fill(0);
    this.#filter[ALWAYS_FILLED] = 1;
    this.#open = 0;
  }

  /** Begins an element. */
  begin(node: number): void {
    this.#node = node;
    this.touchedCount = 0;
    if (this.#sheet === null) return;
    this.#openParent(this.#tree.parent[node]);
    this.#tokenStart[node] = this.#tokenEnd[node] = this.#tokenCount;
    const name = this.#tree.name[node];
    if (name >= FIRST_FOREIGN_TAG) {
      this.#addToken(hashName(this.#tree.foreignNames[name - FIRST_FOREIGN_TAG]) ^ TAG_MARK);
    }
  }

  /** Takes elements that have ended out of the filter; puts in the one that the next stands in. */
  #openParent(parent: number): void {
    if (this.#open === parent) return;
    const { last, parent: parents } = this.#tree;
    while (last[this.#open] <= parent) {
      this.#count(this.#open, -1);
      this.#open = parents[this.#open];
    }
    if (this.#open === parent) return;
    this.#count(parent, 1);
    this.#open = parent;
  }

  #count(node: number, change: number): void {
    if (node === 0) return;
    const tag = this.#tree.name[node];
    const filter = this.#filter;
    if (tag < FIRST_FOREIGN_TAG) filter[placeOfTag(tag)] += change;
    for (let t = this.#tokenStart[node]; t < this.#tokenEnd[node]; t++) {
      filter[placeOfPart(this.#tokens[t])] += change;
    }
  }

  /** The element's id, at `[start, end)` of the source. */
  addId(start: number, end: number): void {
    const { source } = this.#tree;
    let hash = NAME_BASIS;
    for (let p = start; p < end; p++) hash = Math.imul(hash ^ source[p], NAME_PRIME);
    this.#addToken(hash ^ ID_MARK);
  }

  /** The element's classes. */
  addClasses(start: number, end: number): void {
    const { source } = this.#tree;
    const most = this.#tokenStart[this.#node] + MAX_TOKENS;
    for (let p = start; p < end && this.#tokenCount < most; ) {
      while (p < end && source[p] <= 0x20) p++;
      if (p === end) return;
      let hash = NAME_BASIS;
      for (; p < end && source[p] > 0x20; p++) hash = Math.imul(hash ^ source[p], NAME_PRIME);
      this.#addToken(hash ^ CLASS_MARK);
    }
  }

  #addToken(token: number): void {
    if (this.#tokenCount === this.#tokens.length) this.#tokens = doubled(this.#tokens);
    this.#tokens[this.#tokenCount++] = token;
    this.#tokenEnd[this.#node] = this.#tokenCount;
  }

  /** Sets the values that the sheet gives the element, once its id and classes are known. */
  matchSheet(): void {
    const sheet = this.#sheet;
    if (sheet === null || this.#stepsLeft <= 0) return;
    const node = this.#node;
    const tree = this.#tree;
    const tag = tree.name[node];

    // selectors that may match, by part, by tag and without either
    let count = 0;
    for (let t = this.#tokenStart[node]; t < this.#tokenEnd[node]; t++) {
      const token = this.#tokens[t];
      for (let s = sheet.byPart[StyleSheet.bucketOf(token)]; s >= 0; s = sheet.next[s]) {
        this.#stepsLeft--;
        if (sheet.key[s] === token && this.#matchesSelector(sheet, s)) count = this.#keep(s, count);
      }
    }
    if (tag < FIRST_FOREIGN_TAG) {
      for (let s = sheet.byTag[tag]; s >= 0; s = sheet.next[s]) {
        this.#stepsLeft--;
        if (this.#matchesSelector(sheet, s)) count = this.#keep(s, count);
      }
    }
    for (let s = sheet.byNothing; s >= 0; s = sheet.next[s]) {
      this.#stepsLeft--;
      if (this.#matchesSelector(sheet, s)) count = this.#keep(s, count);
    }

    for (let k = 0; k < count; k++) {
      const s = this.#matches[k];
      if (sheet.isAfter[s]) this.#setAfter(sheet, s);
      else this.set(sheet.declarations, sheet.declarationStart[s], sheet.declarationEnd[s]);
    }
  }

  /** Lets declarations win over those set before, but for important ones. */
  set({ property, value }: Declarations, from: number, to: number): void {
    this.#stepsLeft -= to - from;
    for (let k = from; k < to; k++) {
      const isImportant = property[k] >= IMPORTANT ? 1 : 0;
      const id = property[k] & (IMPORTANT - 1);
      if (this.setFor[id] !== this.#node) {
        this.setFor[id] = this.#node;
        this.touched[this.touchedCount++] = id;
      } else if (this.#isImportant[id] > isImportant) continue;
      this.#isImportant[id] = isImportant;
      this.value[id] = value[k];
    }
  }

  /** What comes after the content and clears floats makes the element hold them. */
  #setAfter(sheet: StyleSheet, selector: number): void {
    const { property, value } = sheet.declarations;
    for (let k = sheet.declarationStart[selector]; k < sheet.declarationEnd[selector]; k++) {
      if ((property[k] & (IMPORTANT - 1)) !== PROPERTY.clear || value[k] === 0) continue;
      if (this.setFor[PROPERTY.holdsFloats] !== this.#node) {
        this.setFor[PROPERTY.holdsFloats] = this.#node;
        this.touched[this.touchedCount++] = PROPERTY.holdsFloats;
      }
      this.value[PROPERTY.holdsFloats] = 1;
    }
  }

  /** Adds a selector to those matched, which stand in order of weight, then of appearance. */
  #keep(selector: number, count: number): number {
    const { weight } = this.#sheet!;
    if (count === MAX_MATCHES) return count;
    const matches = this.#matches;
    let at = count;
    for (; at > 0; at--) {
      const before = matches[at - 1];
      if (weight[before] < weight[selector] || (weight[before] === weight[selector] && before < selector))
        break;
      matches[at] = before;
    }
    matches[at] = selector;
    return count + 1;
  }

  #matchesSelector(sheet: StyleSheet, selector: number): boolean {
    const { ancestorPlaces } = sheet;
    const filter = this.#filter;
    for (let k = ANCESTOR_PLACES * selector; k < ANCESTOR_PLACES * (selector + 1); k++) {
      if (filter[ancestorPlaces[k]] === 0) return false;
    }
    const { parent } = this.#tree;
    const first = sheet.compoundStart[selector];
    let compound = sheet.compoundStart[selector + 1] - 1;
    if (!this.#matchesCompound(sheet, compound, this.#node)) return false;

    // up the ancestors, each step by the nearest that matches
    let node = this.#node;
    for (let climb = 0; compound > first; compound--) {
      const isParent = sheet.compoundIsParent[compound - 1];
      do {
        node = parent[node];
        this.#stepsLeft--;
        if (node <= 0 || climb++ === MAX_CLIMB) return false;
        if (isParent && !this.#matchesCompound(sheet, compound - 1, node)) return false;
      } while (!isParent && !this.#matchesCompound(sheet, compound - 1, node));
    }
    return true;
  }

  #matchesCompound(sheet: StyleSheet, compound: number, node: number): boolean {
    const tag = sheet.compoundTag[compound];
    if (tag !== 0 && this.#tree.name[node] !== tag) return false;
    const tokens = this.#tokens;
    const end = this.#tokenEnd[node];
    for (let k = sheet.partStart[compound]; k < sheet.partStart[compound + 1]; k++) {
      const part = sheet.parts[k];
      let t = this.#tokenStart[node];
      while (t < end && tokens[t] !== part) t++;
      if (t === end) return false;
    }
    return true;
  }
}
