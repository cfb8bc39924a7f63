/**
 * Labels of blocks from snippets of a page, for gold that gives a few sentences that are content and a few that are
 * not, in place of the whole text. Texts are compared by the numbers of their words.
 */

export interface Snippets {
  /** Content. */
  keep: readonly string[];
  /** Not content. */
  drop: readonly string[];
}

/** Mark of a block that holds a content snippet. */
export const KEPT_SNIPPET = 1;
/** Mark of a block that holds a snippet that is not content. */
export const DROPPED_SNIPPET = 2;

/**
 * Marks the blocks that hold snippets. A snippet to keep that several blocks hold marks none of them, because one may
 * be the sentence and another a link to it. A block with snippets of both kinds is not marked.
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

/** Whether `words` occur in `text` one after the other. */
export function hasInRow(text: Int32Array, words: Int32Array): boolean {
  if (words.length === 0) return false;
  for (let from = 0; from + words.length <= text.length; from++) {
    if (words.every((word, k) => text[from + k] === word)) return true;
  }
  return false;
}
