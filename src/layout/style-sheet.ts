/**
 * Holds the rules of a page's own style elements, and finds those that apply to an element. Each selector is
 * one compound (`div.menu#top`): selectors with ancestors, siblings, states or attributes are dropped with
 * their declarations, which does not change the verdicts (docs/research/page-level.md, Layout). A selector is
 * found by one of its parts: its id, else a class, else its tag, else nothing (`*`). Of all selectors that
 * match, the more specific one wins, then the later one; the style attribute wins over them.
 *
 * Cost: one pass over the bytes, which are bounded. Matching is bounded per page: once a page has used up its
 * steps, later elements have only their style attribute.
 */
import { hashName, NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { FIRST_FOREIGN_TAG, TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { Declarations, IMPORTANT, PROPERTY, PROPERTY_COUNT } from './css-declarations.ts';
import { AUTO, isWordByte, resolveOr, toLength } from './css-lengths.ts';
import type { StyleColumns } from './style-columns.ts';
import { MAX_FONT, tagMarginEm } from './tag-styles.ts';

/** XORed into the hash of a class, an id or the name of an unknown tag, so that they differ. */
const CLASS_MARK = 0x3c6ef372;
const ID_MARK = 0x1b873593;
const TAG_MARK = 0x27d4eb2f;

/** Parts of one selector; longer ones are dropped. */
const MAX_PARTS = 6;
const MAX_SELECTORS = 16_384;
const BUCKETS = 1024;

/** Steps per page (a selector or a declaration): this many, and as many per node. */
const STEPS = 200_000;
const STEPS_PER_NODE = 100;
/** Maximum number of classes of one element; more are ignored. */
const MAX_TOKENS = 32;
/** Maximum number of selectors that match one element; more are dropped. */
const MAX_MATCHES = 256;

/** The rules of a page's style sheets, in columns by selector, with lists to look them up. */
export class StyleSheet {
  readonly declarations = new Declarations();
  selectorCount = 0;
  /** Tag number (0 is any tag), and the ids and classes that a matching element must all have. */
  tag: number[] = [];
  parts: number[][] = [];
  /** Start and end of the selector's declarations. */
  declarationStart: number[] = [];
  declarationEnd: number[] = [];
  /** Specificity: numbers of ids, classes and tags. */
  weight: number[] = [];
  /** 1 when it selects the `:after` of an element, where only `clear` matters. */
  isAfter: boolean[] = [];

  /** Lists of selectors by the part that they are found by; -1 ends a list. */
  readonly byPart = new Int32Array(BUCKETS).fill(-1);
  readonly byTag = new Int32Array(256).fill(-1);
  byNothing = -1;
  next: number[] = [];

  /** Adds the selectors of a list, all with the declarations `[from, to)`. */
  addSelectors(source: Uint8Array, start: number, end: number, from: number, to: number): void {
    for (let p = start; p < end; ) {
      const comma = endOfSelector(source, p, end);
      if (this.selectorCount < MAX_SELECTORS && this.#addSelector(source, p, comma)) {
        this.declarationStart.push(from);
        this.declarationEnd.push(to);
        this.selectorCount++;
      }
      p = comma + 1;
    }
  }

  /** Returns the index in `byPart` of a part's hash. */
  static bucketOf(hash: number): number {
    return (hash ^ (hash >>> 13)) & (BUCKETS - 1);
  }

  /** Adds one selector; false when it has a part that is not supported. */
  #addSelector(source: Uint8Array, start: number, selectorEnd: number): boolean {
    let p = start;
    let end = selectorEnd;
    while (p < end && source[p] <= 0x20) p++;
    while (end > p && source[end - 1] <= 0x20) end--;
    if (p === end) return false;
    let tag = 0;
    let [ids, classes, tags] = [0, 0, 0];
    let isAfter = false;
    const parts: number[] = [];
    if (source[p] === STAR) p++;
    else if (isWordByte(source[p])) {
      const hash = wordHash(source, p, end);
      p += wordLength(source, p, end);
      tag = TAG_OF_HASH.get(hash) ?? 0;
      if (tag === 0) parts.push(hash ^ TAG_MARK);
      tags++;
    }
    while (p < end) {
      const sign = source[p];
      if (sign === COLON) {
        p += source[p + 1] === COLON ? 2 : 1;
        const state = wordHash(source, p, end);
        if (state === ROOT) tag = TAG.html;
        else if (state === AFTER) isAfter = true;
        else return false;
        p += wordLength(source, p, end);
        continue;
      }
      const length = wordLength(source, p + 1, end);
      if ((sign !== DOT && sign !== HASH) || length === 0 || parts.length >= MAX_PARTS) return false;
      const hash = wordHash(source, p + 1, end, false);
      if (sign === HASH) {
        ids++;
        // a selector is found by its first part: an id goes first
        parts.unshift(hash ^ ID_MARK);
      } else {
        classes++;
        parts.push(hash ^ CLASS_MARK);
      }
      p += 1 + length;
    }
    this.tag.push(tag);
    this.parts.push(parts);
    this.weight.push((Math.min(ids, 15) << 16) | (classes << 8) | tags);
    this.isAfter.push(isAfter);

    // into the list in which elements look for it
    const selector = this.selectorCount;
    if (parts.length > 0) {
      const bucket = StyleSheet.bucketOf(parts[0]);
      this.next.push(this.byPart[bucket]);
      this.byPart[bucket] = selector;
    } else if (tag !== 0) {
      this.next.push(this.byTag[tag]);
      this.byTag[tag] = selector;
    } else {
      this.next.push(this.byNothing);
      this.byNothing = selector;
    }
    return true;
  }
}

/**
 * The cascade: collects the values that apply to one element after another and writes them to the style
 * columns.
 */
export class Cascade {
  /** Value of each property for the current element, valid where `setFor` is that element. */
  readonly #value = new Float64Array(PROPERTY_COUNT);
  readonly #setFor = new Int32Array(PROPERTY_COUNT);
  readonly #isImportant = new Uint8Array(PROPERTY_COUNT);
  /** Properties set for the current element. */
  readonly #touched = new Uint8Array(PROPERTY_COUNT);
  #touchedCount = 0;

  #sheet: StyleSheet | null = null;
  #tree!: Tree;
  #node = -1;
  #stepsLeft = 0;
  /** Hashes of the id, the classes and the unknown tag name of the current element. */
  readonly #tokens = new Int32Array(MAX_TOKENS + 2);
  #tokenCount = 0;
  readonly #matches = new Int32Array(MAX_MATCHES);

  /** Begins a page. Without a sheet only style attributes apply. */
  reset(tree: Tree, sheet: StyleSheet | null): void {
    this.#tree = tree;
    this.#sheet = sheet;
    this.#stepsLeft = STEPS + STEPS_PER_NODE * tree.nodeCount;
    this.#setFor.fill(-1);
  }

  /** Begins an element. */
  begin(node: number): void {
    this.#node = node;
    this.#touchedCount = 0;
    this.#tokenCount = 0;
    const name = this.#tree.name[node];
    if (this.#sheet !== null && name >= FIRST_FOREIGN_TAG) {
      this.#tokens[this.#tokenCount++] =
        hashName(this.#tree.foreignNames[name - FIRST_FOREIGN_TAG]) ^ TAG_MARK;
    }
  }

  /** Adds the element's id, at `[start, end)` of the source. */
  addId(start: number, end: number): void {
    const { source } = this.#tree;
    let hash = NAME_BASIS;
    for (let p = start; p < end; p++) hash = Math.imul(hash ^ source[p], NAME_PRIME);
    this.#tokens[this.#tokenCount++] = hash ^ ID_MARK;
  }

  /** Adds the element's classes, at `[start, end)` of the source. */
  addClasses(start: number, end: number): void {
    const { source } = this.#tree;
    for (let p = start; p < end && this.#tokenCount < MAX_TOKENS; ) {
      while (p < end && source[p] <= 0x20) p++;
      if (p === end) return;
      let hash = NAME_BASIS;
      for (; p < end && source[p] > 0x20; p++) hash = Math.imul(hash ^ source[p], NAME_PRIME);
      this.#tokens[this.#tokenCount++] = hash ^ CLASS_MARK;
    }
  }

  /** Sets the values that the sheet gives the element, after its id and classes were added. */
  matchSheet(): void {
    const sheet = this.#sheet;
    if (sheet === null || this.#stepsLeft <= 0) return;
    const tag = this.#tree.name[this.#node];
    let count = 0;
    for (let t = 0; t < this.#tokenCount; t++) {
      const token = this.#tokens[t];
      count = this.#matchList(sheet, sheet.byPart[StyleSheet.bucketOf(token)], token, count);
    }
    if (tag < FIRST_FOREIGN_TAG) count = this.#matchList(sheet, sheet.byTag[tag], 0, count);
    count = this.#matchList(sheet, sheet.byNothing, 0, count);
    for (let k = 0; k < count; k++) {
      const s = this.#matches[k];
      if (sheet.isAfter[s]) this.#setAfter(sheet, s);
      else this.set(sheet.declarations, sheet.declarationStart[s], sheet.declarationEnd[s]);
    }
  }

  /** Adds the matching selectors of a list to the matches, ordered by specificity, then by appearance. */
  #matchList(sheet: StyleSheet, first: number, key: number, known: number): number {
    const { weight, next, parts } = sheet;
    const matches = this.#matches;
    let count = known;
    for (let s = first; s >= 0; s = next[s]) {
      this.#stepsLeft--;
      if (key !== 0 && parts[s][0] !== key) continue;
      if (count === MAX_MATCHES || !this.#matchesSelector(sheet, s)) continue;
      let at = count++;
      for (; at > 0; at--) {
        const before = matches[at - 1];
        if (weight[before] < weight[s] || (weight[before] === weight[s] && before < s)) break;
        matches[at] = before;
      }
      matches[at] = s;
    }
    return count;
  }

  #matchesSelector(sheet: StyleSheet, selector: number): boolean {
    const tag = sheet.tag[selector];
    if (tag !== 0 && this.#tree.name[this.#node] !== tag) return false;
    for (const part of sheet.parts[selector]) {
      let t = 0;
      while (t < this.#tokenCount && this.#tokens[t] !== part) t++;
      if (t === this.#tokenCount) return false;
    }
    return true;
  }

  /** Sets the values of declarations. They replace earlier values unless those are more important. */
  set({ property, value }: Declarations, from: number, to: number): void {
    this.#stepsLeft -= to - from;
    for (let k = from; k < to; k++) {
      this.#setValue(property[k] & (IMPORTANT - 1), value[k], property[k] >= IMPORTANT ? 1 : 0);
    }
  }

  /** Makes an element contain its floats when generated content after the element clears them. */
  #setAfter(
    { declarations: { property, value }, declarationStart, declarationEnd }: StyleSheet,
    s: number,
  ): void {
    for (let k = declarationStart[s]; k < declarationEnd[s]; k++) {
      if ((property[k] & (IMPORTANT - 1)) === PROPERTY.clear && value[k] !== 0)
        this.#setValue(PROPERTY.holdsFloats, 1, 0);
    }
  }

  #setValue(id: number, value: number, isImportant: number): void {
    if (this.#setFor[id] !== this.#node) {
      this.#setFor[id] = this.#node;
      this.#touched[this.#touchedCount++] = id;
    } else if (this.#isImportant[id] > isImportant) return;
    this.#isImportant[id] = isImportant;
    this.#value[id] = value;
  }

  /** Writes the values set for the current element to its columns. */
  apply(c: StyleColumns, tag: number, parent: number, rootFont: number): void {
    if (this.#touchedCount === 0) return;
    const node = this.#node;
    if (this.#setFor[PROPERTY.fontSize] === node) {
      const inherited = c.font[parent];
      const size = toLength(this.#value[PROPERTY.fontSize], inherited, rootFont);
      c.font[node] = Math.min(MAX_FONT, Math.max(0, resolveOr(size, inherited, inherited)));
      // margins in em follow the font
      if (tagMarginEm[tag] > 0 && c.marginTop[node] > 0) {
        c.marginTop[node] = c.marginBottom[node] = tagMarginEm[tag] * c.font[node];
      }
    }
    for (let k = 0; k < this.#touchedCount; k++) {
      const property = this.#touched[k];
      const value = this.#value[property];
      if (property === PROPERTY.display) {
        if (tag !== TAG.br && c.display[node] !== 0) c.display[node] = value;
        continue;
      }
      // words are stored as small numbers, which are lengths in px
      const length = toLength(value, c.font[node], rootFont);
      // pictures and controls keep the size of their attributes
      if (property === PROPERTY.width && length === AUTO && c.isAtomic[node] === 1) continue;
      const column = COLUMNS[property];
      if (column !== undefined) c[column][node] = length;
    }
  }
}

/** Columns that values are copied to; the font size and the display have rules of their own. */
const COLUMNS: ('float' | 'clear' | 'isOut' | 'isInvisible' | 'holdsFloats' | 'width' | `margin${Side}`)[] =
  [];
COLUMNS[PROPERTY.float] = 'float';
COLUMNS[PROPERTY.clear] = 'clear';
COLUMNS[PROPERTY.position] = 'isOut';
COLUMNS[PROPERTY.visibility] = 'isInvisible';
COLUMNS[PROPERTY.holdsFloats] = 'holdsFloats';
COLUMNS[PROPERTY.width] = 'width';
COLUMNS[PROPERTY.marginTop] = 'marginTop';
COLUMNS[PROPERTY.marginRight] = 'marginRight';
COLUMNS[PROPERTY.marginBottom] = 'marginBottom';
COLUMNS[PROPERTY.marginLeft] = 'marginLeft';

type Side = 'Top' | 'Right' | 'Bottom' | 'Left';

/**
 * Returns the hash of the word at `start`: tag names in lower case, classes and ids as written, `\\:` as `:`.
 */
export function wordHash(source: Uint8Array, start: number, end: number, isFolded = true): number {
  let hash = NAME_BASIS;
  for (let p = start; p < end && (isWordByte(source[p]) || source[p] === BACKSLASH); p++) {
    if (source[p] === BACKSLASH) p++;
    const byte = source[p];
    hash = Math.imul(hash ^ (isFolded && byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte), NAME_PRIME);
  }
  return hash;
}

function wordLength(source: Uint8Array, start: number, end: number): number {
  let p = start;
  while (p < end && (isWordByte(source[p]) || source[p] === BACKSLASH)) p += source[p] === BACKSLASH ? 2 : 1;
  return Math.min(p, end) - start;
}

/** Returns the position of the comma that ends a selector; a comma in brackets does not count. */
function endOfSelector(source: Uint8Array, start: number, end: number): number {
  let depth = 0;
  for (let p = start; p < end; p++) {
    const byte = source[p];
    if (byte === 0x28 || byte === 0x5b) depth++;
    else if (byte === 0x29 || byte === 0x5d) depth--;
    else if (byte === COMMA && depth <= 0) return p;
  }
  return end;
}

const STAR = 0x2a;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const HASH = 0x23;
const COLON = 0x3a;
const COMMA = 0x2c;
const encoder = new TextEncoder();
const hashOf = (word: string): number => wordHash(encoder.encode(word), 0, word.length);
const ROOT = hashOf('root');
const AFTER = hashOf('after');
const TAG_OF_HASH = new Map(Object.entries(TAG).map(([name, tag]) => [hashOf(name), tag as number]));
