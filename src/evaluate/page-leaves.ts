/**
 * Splits the visible texts of a page into words and labels them by gold: the leaves (text nodes) are template or
 * content, as Chakrabarti, Kumar and Punera label pages by hand (2007, section 6.1). A gold text is aligned with
 * the page's words in order; a leaf is content when gold has most of its words, so that a chance match in a menu
 * has no effect. Gold blocks are more precise: related stories are template like other boilerplate, and text
 * outside blocks is neutral.
 */
import { segmentWords } from '../analysis/word-scanner.ts';
import { isSpace } from '../model/byte-kinds.ts';
import type { Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TEXT, type Tree } from '../parse/tree.ts';
import { displayOf, HIDDEN, isRawText } from '../view/display.ts';
import { sliceText } from '../view/walk.ts';
import type { GoldRow } from './gold.ts';

/** Leaves and words of a page. `tree` belongs to the parser and is valid until the next page is parsed. */
export interface PageLeaves {
  tree: Tree;
  /** Text nodes with words, in document order. */
  nodes: number[];
  words: string[];
  /** By word: its leaf, the start byte of its white-space-delimited token, its link (-1 for none). */
  wordLeaf: number[];
  wordStart: number[];
  wordLink: number[];
}

/** Label of a leaf that gold has. */
export const CONTENT = 1;
/** Label of a leaf that gold lacks. */
export const TEMPLATE = 2;
/** Label of a leaf without known class, or on which sets disagree (readers' comments). */
export const NEUTRAL = 0;

const BLOCK_KIND = [TEMPLATE, CONTENT, CONTENT, CONTENT, TEMPLATE, NEUTRAL] as const;

/** Returns the leaves and words of a page. */
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

/** Returns CONTENT, TEMPLATE or NEUTRAL for each leaf; undefined when the row has neither text nor blocks. */
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

/** Returns 1 for each word in a range labelled template, else 0. */
export function findTemplateWords({ wordStart }: PageLeaves, ranges: readonly Range[]): Uint8Array {
  const isTemplate = new Uint8Array(wordStart.length);
  for (let word = 0, at = 0; word < wordStart.length; word++) {
    while (at < ranges.length && ranges[at].end <= wordStart[word]) at++;
    const range = ranges[at];
    if (range && range.start <= wordStart[word] && range.label === 'template') isTemplate[word] = 1;
  }
  return isTemplate;
}

/**
 * Computes the exact longest common subsequence of a page's words and its gold words, however much of the page is
 * not gold. `alignWords` of blocks.ts costs the square of the number of differences, of which a page of menus has
 * thousands. Here one step handles 32 gold words with the bit vectors of Hyyrö ("Bit-parallel LCS-length
 * computation revisited", 2004), and the vector of every page word is kept for tracing back. Time and memory: page
 * words × gold words / 32.
 */

/** Maximum number of cells (page words × gold words), of one bit each. */
const MAX_CELLS = 2 ** 31;

/**
 * Returns for each word of the page the index of its partner in the gold, or -1. Partners ascend. Words beyond the
 * limit have no partner.
 */
export function alignWithGold(
  page: readonly string[],
  gold: readonly string[],
  { maxCells = MAX_CELLS }: { maxCells?: number } = {},
): Int32Array {
  const partners = new Int32Array(page.length).fill(-1);
  const lanes = (gold.length + 31) >>> 5;
  if (lanes === 0) return partners;
  const rowCount = Math.min(page.length, Math.floor(maxCells / (32 * lanes)));
  const rows = fillRows(page, gold, rowCount, lanes);

  // trace back from the last words of both
  for (let row = rowCount, column = gold.length; row > 0 && column > 0; ) {
    if (page[row - 1] === gold[column - 1]) {
      partners[--row] = --column;
    } else if ((rows[row * lanes + ((column - 1) >>> 5)] >>> ((column - 1) & 31)) & 1) {
      column--;
    } else {
      row--;
    }
  }
  joinRuns(page, gold, partners);
  return partners;
}

/**
 * Chooses the longest subsequence with longer runs: adjacent partners that are apart from those of the preceding
 * gold words move next to them when the page has the same words there. Otherwise the last words of a story could
 * match in the footer.
 */
function joinRuns(page: readonly string[], gold: readonly string[], partners: Int32Array): void {
  for (let word = 0, before = -1; word < page.length; word++) {
    const place = partners[word];
    if (place < 0) continue;
    let length = 1;
    while (partners[word + length] === place + length) length++;
    const hasRoom = before >= 0 && before + length < word && partners[before] === place - 1;
    let same = 0;
    while (hasRoom && same < length && page[before + 1 + same] === gold[place + same]) same++;
    if (hasRoom && same === length) {
      partners.fill(-1, word, word + length);
      for (let k = 0; k < length; k++) partners[++before] = place + k;
    } else {
      before = word + length - 1;
    }
    word += length - 1;
  }
}

/** Bit j of row i is 0 when the first i words of the page have more in common with j + 1 gold words than with j. */
function fillRows(
  page: readonly string[],
  gold: readonly string[],
  rowCount: number,
  lanes: number,
): Uint32Array {
  const rows = new Uint32Array((rowCount + 1) * lanes).fill(0xffffffff, 0, lanes);
  const places = placesOf(gold);
  const equal = new Uint32Array(lanes);
  for (let row = 0; row < rowCount; row++) {
    const at = row * lanes;
    const found = places.get(page[row]);
    if (!found) {
      rows.copyWithin(at + lanes, at, at + lanes);
      continue;
    }
    for (const place of found) equal[place >>> 5] |= 1 << (place & 31);
    for (let lane = 0, carry = 0; lane < lanes; lane++) {
      const before = rows[at + lane];
      const hits = (before & equal[lane]) >>> 0;
      const sum = before + hits + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[at + lanes + lane] = sum | (before & ~hits);
    }
    for (const place of found) equal[place >>> 5] = 0;
  }
  return rows;
}

function placesOf(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, word] of words.entries()) {
    const known = places.get(word);
    if (known) known.push(place);
    else places.set(word, [place]);
  }
  return places;
}
