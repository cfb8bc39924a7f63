/**
 * The visible texts of a page word by word, and what people say of each: the leaves (text nodes) are template or
 * content, as Chakrabarti, Kumar and Punera label their pages by hand (2007, section 6.1). Gold that is a text
 * is lined up with the page's words in order; a leaf is content when the gold has most of its words, so that a
 * word met by chance in a menu decides nothing. Gold blocks say more: related stories are template like other
 * boilerplate, and what no block names is left out.
 */

import { segmentWords } from '../analysis/words.ts';
import { isSpace } from '../model/byte-kinds.ts';
import type { Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TEXT, type Tree } from '../parse/tree.ts';
import { displayOf, HIDDEN, isRawText } from '../view/display.ts';
import { sliceText } from '../view/walk.ts';
import { alignWithGold } from './common-words.ts';
import type { GoldRow } from './gold.ts';

/** `tree` belongs to the parser: use it before the next page is asked for. */
export interface PageLeaves {
  tree: Tree;
  /** Text nodes that have words, in document order. */
  nodes: number[];
  words: string[];
  /** Of each word: its leaf, the byte its white-space-delimited token starts at, its link (-1 is none). */
  wordLeaf: number[];
  wordStart: number[];
  wordLink: number[];
}

/** What a leaf is by its gold; NEUTRAL where nobody knows or sets disagree (readers' comments). */
export const CONTENT = 1;
export const TEMPLATE = 2;
export const NEUTRAL = 0;

const BLOCK_KIND = [TEMPLATE, CONTENT, CONTENT, CONTENT, TEMPLATE, NEUTRAL] as const;

export function findLeaves(tree: Tree): PageLeaves {
  const leaves: PageLeaves = { tree, nodes: [], words: [], wordLeaf: [], wordStart: [], wordLink: [] };
  const { kind, parent, last, linkCount, linkNode } = tree;
  let link = -1;
  for (let node = 1; node < tree.nodeCount; ) {
    if (kind[node] !== TEXT) {
      while (link + 1 < linkCount && linkNode[link + 1] <= node) link++;
      node = displayOf(tree, node) === HIDDEN ? last[node] : node + 1;
      continue;
    }
    const isLinked = link >= 0 && node < last[linkNode[link]];
    addWords(leaves, node, isLinked ? link : -1, isRawText(tree, parent[node]));
    node++;
  }
  return leaves;
}

function addWords(leaves: PageLeaves, node: number, link: number, isRaw: boolean): void {
  const { source, start, end } = leaves.tree;
  const before = leaves.words.length;
  for (let at = start[node]; at < end[node]; ) {
    while (at < end[node] && isSpace(source[at])) at++;
    const from = at;
    while (at < end[node] && !isSpace(source[at])) at++;
    const token = sliceText(source, from, at);
    for (const word of segmentWords(isRaw ? token : decodeReferences(token))) {
      leaves.words.push(word);
      leaves.wordLeaf.push(leaves.nodes.length);
      leaves.wordStart.push(from);
      leaves.wordLink.push(link);
    }
  }
  if (leaves.words.length > before) leaves.nodes.push(node);
}

/** CONTENT, TEMPLATE or NEUTRAL for every leaf; undefined when the row has neither text nor blocks. */
export function judgeLeaves(leaves: PageLeaves, gold: GoldRow): Uint8Array | undefined {
  const kinds = gold.blocks ? kindsByBlocks(leaves, gold) : kindsByText(leaves, gold);
  if (!kinds) return undefined;
  const counts = new Int32Array(3 * leaves.nodes.length);
  for (const [word, kind] of kinds.entries()) counts[3 * leaves.wordLeaf[word] + kind]++;
  return Uint8Array.from(leaves.nodes, (_, leaf) => {
    const [neutral, content, template] = counts.subarray(3 * leaf, 3 * leaf + 3);
    if (neutral >= content && neutral >= template) return NEUTRAL;
    return content > template ? CONTENT : TEMPLATE;
  });
}

function kindsByBlocks({ words }: PageLeaves, { blocks = [] }: GoldRow): Uint8Array {
  const blockWords = blocks.map(({ text }) => segmentWords(text));
  const blockOf = blockWords.flatMap((list, block) => list.map(() => block));
  const partners = alignWithGold(words, blockWords.flat());
  return Uint8Array.from(partners, (partner) =>
    partner < 0 ? NEUTRAL : BLOCK_KIND[blocks[blockOf[partner]].label],
  );
}

function kindsByText({ words }: PageLeaves, { text, comments = '' }: GoldRow): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const inText = alignWithGold(words, segmentWords(text));
  const kinds = Uint8Array.from(inText, (partner) => (partner < 0 ? TEMPLATE : CONTENT));
  if (comments !== '') {
    const inComments = alignWithGold(words, segmentWords(comments));
    for (let word = 0; word < kinds.length; word++) {
      if (kinds[word] === TEMPLATE && inComments[word] >= 0) kinds[word] = NEUTRAL;
    }
  }
  return kinds;
}

/** Whether each word lies in a range labelled template. */
export function findTemplateWords({ wordStart }: PageLeaves, ranges: readonly Range[]): Uint8Array {
  const isTemplate = new Uint8Array(wordStart.length);
  for (let word = 0, at = 0; word < wordStart.length; word++) {
    while (at < ranges.length && ranges[at].end <= wordStart[word]) at++;
    const range = ranges[at];
    if (range && range.start <= wordStart[word] && range.label === 'template') isTemplate[word] = 1;
  }
  return isTemplate;
}
