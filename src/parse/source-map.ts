/**
 * Maps positions in the collapsed text of a tree to its source, and back. The kernel does the work
 * (assembly/locate-text.ts). The cost is a binary search and at most a walk over one text node.
 */
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Tree } from './tree.ts';

/**
 * Returns the byte offset in the source of a position in `tree.text`: for the start of a range, the first
 * byte of the character at the position; for its end, one past the last byte of the character before it. A
 * space between blocks has no byte in a text node, and is left out at both ends of a range.
 */
export function sourceOffset(tree: Tree, position: number, side: 'start' | 'end'): number {
  if (!Number.isInteger(position) || position < 0 || position > tree.textLength) {
    throw new RangeError(`position must be a whole number from 0 to ${tree.textLength}, not ${position}`);
  }
  return threadKernel().functions.sourceOffset(tree.address, position, side === 'end');
}

/**
 * Maps byte offsets in the source to positions in `tree.text`: the first position whose byte, by
 * `sourceOffset`, is at or after the offset. Offsets must not decrease, so that all offsets of a page cost
 * one walk.
 */
export class TextCursor {
  readonly #tree: Tree;
  readonly #kernel = threadKernel();
  /** The last node that starts before the previous offset. */
  #node = 0;
  /**
   * How far this node has been walked if it is a text: offset in the source (0 before the walk) and position
   * in the text.
   */
  #offset = 0;
  #position = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the position in the text of an offset, which must not be smaller than the last one. */
  positionOf(offset: number): number {
    const { functions, results } = this.#kernel;
    const { address } = this.#tree;
    const found = functions.textPosition(address, offset, this.#node, this.#offset, this.#position);
    this.#node = results[0];
    this.#offset = results[1];
    this.#position = results[2];
    return found;
  }
}

/** Returns the text of a subtree from `tree.text`, with its references undecoded. */
export function textOf(tree: Tree, node: number): string {
  const bytes = tree.text.subarray(tree.textStart[node], tree.textStart[tree.last[node]]);
  return decoder.decode(bytes).trim();
}

const decoder = new TextDecoder();
