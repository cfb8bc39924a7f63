/**
 * Sibling template nodes become one template (Gibson et al. §3.1), across small gaps of changing content: a
 * date, a counter, the name of the user. White space and comments between siblings are no gap; a title is
 * never one. A gap is part of the template, as in the paper.
 */
import { foldHash, type Lanes, startSequence } from '../analysis/byte-hash.ts';
import { TAG } from '../parse/tag-names.ts';
import { COMMENT } from '../parse/tree.ts';
import type { NodeJudge } from './dom-evidence.ts';
import type { NodeColumns } from './node-walk.ts';

export interface GapLimits {
  gapBytes: number;
  gapTextBytes: number;
}

/** Columns of a stretch that can be kept. */
const COLUMNS = 6;

const NO_INTEGERS = new Int32Array(0);

/**
 * Finds the stretches of a page: each is a template node, or several with the same parent. They hold until the next
 * page: columns, `count` entries of which mean something.
 */
export class NodeStretches {
  count = 0;
  /** Where its first node starts and its last node ends, in bytes. */
  start = NO_INTEGERS;
  end = NO_INTEGERS;
  /** Template nodes in it. */
  members = NO_INTEGERS;
  /** Every one of them is on at least so many sampled pages. */
  pages = NO_INTEGERS;
  /** The content hash of the only node; of several, the hash of the sequence of theirs. */
  low = NO_INTEGERS;
  high = NO_INTEGERS;
  /** The id of its last node. */
  #final = NO_INTEGERS;
  readonly #lanes: Lanes = { low: 0, high: 0 };
  // by parent: the latest stretch among its children, counted on from page to page
  #latest = NO_INTEGERS;
  #before = 0;

  constructor() {
    this.#enlarge(256);
    this.#latest = new Int32Array(1024);
  }

  find(columns: NodeColumns, judge: NodeJudge, limits: GapLimits): void {
    judge.find(columns);
    this.#reserve(columns.nodeCount, judge.count);
    const { parent } = columns;
    const { start, end, members, pages, low, high } = this;
    const final = this.#final;
    const lanes = this.#lanes;
    const latest = this.#latest;
    const before = this.#before; // no stretch of this page has a number up to this
    let count = 0;
    for (let i = 0; i < judge.count; i++) {
      const node = judge.nodes[i];
      const at = latest[parent[node] + 1] - before - 1;
      if (at >= 0 && isSmallGap(columns, final[at], node, limits)) {
        count = at + 1; // templates found within the gap are part of it
        if (members[at]++ === 1) {
          startSequence(lanes);
          foldHash(low[at], high[at], lanes);
        } else {
          lanes.low = low[at];
          lanes.high = high[at];
        }
        foldHash(columns.contentLow[node], columns.contentHigh[node], lanes);
        low[at] = lanes.low;
        high[at] = lanes.high;
        pages[at] = Math.min(pages[at], judge.pages[node]);
        final[at] = node;
        end[at] = columns.end[node];
        continue;
      }
      latest[parent[node] + 1] = before + count + 1;
      final[count] = node;
      start[count] = columns.start[node];
      end[count] = columns.end[node];
      members[count] = 1;
      pages[count] = judge.pages[node];
      low[count] = columns.contentLow[node];
      high[count++] = columns.contentHigh[node];
    }
    this.count = count;
  }

  /** What was found last, for longer than until the next page. */
  copy(): Int32Array {
    const { count } = this;
    const copy = new Int32Array(COLUMNS * count);
    for (let i = 0, at = 0; i < count; i++) {
      copy[at++] = this.start[i];
      copy[at++] = this.end[i];
      copy[at++] = this.members[i];
      copy[at++] = this.pages[i];
      copy[at++] = this.low[i];
      copy[at++] = this.high[i];
    }
    return copy;
  }

  /** Puts a copy in the place of what was found last. */
  restore(copy: Int32Array): void {
    const count = copy.length / COLUMNS;
    if (this.start.length < count) this.#enlarge(count);
    for (let i = 0, at = 0; i < count; i++) {
      this.start[i] = copy[at++];
      this.end[i] = copy[at++];
      this.members[i] = copy[at++];
      this.pages[i] = copy[at++];
      this.low[i] = copy[at++];
      this.high[i] = copy[at++];
    }
    this.count = count;
  }

  /** Room for as many stretches as there are template nodes, and numbers that no earlier page has used. */
  #reserve(nodeCount: number, templateNodes: number): void {
    this.#before += this.start.length;
    if (this.start.length < templateNodes) this.#enlarge(Math.max(templateNodes, this.start.length * 2));
    if (this.#latest.length <= nodeCount || this.#before + this.start.length > MAX_NUMBER) {
      this.#latest = new Int32Array(2 * (nodeCount + 1));
      this.#before = 0;
    }
  }

  #enlarge(capacity: number): void {
    this.start = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.members = new Int32Array(capacity);
    this.pages = new Int32Array(capacity);
    this.low = new Int32Array(capacity);
    this.high = new Int32Array(capacity);
    this.#final = new Int32Array(capacity);
  }
}

const MAX_NUMBER = 2 ** 31 - 1;

function isSmallGap(columns: NodeColumns, before: number, after: number, limits: GapLimits): boolean {
  const { kind, name, last, start, end, textStart } = columns;
  if (textStart[after] - textStart[last[before]] > limits.gapTextBytes + 2) return false; // two separating spaces
  let bytes = 0;
  for (let node = last[before]; node < after; node = last[node]) {
    if (name[node] === TAG.title) return false; // no text of the page, but what it is called
    if (kind[node] !== COMMENT) bytes += end[node] - start[node];
    if (bytes > limits.gapBytes) return false;
  }
  return true;
}
