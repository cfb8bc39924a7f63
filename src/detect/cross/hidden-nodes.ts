/**
 * Elements that a browser would not show, as far as their own attributes tell: `hidden`, `aria-hidden="true"`,
 * `style` with `display: none` or `visibility: hidden`. Style sheets are not read.
 */
import { readAttribute } from '../../parse/attributes.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';

const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?(?:;|$)/i;

/** 1 for every node that is hidden or inside a hidden element. */
export function hiddenNodes(tree: Tree): Uint8Array {
  const { nodeCount, kind, last } = tree;
  const marks = new Uint8Array(nodeCount);
  for (let node = 1; node < nodeCount; node++) {
    if (marks[node] === 1 || kind[node] !== ELEMENT || tree.openEnd[node] - tree.start[node] < MIN_TAG_BYTES)
      continue;
    if (isHiddenElement(tree, node)) marks.fill(1, node, last[node]);
  }
  return marks;
}

/** `<p hidden>` */
const MIN_TAG_BYTES = 10;

function isHiddenElement(tree: Tree, node: number): boolean {
  if (readAttribute(tree, node, 'hidden') !== undefined) return true;
  if (readAttribute(tree, node, 'aria-hidden')?.trim().toLowerCase() === 'true') return true;
  const style = readAttribute(tree, node, 'style');
  return style !== undefined && HIDING_STYLE.test(style);
}
