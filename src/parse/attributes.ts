/**
 * Attributes of single elements, read from the source on demand. The parser hashes attributes without storing
 * them, so a caller that needs one scans the start tag again.
 */
import { isSpace } from '../model/byte-kinds.ts';
import { decodeAttribute } from './character-references.ts';
import { ELEMENT, type Tree } from './tree.ts';

/** Offsets of one attribute in the source: its name, and its value without quotes. */
export interface AttributeSpan {
  nameStart: number;
  nameEnd: number;
  valueStart: number;
  valueEnd: number;
}

/**
 * Returns the value of an element's attribute with its character references decoded; undefined if the element
 * lacks it.
 */
export function readAttribute(tree: Tree, node: number, name: string): string | undefined {
  if (tree.kind[node] !== ELEMENT) return undefined;
  const span = findAttribute(tree.source, tree.start[node], tree.openEnd[node], name);
  if (!span) return undefined;
  return decodeAttribute(decoder.decode(tree.source.subarray(span.valueStart, span.valueEnd)));
}

/** Yields all attributes of the start tag at `[start, end)`, as written. */
export function* scanAttributes(source: Uint8Array, start: number, end: number): Generator<AttributeSpan> {
  const cursor = new AttributeCursor();
  cursor.open(source, start, end);
  while (cursor.next()) {
    const { nameStart, nameEnd, valueStart, valueEnd } = cursor;
    yield { nameStart, nameEnd, valueStart, valueEnd };
  }
}

const NOTHING = new Uint8Array(0);

/**
 * Scans the attributes of a start tag without an object per attribute, for callers that read every start tag
 * of a page.
 */
export class AttributeCursor implements AttributeSpan {
  /** End of the name of the tag, as an offset in the source. */
  tagEnd = 0;
  nameStart = 0;
  nameEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  #source: Uint8Array = NOTHING;
  #at = 0;
  #limit = 0;

  /** Moves to the start tag at `[start, end)`. */
  open(source: Uint8Array, start: number, end: number): void {
    const limit = Math.min(end, source.length);
    let p = start + 1;
    while (p < limit && !isNameEnd(source[p])) p++;
    this.#source = source;
    this.tagEnd = p;
    this.#at = p;
    this.#limit = limit;
  }

  /** Moves to the next attribute; false at the end of the tag. */
  next(): boolean {
    const source = this.#source;
    const limit = this.#limit;
    let p = this.#at;
    while (p < limit && (isSpace(source[p]) || source[p] === SLASH)) p++;
    if (p >= limit || source[p] === GREATER) return false;

    // the name; an equals sign is part of it if it comes first
    this.nameStart = p++;
    while (p < limit && !isNameEnd(source[p]) && source[p] !== EQUALS) p++;
    this.nameEnd = p;
    let q = p;
    while (q < limit && isSpace(source[q])) q++;
    if (q >= limit || source[q] !== EQUALS) {
      this.valueStart = p;
      this.valueEnd = p;
      this.#at = p;
      return true;
    }

    // the value
    for (q++; q < limit && isSpace(source[q]); ) q++;
    const quote = source[q];
    const quoted = quote === 0x22 || quote === 0x27;
    this.valueStart = quoted ? q + 1 : q;
    p = this.valueStart;
    if (quoted) while (p < limit && source[p] !== quote) p++;
    else while (p < limit && !isSpace(source[p]) && source[p] !== GREATER) p++;
    this.valueEnd = p;
    this.#at = quoted ? p + 1 : p;
    return true;
  }
}

/** Whether the start tag at `[start, end)` has an attribute with this lower-case name. */
export function hasAttribute(source: Uint8Array, start: number, end: number, name: string): boolean {
  return findAttribute(source, start, end, name) !== undefined;
}

const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const decoder = new TextDecoder();

/** Returns the first attribute with this lower-case name; undefined if the start tag has none. */
export function findAttribute(
  source: Uint8Array,
  start: number,
  end: number,
  name: string,
): AttributeSpan | undefined {
  const cursor = new AttributeCursor();
  cursor.open(source, start, end);
  while (cursor.next()) if (equalsIgnoringCase(source, cursor.nameStart, cursor.nameEnd, name)) return cursor;
  return undefined;
}

function equalsIgnoringCase(source: Uint8Array, start: number, end: number, lower: string): boolean {
  if (end - start !== lower.length) return false;
  for (let i = 0; i < lower.length; i++) {
    const byte = source[start + i];
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== lower.charCodeAt(i)) return false;
  }
  return true;
}

function isNameEnd(byte: number): boolean {
  return isSpace(byte) || byte === SLASH || byte === GREATER;
}
