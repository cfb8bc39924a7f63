/**
 * Sizes and hashes by which the nodes of a page are compared, as a DOM would have them. The hashes are the
 * parser's wherever the source has the same bytes as the values of a DOM. Otherwise the hashes of the nodes
 * and of the elements around them are computed again: where there are character references, carriage returns,
 * attributes without a value or with a repeated name, and in `pre` and similar elements, whose white space is
 * kept.
 *
 * One loop backwards over the tree: sizes and differences go from children to parents. It costs about a sixth
 * of parsing.
 */
import type { Lanes } from '../analysis/byte-hash.ts';
import { isSpace, lowerCase } from '../model/byte-kinds.ts';
import { AttributeCursor, findAttribute } from '../parse/attributes.ts';
import {
  EMPTY_HIGH,
  EMPTY_LOW,
  foldHigh,
  foldLow,
  mixHigh,
  mixLow,
  NAME_BASIS,
  NAME_PRIME,
  nameHigh,
  nameLow,
} from '../parse/hashes.ts';
import { isHidden, TAG, tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { DomBytes, isWritten } from './dom-bytes.ts';
import { attributeLanes, collapsedLength, hashTagBytes, unmix } from './start-tag-hash.ts';

const FIRST_NODES = 4096;

/** Length of each name in the static table, by tag; 0 for names of the page. */
const NAME_BYTES = new Uint8Array(65_536);
for (const name of Object.keys(TAG)) NAME_BYTES[tagsOf(name)[0]] = name.length;

/** By tag: 1 where white space counts; 2 where `&` is an ordinary character. */
const TEXT_RULES = new Uint8Array(65_536);
for (const tag of tagsOf('pre textarea listing')) TEXT_RULES[tag] = 1;
for (const tag of tagsOf('script style iframe noembed noframes plaintext xmp')) TEXT_RULES[tag] = 2;

/** Columns by node of the last tree that was read. */
export class ComparedNodes {
  /**
   * Four integers per node: bytes in complete and in structural comparison, elements and texts of the
   * subtree, and one unused.
   */
  sums = new Int32Array(4 * FIRST_NODES);
  contentLow = new Int32Array(FIRST_NODES);
  contentHigh = new Int32Array(FIRST_NODES);
  shapeLow = new Int32Array(FIRST_NODES);
  shapeHigh = new Int32Array(FIRST_NODES);

  /** By node, bits: 1 if its hashes must be computed again, 2 if white space counts in it. */
  #marks = new Uint8Array(FIRST_NODES);
  /** Position of the last `&` in the text that has not been read yet. */
  #reference = 0;
  readonly #value = new DomBytes();
  readonly #cursor = new AttributeCursor();
  /**
   * Of the last start tag: bytes of its name and attribute names, bytes of values; whether a DOM has other
   * attributes.
   */
  #nameBytes = 0;
  #valueBytes = 0;
  #differs = false;
  readonly #lanes: Lanes = { low: 0, high: 0 };
  /**
   * Difference that the attributes of the current start tag make to its hashes, compared with the parser's.
   */
  readonly #content: Lanes = { low: 0, high: 0 };
  readonly #shape: Lanes = { low: 0, high: 0 };

  /** Computes the columns for the nodes of a tree. */
  read(tree: Tree): void {
    const { nodeCount, kind, name, parent, start, openEnd, source } = tree;
    this.#prepare(tree);
    const { sums } = this;
    const marks = this.#marks;
    for (let node = nodeCount - 1; node > 0; node--) {
      const to = parent[node] * 4;
      if (kind[node] === TEXT) {
        sums[to] += this.#readText(tree, node);
        sums[to + 2]++;
        marks[parent[node]] |= marks[node] & 1;
      } else if (kind[node] === ELEMENT) {
        const at = node * 4;
        let names = NAME_BYTES[name[node]];
        let values = 0;
        const tagBytes = openEnd[node] - start[node];
        const isPlain = tagBytes === 0 || (tagBytes === names + 2 && names > 0);
        if (!isPlain) {
          this.#readStartTag(source, start[node], openEnd[node], names);
          names = this.#nameBytes;
          values = this.#valueBytes;
        }
        sums[to] += sums[at] += names + values;
        sums[to + 1] += sums[at + 1] += names;
        sums[to + 2] += ++sums[at + 2];
        const isCorrected = !isPlain && this.#differs;
        if (marks[node] !== 0 || isCorrected) {
          this.#rehash(tree, node, isCorrected);
          marks[parent[node]] |= 1;
        }
      }
    }
  }

  /** Allocates the columns, copies the parser's hashes and marks where white space counts. */
  #prepare({ nodeCount, name, last, contentLow, contentHigh, shapeLow, shapeHigh }: Tree): void {
    if (this.#marks.length < nodeCount) {
      const nodes = Math.max(nodeCount, this.#marks.length * 2);
      this.sums = new Int32Array(nodes * 4);
      this.contentLow = new Int32Array(nodes);
      this.contentHigh = new Int32Array(nodes);
      this.shapeLow = new Int32Array(nodes);
      this.shapeHigh = new Int32Array(nodes);
      this.#marks = new Uint8Array(nodes);
    }
    this.#reference = 0x7fffffff;
    this.sums.fill(0, 0, nodeCount * 4);
    this.contentLow.set(contentLow.subarray(0, nodeCount));
    this.contentHigh.set(contentHigh.subarray(0, nodeCount));
    this.shapeLow.set(shapeLow.subarray(0, nodeCount));
    this.shapeHigh.set(shapeHigh.subarray(0, nodeCount));
    const marks = this.#marks.fill(0, 0, nodeCount);
    for (let node = 1; node < nodeCount; ) {
      if ((TEXT_RULES[name[node]] & 1) === 0) {
        node++;
        continue;
      }
      marks.fill(2, node, last[node]);
      node = last[node];
    }
  }

  /** Returns the bytes of a text as compared. A text with other bytes in a DOM is hashed and marked. */
  #readText(tree: Tree, node: number): number {
    const { name, parent, source, start, end, text, textStart, openEnd } = tree;
    const tag = name[parent[node]];
    const decode = (TEXT_RULES[tag] & 2) === 0;
    const value = this.#value;
    if (this.#marks[node] !== 0) {
      const from = start[node] === openEnd[parent[node]] ? afterLineEnd(tree, parent[node]) : start[node];
      value.readText(source, from, end[node], { decode });
    } else if (textStart[node + 1] > textStart[node]) {
      const from = textStart[node];
      const to = textStart[node + 1];
      // the space between two nodes is not part of the text
      const bytes = to - from - (text[from] === 0x20 ? 1 : 0);
      if (!decode || this.#lastReference(text, to) < from) return bytes;
      value.readText(source, start[node], end[node], { collapse: true });
    } else if (isHidden(tag) && tag !== TAG.template) {
      // not a text of the page, so its bytes are compared as they are
      if (!isWritten(source, start[node], end[node])) return end[node] - start[node];
      value.readText(source, start[node], end[node], { decode });
    } else {
      if (!decode || !has(source, start[node], end[node], 0x26)) {
        return collapsedLength(source, start[node], end[node]);
      }
      value.readText(source, start[node], end[node], { collapse: true });
    }
    hashTagBytes(value.bytes, 0, value.length, this.#lanes);
    this.contentLow[node] = this.#lanes.low;
    this.contentHigh[node] = this.#lanes.high;
    this.#marks[node] |= 1;
    return value.length;
  }

  /** Returns the last `&` before a position of the text; texts are read backwards. */
  #lastReference(text: Uint8Array, end: number): number {
    if (this.#reference >= end) this.#reference = end === 0 ? -1 : text.lastIndexOf(0x26, end - 1);
    return this.#reference;
  }

  /**
   * Counts the bytes of a start tag as a DOM has it, and finds the error of the parser's sums of attributes.
   * `tagBytes` is the length of the tag's name, 0 when it is unknown.
   */
  #readStartTag(source: Uint8Array, start: number, end: number, tagBytes: number): void {
    const value = this.#value;
    const lanes = this.#lanes;
    const content = this.#content;
    const shape = this.#shape;
    const cursor = this.#cursor;
    content.low = content.high = shape.low = shape.high = 0;
    cursor.open(source, start, end);
    this.#nameBytes = tagBytes === 0 ? cursor.tagEnd - start - 1 : tagBytes;
    this.#valueBytes = 0;
    this.#differs = false;
    tagNumber++;
    while (cursor.next()) {
      const { nameStart, nameEnd, valueStart, valueEnd } = cursor;
      const nameBytes = nameEnd - nameStart;
      let hash = NAME_BASIS;
      for (let p = nameStart; p < nameEnd; p++) hash = Math.imul(hash ^ lowerCase(source[p]), NAME_PRIME);
      const isAgain = lastTag[hash & 1023] === tagNumber && hasBefore(source, start, nameStart, nameEnd);
      lastTag[hash & 1023] = tagNumber;
      const hasValue = valueStart > nameEnd;
      if (!isAgain) this.#nameBytes += nameBytes;
      if (!isAgain && hasValue && !isWritten(source, valueStart, valueEnd)) {
        this.#valueBytes += valueEnd - valueStart;
        continue;
      }

      // as the parser hashes it
      this.#differs = true;
      if (hasValue) hashTagBytes(source, valueStart, valueEnd, lanes);
      else lanes.low = lanes.high = 0;
      attributeLanes(hash, nameBytes, lanes, lanes);
      content.low -= lanes.low;
      content.high -= lanes.high;
      if (isAgain) {
        shape.low -= nameLow(hash);
        shape.high -= nameHigh(hash, nameBytes);
        continue;
      }

      // as a DOM has it
      value.readValue(source, valueStart, valueEnd);
      hashTagBytes(value.bytes, 0, value.length, lanes);
      attributeLanes(hash, nameBytes, lanes, lanes);
      content.low += lanes.low;
      content.high += lanes.high;
      this.#valueBytes += value.length;
    }
  }

  /** Hashes an element again from its start tag, as the parser has it or corrected, and its children. */
  #rehash(tree: Tree, node: number, isCorrected: boolean): void {
    const { kind, last, contentLow, contentHigh, shapeLow, shapeHigh, source, start, end } = tree;
    const keepsSpace = (this.#marks[node] & 2) !== 0;
    // children as the parser combines them, and as compared
    let [oldLow, oldHigh, oldShapeLow, oldShapeHigh] = [EMPTY_LOW, EMPTY_HIGH, EMPTY_LOW, EMPTY_HIGH];
    let [low, high, newShapeLow, newShapeHigh] = [EMPTY_LOW, EMPTY_HIGH, EMPTY_LOW, EMPTY_HIGH];
    const lanes = this.#lanes;
    let from = keepsSpace ? afterLineEnd(tree, node) : 0;
    for (let child = node + 1; child <= last[node]; child = last[child]) {
      if (keepsSpace && this.#readSpace(source, from, child < last[node] ? start[child] : end[node])) {
        low = foldLow(low, lanes.low, lanes.high);
        high = foldHigh(high, lanes.low, lanes.high);
      }
      if (child === last[node]) break;
      from = end[child];
      if (kind[child] !== ELEMENT && kind[child] !== TEXT) continue;
      oldLow = foldLow(oldLow, contentLow[child], contentHigh[child]);
      oldHigh = foldHigh(oldHigh, contentLow[child], contentHigh[child]);
      oldShapeLow = foldLow(oldShapeLow, shapeLow[child], shapeHigh[child]);
      oldShapeHigh = foldHigh(oldShapeHigh, shapeLow[child], shapeHigh[child]);
      low = foldLow(low, this.contentLow[child], this.contentHigh[child]);
      high = foldHigh(high, this.contentLow[child], this.contentHigh[child]);
      newShapeLow = foldLow(newShapeLow, this.shapeLow[child], this.shapeHigh[child]);
      newShapeHigh = foldHigh(newShapeHigh, this.shapeLow[child], this.shapeHigh[child]);
    }

    unmix(contentLow[node], contentHigh[node], lanes);
    let tagLow = lanes.low ^ oldLow;
    let tagHigh = lanes.high - oldHigh;
    if (isCorrected) {
      tagLow += this.#content.low;
      tagHigh += this.#content.high;
    }
    high = (tagHigh + high) | 0;
    low = mixLow(tagLow ^ low, high);
    this.contentLow[node] = low;
    this.contentHigh[node] = mixHigh(low, high);

    unmix(shapeLow[node], shapeHigh[node], lanes);
    tagLow = lanes.low ^ oldShapeLow;
    tagHigh = lanes.high - oldShapeHigh;
    if (isCorrected) {
      tagLow += this.#shape.low;
      tagHigh += this.#shape.high;
    }
    high = (tagHigh + newShapeHigh) | 0;
    low = mixLow(tagLow ^ newShapeLow, high);
    this.shapeLow[node] = low;
    this.shapeHigh[node] = mixHigh(low, high);
  }

  /** Hashes the white space at `start`, for which the parser has no node; false when no white space is there. */
  #readSpace(source: Uint8Array, start: number, end: number): boolean {
    let stop = start;
    while (stop < end && isSpace(source[stop])) stop++;
    if (stop === start) return false;
    this.#value.readText(source, start, stop);
    hashTagBytes(this.#value.bytes, 0, this.#value.length, this.#lanes);
    return true;
  }
}

/**
 * Returns the start of an element's content: a line end right after the start tag of `pre` and similar
 * elements is skipped.
 */
function afterLineEnd({ source, name, openEnd }: Tree, node: number): number {
  let at = openEnd[node];
  if ((TEXT_RULES[name[node]] & 1) === 0) return at;
  if (source[at] === 0x0d) at++;
  return source[at] === 0x0a ? at + 1 : at;
}

/** By hash of an attribute's name: number of the last start tag with it. */
const lastTag = new Float64Array(1024);
let tagNumber = 0;

/**
 * Returns whether the start tag at `start` has an attribute with the name `[nameStart, nameEnd)` before
 * `nameStart`.
 */
function hasBefore(source: Uint8Array, start: number, nameStart: number, nameEnd: number): boolean {
  const written = Buffer.from(source.subarray(nameStart, nameEnd)).toString('latin1');
  const name = written.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const first = findAttribute(source, start, nameEnd, name);
  return first !== undefined && first.nameStart < nameStart;
}

function has(bytes: Uint8Array, start: number, end: number, wanted: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === wanted) return true;
  return false;
}
