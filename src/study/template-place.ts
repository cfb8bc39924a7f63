/**
 * Describes a template on a page by a short path of elements (`div#top > nav.main`) and a role (`menu`). The
 * role of the joint detector comes first, then the names and tags of the element and its ancestors, then the
 * share of its text in links, and last whether it comes before or after the longest span of content. Cost:
 * for each template, the depth of its element and the nodes at the top of its range.
 */
import * as words from '../detect/joint/role-words.ts';
import type { Range } from '../model/range.ts';
import type { Role } from '../model/role.ts';
import { readAttribute } from '../parse/attributes.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';
import { BLOCK, CELL, displayOf, HIDDEN, PRE } from '../view/display.ts';
import { shortPlaceOf } from '../view/node-path.ts';

/**
 * Roles of templates in reports. `head` is the head of the document, `markup` has no text, `block` is any
 * other text.
 */
const TEMPLATE_ROLES = [
  'head',
  'header',
  'menu',
  'breadcrumb',
  'contents',
  'sidebar',
  'related',
  'comments',
  'form',
  'footer',
  'legal',
  'title',
  'byline',
  'date',
  'caption',
  'code',
  'facts',
  'markup',
  'block',
] as const;
/** A role of a template in reports. */
export type TemplateRole = (typeof TEMPLATE_ROLES)[number];

/** Role of a template, and the path of its element. */
export interface TemplatePlace {
  role: TemplateRole;
  place: string;
}

/** Minimum share of a range's text in an element that represents the range. */
const MAIN_SHARE = 0.6;
/** Minimum share of that element's text in a descendant that represents it instead. */
const SAME_SHARE = 0.9;
/** Maximum number of steps from a template up to the ancestor whose names give its role. */
const MAX_ANCESTORS = 4;
/** A template with at least this many links and this share of its text in links is a menu. */
const MENU_LINKS = 3;
const MENU_SHARE = 0.6;

/** Elements that start a new line, or are not shown. */
const BLOCK_DISPLAYS: readonly number[] = [BLOCK, CELL, PRE, HIDDEN];

/** Roles of the joint detector that have another name in reports. */
const RENAMED: Partial<Record<Role, TemplateRole>> = { navigation: 'menu', toc: 'contents' };

/** The first of these bits that an element has gives its role. */
const ROLE_OF_BITS: [bits: number, role: TemplateRole][] = [
  [words.BREADCRUMB, 'breadcrumb'],
  [words.TOC, 'contents'],
  [words.NAVIGATION, 'menu'],
  [words.LEGAL, 'legal'],
  [words.FOOTER, 'footer'],
  [words.COMMENTS, 'comments'],
  [words.RELATED, 'related'],
  [words.SIDE, 'sidebar'],
  [words.FORM, 'form'],
  [words.SITE, 'header'],
  [words.FACTS, 'facts'],
  [words.CAPTION, 'caption'],
  [words.DATE, 'date'],
  [words.BYLINE, 'byline'],
  [words.TITLE, 'title'],
];

/** Finds the places of the templates of one page, as one detector labelled them. */
export class TemplatePlaces {
  readonly #tree: Tree;
  /** The longest span of content. */
  readonly #content: Range | undefined;

  constructor(tree: Tree, ranges: readonly Range[]) {
    this.#tree = tree;
    for (const range of ranges) {
      const isLonger = this.#content === undefined || sizeOf(range) > sizeOf(this.#content);
      if (range.label === 'content' && isLonger) this.#content = range;
    }
  }

  of(range: Range): TemplatePlace {
    const tree = this.#tree;
    const node = blockOf(tree, mainElement(tree, range.start, range.end));
    return { role: this.#roleOf(range, node), place: shortPlaceOf(tree, node) };
  }

  #roleOf(range: Range, node: number): TemplateRole {
    if (range.role) return RENAMED[range.role] ?? (range.role as TemplateRole);
    const named = namedRole(this.#tree, node);
    if (named) return named;
    const text = textInside(this.#tree, range);
    if (text.bytes === 0) return 'markup';
    if (text.links >= MENU_LINKS && text.linkBytes >= MENU_SHARE * text.bytes) return 'menu';
    if (this.#content === undefined) return 'block';
    if (range.end <= this.#content.start) return 'header';
    return range.start >= this.#content.end ? 'footer' : 'block';
  }
}

function sizeOf({ start, end }: Range): number {
  return end - start;
}

/** Returns the element that represents a span of the source. */
function mainElement(tree: Tree, start: number, end: number): number {
  const tops = topElements(tree, start, end);
  if (tops.length === 0) return enclosing(tree, firstFrom(tree, start), end, start);
  const hasText = tops.some((node) => textBytes(tree, node) > 0);
  const weigh = (node: number): number =>
    hasText ? textBytes(tree, node) : tree.end[node] - tree.start[node];
  let heaviest = tops[0];
  let sum = 0;
  for (const node of tops) {
    sum += weigh(node);
    if (weigh(node) > weigh(heaviest)) heaviest = node;
  }
  if (weigh(heaviest) >= MAIN_SHARE * sum) return namedInside(tree, heaviest, weigh);
  const around = enclosing(tree, heaviest, tree.end[tops[tops.length - 1]], tree.start[tops[0]]);
  return isPage(tree, around) ? namedInside(tree, heaviest, weigh) : around;
}

/** Returns the element itself, or its nearest ancestor that starts a new line and is not the whole page. */
function blockOf(tree: Tree, node: number): number {
  let at = node;
  while (at > 0 && !isPage(tree, at) && !BLOCK_DISPLAYS.includes(displayOf(tree, at))) at = tree.parent[at];
  return at <= 0 || isPage(tree, at) ? node : at;
}

/** Returns the outermost elements that are completely inside a span. */
function topElements(tree: Tree, start: number, end: number): number[] {
  const found: number[] = [];
  const { kind, start: starts, end: ends, last, nodeCount } = tree;
  for (let node = firstFrom(tree, start); node < nodeCount && starts[node] < end; ) {
    if (ends[node] > end) node++;
    else {
      if (kind[node] === ELEMENT) found.push(node);
      node = last[node];
    }
  }
  return found;
}

/** Returns the first node that starts at an offset or after it. */
function firstFrom({ start, nodeCount }: Tree, offset: number): number {
  return firstAtLeast(start, 1, nodeCount, offset);
}

/** Returns the first index in `[from, to)` whose value is at least `least`; values ascend. */
function firstAtLeast(values: Int32Array, from: number, to: number, least: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the nearest element, from a node upwards, that contains `[start, end)`. */
function enclosing(
  { parent, kind, start: starts, end: ends, nodeCount }: Tree,
  from: number,
  end: number,
  start = Number.POSITIVE_INFINITY,
): number {
  let node = Math.min(from, nodeCount - 1);
  while (node > 0 && (kind[node] !== ELEMENT || ends[node] < end || starts[node] > start))
    node = parent[node];
  return Math.max(node, 0);
}

/**
 * Returns the outermost element with a role by its name among those that contain nearly all of a subtree;
 * else the subtree itself.
 */
function namedInside(tree: Tree, node: number, weigh: (node: number) => number): number {
  const least = SAME_SHARE * weigh(node);
  let at = node;
  while (at >= 0 && !isPage(tree, at)) {
    if (ownRole(tree, at)) return at;
    at = heavyChild(tree, at, (child) => weigh(child) >= least);
  }
  return node;
}

function heavyChild({ kind, last }: Tree, node: number, isHeavy: (node: number) => boolean): number {
  for (let child = node + 1; child < last[node]; child = last[child]) {
    if (kind[child] === ELEMENT && isHeavy(child)) return child;
  }
  return -1;
}

function isPage({ name, parent }: Tree, node: number): boolean {
  return parent[node] < 0 || name[node] === TAG.html || name[node] === TAG.body;
}

/** Returns the role that the name of an element, or of its nearest named ancestor, gives. */
function namedRole(tree: Tree, node: number): TemplateRole | undefined {
  let steps = 0;
  for (let at = node; at > 0 && !isPage(tree, at) && steps <= MAX_ANCESTORS; at = tree.parent[at], steps++) {
    const role = ownRole(tree, at);
    if (role) return role;
  }
  return undefined;
}

function ownRole(tree: Tree, node: number): TemplateRole | undefined {
  const tag = tree.name[node];
  if (tag === TAG.head) return 'head';
  const names = ['id', 'class', 'role'].map((each) => readAttribute(tree, node, each) ?? '').join(' ');
  const bits = words.tagBits(tag) | words.nameBits(names);
  const found = ROLE_OF_BITS.find(([each]) => (bits & each) !== 0);
  if (found) return found[1];
  return tag === TAG.header || /(^|[^a-z])(header|masthead|banner|topbar)([^a-z]|$)/i.test(names)
    ? 'header'
    : undefined;
}

function textBytes({ textStart, last }: Tree, node: number): number {
  return textStart[last[node]] - textStart[node];
}

/**
 * Returns the bytes of text of the nodes that start in a span, the number of links, and the bytes of text in
 * them.
 */
function textInside(tree: Tree, { start, end }: Range): { bytes: number; links: number; linkBytes: number } {
  const { textStart, linkCount, linkNode } = tree;
  const from = firstFrom(tree, start);
  const to = firstFrom(tree, end);
  const firstLink = firstAtLeast(linkNode, 0, linkCount, from);
  let linkBytes = 0;
  let link = firstLink;
  for (; link < linkCount && linkNode[link] < to; link++) linkBytes += textBytes(tree, linkNode[link]);
  return { bytes: textStart[to] - textStart[from], links: link - firstLink, linkBytes };
}
