/**
 * What a capture of a page is compared by: its tokens and subtrees, the signature of its layout and, where single changes
 * are asked for, its blocks of text with their paths. A capture is plain columns and keeps nothing of the tree but what
 * is listed here, so that it can be stored where the page itself would have to be read and parsed again.
 */

import { LayoutSigner } from '../analysis/layout-signer.ts';
import { DEFAULT_PERMUTATIONS } from '../analysis/minhash.ts';
import { PageBlockReader, type PageBlocks } from '../analysis/page-blocks.ts';
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

export interface Capture {
  /** Without subtrees of a single token: a subtree equal to such a one is one token itself. */
  tokens: PageTokens;
  /** By token: IS_TAG, IS_GLUED, IN_LONG_TEXT. Empty for a stored capture without blocks. */
  flags: Uint8Array;
  /** Of the layout. */
  signature: Uint32Array;
  /** Content hash of the whole page. */
  wholeLow: number;
  wholeHigh: number;
  /** For comparing block by block. */
  blocks?: CaptureBlocks;
}

export interface CaptureBlocks extends PageBlocks {
  /** The text of the page, and by block the range of it. */
  text: Uint8Array;
  textStart: Int32Array;
  textEnd: Int32Array;
  /** `html > body > div#footer > p`. */
  pathOf: (block: number) => string;
}

/** A capture just read, with the tree it is of. */
export interface ReadCapture extends Capture {
  tree: Tree;
  /** Ranges of the tree's text by token; empty for tags. */
  textStart: Int32Array;
  textEnd: Int32Array;
}

export interface ReadCaptureOptions {
  /** The capture before: an equal page has its signature. */
  older?: Capture;
  /** Those that have read the page, if others need them too. */
  tags?: PageTags;
  /** Whether to read blocks. @default false */
  blocks?: boolean;
}

/** Reads capture after capture; each holds until the next is read. */
export class CaptureReader {
  readonly #tokens = new PageTokenReader();
  readonly #blocks = new PageBlockReader();
  readonly #signer = new LayoutSigner({ permutations: SIGNATURE_COMPONENTS });
  readonly #signature = new Uint32Array(SIGNATURE_COMPONENTS);
  #flags = new Uint8Array(4096);

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

/** Whether a page is the same as an earlier capture, tag for tag and word for word. */
export function isSamePage({ contentLow, contentHigh }: Tree, { wholeLow, wholeHigh }: Capture): boolean {
  return contentLow[0] === wholeLow && contentHigh[0] === wholeHigh;
}

/** The tokens with the subtrees of several tokens only: most subtrees have one, and none of these is ever asked for. */
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
