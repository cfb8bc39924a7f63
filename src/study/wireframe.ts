/**
 * Draws a page as a few named boxes: header, menu, content, footer and so on, at their position in the
 * layout. Texts and pictures of ranges with one role that are below each other become one box. Cost: linear
 * in the nodes, and boxes times ranges.
 */
import type { Boxes } from '../layout/boxes.ts';
import type { Range } from '../model/range.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { TemplatePlaces, type TemplateRole } from './template-place.ts';

/** A role of a template, or `content` for the page's own text. */
type WireRole = TemplateRole | 'content';

/** A box of a wireframe, in CSS pixels. */
export interface WireBox {
  role: WireRole;
  /** Id of its largest template; empty for content. */
  template: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Maximum number of boxes of a page. */
export const MAX_WIRE_BOXES = 12;
/** Boxes of one role with a smaller gap than this, in pixels, are joined. */
const NEAR = 160;
/** Minimum share of the narrower box that must be below the other for both to be joined. */
const BELOW = 0.5;
/** Minimum area of a box, in square pixels; smaller ones would be invisible. */
const MIN_AREA = 2000;

interface Grown extends WireBox {
  /** Area of the part with the template that `template` names. */
  largest: number;
}

/** Returns the boxes in document order. */
export function wireframeOf(tree: Tree, boxes: Boxes, ranges: readonly Range[]): WireBox[] {
  const places = new TemplatePlaces(tree, ranges);
  const found: Grown[] = [];
  let node = 1;
  for (const range of ranges) {
    const area = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
    for (; node < tree.nodeCount && tree.start[node] < range.end; node++) {
      if (tree.start[node] >= range.start && isShown(tree, node)) include(area, boxes, node);
    }
    if (area.right <= area.left || area.bottom <= area.top) continue;
    const isKept = range.label === 'content' || range.label === 'unsure';
    const role = isKept ? keptRole(range) : places.of(range).role;
    if (role !== 'head' && role !== 'markup') join(found, role, isKept ? '' : range.template, area);
  }
  return found
    .map((box, at) => ({ box, at }))
    .filter(({ box }) => box.width * box.height >= MIN_AREA)
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height || a.at - b.at)
    .slice(0, MAX_WIRE_BOXES)
    .sort((a, b) => a.at - b.at)
    .map(({ box: { role, template, left, top, width, height } }) => ({
      role,
      template,
      left,
      top,
      width,
      height,
    }));
}

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Returns whether a node is a text or a picture; boxes of elements around them may be as wide as the page.
 */
function isShown({ kind, name, textStart }: Tree, node: number): boolean {
  if (kind[node] === ELEMENT) return name[node] === TAG.img || name[node] === TAG.input;
  return kind[node] === TEXT && textStart[node + 1] > textStart[node];
}

function include(area: Area, { left, top, width, height }: Boxes, node: number): void {
  if (width[node] <= 0 || height[node] <= 0) return;
  area.left = Math.min(area.left, left[node]);
  area.top = Math.min(area.top, top[node]);
  area.right = Math.max(area.right, left[node] + width[node]);
  area.bottom = Math.max(area.bottom, top[node] + height[node]);
}

/** Returns the role of content: comments and related pages are named, too, when they are kept. */
function keptRole({ role }: Range): WireRole {
  return role === 'comments' || role === 'related' ? role : 'content';
}

/** Adds an area to the box of its role above it, or makes a new box. */
function join(boxes: Grown[], role: WireRole, template: string, area: Area): void {
  const width = area.right - area.left;
  const height = area.bottom - area.top;
  const same = boxes.findLast(
    (box) =>
      box.role === role &&
      Math.min(box.left + box.width, area.right) - Math.max(box.left, area.left) >=
        BELOW * Math.min(box.width, width) &&
      Math.max(box.top, area.top) - Math.min(box.top + box.height, area.bottom) <= NEAR,
  );
  const size = width * height;
  if (same === undefined) {
    boxes.push({ role, template, left: area.left, top: area.top, width, height, largest: size });
    return;
  }
  const right = Math.max(same.left + same.width, area.right);
  const bottom = Math.max(same.top + same.height, area.bottom);
  same.left = Math.min(same.left, area.left);
  same.top = Math.min(same.top, area.top);
  same.width = right - same.left;
  same.height = bottom - same.top;
  if (size > same.largest) {
    same.template = template;
    same.largest = size;
  }
}
