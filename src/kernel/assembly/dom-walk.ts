/**
 * The walk of the dom detector: from the root of a page down to its frequent nodes, with the positions and
 * contexts of the nodes on the way. detect/dom-evidence.ts has the rules.
 *
 * A position is the hash of a path: the chain of tags from the root with, at each step, the node's number
 * among the siblings of its tag, counted from the first or from the last. A context is the tags of the
 * nearest two ancestors.
 */
import * as Dom from '../dom-layout.ts';
import { INDEX_FILTER, INDEX_SHIFT } from '../key-layout.ts';
import * as Page from '../layout.ts';
import { mix32 } from './hash';
import { findKey, isInFilter, NONE } from './keys';

const TEXT: u32 = 3;
/** Kind of a comment node. */
export const COMMENT: u32 = 8;
const DECLARATION: u32 = 10;
/**
 * Ids of foreign names differ from page to page, so they count as one tag. Kinds of other nodes are numbered
 * above the ids in use.
 */
const FIRST_FOREIGN_TAG: u32 = 256;
const FOREIGN: u32 = 255;
const FIRST_KIND: u32 = 240;
const NO_PARENT: u32 = 0xffffffff;

/** Returns a word of a table. */
export function word(base: u32, index: u32): u32 {
  return load<u32>(base + (index << 2));
}

/** Writes a word of a table. */
export function setWord(base: u32, index: u32, value: u32): void {
  store<u32>(base + (index << 2), value);
}

/** Whether a node may become a template by itself; comments and doctypes may not. */
export function isCandidate(kind: u32): bool {
  return kind !== COMMENT && kind !== DECLARATION;
}

// the walk from the root down to frequent nodes

function breaksWords(breaks: u32, tag: u32): bool {
  return tag < FIRST_FOREIGN_TAG && load<u8>(breaks + tag) !== 0;
}

/** Starts a page: walks from the root down to nodes in the index. */
export function openWalk(scratch: u32, page: u32, index: u32): void {
  const nodeCount = word(page, Page.PAGE_NODE_COUNT);
  memory.fill(word(scratch, Dom.DOM_CHANGING), 0, nodeCount);
  memory.fill(word(scratch, Dom.DOM_PLACED), 0, nodeCount);
  setWord(word(scratch, Dom.DOM_FRONT), 0, 1);
  setWord(word(scratch, Dom.DOM_BACK), 0, 2);
  setWord(scratch, Dom.DOM_ROOT, 0);
  setWord(scratch, Dom.DOM_ROOT_IN_LINE, 0);
  setWord(scratch, Dom.DOM_COUNT, 0);
  setWord(scratch, Dom.DOM_FOUND_COUNT, 0);
  if (nodeCount === 0) return;
  const at = findKey(
    index,
    word(word(page, Page.PAGE_CONTENT_LOW), 0),
    word(word(page, Page.PAGE_CONTENT_HIGH), 0),
  );
  setWord(word(scratch, Dom.DOM_NODES), 0, 0);
  setWord(scratch, Dom.DOM_COUNT, 1);
  if (at === NONE) {
    walk(scratch, page, index, 0);
  } else {
    setWord(word(scratch, Dom.DOM_FOUND_NODES), 0, 0);
    setWord(word(scratch, Dom.DOM_FOUND_AT), 0, at);
    setWord(scratch, Dom.DOM_FOUND_COUNT, 1);
  }
}

/** Walks the inside of a node that was found before. */
export function enterWalk(scratch: u32, page: u32, index: u32, node: u32, isInLine: bool): void {
  setWord(scratch, Dom.DOM_ROOT, node);
  setWord(scratch, Dom.DOM_ROOT_IN_LINE, <u32>isInLine);
  setWord(scratch, Dom.DOM_COUNT, 0);
  setWord(scratch, Dom.DOM_FOUND_COUNT, 0);
  walk(scratch, page, index, node);
}

/** Continues the walk below a node, and marks the lines with text that is in no frequent node. */
export function walk(scratch: u32, page: u32, index: u32, root: u32): void {
  const kinds = word(page, Page.PAGE_KIND);
  const names = word(page, Page.PAGE_NAME);
  const parents = word(page, Page.PAGE_PARENT);
  const lasts = word(page, Page.PAGE_LAST);
  const lows = word(page, Page.PAGE_CONTENT_LOW);
  const highs = word(page, Page.PAGE_CONTENT_HIGH);
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const filter = word(index, INDEX_FILTER);
  const shift = word(index, INDEX_SHIFT);
  const nodes = word(scratch, Dom.DOM_NODES);
  const foundNodes = word(scratch, Dom.DOM_FOUND_NODES);
  const foundAt = word(scratch, Dom.DOM_FOUND_AT);
  const changing = word(scratch, Dom.DOM_CHANGING);
  const breaks = word(scratch, Dom.DOM_BREAKS);
  const end = word(lasts, root);
  let count = word(scratch, Dom.DOM_COUNT);
  let foundCount = word(scratch, Dom.DOM_FOUND_COUNT);
  for (let node = root + 1; node < end; ) {
    setWord(nodes, count++, node);
    const low = word(lows, node);
    const kind: u32 = load<u8>(kinds + node);
    if (isInFilter(filter, shift, low) && isCandidate(kind)) {
      const at = findKey(index, low, word(highs, node));
      if (at !== NONE) {
        setWord(foundNodes, foundCount, node);
        setWord(foundAt, foundCount++, at);
        node = word(lasts, node);
        continue;
      }
    }
    if (kind === TEXT && word(textStarts, node + 1) > word(textStarts, node)) {
      let above = word(parents, node);
      for (; above !== NO_PARENT; above = word(parents, above)) {
        if (load<u8>(changing + above) !== 0) break;
        store<u8>(changing + above, 1);
        if (breaksWords(breaks, load<u16>(names + (above << 1)))) break;
      }
    }
    node++;
  }
  setWord(scratch, Dom.DOM_COUNT, count);
  setWord(scratch, Dom.DOM_FOUND_COUNT, foundCount);
}

/**
 * Whether a node of the last walk is in a line of changing text: beside such text, or in an inline element
 * beside it. A block among changing text is a line of its own.
 */
export function isInLine(scratch: u32, page: u32, node: u32): bool {
  const names = word(page, Page.PAGE_NAME);
  const parents = word(page, Page.PAGE_PARENT);
  const changing = word(scratch, Dom.DOM_CHANGING);
  const breaks = word(scratch, Dom.DOM_BREAKS);
  const root = word(scratch, Dom.DOM_ROOT);
  let below = node;
  for (let above = word(parents, node); above !== NO_PARENT; above = word(parents, above)) {
    if (load<u8>(changing + above) !== 0 && !breaksWords(breaks, load<u16>(names + (below << 1))))
      return true;
    if (breaksWords(breaks, load<u16>(names + (above << 1)))) return false;
    if (above === root) return word(scratch, Dom.DOM_ROOT_IN_LINE) !== 0;
    below = above;
  }
  return false;
}

// positions and contexts

function tagOf(page: u32, node: u32): u32 {
  const name: u32 = load<u16>(word(page, Page.PAGE_NAME) + (node << 1));
  if (name >= FIRST_FOREIGN_TAG) return FOREIGN;
  return name === 0 ? FIRST_KIND + load<u8>(word(page, Page.PAGE_KIND) + node) : name;
}

/** Computes the positions of the children of a node that has positions. */
function placeChildren(scratch: u32, page: u32, above: u32): void {
  const lasts = word(page, Page.PAGE_LAST);
  const fronts = word(scratch, Dom.DOM_FRONT);
  const backs = word(scratch, Dom.DOM_BACK);
  const end = word(lasts, above);
  const front = word(fronts, above) * 0x9e3779b1;
  const back = word(backs, above) * 0x85ebca6b;
  const first = above + 1;
  if (first < end && word(lasts, first) === end) {
    // an only child, like half of all nodes, is the first from both sides
    const step = (tagOf(page, first) << 16) ^ 1;
    setWord(fronts, first, mix32(front ^ step));
    setWord(backs, first, mix32(back ^ step));
    return;
  }
  const counts = word(scratch, Dom.DOM_TAG_COUNTS);
  for (let child = first; child < end; child = word(lasts, child)) {
    const tag = tagOf(page, child);
    const count = word(counts, tag) + 1;
    setWord(counts, tag, count);
    setWord(fronts, child, mix32(front ^ (tag << 16) ^ count));
  }
  for (let child = first; child < end; child = word(lasts, child)) {
    const tag = tagOf(page, child);
    const count = word(counts, tag);
    setWord(counts, tag, count - 1);
    setWord(backs, child, mix32(back ^ (tag << 16) ^ count));
  }
}

/** Computes the positions of a node, and of the nodes on the way to it. */
export function place(scratch: u32, page: u32, node: u32): void {
  const parents = word(page, Page.PAGE_PARENT);
  const placed = word(scratch, Dom.DOM_PLACED);
  const path = word(scratch, Dom.DOM_PATH);
  let length: u32 = 0;
  for (let above = word(parents, node); above !== NO_PARENT; above = word(parents, above)) {
    if (load<u8>(placed + above) !== 0) break;
    store<u8>(placed + above, 1);
    setWord(path, length++, above);
  }
  while (length > 0) placeChildren(scratch, page, word(path, --length));
}

/** Computes the positions of all nodes of the last walk, from the top down. */
export function placeAll(scratch: u32, page: u32): void {
  const lasts = word(page, Page.PAGE_LAST);
  const nodes = word(scratch, Dom.DOM_NODES);
  const count = word(scratch, Dom.DOM_COUNT);
  const foundNodes = word(scratch, Dom.DOM_FOUND_NODES);
  const foundCount = word(scratch, Dom.DOM_FOUND_COUNT);
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const node = word(nodes, i);
    if (found < foundCount && word(foundNodes, found) === node) found++;
    else if (word(lasts, node) > node + 1) placeChildren(scratch, page, node);
  }
}

/** Returns the context of a node. */
export function contextOf(page: u32, node: u32): u32 {
  const parents = word(page, Page.PAGE_PARENT);
  const above = word(parents, node);
  if (above === NO_PARENT) return 3;
  const second = word(parents, above);
  const outer = second === NO_PARENT ? 0 : tagOf(page, second);
  return mix32((tagOf(page, above) * 0x9e3779b1) ^ outer);
}

/** Returns the low lane of the hash of a node together with a position or context. */
export function positionLow(low: u32, position: u32): u32 {
  const a = (low ^ position) * 0x85ebca6b;
  return a ^ (a >> 15);
}

/** Returns the high lane of the hash of a node together with a position or context. */
export function positionHigh(high: u32, position: u32): u32 {
  const b = (high ^ (position * 0x9e3779b1)) * 0xc2b2ae35;
  return b ^ (b >> 14);
}
