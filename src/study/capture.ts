/**
 * Reads the parts of a page by which captures are compared: its tokens and subtrees, the signature of its
 * layout and, if single changes are wanted, its blocks of text with their paths. A capture is plain columns
 * and keeps nothing else of the tree, so it can be stored; without it the page would have to be read and
 * parsed again.
 */

import { LayoutSigner } from '../analysis/layout-signer.ts';
import { DEFAULT_PERMUTATIONS } from '../analysis/minhash.ts';
import { PageBlockReader, type TextBlocks } from '../analysis/page-blocks.ts';
import {
  IN_LONG_TEXT,
  IS_GLUED,
  IS_TAG,
  isGlued,
  LONG_TEXT_WORDS,
  MIN_TOKENS,
} from '../analysis/page-diff.ts';
import type { PageTags } from '../analysis/page-tags.ts';
import { PageTokenReader, type PageTokens, type PlacedTokens } from '../analysis/page-tokens.ts';
import type { Tree } from '../parse/tree.ts';
import { placeOf } from '../view/node-path.ts';

/** Components of the signatures that layouts are compared by. */
export const SIGNATURE_COMPONENTS = DEFAULT_PERMUTATIONS;

/** The parts of a page by which it is compared with other captures of its URL. */
export interface ComparedCapture {
  /** Tokens and subtrees. Subtrees of a single token are left out, because they equal that token. */
  tokens: PageTokens;
  /** Flags of each token: IS_TAG, IS_GLUED, IN_LONG_TEXT. Empty for a stored capture without blocks. */
  flags: Uint8Array;
  /** MinHash signature of the layout. */
  signature: Uint32Array;
  /** Content hash of the whole page, in two halves of 32 bits. */
  wholeLow: number;
  wholeHigh: number;
  /** Present when captures are compared block by block. */
  blocks?: CaptureBlocks;
}

/** The blocks of a page with their texts and paths. */
export interface CaptureBlocks extends TextBlocks {
  /** Text of the page, and the start and end of each block in it, in bytes. */
  text: Uint8Array;
  textStart: Int32Array;
  textEnd: Int32Array;
  /** Path of a block, such as `html > body > div#footer > p`. */
  pathOf: (block: number) => string;
}

/** A capture that was just read, with its tree. */
export interface ReadCapture extends ComparedCapture {
  tree: Tree;
  /** Start and end of each token in the tree's text, in bytes; empty for tags. */
  textStart: Int32Array;
  textEnd: Int32Array;
}

/** Options of `CaptureReader.read`. */
export interface ReadCaptureOptions {
  /** The previous capture; an equal page takes over its signature. */
  older?: ComparedCapture;
  /** Tags that have already been read from the page, to share that work. */
  tags?: PageTags;
  /** Whether to read blocks. @default false */
  blocks?: boolean;
}

/** Reads captures one after another. A capture is valid until the next one is read. */
export class CaptureReader {
  readonly #tokens = new PageTokenReader();
  readonly #blocks = new PageBlockReader();
  readonly #signer = new LayoutSigner({ permutations: SIGNATURE_COMPONENTS });
  readonly #signature = new Uint32Array(SIGNATURE_COMPONENTS);
  #flags = new Uint8Array(4096);

  /** Reads the capture whose page has this tree; it is valid until the next call. */
  read(tree: Tree, { older, tags, blocks = false }: ReadCaptureOptions = {}): ReadCapture {
    const placed = this.#tokens.read(tree);
    if (older !== undefined && isSamePage(tree, older)) this.#signature.set(older.signature);
    else this.#signer.signPaths(tree, tags, this.#signature);
    return {
      tree,
      textStart: placed.textStart,
      textEnd: placed.textEnd,
      tokens: largeSubtrees(placed),
      flags: this.#flagTokens(placed),
      signature: this.#signature,
      wholeLow: tree.contentLow[0],
      wholeHigh: tree.contentHigh[0],
      blocks: blocks ? this.#readBlocks(tree, placed) : undefined,
    };
  }

  #flagTokens(placed: PlacedTokens): Uint8Array {
    const { tokenCount, tokenNode, textStart, textEnd } = placed;
    if (this.#flags.length < tokenCount) this.#flags = new Uint8Array(2 * tokenCount);
    const flags = this.#flags;
    for (let first = 0, end = 0; first < tokenCount; first = end) {
      for (end = first + 1; end < tokenCount && tokenNode[end] === tokenNode[first]; ) end++;
      const inText = end - first > LONG_TEXT_WORDS ? IN_LONG_TEXT : 0;
      for (let token = first; token < end; token++) {
        if (textStart[token] === textEnd[token]) flags[token] = IS_TAG;
        else flags[token] = isGlued(placed, token) ? inText | IS_GLUED : inText;
      }
    }
    return flags.subarray(0, tokenCount);
  }

  #readBlocks(tree: Tree, placed: PlacedTokens): CaptureBlocks {
    const blocks = this.#blocks.read(tree, placed);
    const { tokenNode, textStart, textEnd } = placed;
    const { count, firstToken, lastToken } = blocks;
    const paths = new Map<number, string>();
    return {
      ...blocks,
      text: tree.text.subarray(0, tree.textLength),
      textStart: Int32Array.from({ length: count }, (_, block) => textStart[firstToken[block]]),
      textEnd: Int32Array.from({ length: count }, (_, block) => textEnd[lastToken[block]]),
      pathOf: (block) => {
        const node = tokenNode[firstToken[block]];
        let path = paths.get(node);
        if (path === undefined) paths.set(node, (path = placeOf(tree, node)));
        return path;
      },
    };
  }
}

/** Returns whether a page equals an earlier capture, tag for tag and word for word. */
export function isSamePage(
  { contentLow, contentHigh }: Tree,
  { wholeLow, wholeHigh }: ComparedCapture,
): boolean {
  return contentLow[0] === wholeLow && contentHigh[0] === wholeHigh;
}

/**
 * Returns the tokens with subtrees of several tokens only; most subtrees have one token and are never looked
 * up.
 */
function largeSubtrees(placed: PlacedTokens): PageTokens {
  const { tokens, tokenCount, nodeCount, contentLow, contentHigh, firstToken, endToken, wordCount } = placed;
  let kept = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (endToken[node] - firstToken[node] < MIN_TOKENS) continue;
    contentLow[kept] = contentLow[node];
    contentHigh[kept] = contentHigh[node];
    firstToken[kept] = firstToken[node];
    endToken[kept] = endToken[node];
    wordCount[kept++] = wordCount[node];
  }
  return {
    tokens: tokens.subarray(0, tokenCount),
    contentLow: contentLow.subarray(0, kept),
    contentHigh: contentHigh.subarray(0, kept),
    firstToken: firstToken.subarray(0, kept),
    endToken: endToken.subarray(0, kept),
    wordCount: wordCount.subarray(0, kept),
  };
}
