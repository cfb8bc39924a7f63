/**
 * Sibling template nodes become one template (Gibson et al. §3.1), across small gaps of changing content: a
 * date, a counter, the name of the user. White space and comments between siblings are no gap; a title is
 * never one. A gap lies inside the template, as in the paper, and is labelled as a slot.
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

/** The stretches of one page, without what finds them. */
export type StretchCopy = Pick<
  NodeStretches,
  | 'count'
  | 'start'
  | 'end'
  | 'members'
  | 'pages'
  | 'low'
  | 'high'
  | 'gapsFrom'
  | 'gapsTo'
  | 'gapStart'
  | 'gapEnd'
>;

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
  /** Gaps of stretch `i` are those from `gapsFrom[i]` up to `gapsTo[i]`, in bytes of the source. */
  gapsFrom = NO_INTEGERS;
  gapsTo = NO_INTEGERS;
  gapStart: number[] = [];
  gapEnd: number[] = [];
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
    const { gapsFrom, gapsTo, gapStart, gapEnd } = this;
    gapStart.length = gapEnd.length = 0;
    let count = 0;
    for (let i = 0; i < judge.count; i++) {
      const node = judge.nodes[i];
      const at = latest[parent[node] + 1] - before - 1;
      if (at >= 0 && isSmallGap(columns, final[at], node, limits)) {
        // templates found within the gap are part of it, and so are their gaps
        count = at + 1;
        gapStart.length = gapEnd.length = gapsTo[at];
        this.#addGap(columns, final[at], node);
        gapsTo[at] = gapStart.length;
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
      gapsFrom[count] = gapsTo[count] = gapStart.length;
      start[count] = columns.start[node];
      end[count] = columns.end[node];
      members[count] = 1;
      pages[count] = judge.pages[node];
      low[count] = columns.contentLow[node];
      high[count++] = columns.contentHigh[node];
    }
    this.count = count;
  }

  /** Notes the content between two template nodes; white space and comments at its ends stay outside. */
  #addGap({ kind, last, start, end }: NodeColumns, before: number, after: number): void {
    let from = -1;
    let to = -1;
    for (let node = last[before]; node < after; node = last[node]) {
      if (kind[node] === COMMENT) continue;
      if (from < 0) from = start[node];
      to = end[node];
    }
    if (from < 0) return;
    this.gapStart.push(from);
    this.gapEnd.push(to);
  }

  /** A copy of the stretches that outlives the next page. */
  copy(): StretchCopy {
    const { count } = this;
    return {
      count,
      start: this.start.slice(0, count),
      end: this.end.slice(0, count),
      members: this.members.slice(0, count),
      pages: this.pages.slice(0, count),
      low: this.low.slice(0, count),
      high: this.high.slice(0, count),
      gapsFrom: this.gapsFrom.slice(0, count),
      gapsTo: this.gapsTo.slice(0, count),
      gapStart: [...this.gapStart],
      gapEnd: [...this.gapEnd],
    };
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
    this.gapsFrom = new Int32Array(capacity);
    this.gapsTo = new Int32Array(capacity);
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
