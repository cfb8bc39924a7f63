/**
 * Labels of blocks from snippets of a page, where people have told a few sentences that are content and a few that are not
 * instead of the whole text. Texts are compared by the numbers of their words.
 */

export interface Snippets {
  /** Content. */
  keep: readonly string[];
  /** Not content. */
  drop: readonly string[];
}

export const KEPT_SNIPPET = 1;
export const DROPPED_SNIPPET = 2;

/**
 * Marks the blocks that hold snippets. A snippet to keep that several blocks hold marks none of them: one may be the
 * sentence and another a link to it. Nor is a block marked that holds snippets of both kinds.
 */
export function markSnippets(
  blocks: readonly Int32Array[],
  keep: readonly Int32Array[],
  drop: readonly Int32Array[],
): Uint8Array {
  const marks = new Uint8Array(blocks.length);
  for (const snippet of keep) {
    const holders = holdersOf(blocks, snippet);
    if (holders.length === 1) marks[holders[0]] |= KEPT_SNIPPET;
  }
  for (const snippet of drop) {
    for (const block of holdersOf(blocks, snippet)) marks[block] |= DROPPED_SNIPPET;
  }
  return marks.map((mark) => (mark === (KEPT_SNIPPET | DROPPED_SNIPPET) ? 0 : mark));
}

function holdersOf(blocks: readonly Int32Array[], snippet: Int32Array): number[] {
  return [...blocks.keys()].filter((block) => hasInRow(blocks[block], snippet));
}

/** Whether words follow each other somewhere in a text. */
export function hasInRow(text: Int32Array, words: Int32Array): boolean {
  if (words.length === 0) return false;
  for (let from = 0; from + words.length <= text.length; from++) {
    if (words.every((word, k) => text[from + k] === word)) return true;
  }
  return false;
}
