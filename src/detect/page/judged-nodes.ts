/**
 * Which nodes of a page are judged: elements that stand apart when the page is shown and are large enough.
 * Smaller ones are hidden in the nearest judged ancestor and add to its weight (Chakrabarti, Kumar and Punera
 * 2007, section 5.3). So are elements in the line of a text, a link in a sentence for one: what is left out of
 * a page must not leave holes in its sentences. What is not shown is judged as a whole, if it says anything.
 *
 * That is the choice `blocks`. With `all`, every element that is large enough is judged, as in the paper, and what is
 * not shown has no area and is hidden.
 *
 * Rows are bounded: where a page has more, the least area is raised until it has not.
 */
import type { Boxes } from '../../layout/boxes.ts';
import { reserveColumns } from '../../model/growing-array.ts';
import { breaksWords, FIRST_FOREIGN_TAG, isHidden, TAG } from '../../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../../parse/tree.ts';

export const NODE_CHOICES = ['blocks', 'all'] as const;
export type NodeChoice = (typeof NODE_CHOICES)[number];

/** Most rows of a page. */
export const MAX_ROWS = 16_384;
/** Text that is not shown is judged from this many bytes. */
const MIN_UNSHOWN_BYTES = 16;

export class JudgedNodes {
  count = 0;
  node = new Int32Array(0);
  parent = new Int32Array(0);
  weight = new Float32Array(0);
  area = new Float32Array(0);
  /** By node: its box; of an element without area, around what is in it. */
  left = new Float32Array(0);
  top = new Float32Array(0);
  right = new Float32Array(0);
  bottom = new Float32Array(0);
  /** By node: the row it is or is hidden in. */
  rowOf = new Int32Array(0);
  /** By node: 1 when a block is inside, 2 when a text stands directly in it. */
  holds = new Uint8Array(0);

  choose(tree: Tree, boxes: Boxes, leastArea: number, nodes: NodeChoice = 'blocks'): void {
    if (this.rowOf.length < tree.nodeCount) reserveColumns(this, tree.nodeCount);
    this.#frame(tree, boxes);
    let least = leastArea;
    while (!this.#select(tree, least, nodes)) least = Math.max(1, least * 2);
  }

  #frame({ nodeCount, kind, name, parent, textStart }: Tree, boxes: Boxes): void {
    const { left, top, right, bottom } = this;
    const holds = this.holds;
    for (let node = 0; node < nodeCount; node++) {
      left[node] = boxes.left[node];
      top[node] = boxes.top[node];
      right[node] = boxes.left[node] + boxes.width[node];
      bottom[node] = boxes.top[node] + boxes.height[node];
      holds[node] = 0;
    }
    for (let node = nodeCount - 1; node > 0; node--) {
      const above = parent[node];
      if (kind[node] === TEXT) {
        if (textStart[node + 1] > textStart[node]) holds[above] |= 2;
      } else if (kind[node] === ELEMENT && ((holds[node] & 1) !== 0 || standsApart(name[node])))
        holds[above] |= 1;
      // a parent without area, of floats for one, is where its children are
      if (right[node] <= left[node] || bottom[node] <= top[node]) continue;
      if (boxes.width[above] > 0 && boxes.height[above] > 0) continue;
      if (right[above] <= left[above] || bottom[above] <= top[above]) {
        left[above] = left[node];
        top[above] = top[node];
        right[above] = right[node];
        bottom[above] = bottom[node];
      } else {
        if (left[node] < left[above]) left[above] = left[node];
        if (top[node] < top[above]) top[above] = top[node];
        if (right[node] > right[above]) right[above] = right[node];
        if (bottom[node] > bottom[above]) bottom[above] = bottom[node];
      }
    }
  }

  /** Returns false when there are too many. */
  #select(
    { nodeCount, kind, name, parent, last, textStart }: Tree,
    least: number,
    nodes: NodeChoice,
  ): boolean {
    const { node: rows, parent: rowParent, weight, area, rowOf, left, top, right, bottom } = this;
    const holds = this.holds;
    let count = 1;
    let skipEnd = 0;
    rows[0] = 0;
    rowParent[0] = -1;
    weight[0] = 1;
    area[0] = Math.max(0, (right[0] - left[0]) * (bottom[0] - top[0]));
    rowOf[0] = 0;
    for (let node = 1; node < nodeCount; node++) {
      const above = parent[node];
      const row = rowOf[above];
      rowOf[node] = row;
      const tag = name[node];
      if (kind[node] !== ELEMENT || node < skipEnd || isHidden(tag) || tag === TAG.head) {
        weight[row]++;
        continue;
      }
      const size = Math.max(0, (right[node] - left[node]) * (bottom[node] - top[node]));
      const textBytes = textStart[last[node]] - textStart[node];
      let isJudged: boolean;
      if (nodes === 'all') isJudged = size > 0 && size >= least;
      else if (size === 0) {
        // one row for all that is not shown here
        isJudged = textBytes >= MIN_UNSHOWN_BYTES;
        skipEnd = last[node];
      } else if (size < least) isJudged = false;
      else if (standsApart(tag) || (holds[node] & 1) !== 0) isJudged = true;
      else isJudged = (holds[above] & 2) === 0 && textBytes < textStart[last[above]] - textStart[above];
      if (!isJudged) {
        weight[row]++;
        continue;
      }
      if (count === MAX_ROWS) return false;
      rows[count] = node;
      rowParent[count] = row;
      weight[count] = 1;
      area[count] = size;
      rowOf[node] = count++;
    }
    this.count = count;
    return true;
  }
}

/** Blocks, cells and elements of the page's own naming. */
function standsApart(tag: number): boolean {
  return tag >= FIRST_FOREIGN_TAG || (breaksWords(tag) && tag !== TAG.br && tag !== TAG.hr);
}
