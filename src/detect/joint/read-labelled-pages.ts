/**
 * Reads the pages that the joint model is trained on and labels their blocks: by the gold text, by snippets and values,
 * or by site evidence where it leaves no doubt.
 */
import { createHash } from 'node:crypto';
import { segmentWords } from '../../analysis/word-scanner.ts';
import * as layout from '../../kernel/block-layout.ts';
import type { Role } from '../../model/role.ts';
import { decodeReferences } from '../../parse/character-references.ts';
import type { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';
import { alignBlocks } from './align-gold.ts';
import type { BlockReader, PageBlocks } from './block-reader.ts';
import { ROLE, rolesOf } from './block-roles.ts';
import { FEATURE } from './feature-names.ts';
import { hasInRow, KEPT_SNIPPET, markSnippets, type Snippets } from './gold-snippets.ts';
import { type BlockLabels, classesOfBlocks } from './label-blocks.ts';
import { isConstant, slotPages } from './slot-variation.ts';

/** A page with its gold. */
export interface LabelledSource {
  url: string;
  site: string;
  set: string;
  source: Uint8Array;
  /** The main content; without it, blocks are labelled by site evidence where it leaves no doubt. */
  text?: string;
  /** Values that are content: a short block with one of them is content, whatever the site evidence. */
  keep?: readonly string[];
  /**
   * Roles that the gold of this set always omits, such as the title; a block with one is not an example of template.
   */
  leftOut?: readonly Role[];
  /** Snippets of the page, if its whole text is not known. */
  snippets?: Snippets;
  /** Classes of all text blocks, set by reading. Such a page belongs to the whole site, if the sources have it. */
  classes?: BlockLabels;
}

/** Number of folds that hosts are divided into: a page is scored by models that were trained on the other folds. */
export const FOLDS = 3;

/** Minimum F1 that the page's blocks can reach; below it the gold is not on the page and the page is not an example. */
const MIN_CEILING = 0.6;

const MIN_GOLD_WORDS = 5;

/** Maximum number of name buckets of a block. */
const MAX_BUCKETS = 4096;

/** A labelled page with the labels, weights, words and features of its blocks. */
export interface TrainingPage extends LabelledSource {
  fold: number;
  /** Number of blocks. */
  count: number;
  /** By block: number of words, share that is gold, weight, buckets of the names of its elements. */
  words: Int32Array;
  labels: Float32Array;
  weights: Float32Array;
  buckets: Uint16Array[];
  /** Features, `ROW_FLOATS` for each block; empty until `trainJoint` has computed the site evidence. */
  rows: Float32Array;
  /** By block: 1 if it holds a value that is content. */
  values: Uint8Array;
  /** By block: KEPT_SNIPPET, DROPPED_SNIPPET or 0. */
  marks: Uint8Array;
  goldWords: number;
}

/**
 * Reads pages and labels their blocks. `onRead` gets the number of pages read so far; the next page is read when its
 * promise resolves.
 */
export async function readLabelledPages(
  sources: readonly LabelledSource[],
  parser: Parser,
  reader: BlockReader,
  setWeights: Record<string, number>,
  onRead: (read: number) => Promise<void> | void,
): Promise<TrainingPage[]> {
  const numbers = new Map<string, number>();
  const pages: TrainingPage[] = [];
  const pagesOfHost = new Map<string, number>();
  for (const source of sources) {
    const tree = parser.parse(source.source);
    const blocks = reader.read(tree, source.url);
    const words = blockWords(tree, blocks).map((text) => numberWords(text, numbers));
    const numberAll = (texts: readonly string[] = []) => texts.map((text) => numberWords(text, numbers));
    const gold = numberWords(source.text ?? '', numbers);
    const read = source.classes && classesOfBlocks(source.classes, tree, blocks);
    const labels = read?.labels ?? alignBlocks(words, gold);
    const goldWords = read
      ? words.reduce((sum, { length }, block) => sum + length * labels[block], 0)
      : gold.length;
    const host = `${source.set} ${source.site}`;
    pagesOfHost.set(host, (pagesOfHost.get(host) ?? 0) + 1);
    pages.push({
      ...source,
      fold: createHash('sha256').update(source.site).digest().readUInt32BE(0) % FOLDS,
      count: blocks.count,
      words: Int32Array.from(words, ({ length }) => length),
      labels,
      weights: withoutHabits(
        weigh(words, labels, goldWords).map((weight, block) => (read?.isOpen[block] ? 0 : weight)),
        labels,
        source,
        rolesOf(tree, blocks, source.url).roles,
      ),
      buckets: listBuckets(tree, blocks, reader),
      rows: new Float32Array(0),
      values: findValues(words, numberAll(source.keep)),
      marks: markSnippets(words, numberAll(source.snippets?.keep), numberAll(source.snippets?.drop)),
      goldWords,
    });
    await onRead(pages.length);
  }
  for (const page of pages) {
    // pages of one host are similar, so each counts less
    const factor = (pagesOfHost.get(`${page.set} ${page.site}`) ?? 1) ** -0.5 * (setWeights[page.set] ?? 1);
    for (let block = 0; block < page.count; block++) page.weights[block] *= factor;
  }
  return pages;
}

const decoder = new TextDecoder();

/** The texts of a page's blocks. */
export function blockWords(tree: Tree, { count, records }: PageBlocks): string[] {
  return Array.from({ length: count }, (_, block) => {
    const record = block * layout.BLOCK_RECORD_WORDS;
    const start = tree.textStart[records[record + layout.BLOCK_FIRST_TEXT]];
    const end = tree.textStart[records[record + layout.BLOCK_LAST_TEXT] + 1];
    return decodeReferences(decoder.decode(tree.text.subarray(start, end)));
  });
}

/** The words of a text as numbers: equal words have one number in all texts that share `numbers`. */
function numberWords(text: string, numbers: Map<string, number>): Int32Array {
  return Int32Array.from(segmentWords(text), (word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });
}

/** Maximum words of a block besides its value, such as the name of the field. */
const MAX_BESIDES = 6;

/** Marks the blocks that hold one of these values and little else. */
function findValues(blocks: readonly Int32Array[], values: readonly Int32Array[]): Uint8Array {
  return Uint8Array.from(blocks, (block) => {
    const found = values.some((value) => {
      return block.length <= value.length + MAX_BESIDES && hasInRow(block, value);
    });
    return found ? 1 : 0;
  });
}

/**
 * Weighs each block by its words relative to the gold text, so that long and short pages weigh alike. The added 30 words
 * keep the weights of very short gold small, and the blocks of a page weigh at most 6 together. A page whose gold is too
 * short, or is not in its blocks, weighs nothing.
 */
function weigh(words: readonly Int32Array[], labels: Float32Array, goldWords: number): Float32Array {
  const weights = Float32Array.from(words, ({ length }) => (1.5 * (length + 1)) / (goldWords + 30));
  let right = 0;
  let kept = 0;
  for (const [block, { length }] of words.entries()) {
    if (labels[block] <= 0.5) continue;
    kept += length;
    right += length * labels[block];
  }
  const ceiling = (2 * right) / Math.max(1, kept + goldWords);
  if (ceiling < MIN_CEILING || goldWords < MIN_GOLD_WORDS) return weights.fill(0);
  return capWeights(weights, 6);
}

/** Excludes blocks with a role that the set always omits from its gold: the omission is a habit of the set. */
function withoutHabits(
  weights: Float32Array,
  labels: Float32Array,
  { leftOut = [] }: LabelledSource,
  roles: Uint8Array,
): Float32Array {
  for (let block = 0; block < weights.length; block++) {
    if (labels[block] < 0.5 && leftOut.some((role) => ROLE[role] === roles[block])) weights[block] = 0;
  }
  return weights;
}

/** Scales weights down until their sum is at most `most`. */
function capWeights(weights: Float32Array, most: number): Float32Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum > most) for (let block = 0; block < weights.length; block++) weights[block] *= most / sum;
  return weights;
}

/** Lists for each block the buckets of the names of its elements; blocks of one leaf share a list. */
function listBuckets(tree: Tree, blocks: PageBlocks, { kernel, address }: BlockReader): Uint16Array[] {
  const out = kernel.heap.take(4 * MAX_BUCKETS);
  const { count, records } = blocks;
  const byLeaf = new Map<number, Uint16Array>();
  const lists = Array.from({ length: count }, (_, block) => {
    const leaf = records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_LEAF];
    const known = byLeaf.get(leaf);
    if (known) return known;
    const size = kernel.functions.listNameBuckets(address, tree.address, leaf, out, MAX_BUCKETS);
    const list = Uint16Array.from(new Uint32Array(kernel.memory.buffer, out, size));
    byLeaf.set(leaf, list);
    return list;
  });
  kernel.heap.release(out);
  return lists;
}

/**
 * Labels the blocks of a page by site evidence, as Chakrabarti et al. 2007 do. A paragraph that no other page has is
 * content; a text that most pages have, or that is nearly always in its slot, is not. Snippets decide for the blocks
 * that hold them. Other blocks are not examples.
 */
export function labelBySite(page: TrainingPage, weight: number): void {
  const { count, rows, words, labels, weights, values, marks } = page;
  let content = 0;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    weights[block] = 0;
    if (marks[block] !== 0) {
      labels[block] = marks[block] === KEPT_SNIPPET ? 1 : 0;
      content += words[block] * labels[block];
      weights[block] = weight * (words[block] + 1);
      continue;
    }
    if (!(rows[row + FEATURE.sitePages] >= TELLING_PAGES)) continue;
    const isParagraph = words[block] >= PARAGRAPH_WORDS && rows[row + FEATURE.linkShare] < 0.3;
    const isTemplate = slotPages(rows, row) >= TELLING_PAGES && isConstant(rows, row);
    if (values[block] === 1 || (rows[row + FEATURE.textPages] === 0 && isParagraph)) {
      labels[block] = 1;
      content += words[block];
    } else if (!isTemplate && rows[row + FEATURE.sameShare] < 0.5) continue;
    weights[block] = weight * (words[block] + 1) * (values[block] === 1 ? VALUE_WEIGHT : 1);
  }
  for (let block = 0; block < count; block++) weights[block] /= content + 30;
  capWeights(weights, 2 * weight);
}

/** Minimum number of other pages of a site for labelling the blocks of a page by site evidence. */
export const TELLING_PAGES = 10;

/** Minimum words of a block that counts as a paragraph. */
const PARAGRAPH_WORDS = 12;

/** Values are short, but each is as good an example as a sentence. */
const VALUE_WEIGHT = 5;
