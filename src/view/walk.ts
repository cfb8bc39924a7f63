/**
 * Walks a page in source order and cuts its texts where its ranges begin and end, so that every view
 * works on the same pieces. One loop over the node columns with an explicit stack: linear in nodes and
 * bytes whatever the depth.
 *
 * Texts of white space only are no nodes of the tree; the walk finds them again in the bytes between
 * nodes, because `<b>a</b> <b>b</b>` are two words.
 */
import type { Range } from '../model/range.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';

export interface Visitor {
  /** An element begins; false leaves out all that is in it (`leave` is not called then). */
  enter(node: number, range: Range): boolean;
  leave(node: number): void;
  /** A piece `[start, end)` of a text that lies in one range; `parent` is the element that holds it. */
  text(start: number, end: number, range: Range, parent: number): void;
  /** White space only, between nodes. */
  space(start: number, end: number, range: Range): void;
}

const LONGEST_REFERENCE = 34; // bytes of &CounterClockwiseContourIntegral; and its like

export function walkPage(tree: Tree, ranges: readonly Range[], visitor: Visitor): void {
  const { source, nodeCount, kind, parent, last, start, openEnd, end } = tree;
  const findRange = rangeFinder(ranges);
  const open: number[] = [];
  let position = 0; // all before it has been looked at

  const skipTo = (next: number): void => {
    if (next > position) findSpace(source, position, next, findRange, visitor);
    if (next > position) position = next;
  };

  for (let node = 1; node < nodeCount; ) {
    while (open.length > 0 && last[open[open.length - 1]] <= node) {
      const done = open.pop() as number;
      skipTo(end[done]);
      visitor.leave(done);
    }
    skipTo(start[node]);
    if (kind[node] === ELEMENT) {
      const entered = visitor.enter(node, findRange(start[node]));
      position = Math.max(position, entered ? openEnd[node] : end[node]);
      if (!entered) {
        node = last[node];
        continue;
      }
      open.push(node);
    } else {
      if (kind[node] === TEXT) cutText(source, start[node], end[node], parent[node], findRange, visitor);
      position = Math.max(position, end[node]);
    }
    node++;
  }
  while (open.length > 0) {
    const done = open.pop() as number;
    skipTo(end[done]);
    visitor.leave(done);
  }
}

/** The range a byte lies in; bytes outside all ranges are content. Fast when asked from left to right. */
export function rangeFinder(ranges: readonly Range[]): (position: number) => Range {
  let current = 0;
  return (position) => {
    while (current > 0 && ranges[current - 1].end > position) current--;
    while (current < ranges.length && ranges[current].end <= position) current++;
    const range = ranges[current];
    if (range !== undefined && range.start <= position) return range;
    const start = current > 0 ? ranges[current - 1].end : 0;
    const end = range?.start ?? Number.MAX_SAFE_INTEGER;
    return { start, end, label: 'content', score: 0, template: '', reason: '' };
  };
}

/** Bytes as text. */
export function sliceText(source: Uint8Array, start: number, end: number): string {
  return Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8', start, end);
}

function cutText(
  source: Uint8Array,
  start: number,
  end: number,
  parent: number,
  findRange: (position: number) => Range,
  visitor: Visitor,
): void {
  for (let from = start; from < end; ) {
    const range = findRange(from);
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

function isReferenceByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x23
  );
}

/** Hands on the white space between nodes, stepping over the tags that stand there. */
function findSpace(
  source: Uint8Array,
  from: number,
  to: number,
  findRange: (position: number) => Range,
  visitor: Visitor,
): void {
  for (let at = from; at < to; ) {
    const byte = source[at];
    if (byte === 0x3c /* < */) {
      while (at < to && source[at] !== 0x3e /* > */) at++;
      at++;
    } else if (isSpace(byte)) {
      const first = at;
      while (at < to && isSpace(source[at])) at++;
      visitor.space(first, at, findRange(first));
    } else {
      at++;
    }
  }
}

/** HTML's white space: space, tab, line feed, form feed, carriage return. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d || byte === 0x0c;
}
