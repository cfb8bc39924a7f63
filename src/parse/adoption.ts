/**
 * The adoption agency: what the end tag of a formatting element does when blocks stand open inside it.
 * `<b>1<p>2</b>3</p>` becomes `<b>1</b><p><b>2</b>3</p>`: the b ends where the p starts, and a clone of it
 * takes over what the p holds so far. Source order never changes, so in the columns this is an insertion of
 * clones before and after the block, and its nodes move up by that many ids. The moves of a page are
 * bounded; once they are used up, such an end tag is ignored.
 *
 * Hashes need no second pass: the elements that end have folded exactly what came before the block, and the
 * clone inside takes over what the block has folded.
 */
import type { Construction } from './construction.ts';
import { EMPTY_HIGH, EMPTY_LOW } from './hashes.ts';
import { endOtherTag } from './in-body.ts';
import { CHILDREN, ENTRY_SIZE, FLAGS, FORMATTING, KEY, NODE, TAG_HASH } from './open-elements.ts';
import { SPECIAL, TAG_FLAGS } from './tag-names.ts';
import { ELEMENT } from './tree.ts';

const OUTER_LOOPS = 8;
const KEPT_FORMATTING = 3;

/** Handles the end tag of a formatting element, or a start tag that ends an open one of its name. */
export function runAdoptionAgency(build: Construction, tag: number): void {
  const { open, formatting } = build;
  const top = open.depth - 1;
  if (open.key(top) === tag && open.formattingEntry(top) < 0) {
    open.pop(build.tokenEnd);
    return;
  }

  for (let round = 0; round < OUTER_LOOPS; round++) {
    const entry = formatting.find(tag);
    if (entry < 0) {
      endOtherTag(build, tag);
      return;
    }
    const index = formatting.index[entry];
    if (index < 0) {
      build.removeFormatting(entry);
      return;
    }
    if (index < open.scopeMarker) return;

    // nothing but inline elements inside: they end with it, and stay in the list
    if (!open.hasSpecialAbove(index)) {
      build.removeFormatting(entry);
      open.popThrough(index, build.tokenStart, build.tokenEnd);
      return;
    }

    const block = furthestBlock(build, index);
    const moves = build.columns.nodeCount - open.node(block) + open.depth - index;
    if (!build.exact || open.isCapped(open.depth) || moves > build.movesLeft) {
      build.removeFormatting(entry);
      return;
    }
    build.movesLeft -= moves;
    build.columns.exact = true;
    splitAround(build, entry, block);
  }
}

/** The outermost special element above an entry. */
function furthestBlock({ open }: Construction, index: number): number {
  let block = index + 1;
  while ((open.flags(block) & SPECIAL) === 0) block++;
  return block;
}

/** Ends the formatting element of an entry where the block starts, and continues it inside the block. */
function splitAround(build: Construction, entry: number, block: number): void {
  const { open, formatting, columns } = build;
  const index = formatting.index[entry];
  const blockNode = open.node(block);
  const at = columns.start[blockNode];

  // of the formatting elements between, those nearest to the block go on around it; others leave the list
  const kept: number[] = [];
  const dropped: number[] = [];
  let bookmark = entry + 1;
  for (let i = block - 1; i > index; i--) {
    const between = open.formattingEntry(i);
    if (between < 0) continue;
    if (block - i > KEPT_FORMATTING) dropped.push(between);
    else {
      if (kept.length === 0) bookmark = between + 1;
      kept.unshift(between);
    }
  }

  // all of them end at the block
  for (let i = block - 1; i >= index; i--) open.closeEntry(i, at, blockNode);

  // nodes: clones around the block, the block, a clone of the formatting element with all the block held
  const movedBlock = blockNode + kept.length;
  const inner = movedBlock + 1;
  moveNodes(build, blockNode, kept.length);
  let parent = open.node(index - 1);
  for (let i = 0; i < kept.length; i++) {
    fillClone(build, blockNode + i, kept[i], parent, at, columns.textStart[movedBlock]);
    parent = blockNode + i;
  }
  columns.parent[movedBlock] = parent;
  fillClone(build, inner, entry, movedBlock, columns.openEnd[movedBlock], columns.textStart[movedBlock]);

  // stack and list likewise
  const newBlock = index + kept.length;
  moveEntries(build, { index, block, newBlock, blockNode: movedBlock });
  kept.forEach((keptEntry, i) => {
    setEntry(build, index + i, blockNode + i, keptEntry);
    clearChildren(open.entries, index + i);
  });
  setEntry(build, newBlock + 1, inner, entry);
  open.relinkFrom(index);

  // the clone's place in the list is after the kept one nearest to the block
  formatting.duplicate(entry, bookmark);
  formatting.index[bookmark] = newBlock + 1;
  open.setFormattingEntry(newBlock + 1, bookmark);
  const leaving = dropped.map((gone) => (gone >= bookmark ? gone + 1 : gone));
  leaving.push(entry);
  for (const gone of leaving.sort((a, b) => b - a)) formatting.remove(gone);
  build.renumberFormatting(0);
}

/**
 * Moves the nodes from a block on up by `around` ids, and those inside it by one more: room for clones around
 * it and for one inside it, which becomes the parent of its children.
 */
function moveNodes({ columns, open }: Construction, block: number, around: number): void {
  const count = columns.nodeCount;
  const shift = around + 1;
  for (let i = 0; i < shift; i++) columns.add(ELEMENT, 0, 0, 0, 0);
  for (const column of [
    columns.kind,
    columns.name,
    columns.parent,
    columns.last,
    columns.start,
    columns.openEnd,
    columns.end,
    columns.contentLow,
    columns.contentHigh,
    columns.shapeLow,
    columns.shapeHigh,
    columns.textStart,
  ]) {
    if (block + 1 < count) column.copyWithin(block + 1 + shift, block + 1, count);
    column[block + around] = column[block];
  }

  const { parent, last } = columns;
  for (let node = block + 1 + shift; node < columns.nodeCount; node++) {
    if (parent[node] >= block) parent[node] += shift;
    last[node] += shift;
  }
  for (let link = columns.linkCount - 1; link >= 0 && columns.linkNode[link] >= block; link--) {
    columns.linkNode[link] += columns.linkNode[link] === block ? around : shift;
  }
  for (let i = open.depth - 1; i > 0 && open.node(i) > block; i--)
    open.entries[i * ENTRY_SIZE + NODE] += shift;
}

/** A node for an element that formatting goes on in. */
function fillClone(
  { columns, formatting }: Construction,
  node: number,
  entry: number,
  parent: number,
  at: number,
  textStart: number,
): void {
  columns.kind[node] = ELEMENT;
  columns.name[node] = formatting.tag[entry];
  columns.parent[node] = parent;
  columns.start[node] = at;
  columns.openEnd[node] = at;
  columns.textStart[node] = textStart;
}

interface Move {
  index: number;
  block: number;
  newBlock: number;
  blockNode: number;
}

/** Moves the block's entry to `newBlock` and those above it to two further; what the block held goes between. */
function moveEntries({ open, formatting }: Construction, { index, block, newBlock, blockNode }: Move): void {
  open.unlinkFrom(index);
  open.reserve();
  const { entries, depth } = open;
  const blockEntry = entries.slice(block * ENTRY_SIZE, (block + 1) * ENTRY_SIZE);
  entries.copyWithin((newBlock + 2) * ENTRY_SIZE, (block + 1) * ENTRY_SIZE, depth * ENTRY_SIZE);
  entries.set(blockEntry, newBlock * ENTRY_SIZE);
  entries.set(blockEntry, (newBlock + 1) * ENTRY_SIZE);
  entries[newBlock * ENTRY_SIZE + NODE] = blockNode;
  clearChildren(entries, newBlock);
  open.depth = depth + newBlock + 1 - block;
  for (let i = newBlock + 2; i < open.depth; i++) {
    if (open.formattingEntry(i) >= 0) formatting.index[open.formattingEntry(i)] = i;
  }
}

/** Makes a stack entry that of a clone; what it holds is left to the caller. */
function setEntry({ open, formatting }: Construction, index: number, node: number, entry: number): void {
  const { entries } = open;
  const at = index * ENTRY_SIZE;
  entries[at + NODE] = node;
  entries[at + KEY] = formatting.tag[entry];
  entries[at + FLAGS] = TAG_FLAGS[formatting.tag[entry]];
  entries[at + FORMATTING] = entry;
  entries[at + TAG_HASH] = formatting.contentLow[entry];
  entries[at + TAG_HASH + 1] = formatting.contentHigh[entry];
  entries[at + TAG_HASH + 2] = formatting.shapeLow[entry];
  entries[at + TAG_HASH + 3] = formatting.shapeHigh[entry];
  formatting.index[entry] = index;
}

function clearChildren(entries: Int32Array, index: number): void {
  const at = index * ENTRY_SIZE + CHILDREN;
  entries[at] = entries[at + 2] = EMPTY_LOW;
  entries[at + 1] = entries[at + 3] = EMPTY_HIGH;
}
