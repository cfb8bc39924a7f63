/**
 * The rules of a page's own style elements, as columns. Selectors of compounds (`div.menu#top`) joined by
 * white space or `>` are kept; those that ask for states, attributes or siblings are dropped with the
 * declarations they select. `@media` holds when it is about screens as wide as the window.
 *
 * A selector is found by one part of its last compound: its id, else a class, else its tag, else nothing
 * (`*`). Cost: one pass over the bytes, which are bounded, and memory in proportion.
 */
import { NAME_BASIS, NAME_PRIME } from '../parse/hashes.ts';
import { TAG } from '../parse/tag-names.ts';
import { Declarations } from './css-declarations.ts';
import { isWordByte } from './css-values.ts';

/** Classes, ids and names of tags are told apart by what their hash is mixed with. */
export const CLASS_MARK = 0x3c6ef372;
export const ID_MARK = 0x1b873593;
export const TAG_MARK = 0x27d4eb2f;

/** Compounds of one selector, and parts of one compound; longer ones are dropped. */
const MAX_STEPS = 8;
const MAX_PARTS = 6;
const MAX_SELECTORS = 16_384;
const BUCKETS = 1024;
export const FILTER_PLACES = 4096;
export const ANCESTOR_PLACES = 4;
/** Tag 0 is none: its place counts as filled. */
export const ALWAYS_FILLED = 0;

export class StyleSheet {
  readonly declarations = new Declarations();
  selectorCount = 0;
  /** First and end of a selector's compounds; the last is of the element itself. */
  compoundStart: number[] = [0];
  /** First and end of a selector's declarations. */
  declarationStart: number[] = [];
  declarationEnd: number[] = [];
  /** Ids, classes, tags: which of two selectors wins; later ones win over equal ones. */
  weight: number[] = [];
  /** It selects what comes after the content: only a `clear` matters. */
  isAfter: boolean[] = [];
  /** Four places in the filter of css-match.ts that what stands above the element must have filled. */
  ancestorPlaces: number[] = [];

  /** Of compounds: tag id (0 is any), first and end of its other parts, whether the next is its child. */
  compoundTag: number[] = [];
  partStart: number[] = [0];
  compoundIsParent: boolean[] = [];
  parts: number[] = [];

  /** Selectors by what their last compound is found by; -1 ends a list. */
  readonly byPart = new Int32Array(BUCKETS).fill(-1);
  readonly byTag = new Int32Array(256).fill(-1);
  byNothing = -1;
  next: number[] = [];
  key: number[] = [];

  /** Adds the selectors of a list, all with the declarations from `from` on; drops those it cannot tell. */
  addSelectors(source: Uint8Array, start: number, end: number, from: number, to: number): void {
    for (let p = start; p < end; ) {
      const comma = endOfSelector(source, p, end);
      if (this.selectorCount < MAX_SELECTORS) this.#addSelector(source, p, comma, from, to);
      p = comma + 1;
    }
  }

  static bucketOf(hash: number): number {
    return (hash ^ (hash >>> 13)) & (BUCKETS - 1);
  }

  #addSelector(source: Uint8Array, start: number, end: number, from: number, to: number): void {
    const compounds = this.compoundTag.length;
    const parts = this.parts.length;
    const selector = this.selectorCount;
    const isRead = this.#readSelector(source, start, end);
    if (!isRead || this.compoundTag.length === compounds || this.compoundTag.length - compounds > MAX_STEPS) {
      this.compoundTag.length = this.compoundIsParent.length = compounds;
      this.partStart.length = compounds + 1;
      this.parts.length = parts;
      this.isAfter.length = this.weight.length = selector;
      return;
    }
    this.selectorCount++;
    this.compoundStart.push(this.compoundTag.length);
    this.declarationStart.push(from);
    this.declarationEnd.push(to);

    // parts before tags: they are rarer
    const places: number[] = [];
    for (let k = this.partStart[compounds]; k < this.partStart[this.compoundTag.length - 1]; k++) {
      places.push(placeOfPart(this.parts[k]));
    }
    for (let c = compounds; c < this.compoundTag.length - 1; c++) {
      if (this.compoundTag[c] !== 0) places.push(placeOfTag(this.compoundTag[c]));
    }
    for (let k = 0; k < ANCESTOR_PLACES; k++) this.ancestorPlaces.push(places[k] ?? ALWAYS_FILLED);
    this.#file(selector);
  }

  /** Puts a selector into the list in which elements will look for it. */
  #file(selector: number): void {
    const last = this.compoundTag.length - 1;
    const { parts, partStart } = this;
    if (partStart[last] < partStart[last + 1]) {
      const bucket = StyleSheet.bucketOf(parts[partStart[last]]);
      this.key.push(parts[partStart[last]]);
      this.next.push(this.byPart[bucket]);
      this.byPart[bucket] = selector;
      return;
    }
    this.key.push(0);
    const tag = this.compoundTag[last];
    this.next.push(tag === 0 ? this.byNothing : this.byTag[tag]);
    if (tag === 0) this.byNothing = selector;
    else this.byTag[tag] = selector;
  }

  /** Reads one selector into new compounds; false when it asks for what is not known here. */
  #readSelector(source: Uint8Array, start: number, end: number): boolean {
    let p = start;
    let ids = 0;
    let classes = 0;
    let tags = 0;
    let isAfter = false;
    while (p < end && source[p] <= 0x20) p++;
    while (p < end) {
      // one compound
      let tag = 0;
      const firstPart = this.parts.length;
      const compoundStart = p;
      if (source[p] === STAR) p++;
      else if (isWordByte(source[p])) {
        const from = p;
        const hash = wordHash(source, p, end);
        p += wordLength(source, p, end);
        tag = TAG_OF_HASH.get(hash) ?? 0;
        if (tag === 0) this.parts.push(hash ^ TAG_MARK);
        if (p === from) return false;
        tags++;
      }
      for (; p < end && source[p] > 0x20 && source[p] !== GREATER; ) {
        const sign = source[p];
        if (sign === COLON) {
          const isRoot = wordHash(source, p + 1, end) === ROOT;
          if (isRoot) tag = TAG.html;
          else if (!isAfterContent(source, p, end)) return false;
          isAfter ||= !isRoot;
          p += source[p + 1] === COLON ? 2 : 1;
          p += wordLength(source, p, end);
          continue;
        }
        if (sign !== DOT && sign !== HASH) return false;
        const length = wordLength(source, p + 1, end);
        if (length === 0 || this.parts.length - firstPart >= MAX_PARTS) return false;
        const hash = wordHash(source, p + 1, end, false);
        if (sign === HASH) {
          ids++;
          // an id is what a compound is found by: it stands first
          this.parts.push(this.parts[firstPart] ?? 0);
          this.parts[firstPart] = hash ^ ID_MARK;
        } else {
          classes++;
          this.parts.push(hash ^ CLASS_MARK);
        }
        p += 1 + length;
      }
      if (p === compoundStart) return false;
      this.compoundTag.push(tag);
      this.partStart.push(this.parts.length);

      // how it is joined to the next
      let isParent = false;
      while (p < end && (source[p] <= 0x20 || source[p] === GREATER)) {
        if (source[p] === GREATER) isParent = true;
        p++;
      }
      this.compoundIsParent.push(isParent);
    }
    this.weight.push((Math.min(ids, 15) << 16) | (classes << 8) | tags);
    this.isAfter.push(isAfter);
    return true;
  }
}

/** Places of classes and ids in the filter: 256 and up, below which tags have theirs. */
export function placeOfPart(hash: number): number {
  return ((hash ^ (hash >>> 12)) & (FILTER_PLACES - 1)) | 256;
}

export function placeOfTag(tag: number): number {
  return tag;
}

/** Hash of the word at `start`; names of tags in lower case, classes and ids as written, `\\:` as `:`. */
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

/** Whether `:after`, `::after` or their like stands there. */
function isAfterContent(source: Uint8Array, colon: number, end: number): boolean {
  const from = source[colon + 1] === COLON ? colon + 2 : colon + 1;
  return wordHash(source, from, end) === AFTER;
}

/** The comma that ends a selector; those in brackets do not. */
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
const GREATER = 0x3e;
const encoder = new TextEncoder();
const bytesOf = (word: string): Uint8Array => encoder.encode(word);
const ROOT = wordHash(bytesOf('root'), 0, 4);
const AFTER = wordHash(bytesOf('after'), 0, 5);
const TAG_OF_HASH = new Map(
  Object.entries(TAG).map(([name, tag]) => [wordHash(bytesOf(name), 0, name.length), tag as number]),
);
