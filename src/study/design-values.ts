/**
 * Reads the values that identify the design of a page without its URL or its words: class names, ids, file
 * names of scripts, style sheets, icons and images, and the colours and fonts that older pages have in their
 * tags. The values that the pages of a site share are its design (store/redesigns.ts); a new template changes
 * them even if every text stays.
 *
 * Numbers identify a post or a build, not a design, so they do not count: `post-12` and `post-13` are one
 * value, and so are `main.3f2a9c.css` and `main.77b01d.css`. Only the file name of an address counts, because
 * pages in different folders write it differently. Cost: a hash of each start tag (analysis/page-tags.ts),
 * and reading those that are new. A page has at most `MAX_VALUES` values, those with the smallest hashes, so
 * that pages of one design keep the same ones.
 */
import { hashBytes, type Lanes } from '../analysis/byte-hash.ts';
import { PageTags } from '../analysis/page-tags.ts';
import { doubled } from '../model/growing-array.ts';
import { AttributeCursor } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

/** Values from here on are links, smaller ones are the design. */
export const FIRST_LINK_VALUE = 2 ** 52;
/** Of the design, values from here on are colours and fonts that tags name, smaller ones are names and files. */
export const FIRST_TAG_STYLE_VALUE = 2 ** 51;

/** Maximum number of values of one page, and of links of one page. */
export const MAX_VALUES = 2000;
/** Maximum bytes of a value; longer ones are data, not names. */
const MAX_BYTES = 200;

/** Ways to read the value of an attribute. */
const NAMES = 1; // names separated by spaces
const ADDRESS = 2; // the file name of an address
const AS_WRITTEN = 3;

/**
 * Attributes by name. The letter, a number, is hashed before each value, so that equal values of two attributes differ.
 */
const ATTRIBUTES: Readonly<Record<string, { reading: number; letter: number }>> = {
  class: { reading: NAMES, letter: 1 },
  id: { reading: NAMES, letter: 2 },
  src: { reading: ADDRESS, letter: 3 },
  href: { reading: ADDRESS, letter: 4 },
  background: { reading: ADDRESS, letter: 5 },
  bgcolor: { reading: AS_WRITTEN, letter: 6 },
  color: { reading: AS_WRITTEN, letter: 7 },
  face: { reading: AS_WRITTEN, letter: 8 },
  text: { reading: AS_WRITTEN, letter: 9 },
  link: { reading: AS_WRITTEN, letter: 10 },
  vlink: { reading: AS_WRITTEN, letter: 11 },
};

interface KnownAttribute {
  name: string;
  reading: number;
  letter: number;
}

/** The attributes by the length of their name. */
const BY_LENGTH: readonly (readonly KnownAttribute[])[] = Array.from({ length: 11 }, (_, length) =>
  Object.entries(ATTRIBUTES).flatMap(([name, known]) => (name.length === length ? { name, ...known } : [])),
);

/** Maximum number of values cached from page to page; beyond it the cache is emptied. */
const MAX_CACHED = 1 << 15;

/** Reads pages one after another and reuses its memory. */
export class DesignValueReader {
  readonly #ownTags = new PageTags();
  /** Numbering that the cached tag numbers belong to (`PageTags.numbering`). */
  #numbering = 0;
  /** By number of a tag, once it was read: start and end of the ids of its values in `#tagValues`. */
  #tagStart: (number | undefined)[] = [];
  #tagEnd: number[] = [];
  readonly #tagValues: number[] = [];
  /** Values by id, their ids, and the last page with each value. */
  readonly #values: number[] = [];
  readonly #ids = new Map<number, number>();
  readonly #lastPage: number[] = [];
  #page = 0;
  #found = new Float64Array(256);
  readonly #cursor = new AttributeCursor();
  readonly #bytes = new Uint8Array(2 * MAX_BYTES + 2);
  readonly #lanes: Lanes = { low: 0, high: 0 };

  /**
   * Returns the distinct values of a page as numbers below 2^52, ascending; they are valid until the next page is read.
   * `tags` must have read the page.
   */
  read(tree: Tree, tags = this.#readTags(tree)): Float64Array {
    const { different, nodes, count, numbering } = tags;
    if (numbering !== this.#numbering || this.#values.length > MAX_CACHED) this.#forget();
    this.#numbering = numbering;
    const page = ++this.#page;
    const lastPage = this.#lastPage;
    let found = 0;
    for (let k = 0; k < count; k++) {
      const tag = different[k];
      const start = this.#tagStart[tag] ?? this.#readTag(tree, nodes[k], tag);
      for (let at = start; at < this.#tagEnd[tag]; at++) {
        const id = this.#tagValues[at];
        if (lastPage[id] === page) continue;
        lastPage[id] = page;
        if (found === this.#found.length) this.#found = doubled(this.#found);
        this.#found[found++] = this.#values[id];
      }
    }
    return this.#found.subarray(0, found).sort().subarray(0, MAX_VALUES);
  }

  /**
   * Returns the targets of the links of a page, as distinct values from `FIRST_LINK_VALUE` on. Which of them
   * belong to the template follows from the pages that have them: labels differ from snapshot to snapshot,
   * and would make links come and go. A link is identified by the last segment of its address, without
   * numbers and without the extension of a page, so that a new scheme, host, folder or extension changes
   * nothing.
   */
  readLinks(tree: Tree): Float64Array {
    const { source, linkCount, linkStart, linkEnd } = tree;
    const found = new Set<number>();
    for (let link = 0; link < linkCount; link++) {
      const value = this.#linkValue(source, linkStart[link], linkEnd[link]);
      if (value !== undefined) found.add(value);
    }
    return Float64Array.from(found).sort().subarray(0, MAX_VALUES);
  }

  #linkValue(source: Uint8Array, start: number, end: number): number | undefined {
    let last = start;
    while (last < end && source[last] !== QUESTION && source[last] !== HASH) last++;
    // find the last segment; `/news/index.html` is the same link as `/news/`
    let first = last;
    for (let isIndex = true; isIndex; ) {
      while (last > start && source[last - 1] === SLASH) last--;
      first = last;
      while (first > start && source[first - 1] !== SLASH && last - first <= MAX_BYTES) first--;
      const dot = source.lastIndexOf(DOT, last - 1);
      if (dot > first && PAGE_EXTENSION.test(textOf(source, dot + 1, last))) last = dot;
      isIndex = last - first === INDEX.length && textOf(source, first, last) === INDEX;
      if (isIndex) last = first;
    }
    // one or two dots are folders that only the address of the page can name
    if (last <= first || last - first > MAX_BYTES || source[last - 1] === DOT) return undefined;
    return FIRST_LINK_VALUE + this.#hashWithoutNumbers(source, first, last, LINK_LETTER);
  }

  #readTags(tree: Tree): PageTags {
    this.#ownTags.read(tree);
    return this.#ownTags;
  }

  #forget(): void {
    this.#ids.clear();
    this.#tagStart = [];
    this.#tagEnd = [];
    for (const list of [this.#tagValues, this.#values, this.#lastPage]) list.length = 0;
  }

  /** Reads the values of a new tag and returns where they begin. */
  #readTag(tree: Tree, node: number, tag: number): number {
    const { source } = tree;
    const first = this.#tagValues.length;
    const cursor = this.#cursor;
    cursor.open(source, tree.start[node], tree.openEnd[node]);
    while (cursor.next()) {
      const { nameStart, nameEnd, valueStart, valueEnd } = cursor;
      if (valueStart === valueEnd) continue;
      const known = findKnown(source, nameStart, nameEnd);
      if (!known) continue;
      const { name, reading, letter } = known;
      if (reading === NAMES) this.#addNames(source, valueStart, valueEnd, letter);
      else if (reading === AS_WRITTEN) this.#addAsWritten(source, valueStart, valueEnd, letter);
      else if (isDesignFile(tree.name[node], name)) {
        this.#addFileName(source, valueStart, valueEnd, letter);
      }
    }
    this.#tagStart[tag] = first;
    this.#tagEnd[tag] = this.#tagValues.length;
    return first;
  }

  #addNames(source: Uint8Array, start: number, end: number, letter: number): void {
    for (let p = start; p < end; ) {
      while (p < end && source[p] <= SPACE) p++;
      const first = p;
      while (p < end && source[p] > SPACE) p++;
      if (p > first && p - first <= MAX_BYTES) this.#addWithoutNumbers(source, first, p, letter);
    }
  }

  #addFileName(source: Uint8Array, start: number, end: number, letter: number): void {
    let last = start;
    while (last < end && source[last] !== QUESTION && source[last] !== HASH) last++;
    // an address that ends in a slash is named by its last folder
    while (last > start && source[last - 1] === SLASH) last--;
    let first = last;
    while (first > start && source[first - 1] !== SLASH && last - first <= MAX_BYTES) first--;
    if (last > first && last - first <= MAX_BYTES) this.#addWithoutNumbers(source, first, last, letter);
  }

  #addAsWritten(source: Uint8Array, start: number, end: number, letter: number): void {
    if (end - start > MAX_BYTES) return;
    const bytes = this.#bytes;
    bytes[0] = letter;
    for (let p = start; p < end; p++) bytes[1 + p - start] = lower(source[p]);
    this.#addValue(FIRST_TAG_STYLE_VALUE + this.#hash(1 + end - start));
  }

  #addWithoutNumbers(source: Uint8Array, start: number, end: number, letter: number): void {
    this.#addValue(this.#hashWithoutNumbers(source, start, end, letter));
  }

  /**
   * Replaces runs of digits by a star, and also a whole segment that mixes digits and letters like a hash.
   */
  #hashWithoutNumbers(source: Uint8Array, start: number, end: number, letter: number): number {
    const bytes = this.#bytes;
    bytes[0] = letter;
    let length = 1;
    let pieceStart = 1;
    let runs = 0;
    for (let p = start; p < end; p++) {
      const byte = source[p];
      if (isDigit(byte)) {
        if (p > start && isDigit(source[p - 1])) continue;
        runs++;
        bytes[length++] = STAR;
        continue;
      }
      if (!isLetter(byte)) {
        if (runs > 1) length = cutPiece(bytes, pieceStart);
        runs = 0;
        pieceStart = length + 1;
      }
      bytes[length++] = byte;
    }
    if (runs > 1) length = cutPiece(bytes, pieceStart);
    return this.#hash(length);
  }

  /** Hashes the collected bytes to 51 bits; the next bit marks values of tag styles, the one after that links. */
  #hash(length: number): number {
    const { low, high } = hashBytes(this.#bytes, 0, length, this.#lanes);
    return (high & 0x7ffff) * 0x1_0000_0000 + (low >>> 0);
  }

  #addValue(value: number): void {
    let id = this.#ids.get(value);
    if (id === undefined) {
      id = this.#values.length;
      this.#values.push(value);
      this.#ids.set(value, id);
      this.#lastPage.push(0);
    }
    this.#tagValues.push(id);
  }
}

const SPACE = 0x20;
const HASH = 0x23;
const STAR = 0x2a;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const DOT = 0x2e;
const LINK_LETTER = 12;
const INDEX = 'index';
/** Extensions of addresses that only say how a page is generated. */
const PAGE_EXTENSION = /^(?:[sx]?html?|php|aspx?|jsp|cfm)$/i;

function textOf(source: Uint8Array, start: number, end: number): string {
  return end - start > MAX_BYTES ? '' : String.fromCharCode(...source.subarray(start, end));
}

/**
 * Returns whether an attribute names a file that the page loads for its look; links to other pages are not
 * part of a design.
 */
function isDesignFile(tag: number, attribute: string): boolean {
  if (attribute === 'href') return tag === TAG.link;
  if (attribute === 'src') return tag === TAG.script || tag === TAG.img || tag === TAG.input;
  return true;
}

/** Replaces the segment that begins at `pieceStart` by a star; returns the new length. */
function cutPiece(bytes: Uint8Array, pieceStart: number): number {
  bytes[pieceStart] = STAR;
  return pieceStart + 1;
}

/** Returns the attribute whose name, in any case, is at `[start, end)`, if its values count. */
function findKnown(source: Uint8Array, start: number, end: number): KnownAttribute | undefined {
  const known = BY_LENGTH[end - start];
  if (!known) return undefined;
  for (const attribute of known) if (isNamed(source, start, attribute.name)) return attribute;
  return undefined;
}

function isNamed(source: Uint8Array, start: number, name: string): boolean {
  for (let k = 0; k < name.length; k++) if (lower(source[start + k]) !== name.charCodeAt(k)) return false;
  return true;
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Returns whether a byte is an ASCII letter or part of a non-ASCII character. */
function isLetter(byte: number): boolean {
  return byte >= 0x80 || (lower(byte) >= 0x61 && lower(byte) <= 0x7a);
}
