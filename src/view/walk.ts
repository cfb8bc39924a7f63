/**
 * Walks a page in source order and cuts its texts where ranges begin and end, so that every view works on the same
 * pieces. It is one loop over the node columns with an explicit stack: linear in nodes and bytes whatever the depth.
 *
 * The tree has no nodes for texts of white space only; the walk finds them in the bytes between nodes, because
 * `<b>a</b> <b>b</b>` are two words.
 */

import { makeRange } from '../detect/ranges.ts';
import { isSpace } from '../model/byte-kinds.ts';
import type { Range } from '../model/range.ts';
import { isReferenceByte, LONGEST_REFERENCE } from '../parse/character-references.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';

/** Receives the elements and texts of a page in source order. */
export interface Visitor {
  /** An element begins; false skips everything inside it (and its call of `leave`). */
  enter(node: number, range: Range): boolean;
  leave(node: number): void;
  /** A piece `[start, end)` of a text that lies in one range; `parent` is the element that holds it. */
  text(start: number, end: number, range: Range, parent: number): void;
  /** White space between nodes. */
  space(start: number, end: number, range: Range): void;
  /** True while white space between nodes has no effect; the walk then does not search for it. */
  readonly ignoresSpace?: boolean;
}

/** Walks a page and calls the visitor for each element and each piece of text. */
export function walkPage(tree: Tree, ranges: readonly Range[], visitor: Visitor): void {
  const { source, nodeCount, kind, parent, last, start, openEnd, end } = tree;
  const cursor = new RangeCursor(ranges);
  const open: number[] = [];
  let position = 0; // all bytes before it are done

  for (let node = 1; ; ) {
    // elements that end before this node
    while (open.length > 0 && last[open[open.length - 1]] <= node) {
      const done = open.pop() as number;
      position = passSpace(source, position, end[done], cursor, visitor);
      visitor.leave(done);
    }
    if (node >= nodeCount) return;
    position = passSpace(source, position, start[node], cursor, visitor);

    if (kind[node] === ELEMENT) {
      const entered = visitor.enter(node, cursor.at(start[node]));
      position = Math.max(position, entered ? openEnd[node] : end[node]);
      if (entered) open.push(node);
      node = entered ? node + 1 : last[node];
    } else {
      if (kind[node] === TEXT) cutText(source, start[node], end[node], parent[node], cursor, visitor);
      position = Math.max(position, end[node]);
      node++;
    }
  }
}

/** Finds the range of a byte; bytes outside all ranges are content. Fast for ascending offsets. */
class RangeCursor {
  readonly #ranges: readonly Range[];
  #index = 0;
  #current: Range = contentBetween(0, 0);

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  at(position: number): Range {
    const current = this.#current;
    if (position >= current.start && position < current.end) return current;
    return (this.#current = this.#find(position));
  }

  #find(position: number): Range {
    const ranges = this.#ranges;
    let index = this.#index;
    while (index > 0 && ranges[index - 1].end > position) index--;
    while (index < ranges.length && ranges[index].end <= position) index++;
    this.#index = index;
    const next = index < ranges.length ? ranges[index] : undefined;
    if (next !== undefined && next.start <= position) return next;
    return contentBetween(index > 0 ? ranges[index - 1].end : 0, next?.start ?? LAST_OFFSET);
  }
}

/**
 * Larger than every page, but a small integer for V8. A larger number would make `end` a double in every range, and V8
 * would compile the loops over ranges again and again.
 */
const LAST_OFFSET = 0x7fffffff;

function contentBetween(start: number, end: number): Range {
  return makeRange(start, end, 'content', 0, '', '');
}

/** Decodes bytes `[start, end)` as UTF-8. */
export function sliceText(source: Uint8Array, start: number, end: number): string {
  return Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8', start, end);
}

function cutText(
  source: Uint8Array,
  start: number,
  end: number,
  parent: number,
  cursor: RangeCursor,
  visitor: Visitor,
): void {
  for (let from = start; from < end; ) {
    const range = cursor.at(from);
    let to = Math.min(end, range.end);
    if (to < end) to = Math.min(end, characterEdge(source, to, from));
    visitor.text(from, to, range, parent);
    from = to;
  }
}

/** The first place from `cut` on that is not inside a UTF-8 sequence or a character reference. */
function characterEdge(source: Uint8Array, cut: number, start: number): number {
  let edge = cut;
  while (edge < source.length && (source[edge] & 0xc0) === 0x80) edge++;
  for (let back = edge - 1; back >= start && edge - back < LONGEST_REFERENCE; back--) {
    if (source[back] === 0x26 /* & */) {
      let ahead = edge;
      while (ahead < source.length && ahead - back < LONGEST_REFERENCE && isReferenceByte(source[ahead]))
        ahead++;
      return source[ahead] === 0x3b /* ; */ ? ahead + 1 : edge;
    }
    if (!isReferenceByte(source[back])) break;
  }
  return edge;
}

/**
 * Hands on the white space of `[from, to)`, stepping over the tags in it; gives the place up to
 * which all has been looked at.
 */
function passSpace(
  source: Uint8Array,
  from: number,
  to: number,
  cursor: RangeCursor,
  visitor: Visitor,
): number {
  for (let at = from; at < to && !visitor.ignoresSpace; ) {
    const byte = source[at];
    if (byte === 0x3c /* < */) {
      while (at < to && source[at] !== 0x3e /* > */) at++;
      at++;
    } else if (isSpace(byte)) {
      const first = at;
      while (at < to && isSpace(source[at])) at++;
      visitor.space(first, at, cursor.at(first));
    } else {
      at++;
    }
  }
  return Math.max(from, to);
}
