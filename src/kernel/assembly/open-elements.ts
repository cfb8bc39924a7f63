/**
 * The stack of open elements, and the hashes of their content so far. The first entry is the document, the
 * second the html element. Three kinds of question are frequent, and each takes one load instead of a walk:
 *
 * - the innermost open element of a tag: `innermost(tag)` in tag-table.ts, since each entry is linked to the
 *   next outer one with the same key;
 * - whether a scope marker, a special element or a boundary of list items is above an entry: each entry has
 *   the innermost such entry at or below itself.
 *
 * So 20,000 nested elements cost as much as 20. Entries deeper than the depth limit take part in parsing, but
 * their nodes are closed at once and their content becomes their siblings, as in browsers.
 *
 * An entry is one cache line, identified by its address:
 *
 *    0  node
 *    4  key: tag of an HTML element, GHOST or NOT_HTML for others
 *    8  flags
 *   12  its entry in the list of active formatting elements, or 0
 *   16  next outer entry with the same key, or 0
 *   20  innermost scope marker at or below; 24 special element; 28 boundary of list items
 *   32  hash of the start tag: content lanes, shape lanes
 *   48  hash of the children closed so far: content lanes, shape lanes
 */
import { ELEMENT_BYTES } from '../layout.ts';
import { b } from './builder.ts';
import { ELEMENT_OF } from './formatting-list.ts';
import { EMPTY_HIGH, EMPTY_LOW, fold, mixHigh, mixLow } from './node-hashes.ts';
import * as Tags from './tag-table.ts';

/** Offset in an entry of its key. */
export const KEY: usize = 4;
/** Offset in an entry of its flags. */
export const FLAGS: usize = 8;
/** Offset in an entry of its entry in the list of active formatting elements. */
export const FORMAT: usize = 12;
const NEXT_OUTER: usize = 16;
const SCOPE_MARKER: usize = 20;
const SPECIAL_ELEMENT: usize = 24;
const BOUNDARY: usize = 28;
/** Offset in an entry of the hash of its start tag. */
export const TAG_HASH: usize = 32;
/** Offset in an entry of the hash of its children. */
export const CHILDREN: usize = 48;

/** Returns the node of an entry. */
export function nodeOf(element: u32): u32 {
  return load<u32>(element);
}
/** Returns the key of an entry. */
export function keyOf(element: u32): u32 {
  return load<u32>(element, KEY);
}
/** Returns the flags of an entry. */
export function flagsAt(element: u32): u32 {
  return load<u32>(element, FLAGS);
}
/** Returns the entry of an element in the list of active formatting elements, or 0. */
export function formatOf(element: u32): u32 {
  return load<u32>(element, FORMAT);
}
/** Returns the key of the current element. */
export function currentKey(): u32 {
  return load<u32>(b.top, KEY);
}
/** Returns the flags of the current element. */
export function currentFlags(): u32 {
  return load<u32>(b.top, FLAGS);
}
/** Returns the deepest open element that may hold nodes. */
export function holder(): u32 {
  return min(b.top, b.deepest);
}

/**
 * Opens an element whose node was just added. The caller has written its tag hash at `top` + ELEMENT_BYTES.
 */
export function push(node: u32, key: u32, flags: u32): void {
  const outer = b.top;
  const element = outer + ELEMENT_BYTES;
  b.top = element;
  store<u32>(element, node);
  store<u32>(element, key, KEY);
  store<u32>(element, flags, FLAGS);
  store<u32>(element, 0, FORMAT);
  clearChildren(element);
  link(element, key, flags);
  if (flags & Tags.HIDDEN) b.hiddenDepth++;
  if (element > b.deepest) {
    b.depthCapped = 1;
    closeEntry(element, load<u32>(b.openEnd + (node << 2)), node + 1);
  }
}

/** Sets the hash of an entry's children to that of no children. */
export function clearChildren(element: u32): void {
  v128.store(element, i32x4(EMPTY_LOW, EMPTY_HIGH, EMPTY_LOW, EMPTY_HIGH), CHILDREN);
}

/** Makes an entry the innermost one with its key, and stores the markers at or below it. */
function link(element: u32, key: u32, flags: u32): void {
  const outer = element - ELEMENT_BYTES;
  store<u32>(element, Tags.innermost(key), NEXT_OUTER);
  Tags.setInnermost(key, element);
  store<u32>(element, select(element, load<u32>(outer, SCOPE_MARKER), flags & Tags.SCOPE), SCOPE_MARKER);
  store<u32>(
    element,
    select(element, load<u32>(outer, SPECIAL_ELEMENT), flags & Tags.SPECIAL),
    SPECIAL_ELEMENT,
  );
  store<u32>(element, select(element, load<u32>(outer, BOUNDARY), flags & Tags.ITEM_BOUNDARY), BOUNDARY);
}

/** Closes the current element at the position `end`, and with it the ghosts that become current. */
export function pop(end: u32): void {
  popBefore(end, b.nodeCount);
}

/** Closes the current element at the position `end`, before node `last`. */
export function popBefore(end: u32, last: u32): void {
  const offset = end - b.source;
  do {
    const element = b.top;
    const flags = flagsAt(element);
    b.top = element - ELEMENT_BYTES;
    Tags.setInnermost(keyOf(element), load<u32>(element, NEXT_OUTER));
    const format = formatOf(element);
    if (format) store<u32>(format, 0, ELEMENT_OF);
    if (flags & Tags.HIDDEN) b.hiddenDepth--;
    b.wordEnded |= flags & Tags.BREAK;
    if (element <= b.deepest) closeEntry(element, offset, last);
  } while (currentKey() === Tags.GHOST);
}

/** Closes all entries above an element at `start`, and the element itself at `end`. */
export function popThrough(element: u32, start: u32, end: u32): void {
  if (!element) return;
  popAbove(element, start);
  // a ghost at this depth has already closed with the entry above it
  if (b.top >= element) pop(end);
}

/** Closes the entries above an element. */
export function popAbove(element: u32, end: u32): void {
  while (b.top > element) pop(end);
}

/**
 * Ends the node of an entry: its hashes are complete and are added to its parent's. The entry stays on the
 * stack.
 */
export function closeEntry(element: u32, endOffset: u32, last: u32): void {
  const node = load<u32>(element) << 2;
  store<u32>(b.end + node, endOffset);
  store<u32>(b.last + node, last);

  // start tag and children, mixed
  const high = load<u32>(element, TAG_HASH + 4) + load<u32>(element, CHILDREN + 4);
  const contentLow = mixLow(load<u32>(element, TAG_HASH) ^ load<u32>(element, CHILDREN), high);
  const contentHigh = mixHigh(contentLow, high);
  const shape = load<u32>(element, TAG_HASH + 12) + load<u32>(element, CHILDREN + 12);
  const shapeLow = mixLow(load<u32>(element, TAG_HASH + 8) ^ load<u32>(element, CHILDREN + 8), shape);
  const shapeHigh = mixHigh(shapeLow, shape);
  store<u32>(b.contentLow + node, contentLow);
  store<u32>(b.contentHigh + node, contentHigh);
  store<u32>(b.shapeLow + node, shapeLow);
  store<u32>(b.shapeHigh + node, shapeHigh);

  const outer = min(element - ELEMENT_BYTES, b.deepest) + CHILDREN;
  fold(outer, contentLow, contentHigh);
  fold(outer + 8, shapeLow, shapeHigh);
}

/** Returns the innermost scope marker. */
function scopeMarker(): u32 {
  return load<u32>(b.top, SCOPE_MARKER);
}
/** Whether an open element is in scope. */
export function isInScope(element: u32): bool {
  return element !== 0 && element >= scopeMarker();
}
/** Whether an element of a tag is in scope. */
export function inScope(tag: u32): bool {
  return isInScope(Tags.innermost(tag));
}
/** Whether an element of a tag is in button scope. */
export function inButtonScope(tag: u32): bool {
  return inScope(tag) && Tags.innermost(tag) >= Tags.innermost(Tags.Tag.button);
}
/** Whether an element of a tag is in list item scope. */
export function inItemScope(tag: u32): bool {
  const element = Tags.innermost(tag);
  return (
    isInScope(element) && element >= Tags.innermost(Tags.Tag.ul) && element >= Tags.innermost(Tags.Tag.ol)
  );
}
/** Whether an element of a tag is in table scope. */
export function inTableScope(tag: u32): bool {
  const element = Tags.innermost(tag);
  return (
    element !== 0 && element >= Tags.innermost(Tags.Tag.table) && element >= Tags.innermost(Tags.Tag.template)
  );
}
/** Whether a special element is above an entry. */
export function hasSpecialAbove(element: u32): bool {
  return load<u32>(b.top, SPECIAL_ELEMENT) > element;
}
/** Whether a boundary of list items is above an entry. */
export function hasItemBoundaryAbove(element: u32): bool {
  return load<u32>(b.top, BOUNDARY) > element;
}

/**
 * Removes an element from the stack. An element that is not the current one cannot end yet: it stays as a
 * ghost and ends with its content.
 */
export function removeElement(element: u32, end: u32): void {
  if (element === b.top) {
    pop(end);
    return;
  }
  const format = formatOf(element);
  if (format) store<u32>(format, 0, ELEMENT_OF);
  store<u32>(element, 0, FORMAT);
  rename(element, Tags.GHOST, flagsAt(element) & (Tags.HIDDEN | Tags.BREAK));
}

/** Makes the current element one that no name finds and that only an explicit pop closes. */
export function hideCurrent(): void {
  rename(b.top, Tags.NOT_HTML, currentFlags());
}

function rename(element: u32, key: u32, flags: u32): void {
  unlinkFrom(element);
  store<u32>(element, key, KEY);
  store<u32>(element, flags, FLAGS);
  relinkFrom(element);
}

/**
 * Removes the entries from an element on from the links, so that they can be changed; `relinkFrom` restores
 * the links.
 */
export function unlinkFrom(element: u32): void {
  for (let at = b.top; at >= element; at -= ELEMENT_BYTES) {
    Tags.setInnermost(keyOf(at), load<u32>(at, NEXT_OUTER));
  }
}

/** Restores the links of the entries from an element on. */
export function relinkFrom(element: u32): void {
  for (let at = element; at <= b.top; at += ELEMENT_BYTES) link(at, keyOf(at), flagsAt(at));
}
