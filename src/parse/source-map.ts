/**
 * From the collapsed text of a tree to its source, and from the source to the text. The kernel does the work
 * (assembly/locate-text.ts). Cost: a binary search, and at worst a walk over one text node.
 */
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Tree } from './tree.ts';

/**
 * Byte offset in the source of a position in `tree.text`. As the start of a range, the first byte of what is at the
 * position; as the end of one, one past the last byte of what is before it. A space that no byte of a text node stands
 * for (between blocks) is left out of the range on either side.
 */
export function sourceOffset(tree: Tree, position: number, side: 'start' | 'end'): number {
  if (!Number.isInteger(position) || position < 0 || position > tree.textLength) {
    throw new RangeError(`position must be a whole number from 0 to ${tree.textLength}, not ${position}`);
  }
  return threadKernel().functions.sourceOffset(tree.address, position, side === 'end');
}

/**
 * Positions in `tree.text` of byte offsets in the source, which must not decrease: the first position whose byte, by
 * `sourceOffset`, is at or after the offset. All offsets of a page cost one walk.
 */
export class TextCursor {
  readonly #tree: Tree;
  readonly #kernel = threadKernel();
  /** The last node that starts before the last offset. */
  #node = 0;
  /** How far that node has been walked, when it is a text: in the source, 0 when it has not, and in the text. */
  #offset = 0;
  #position = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

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

/** The text of a subtree as it is in `tree.text`, references undecoded. */
export function textOf(tree: Tree, node: number): string {
  const bytes = tree.text.subarray(tree.textStart[node], tree.textStart[tree.last[node]]);
  return decoder.decode(bytes).trim();
}

const decoder = new TextDecoder();
