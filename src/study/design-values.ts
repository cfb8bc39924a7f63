/**
 * The values by which the design of a page can be told without its URL or its words: class names, ids, file
 * names of scripts, style sheets, icons and images, and the colours and fonts that older pages carry in
 * their tags. What a site's pages have in common of these is its design (store/redesigns.ts); a new
 * template brings others though every text stays.
 *
 * Numbers say which post or which build, not which design, so they do not count: `post-12` and `post-13` are
 * one value, and so are `main.3f2a9c.css` and `main.77b01d.css`. Of an address only the file name counts, as pages of
 * different folders write it differently. Cost: a hash of each start tag (analysis/page-tags.ts), and a
 * look into those that were not met before; a page leaves at most `MOST_VALUES` values, those of the smallest hashes, so that pages of one design keep
 * the same ones.
 */
import { hashBytes, type Lanes } from '../analysis/byte-hash.ts';
import { PageTags } from '../analysis/page-tags.ts';
import { doubled } from '../model/growing-array.ts';
import { AttributeCursor } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';

/** Values of one page. */
export const MOST_VALUES = 2000;
/** Bytes of a value; longer ones are data, not names. */
const MOST_BYTES = 200;

/** How the value of an attribute is read. */
const NAMES = 1; // names separated by spaces
const ADDRESS = 2; // the file name of an address
const AS_WRITTEN = 3;

/** Attributes by their names, with the letter that keeps their values apart. */
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

/** The attributes by their lengths. */
const BY_LENGTH: readonly (readonly KnownAttribute[])[] = Array.from({ length: 11 }, (_, length) =>
  Object.entries(ATTRIBUTES).flatMap(([name, known]) => (name.length === length ? { name, ...known } : [])),
);

/** Values that are kept from page to page; what is met again after that is read again. */
const MOST_KNOWN = 1 << 15;

/** Reads page after page; keeps its memory. */
export class DesignValueReader {
  readonly #ownTags = new PageTags();
  /** Of the tags that are known. */
  #numbering = 0;
  /** By number of a tag, once it was read: where the ids of its values begin and end in `#tagValues`. */
  #tagStart: (number | undefined)[] = [];
  #tagEnd: number[] = [];
  readonly #tagValues: number[] = [];
  /** Values by id, their ids, and the page on which each was met last. */
  readonly #values: number[] = [];
  readonly #ids = new Map<number, number>();
  readonly #lastPage: number[] = [];
  #page = 0;
  #found = new Float64Array(256);
  readonly #cursor = new AttributeCursor();
  readonly #bytes = new Uint8Array(2 * MOST_BYTES + 2);
  readonly #lanes: Lanes = { low: 0, high: 0 };

  /** The distinct values of a page as hashes of 53 bits, ascending, until the next is read; `tags` have read the page. */
  read(tree: Tree, tags = this.#readTags(tree)): Float64Array {
    const { different, nodes, count, numbering } = tags;
    if (numbering !== this.#numbering || this.#values.length > MOST_KNOWN) this.#forget();
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
    return this.#found.subarray(0, found).sort().subarray(0, MOST_VALUES);
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

  /** Reads the values of a tag that was not met before; where they begin. */
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
      if (p > first && p - first <= MOST_BYTES) this.#addWithoutNumbers(source, first, p, letter);
    }
  }

  #addFileName(source: Uint8Array, start: number, end: number, letter: number): void {
    let last = start;
    while (last < end && source[last] !== QUESTION && source[last] !== HASH) last++;
    // an address that ends in a slash is named by its last folder
    while (last > start && source[last - 1] === SLASH) last--;
    let first = last;
    while (first > start && source[first - 1] !== SLASH && last - first <= MOST_BYTES) first--;
    if (last > first && last - first <= MOST_BYTES) this.#addWithoutNumbers(source, first, last, letter);
  }

  #addAsWritten(source: Uint8Array, start: number, end: number, letter: number): void {
    if (end - start > MOST_BYTES) return;
    const bytes = this.#bytes;
    bytes[0] = letter;
    for (let p = start; p < end; p++) bytes[1 + p - start] = lower(source[p]);
    this.#addHash(1 + end - start);
  }

  /** Runs of digits become a star, and so does a whole piece that mixes them with letters as hashes do. */
  #addWithoutNumbers(source: Uint8Array, start: number, end: number, letter: number): void {
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
    this.#addHash(length);
  }

  #addHash(length: number): void {
    const { low, high } = hashBytes(this.#bytes, 0, length, this.#lanes);
    const value = (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
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

/** Links to other pages are no part of a design, what the page loads to look as it does is. */
function isDesignFile(tag: number, attribute: string): boolean {
  if (attribute === 'href') return tag === TAG.link;
  if (attribute === 'src') return tag === TAG.script || tag === TAG.img || tag === TAG.input;
  return true;
}

function cutPiece(bytes: Uint8Array, pieceStart: number): number {
  bytes[pieceStart] = STAR;
  return pieceStart + 1;
}

/** The attribute whose name, in any case, stands at `[start, end)`, when it is one that counts. */
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

/** ASCII letters, and bytes of any others. */
function isLetter(byte: number): boolean {
  return byte >= 0x80 || (lower(byte) >= 0x61 && lower(byte) <= 0x7a);
}
