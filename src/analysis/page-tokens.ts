/**
 * Reads a page as a sequence of tokens, for comparing it with another: a token for every start tag and every
 * word, in document order, of the body only, without script, style, iframes and comments. A word is a run of
 * characters between spaces; a character of a script that is written without spaces (Chinese, Japanese, Thai,
 * …) is a word by itself. Tokens are 32-bit hashes: if two words collide, one word of one page is judged
 * wrongly, but no whole page.
 *
 * Subtrees are intervals of tokens with their content hashes, so that equal parts of two pages are found
 * without comparing their words. One walk over nodes and text; no allocation per node.
 */

import { isHidden, TAG, tagName } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { mix32 } from './byte-hash.ts';

/** The tokens of a page, and its nodes as intervals of them. Plain data. */
export interface PageTokens {
  /** One entry per token. */
  tokens: Int32Array;
  /** One entry per node (elements and texts that have tokens, in document order). */
  contentLow: Int32Array;
  contentHigh: Int32Array;
  /** Tokens [firstToken, endToken) of the subtree. */
  firstToken: Int32Array;
  endToken: Int32Array;
  /** Number of these tokens that are words. */
  wordCount: Int32Array;
}

/** The tokens of a page with their positions; valid until the next page is read. */
export interface PlacedTokens extends PageTokens {
  tokenCount: number;
  nodeCount: number;
  /** Id in the tree of each node. */
  treeNode: Int32Array;
  /** Position in `tree.text` of a word; an empty span for a start tag. */
  textStart: Int32Array;
  textEnd: Int32Array;
  /** Id in the tree of the text or element of each token. */
  tokenNode: Int32Array;
}

/** Reads the tokens of one page after another. */
export class PageTokenReader {
  #tokenCapacity = 4096;
  #nodeCapacity = 4096;
  #out: PlacedTokens = emptyTokens(4096, 4096);
  // by tree node: its index among the nodes with tokens, -1 for none
  #nodeIndex = new Int32Array(4096);

  /** Reads the tokens of a page; the result is valid until the next call. */
  read(tree: Tree): PlacedTokens {
    const { kind, name, parent, last, nodeCount, textStart } = tree;
    this.#reserve(mostTokens(tree), nodeCount);
    const out = this.#out;
    const nodeIndex = this.#nodeIndex;
    let tokens = 0;
    let nodes = 0;
    for (let node = 1; node < nodeCount; ) {
      nodeIndex[node] = -1;
      if (kind[node] === ELEMENT) {
        const tag = name[node];
        if (tag === TAG.head || isHidden(tag)) {
          for (let inside = node + 1; inside < last[node]; inside++) nodeIndex[inside] = -1;
          node = last[node];
          continue;
        }
        if (tag !== TAG.html && tag !== TAG.body) {
          nodeIndex[node] = nodes;
          this.#openNode(tree, nodes++, node, tokens);
          out.tokens[tokens] = hashTag(tree, node);
          out.textStart[tokens] = out.textEnd[tokens] = textStart[node];
          out.tokenNode[tokens++] = node;
        }
      } else if (kind[node] === TEXT && textStart[node + 1] > textStart[node]) {
        nodeIndex[node] = nodes;
        this.#openNode(tree, nodes++, node, tokens);
        const first = tokens;
        tokens = readWords(tree, node, out, tokens);
        out.tokenNode.fill(node, first, tokens);
        out.endToken[nodes - 1] = tokens;
        out.wordCount[nodes - 1] = tokens - first;
      }
      node++;
    }
    // pass ends and sums up, deepest first; a parent precedes its children
    for (let at = nodes - 1; at >= 0; at--) {
      const node = out.treeNode[at];
      if (out.endToken[at] < 0) out.endToken[at] = out.firstToken[at] + 1;
      const above = nodeIndex[parent[node]];
      if (parent[node] <= 0 || above < 0) continue;
      out.wordCount[above] += out.wordCount[at];
      if (out.endToken[at] > out.endToken[above]) out.endToken[above] = out.endToken[at];
    }
    out.tokenCount = tokens;
    out.nodeCount = nodes;
    return out;
  }

  #openNode(tree: Tree, at: number, node: number, token: number): void {
    const out = this.#out;
    out.treeNode[at] = node;
    out.contentLow[at] = tree.contentLow[node];
    out.contentHigh[at] = tree.contentHigh[node];
    out.firstToken[at] = token;
    out.endToken[at] = -1;
    out.wordCount[at] = 0;
  }

  #reserve(tokens: number, nodes: number): void {
    if (tokens > this.#tokenCapacity || nodes > this.#nodeCapacity) {
      this.#tokenCapacity = Math.max(tokens, this.#tokenCapacity);
      this.#nodeCapacity = Math.max(nodes, this.#nodeCapacity);
      this.#out = emptyTokens(this.#tokenCapacity, this.#nodeCapacity);
    }
    if (nodes > this.#nodeIndex.length) this.#nodeIndex = new Int32Array(nodes);
  }
}

/** Returns the tokens without their positions, as views that are valid as long as the page. */
export function viewTokens({ tokenCount, nodeCount, ...columns }: PlacedTokens): PageTokens {
  return {
    tokens: columns.tokens.subarray(0, tokenCount),
    contentLow: columns.contentLow.subarray(0, nodeCount),
    contentHigh: columns.contentHigh.subarray(0, nodeCount),
    firstToken: columns.firstToken.subarray(0, nodeCount),
    endToken: columns.endToken.subarray(0, nodeCount),
    wordCount: columns.wordCount.subarray(0, nodeCount),
  };
}

/** Returns the tokens without their positions, as a copy that stays valid. */
export function copyTokens(placed: PlacedTokens): PageTokens {
  const entries = Object.entries(viewTokens(placed)).map(([name, column]) => [name, column.slice()]);
  return Object.fromEntries(entries) as unknown as PageTokens;
}

const SPACE = 0x20;
/** First byte of characters in scripts without spaces; they all begin with this or a larger byte. */
const FIRST_SPACELESS = 0xe0;

/** Writes the words of a text, from index `first` on, and returns the index after the last one. */
function readWords(tree: Tree, node: number, out: PlacedTokens, first: number): number {
  const { text } = tree;
  const { tokens, textStart, textEnd } = out;
  const end = tree.textStart[node + 1];
  let count = first;
  for (let p = tree.textStart[node]; p < end; ) {
    let byte = text[p];
    if (byte === SPACE) {
      p++;
      continue;
    }
    const from = p;
    let hash = 0x811c9dc5 | 0;
    let alone = byte < FIRST_SPACELESS ? 0 : spacelessLength(text, p, end);
    if (alone > 0) {
      for (; alone > 0; alone--) hash = Math.imul(hash ^ text[p++], 0x01000193);
    } else {
      do hash = Math.imul(hash ^ byte, 0x01000193);
      while (
        ++p < end &&
        (byte = text[p]) !== SPACE &&
        (byte < FIRST_SPACELESS || spacelessLength(text, p, end) === 0)
      );
    }
    tokens[count] = mix32(hash);
    textStart[count] = from;
    textEnd[count++] = p;
  }
  return count;
}

/**
 * Returns an upper bound of the tokens of a page: a word takes two bytes, including its space, except the
 * last one of a text.
 */
function mostTokens({ nodeCount, textLength }: Tree): number {
  return nodeCount + (textLength >>> 1) + 1;
}

/**
 * Returns the hash of a tag. It never equals that of a word by construction, because words start from another
 * value.
 */
function hashTag(tree: Tree, node: number): number {
  const tag = tree.name[node];
  if (tag < 256) return mix32(0x5a6f3c11 ^ Math.imul(tag, 0x9e3779b1));
  let hash = 0x27d4eb2f;
  const name = tagName(tree, node);
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return mix32(hash ^ 0x5a6f3c11);
}

/** Returns the number of bytes of the character at `p` if its script is written without spaces, else 0. */
function spacelessLength(text: Uint8Array, p: number, end: number): number {
  const byte = text[p];
  if (byte < FIRST_SPACELESS) return 0;
  if (byte >= 0xf0) {
    // CJK extensions: U+20000 to U+3FFFF
    return byte === 0xf0 && text[p + 1] >= 0xa0 && p + 4 <= end ? 4 : 0;
  }
  if (p + 3 > end) return 0;
  const code = ((byte & 0x0f) << 12) | ((text[p + 1] & 0x3f) << 6) | (text[p + 2] & 0x3f);
  const spaceless =
    (code >= 0x3001 && code <= 0x9fff) || // CJK punctuation, kana, ideographs
    (code >= 0x0e00 && code <= 0x0eff) || // Thai, Lao
    (code >= 0x1000 && code <= 0x109f) || // Myanmar
    (code >= 0x1780 && code <= 0x17ff) || // Khmer
    (code >= 0xf900 && code <= 0xfaff) || // compatibility ideographs
    (code >= 0xff01 && code <= 0xff9f); // full-width forms
  return spaceless ? 3 : 0;
}

function emptyTokens(tokens: number, nodes: number): PlacedTokens {
  return {
    tokenCount: 0,
    nodeCount: 0,
    tokens: new Int32Array(tokens),
    textStart: new Int32Array(tokens),
    textEnd: new Int32Array(tokens),
    tokenNode: new Int32Array(tokens),
    treeNode: new Int32Array(nodes),
    contentLow: new Int32Array(nodes),
    contentHigh: new Int32Array(nodes),
    firstToken: new Int32Array(nodes),
    endToken: new Int32Array(nodes),
    wordCount: new Int32Array(nodes),
  };
}
