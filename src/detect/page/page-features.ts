/**
 * Computes the features of a page's judged nodes: those of the paper (Chakrabarti, Kumar and Punera 2007,
 * section 5.2), and others that later work on content extraction found useful: neighbours, order, tags and
 * names of ancestors, punctuation, repetition. No feature depends on the language of the page.
 *
 * The kernel computes them (kernel/assembly/feature-values.ts): every feature is a sum over a subtree or is
 * inherited from the parent, so a few passes over nodes and rows are enough. The scratch memory and the table
 * belong to the thread: a table is valid until any maker is called again.
 */

import * as layout from '../../kernel/feature-layout.ts';
import { Block } from '../../kernel/heap.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { threadKernel } from '../../kernel/thread-kernel.ts';
import { type Boxes, WINDOW_WIDTH } from '../../layout/boxes.ts';
import { siteOf } from '../../model/site.ts';
import { breaksWords, FIRST_FOREIGN_TAG, isHeading, isHidden, TAG, tagsOf } from '../../parse/tag-names.ts';
import { readTitle } from '../../parse/title.ts';
import type { Tree } from '../../parse/tree.ts';
import type { ParsedPage } from '../detector.ts';
import type { FeatureTable, NodeChoice } from './feature-list.ts';
import { type Lexicon, NameWeights } from './lexicon.ts';

/**
 * Default minimum area of a judged node, in square pixels, as in the paper; smaller nodes are hidden in their
 * parent.
 */
export const HIDE_BELOW = 2000;

/** Options of `FeatureMaker`. */
export interface FeatureOptions {
  /** Minimum area of a judged node in square pixels, from 0. @default 2000 */
  hideBelow?: number;
  /** Weights of element names. @default none */
  lexicon?: Lexicon;
  /** Which nodes are judged. @default 'blocks' */
  nodes?: NodeChoice;
}

/** Computes feature tables of pages. */
export class FeatureMaker {
  readonly #hideBelow: number;
  readonly #nodes: NodeChoice;
  readonly #names: NameWeights;

  constructor({ hideBelow = HIDE_BELOW, lexicon, nodes = 'blocks' }: FeatureOptions = {}) {
    this.#hideBelow = hideBelow;
    this.#nodes = nodes;
    this.#names = new NameWeights(lexicon);
  }

  /** Returns the features of a page's judged nodes; the table is valid until the next call of any maker. */
  make({ page, tree }: ParsedPage, boxes: Boxes): FeatureTable {
    scratch ??= new FeatureScratch(threadKernel());
    scratch.fill(tree, page.url, boxes, this.#names);
    return scratch.make(tree, boxes, this.#hideBelow, this.#nodes === 'all');
  }
}

let scratch: FeatureScratch | undefined;

/** Maximum bytes read of a page's title and of its site. */
const MAX_TITLE_LENGTH = 400;
const MAX_TEXT_BYTES = 4096;

/** Kernel memory for the features of one page. */
class FeatureScratch {
  readonly #kernel: Kernel;
  /** Address of the header and all parts that do not depend on the size of the page. */
  readonly #address: number;
  readonly #nodes: Block;
  #capacity = 0;
  readonly #table: FeatureTable;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#nodes = new Block(kernel);
    const columnBytes = 4 * layout.MAX_ROWS;
    const parts: [word: number, sizeBytes: number][] = [
      [layout.FEATURES_LOGARITHMS, 8 * layout.LOGARITHMS],
      [layout.FEATURES_TAGS, 4 * FIRST_FOREIGN_TAG],
      [layout.FEATURES_SITE, MAX_TEXT_BYTES],
      [layout.FEATURES_TITLE, MAX_TEXT_BYTES],
      [layout.FEATURES_ROWS, layout.ROW_RECORD_BYTES * layout.MAX_ROWS],
      [layout.FEATURES_SHAPES, layout.SHAPE_BUCKET_BYTES * layout.SHAPE_BUCKETS],
      [layout.FEATURES_ROW_NODE, columnBytes],
      [layout.FEATURES_ROW_PARENT, columnBytes],
      [layout.FEATURES_ROW_WEIGHT, columnBytes],
      [layout.FEATURES_ROW_AREA, columnBytes],
      [layout.FEATURES_VALUES, columnBytes * layout.FEATURE_COUNT],
    ];
    const headerBytes = 4 * layout.FEATURES_WORDS;
    this.#address = kernel.heap.take(parts.reduce((sum, [, sizeBytes]) => sum + sizeBytes, headerBytes));
    this.#setParts(this.#address + headerBytes, parts);
    const { buffer } = kernel.memory;
    const logarithms = new Float64Array(buffer, this.#part(layout.FEATURES_LOGARITHMS), layout.LOGARITHMS);
    for (let halves = 0; halves < layout.LOGARITHMS; halves++) logarithms[halves] = Math.log2(1 + halves / 2);
    kernel.words.set(BITS_OF_TAG, this.#part(layout.FEATURES_TAGS) >> 2);
    this.#table = { rowCount: 0, width: layout.FEATURE_COUNT, ...this.#columns() };
    kernel.onGrow(() => Object.assign(this.#table, this.#columns()));
  }

  /** Writes everything the kernel needs about a page besides its tree. */
  fill(tree: Tree, url: string, boxes: Boxes, names: NameWeights): void {
    const { nodeCount } = tree;
    if (nodeCount > this.#capacity) this.#reserve(nodeCount);
    const { words, memory } = this.#kernel;
    const header = this.#address >> 2;
    words[header + layout.FEATURES_NAMES] = names.address;
    words[header + layout.FEATURES_SITE_BYTES] = this.#write(layout.FEATURES_SITE, siteOf(url));
    const title = readTitle(tree).slice(0, MAX_TITLE_LENGTH);
    words[header + layout.FEATURES_TITLE_BYTES] = this.#write(layout.FEATURES_TITLE, title);
    const floats = new Float32Array(memory.buffer);
    floats.set(boxes.left.subarray(0, nodeCount), this.#part(layout.FEATURES_LEFT) >> 2);
    floats.set(boxes.top.subarray(0, nodeCount), this.#part(layout.FEATURES_TOP) >> 2);
    floats.set(boxes.width.subarray(0, nodeCount), this.#part(layout.FEATURES_WIDTH) >> 2);
    floats.set(boxes.height.subarray(0, nodeCount), this.#part(layout.FEATURES_HEIGHT) >> 2);
  }

  make(tree: Tree, boxes: Boxes, hideBelow: number, allNodes: boolean): FeatureTable {
    const pageWidth = Math.max(1, boxes.pageWidth || WINDOW_WIDTH);
    const pageHeight = Math.max(1, boxes.pageHeight || 1);
    const { makeFeatures } = this.#kernel.functions;
    const { address } = tree;
    const rowCount = makeFeatures(this.#address, address, pageWidth, pageHeight, hideBelow, allNodes);
    this.#table.rowCount = rowCount;
    return this.#table;
  }

  #reserve(nodeCount: number): void {
    this.#capacity = Math.max(4096, nodeCount, 2 * this.#capacity);
    const parts: [word: number, sizeBytes: number][] = [
      [layout.FEATURES_LEFT, 4 * this.#capacity],
      [layout.FEATURES_TOP, 4 * this.#capacity],
      [layout.FEATURES_WIDTH, 4 * this.#capacity],
      [layout.FEATURES_HEIGHT, 4 * this.#capacity],
      [layout.FEATURES_NODES, layout.NODE_RECORD_BYTES * this.#capacity],
      [layout.FEATURES_TEXTS, layout.TEXT_RECORD_BYTES * this.#capacity],
    ];
    this.#setParts(this.#nodes.room(parts.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0)), parts);
  }

  /** Places parts one after another from an address on. */
  #setParts(address: number, parts: [word: number, sizeBytes: number][]): void {
    let at = address;
    for (const [word, sizeBytes] of parts) {
      this.#kernel.words[(this.#address >> 2) + word] = at;
      at += sizeBytes;
    }
  }

  #part(word: number): number {
    return this.#kernel.words[(this.#address >> 2) + word];
  }

  /** Writes a text followed by zeros and returns its length in bytes. */
  #write(word: number, text: string): number {
    const { bytes } = this.#kernel;
    const address = this.#part(word);
    const room = bytes.subarray(address, address + MAX_TEXT_BYTES - ZEROS);
    const { written } = encoder.encodeInto(text, room);
    bytes.fill(0, address + written, address + written + ZEROS);
    return written;
  }

  #columns(): Pick<FeatureTable, 'node' | 'parent' | 'weight' | 'area' | 'values'> {
    const { buffer } = this.#kernel.memory;
    const { MAX_ROWS, FEATURE_COUNT } = layout;
    return {
      node: new Int32Array(buffer, this.#part(layout.FEATURES_ROW_NODE), MAX_ROWS),
      parent: new Int32Array(buffer, this.#part(layout.FEATURES_ROW_PARENT), MAX_ROWS),
      weight: new Float32Array(buffer, this.#part(layout.FEATURES_ROW_WEIGHT), MAX_ROWS),
      area: new Float32Array(buffer, this.#part(layout.FEATURES_ROW_AREA), MAX_ROWS),
      values: new Float32Array(buffer, this.#part(layout.FEATURES_VALUES), MAX_ROWS * FEATURE_COUNT),
    };
  }
}

const encoder = new TextEncoder();
/** Number of zeros after a text, because the kernel reads a few bytes beyond its end. */
const ZEROS = 4;

/**
 * Tags that are features, in the order of the list: first of the node itself, then of the node and its
 * ancestors.
 */
const TAG_FEATURES = [
  'a',
  'h1 h2 h3 h4 h5 h6',
  'p blockquote pre',
  'li dt dd',
  'ul ol dl menu dir',
  'table tbody thead tfoot tr td th',
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'form fieldset select button',
  'ul ol dl menu dir',
  'table',
  'figure',
  'h1 h2 h3 h4 h5 h6',
];

const BITS_OF_TAG = new Int32Array(FIRST_FOREIGN_TAG);
for (let tag = 0; tag < FIRST_FOREIGN_TAG; tag++) {
  let bits = 0;
  if (breaksWords(tag) && tag !== TAG.br) bits |= layout.TAG_BLOCK;
  // blocks and cells, and elements with names of the page's own
  if (breaksWords(tag) && tag !== TAG.br && tag !== TAG.hr) bits |= layout.TAG_APART;
  if (isHidden(tag) || tag === TAG.head) bits |= layout.TAG_UNSHOWN;
  if (isHeading(tag)) bits |= layout.TAG_HEADING;
  BITS_OF_TAG[tag] = bits;
}
BITS_OF_TAG[TAG.p] |= layout.TAG_PARAGRAPH;
for (const tag of tagsOf('img video svg')) BITS_OF_TAG[tag] |= layout.TAG_IMAGE;
for (const tag of tagsOf('input select textarea button')) BITS_OF_TAG[tag] |= layout.TAG_CONTROL;
for (const [bit, names] of TAG_FEATURES.entries()) {
  for (const tag of tagsOf(names)) BITS_OF_TAG[tag] |= 1 << bit;
}
