/**
 * From the collapsed text of a tree back to its source, and from the source to the text. Only text nodes add
 * to the text, so a position belongs to the last node whose text starts at or before it. A node in which
 * nothing collapsed is as long as its text, and a subtraction does; in others the source is collapsed once
 * more up to the position. Cost: a binary search, and a walk over one text node at worst.
 */
import { isSpace } from '../model/byte-kinds.ts';
import { TEXT, type Tree } from './tree.ts';

/**
 * Byte offset in the source of a position in `tree.text`. As the start of a range, the first byte of what
 * stands at the position; as the end of one, one past the last byte of what stands before it. A space that
 * no byte of the text node stands for (between blocks) is left out of the range on either side.
 */
export function sourceOffset(tree: Tree, position: number, side: 'start' | 'end'): number {
  if (!Number.isInteger(position) || position < 0 || position > tree.textLength) {
    throw new RangeError(`position must be a whole number from 0 to ${tree.textLength}, not ${position}`);
  }
  return side === 'start' ? offsetOfStart(tree, position) : offsetOfEnd(tree, position);
}

/**
 * Positions in `tree.text` of byte offsets in the source, which must not decrease: the first position whose
 * byte, by `sourceOffset`, stands at or after the offset. All of a page's offsets cost one walk.
 */
export class TextCursor {
  readonly #tree: Tree;
  /** The last node that starts before the offset asked for last. */
  #node = 0;
  /** How far that node, when it is a text, has been walked: in the source (-1 is not yet) and in the text. */
  #offset = -1;
  #position = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  positionOf(offset: number): number {
    const { nodeCount, kind, start, end, textStart } = this.#tree;
    let node = this.#node;
    while (node + 1 < nodeCount && start[node + 1] < offset) node++;
    if (node !== this.#node) this.#offset = -1;
    this.#node = node;
    const next = textStart[node + 1];
    if (kind[node] !== TEXT || textStart[node] === next || end[node] <= offset) return next;
    return Math.min(next, this.#walkTo(offset));
  }

  #walkTo(offset: number): number {
    const { source, text, textStart, start, end } = this.#tree;
    const node = this.#node;
    const isNew = this.#offset < 0;
    let p = isNew ? skipSpace(source, start[node], end[node]) : this.#offset;
    let t = isNew ? textStart[node] : this.#position;
    // the space before the first word is passed with it
    if (p < offset && t === textStart[node] && text[t] === SPACE) t++;
    while (p < offset) {
      if (source[p] !== 0) t++;
      p = isSpace(source[p]) ? skipSpace(source, p, end[node]) : p + 1;
    }
    this.#offset = p;
    this.#position = t;
    return t;
  }
}

/** The text of a subtree as it stands in `tree.text`, references undecoded. */
export function textOf(tree: Tree, node: number): string {
  const bytes = tree.text.subarray(tree.textStart[node], tree.textStart[tree.last[node]]);
  return decoder.decode(bytes).trim();
}

const decoder = new TextDecoder();

function offsetOfStart(tree: Tree, position: number): number {
  if (position === tree.textLength)
    return tree.textLength === 0 ? tree.source.length : offsetOfEnd(tree, position);
  return walk(tree, nodeAt(tree, position), position).start;
}

function offsetOfEnd(tree: Tree, position: number): number {
  if (position === 0) return tree.textLength === 0 ? 0 : offsetOfStart(tree, 0);
  const node = nodeAt(tree, position - 1);
  // a space that leads a node's text is the gap after the node before
  if (tree.textStart[node] === position - 1 && tree.text[position - 1] === SPACE && position > 1) {
    return offsetOfEnd(tree, position - 1);
  }
  return walk(tree, node, position - 1).end;
}

const SPACE = 0x20;

/** The text node that wrote the byte at a position: the last node whose text starts at or before it. */
function nodeAt(tree: Tree, position: number): number {
  let low = 0;
  let high = tree.nodeCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tree.textStart[middle] <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The bytes of the source that one byte of a text node's text stands for. */
function walk(tree: Tree, node: number, position: number): { start: number; end: number } {
  const { source, text } = tree;
  const end = tree.end[node];
  let t = tree.textStart[node];
  let p = skipSpace(source, tree.start[node], end);
  // the space before the first word: the range starts with the word
  if (text[t] === SPACE && t === position) return { start: p, end: p };
  if (text[t] === SPACE) t++;
  // nothing collapsed
  if (trimSpace(source, p, end) - p === tree.textStart[node + 1] - t) {
    const from = p + position - t;
    return { start: from, end: from + 1 };
  }
  while (p < end) {
    const from = p;
    if (isSpace(source[p])) p = skipSpace(source, p, end);
    else p++;
    if (source[from] === 0) continue;
    if (t === position) return { start: from, end: p };
    t++;
  }
  return { start: end, end };
}

function skipSpace(source: Uint8Array, start: number, end: number): number {
  let p = start;
  while (p < end && (isSpace(source[p]) || source[p] === 0)) p++;
  return p;
}

/** Where white space at the end of `[start, end)` begins. */
function trimSpace(source: Uint8Array, start: number, end: number): number {
  let p = end;
  while (p > start && (isSpace(source[p - 1]) || source[p - 1] === 0)) p--;
  return p;
}
