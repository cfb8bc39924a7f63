/**
 * Turns a browser's boxes into columns parallel to the nodes of our tree. Nodes that are not shown (no box, `visibility:
 * hidden`, wholly outside the scrollable page) have no area. An element whose own box has no area, such as
 * one with `display: contents` or one that holds only floats, gets the box around its contents. A text that
 * could not be joined gets a share of its parent's box in proportion to its characters.
 */
import type { Boxes } from '../layout/boxes.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { joinNodes, type LayoutSnapshot, type SnapshotDocument } from './join-nodes.ts';

/** Boxes of a page and how many of its nodes were found in the browser's tree. */
export interface JoinedBoxes {
  boxes: Boxes;
  /** Number of elements and texts of the page, and how many of each the browser's tree has too. */
  elements: number;
  joinedElements: number;
  texts: number;
  joinedTexts: number;
}

/** Returns the boxes of a browser's snapshot for the nodes of our tree. */
export function joinBoxes(tree: Tree, snapshot: LayoutSnapshot, origin: string): JoinedBoxes {
  const { nodeCount } = tree;
  const { ours, theirs } = joinNodes(tree, snapshot);
  const [document] = snapshot.documents;
  const boxes: Boxes = {
    nodeCount,
    left: new Float32Array(nodeCount),
    top: new Float32Array(nodeCount),
    width: new Float32Array(nodeCount),
    height: new Float32Array(nodeCount),
    pageWidth: Math.max(0, document.contentWidth ?? 0),
    pageHeight: Math.max(0, document.contentHeight ?? 0),
    origin,
  };
  takeOwnBoxes(boxes, document, snapshot.strings, ours);
  shareOutTexts(boxes, tree, theirs);
  wrapContents(boxes, tree);
  fitPage(boxes);

  return { boxes, ...countJoined(tree, theirs) };
}

/** Counts joined nodes. The contents of a template element are not part of the page in either tree. */
function countJoined({ nodeCount, kind, name, last }: Tree, theirs: Int32Array): Omit<JoinedBoxes, 'boxes'> {
  const counts = { elements: 0, joinedElements: 0, texts: 0, joinedTexts: 0 };
  for (let node = 1; node < nodeCount; ) {
    const found = theirs[node] >= 0 ? 1 : 0;
    if (kind[node] === ELEMENT) {
      counts.elements++;
      counts.joinedElements += found;
    } else if (kind[node] === TEXT) {
      counts.texts++;
      counts.joinedTexts += found;
    }
    node = name[node] === TAG.template ? last[node] : node + 1;
  }
  return counts;
}

/** Copies the boxes of joined nodes, cut to the page. `ours` has the node of our tree for each of the browser's. */
function takeOwnBoxes(boxes: Boxes, { layout }: SnapshotDocument, strings: string[], ours: Int32Array): void {
  const { pageWidth, pageHeight } = boxes;
  const { nodeIndex, bounds, styles } = layout;
  for (let i = 0; i < nodeIndex.length; i++) {
    const node = ours[nodeIndex[i]];
    if (node === undefined || node <= 0) continue;
    const visibility = strings[styles[i]?.[0]];
    if (visibility === 'hidden' || visibility === 'collapse') continue;
    const [x, y, width, height] = bounds[i];
    const left = Math.max(0, x);
    const top = Math.max(0, y);
    const right = Math.min(pageWidth, x + width);
    const bottom = Math.min(pageHeight, y + height);
    if (right > left && bottom > top) extend(boxes, node, left, top, right, bottom);
  }
}

/** Extends a node's box to include another box. */
function extend(boxes: Boxes, node: number, left: number, top: number, right: number, bottom: number): void {
  const shown = boxes.width[node] > 0 && boxes.height[node] > 0;
  const newLeft = shown ? Math.min(left, boxes.left[node]) : left;
  const newTop = shown ? Math.min(top, boxes.top[node]) : top;
  const newRight = shown ? Math.max(right, boxes.left[node] + boxes.width[node]) : right;
  const newBottom = shown ? Math.max(bottom, boxes.top[node] + boxes.height[node]) : bottom;
  boxes.left[node] = newLeft;
  boxes.top[node] = newTop;
  boxes.width[node] = newRight - newLeft;
  boxes.height[node] = newBottom - newTop;
}

/** Gives each text that could not be joined its share of the parent's box, from top to bottom. */
function shareOutTexts(boxes: Boxes, tree: Tree, theirs: Int32Array): void {
  const { kind, parent, last, textStart } = tree;
  const { left, top, width, height } = boxes;
  for (let node = 1; node < tree.nodeCount; node++) {
    if (kind[node] !== TEXT || theirs[node] >= 0) continue;
    const holder = parent[node];
    const holderText = textStart[last[holder]] - textStart[holder];
    if (holderText <= 0 || width[holder] * height[holder] === 0) continue;
    left[node] = left[holder];
    width[node] = width[holder];
    top[node] = top[holder] + (height[holder] * (textStart[node] - textStart[holder])) / holderText;
    height[node] = (height[holder] * (textStart[last[node]] - textStart[node])) / holderText;
  }
}

/**
 * Gives elements without area the box around their contents. Children come after their parents, so one pass
 * backwards reaches every ancestor.
 */
function wrapContents(boxes: Boxes, { parent, nodeCount, kind }: Tree): void {
  const { left, top, width, height } = boxes;
  const own = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) own[node] = width[node] > 0 && height[node] > 0 ? 1 : 0;
  for (let node = nodeCount - 1; node > 0; node--) {
    const holder = parent[node];
    if (kind[holder] !== ELEMENT || own[holder] === 1 || !(width[node] > 0 && height[node] > 0)) continue;
    extend(boxes, holder, left[node], top[node], left[node] + width[node], top[node] + height[node]);
  }
}

/** Makes the page as high as its shown nodes: the window below a short page is not part of it. */
function fitPage(boxes: Boxes): void {
  const { nodeCount, top, height } = boxes;
  let bottom = 0;
  for (let node = 1; node < nodeCount; node++)
    if (height[node] > 0) bottom = Math.max(bottom, top[node] + height[node]);
  boxes.pageHeight = Math.min(boxes.pageHeight, bottom);
  boxes.width[0] = boxes.pageWidth;
  boxes.height[0] = boxes.pageHeight;
}
