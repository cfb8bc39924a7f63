/**
 * The adoption agency (WHATWG HTML, 13.2.6.4.7): the rule for the end tag of a formatting element that has
 * open blocks inside. `<b>1<p>2</b>3</p>` becomes `<b>1</b><p><b>2</b>3</p>`: the b ends where the p starts,
 * and a clone of it takes over the content of the p so far. The order of the source never changes, so in the
 * columns clones are inserted before and after the block, and its nodes get ids higher by their number. The
 * moves of a page are bounded; once they are used up, such an end tag is ignored.
 *
 * Hashes need no second pass: the elements that end have folded exactly the content before the block, and the
 * clone inside takes over what the block has folded.
 */
import { ELEMENT_BYTES, FORMAT_BYTES } from '../layout.ts';
import { b, ELEMENT } from './builder.ts';
import {
  copyHash,
  cutFormat,
  duplicateFormat,
  ELEMENT_OF,
  elementOf,
  findFormat,
  formatTag,
  removeFormat,
  renumberFormats,
} from './formatting-list.ts';
import { endOtherTag } from './in-body.ts';
import {
  clearChildren,
  closeEntry,
  currentKey,
  FLAGS,
  FORMAT,
  flagsAt,
  formatOf,
  hasSpecialAbove,
  isInScope,
  KEY,
  nodeOf,
  pop,
  popThrough,
  relinkFrom,
  unlinkFrom,
} from './open-elements.ts';
import { flagsOf, SPECIAL } from './tag-table.ts';

const OUTER_LOOPS = 8;
/** Number of formatting elements, between the one that ends and the block, that continue around the block. */
const KEPT_FORMATS: u32 = 3;
/** Value in place of an element for a list entry that leaves the list. */
const LEAVING: u32 = 2;

/** Handles the end tag of a formatting element, or a start tag that ends an open one of its name. */
export function runAdoptionAgency(tag: u32): void {
  if (currentKey() === tag && !formatOf(b.top)) {
    pop(b.tokenEnd);
    return;
  }

  for (let round = 0; round < OUTER_LOOPS; round++) {
    const format = findFormat(tag);
    if (!format) {
      endOtherTag(tag);
      return;
    }
    const element = elementOf(format);
    if (!element) {
      removeFormat(format);
      return;
    }
    if (!isInScope(element)) return;

    // only inline elements are inside: they end with it and stay in the list
    if (!hasSpecialAbove(element)) {
      removeFormat(format);
      popThrough(element, b.tokenStart, b.tokenEnd);
      return;
    }

    let block = element + ELEMENT_BYTES; // find the outermost special element inside
    while (!(flagsAt(block) & SPECIAL)) block += ELEMENT_BYTES;
    const depth = (b.top + ELEMENT_BYTES - element) / ELEMENT_BYTES;
    const moves = <i32>(b.nodeCount - nodeOf(block) + depth);
    if (!b.mayBeExact || b.top >= b.deepest || moves > b.movesLeft) {
      removeFormat(format);
      return;
    }
    b.movesLeft -= moves;
    b.exact = 1;
    splitAround(format, block);
  }
}

/** Ends the formatting element of an entry where the block starts, and continues it inside the block. */
function splitAround(format: u32, block: u32): void {
  const element = elementOf(format);
  const blockNode = nodeOf(block);
  const at = load<u32>(b.start + (blockNode << 2));

  // of the formatting elements between, those nearest to the block continue around it; others leave the list
  const nearest = block - KEPT_FORMATS * ELEMENT_BYTES;
  let keptCount: u32 = 0;
  let bookmark = format + FORMAT_BYTES;
  for (let i = block - ELEMENT_BYTES; i > element; i -= ELEMENT_BYTES) {
    const between = formatOf(i);
    if (!between || i < nearest) continue;
    if (!keptCount++) bookmark = between + FORMAT_BYTES;
  }

  // all of them end at the block
  for (let i = block - ELEMENT_BYTES; i >= element; i -= ELEMENT_BYTES) closeEntry(i, at, blockNode);

  // nodes: clones around the block, the block, a clone of the formatting element with the block's content
  const movedBlock = blockNode + keptCount;
  const inner = movedBlock + 1;
  moveNodes(blockNode, keptCount);
  const text = load<u32>(b.textStart + (movedBlock << 2));
  let parent = nodeOf(element - ELEMENT_BYTES);
  let clone = blockNode;
  for (let i = element + ELEMENT_BYTES; i < block; i += ELEMENT_BYTES) {
    if (!formatOf(i) || i < nearest) continue;
    fillClone(clone, formatTag(formatOf(i)), parent, at, text);
    parent = clone++;
  }
  store<u32>(b.parent + (movedBlock << 2), parent);
  fillClone(inner, formatTag(format), movedBlock, load<u32>(b.openEnd + (movedBlock << 2)), text);

  // entries of elements that leave the list are marked, the entries that continue move together
  unlinkFrom(element);
  let kept = element;
  let leaving: u32 = 1;
  for (let i = element + ELEMENT_BYTES; i < block; i += ELEMENT_BYTES) {
    const between = formatOf(i);
    if (!between) continue;
    if (i < nearest) {
      store<u32>(between, LEAVING, ELEMENT_OF);
      leaving++;
      continue;
    }
    setElement(kept, blockNode + (kept - element) / ELEMENT_BYTES, between);
    clearChildren(kept);
    kept += ELEMENT_BYTES;
  }
  moveElements(block, kept, movedBlock);
  setElement(kept + ELEMENT_BYTES, inner, format);
  relinkFrom(element);

  // the clone's entry comes after the entry, of those that continue, nearest to the block
  duplicateFormat(format, bookmark);
  store<u32>(bookmark, kept + ELEMENT_BYTES, ELEMENT_OF);
  store<u32>(format >= bookmark ? format + FORMAT_BYTES : format, LEAVING, ELEMENT_OF);
  for (let i = b.newestFormat; leaving > 0; i -= FORMAT_BYTES) {
    if (elementOf(i) !== LEAVING) continue;
    cutFormat(i);
    leaving--;
  }
  renumberFormats(b.oldestFormat);
}

/**
 * Moves the nodes from a block on up by `around` ids, and those inside it by one more. This makes room for
 * clones around it and for one inside it, which becomes the parent of its children.
 */
function moveNodes(block: u32, around: u32): void {
  const shift = around + 1;
  const count = b.nodeCount;
  b.nodeCount = count + shift;
  moveColumn(b.kind, 0, block, count, around);
  moveColumn(b.name, 1, block, count, around);
  moveColumn(b.parent, 2, block, count, around);
  moveColumn(b.last, 2, block, count, around);
  moveColumn(b.start, 2, block, count, around);
  moveColumn(b.openEnd, 2, block, count, around);
  moveColumn(b.end, 2, block, count, around);
  moveColumn(b.contentLow, 2, block, count, around);
  moveColumn(b.contentHigh, 2, block, count, around);
  moveColumn(b.shapeLow, 2, block, count, around);
  moveColumn(b.shapeHigh, 2, block, count, around);
  moveColumn(b.textStart, 2, block, count, around);

  for (let node = block + 1 + shift; node < b.nodeCount; node++) {
    const at = node << 2;
    const parent = load<u32>(b.parent + at);
    if (parent >= block) store<u32>(b.parent + at, parent + shift);
    store<u32>(b.last + at, load<u32>(b.last + at) + shift);
  }
  for (let link = b.linkCount; link > 0; link--) {
    const at = b.linkNode + ((link - 1) << 2);
    const node = load<u32>(at);
    if (node < block) break;
    store<u32>(at, node + (node === block ? around : shift));
  }
  for (let i = b.top; i > b.bottom && nodeOf(i) > block; i -= ELEMENT_BYTES) store<u32>(i, nodeOf(i) + shift);
}

function moveColumn(column: u32, sizeBits: u32, block: u32, count: u32, around: u32): void {
  const from = column + ((block + 1) << sizeBits);
  memory.copy(from + ((around + 1) << sizeBits), from, (count - block - 1) << sizeBits);
  memory.copy(column + ((block + around) << sizeBits), column + (block << sizeBits), 1 << sizeBits);
}

/** Fills the node of a clone. */
function fillClone(node: u32, tag: u32, parent: u32, at: u32, textStart: u32): void {
  store<u8>(b.kind + node, ELEMENT);
  store<u16>(b.name + (node << 1), tag);
  store<u32>(b.parent + (node << 2), parent);
  store<u32>(b.start + (node << 2), at);
  store<u32>(b.openEnd + (node << 2), at);
  store<u32>(b.textStart + (node << 2), textStart);
}

/**
 * Moves the block's entry to `to` and those above it to two entries further; a copy with the block's content
 * goes between.
 */
function moveElements(block: u32, to: u32, node: u32): void {
  const above = b.top - block;
  const spare = b.top + 2 * ELEMENT_BYTES;
  memory.copy(spare, block, ELEMENT_BYTES);
  memory.copy(to + 2 * ELEMENT_BYTES, block + ELEMENT_BYTES, above);
  memory.copy(to, spare, ELEMENT_BYTES);
  memory.copy(to + ELEMENT_BYTES, spare, ELEMENT_BYTES);
  store<u32>(to, node);
  clearChildren(to);
  b.top = to + ELEMENT_BYTES + above;
  for (let i = to + 2 * ELEMENT_BYTES; i <= b.top; i += ELEMENT_BYTES) {
    if (formatOf(i)) store<u32>(formatOf(i), i, ELEMENT_OF);
  }
}

/** Makes an entry that of a clone; the caller sets the hash of its content. */
function setElement(element: u32, node: u32, format: u32): void {
  const tag = formatTag(format);
  store<u32>(element, node);
  store<u32>(element, tag, KEY);
  store<u32>(element, flagsOf(tag), FLAGS);
  store<u32>(element, format, FORMAT);
  copyHash(format, element);
  store<u32>(format, element, ELEMENT_OF);
}
