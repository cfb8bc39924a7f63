/**
 * The blocks of a page with their features, made in the kernel (kernel/assembly/find-blocks.ts). A reader keeps its
 * memory from page to page; what it returns holds until it reads the next page.
 */

import * as layout from '../../kernel/block-layout.ts';
import { Block } from '../../kernel/heap.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { PADDING_BYTES } from '../../kernel/layout.ts';
import { threadKernel } from '../../kernel/thread-kernel.ts';
import { TAG, tagsOf } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import { roleWordTable } from './role-words.ts';

interface Addresses {
  records: number;
  rows: number;
  elements: number;
  nodeCount: number;
  skipped: number;
  skippedCount: number;
}

/**
 * The blocks of a page as views of the kernel's memory. A view is detached when the memory grows, so read the property
 * again at each use.
 */
export class PageBlocks {
  readonly count: number;
  readonly #kernel: Kernel;
  readonly #addresses: Addresses;

  constructor(kernel: Kernel, count: number, addresses: Addresses) {
    this.#kernel = kernel;
    this.count = count;
    this.#addresses = addresses;
  }

  /** BLOCK_RECORD_WORDS words for each block. */
  get records(): Int32Array {
    const { buffer } = this.#kernel.memory;
    return new Int32Array(buffer, this.#addresses.records, layout.BLOCK_RECORD_WORDS * this.count);
  }

  /** ROW_FLOATS floats for each block. */
  get rows(): Float32Array {
    return new Float32Array(this.#kernel.memory.buffer, this.#addresses.rows, layout.ROW_FLOATS * this.count);
  }

  /** ELEMENT_WORDS_SIZE words for each node of the tree; those of texts and comments are not filled. */
  get elements(): Int32Array {
    const { elements, nodeCount } = this.#addresses;
    return new Int32Array(this.#kernel.memory.buffer, elements, layout.ELEMENT_WORDS_SIZE * nodeCount);
  }

  /** Elements whose text is in no block, such as form controls, in document order. */
  get skipped(): Int32Array {
    const { skipped, skippedCount } = this.#addresses;
    return new Int32Array(this.#kernel.memory.buffer, skipped, skippedCount);
  }
}

/** Tags with a boundary before and after their content. */
const BOUNDARIES =
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p search noscript section summary ul table caption colgroup thead tbody tfoot tr td th pre listing xmp plaintext button object applet marquee';
/** Tags whose text belongs to no block. */
const SKIPPED =
  'head title script style template iframe noembed noframes datalist audio video svg textarea select canvas';
/** Tags whose class names often differ on every page; they are not part of a slot's path. */
const OWN_NAMES = 'html body';
/** Tags whose id is often an anchor that differs on every page. */
const OWN_IDS = 'h1 h2 h3 h4 h5 h6 section article li p a span dt dd tr';
/** Tags that the features distinguish, by their position in this list. */
const NUMBERED =
  'p div li td th h1 h2 h3 h4 h5 h6 dt dd blockquote pre article section main aside nav header footer form table tr ul ol dl figure figcaption address button body center fieldset span a';
/** Tags that set a bit for the blocks inside them; tags on one line share a bit. */
const BITS = [
  'article',
  'main',
  'nav',
  'aside',
  'footer',
  'header',
  'form',
  'table',
  'ul ol',
  'dl',
  'blockquote',
  'pre',
  'figure',
  'button',
  'section',
  'h1 h2 h3 h4 h5 h6',
  'li',
  'p',
];

const encoder = new TextEncoder();

/**
 * Finds the blocks of one page at a time and computes their features in the kernel; holds kernel memory until
 * `release`.
 */
export class BlockReader {
  readonly kernel: Kernel;
  /** Address of the header. */
  readonly address: number;
  readonly #tags: number;
  readonly #weights: number;
  readonly #sets: number;
  readonly #roleWords: number;
  readonly #nameCache: number;
  readonly #elements: Block;
  readonly #records: Block;
  readonly #words: Block;
  readonly #rows: Block;
  readonly #shapes: Block;
  readonly #path: Block;
  readonly #scratch: Block;
  readonly #skipped: Block;

  /** @param nameWeights a byte for each of the hashed names; none by default */
  constructor(nameWeights?: Int8Array, kernel = threadKernel()) {
    this.kernel = kernel;
    const { heap } = kernel;
    this.address = heap.take(4 * layout.BLOCKS_HEADER_WORDS);
    this.#tags = heap.take(layout.TAG_TABLE_BYTES);
    kernel.bytes.set(tagTable(), this.#tags);
    const weightBytes = 2 ** layout.NAME_BUCKET_BITS;
    this.#weights = heap.take(weightBytes);
    kernel.bytes.fill(0, this.#weights, this.#weights + weightBytes);
    if (nameWeights)
      kernel.bytes.set(new Uint8Array(nameWeights.buffer, nameWeights.byteOffset), this.#weights);
    const setBytes = layout.SMALL_SET_BYTES * layout.SET_LD_TEXT + layout.LARGE_SET_BYTES;
    this.#sets = heap.take(setBytes);
    kernel.bytes.fill(0, this.#sets, this.#sets + setBytes);
    const roleWords = roleWordTable();
    this.#roleWords = heap.take(roleWords.byteLength);
    kernel.words.set(roleWords, this.#roleWords >> 2);
    this.#nameCache = heap.take(layout.NAME_CACHE_BYTES);
    this.#elements = new Block(kernel);
    this.#records = new Block(kernel);
    this.#words = new Block(kernel);
    this.#rows = new Block(kernel);
    this.#shapes = new Block(kernel);
    this.#path = new Block(kernel);
    this.#scratch = new Block(kernel);
    this.#skipped = new Block(kernel);
  }

  /** Finds the blocks of a page and fills the page features of their rows. */
  read(tree: Tree, url: string): PageBlocks {
    const blocks = this.find(tree, url);
    this.kernel.functions.makeBlockFeatures(this.address, tree.address);
    return blocks;
  }

  /** Finds the blocks of a page without filling their rows. */
  find(tree: Tree, url: string): PageBlocks {
    const { kernel, address } = this;
    const { nodeCount } = tree;
    // a number, because taking memory may move the source
    const sourceBytes = tree.source.length;
    const texts = nodeCount + 2;
    let slots = 64;
    while (slots < 3 * nodeCount) slots *= 2;
    const path = encoder.encode(pathOf(url));
    const elements = this.#elements.room(4 * layout.ELEMENT_WORDS_SIZE * nodeCount);
    const records = this.#records.room(4 * layout.BLOCK_RECORD_WORDS * texts);
    // a word has at least one byte and a separator, or is a character of several bytes
    const words = this.#words.room(4 * (sourceBytes + path.length + PADDING_BYTES));
    const shapes = this.#shapes.room(4 * layout.SHAPE_SIZE * slots);
    const pathAt = this.#path.room(path.length + PADDING_BYTES);
    const scratch = this.#scratch.room(sourceBytes + PADDING_BYTES);
    const skipped = this.#skipped.room(4 * nodeCount);
    kernel.bytes.set(path, pathAt);
    kernel.bytes.fill(0, shapes, shapes + 4 * layout.SHAPE_SIZE * slots);
    const header = kernel.words.subarray(address >> 2, (address >> 2) + layout.BLOCKS_HEADER_WORDS);
    header[layout.BLOCKS_TAGS] = this.#tags;
    header[layout.BLOCKS_NAME_WEIGHTS] = this.#weights;
    header[layout.BLOCKS_WORD_SETS] = this.#sets;
    header[layout.BLOCKS_ROLE_WORDS] = this.#roleWords;
    header[layout.BLOCKS_NAME_CACHE] = this.#nameCache;
    header[layout.BLOCKS_ELEMENTS] = elements;
    header[layout.BLOCKS_RECORDS] = records;
    header[layout.BLOCKS_WORDS] = words;
    header[layout.BLOCKS_SHAPES] = shapes;
    header[layout.BLOCKS_SHAPE_MASK] = slots - 1;
    header[layout.BLOCKS_PATH] = pathAt;
    header[layout.BLOCKS_PATH_END] = pathAt + path.length;
    header[layout.BLOCKS_SCRATCH] = scratch;
    header[layout.BLOCKS_SKIPPED] = skipped;
    const count = kernel.functions.findBlocks(address, tree.address);
    const rows = this.#rows.room(4 * layout.ROW_FLOATS * count);
    kernel.words[(address >> 2) + layout.BLOCKS_ROWS] = rows;
    const skippedCount = kernel.words[(address >> 2) + layout.BLOCKS_SKIPPED_COUNT];
    return new PageBlocks(kernel, count, { records, rows, elements, nodeCount, skipped, skippedCount });
  }

  /** Frees the kernel memory; the reader cannot be used afterwards. */
  release(): void {
    const { heap } = this.kernel;
    for (const address of [this.address, this.#tags, this.#weights]) heap.release(address);
    for (const address of [this.#sets, this.#roleWords, this.#nameCache]) heap.release(address);
    for (const block of [this.#elements, this.#records, this.#words, this.#rows]) block.release();
    for (const block of [this.#shapes, this.#path, this.#scratch, this.#skipped]) block.release();
  }
}

/** The path and query of a URL. */
function pathOf(url: string): string {
  const match = /^[a-z]+:\/\/[^/]*\/?(.*)$/i.exec(url);
  const path = match ? match[1] : url;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function tagTable(): Uint8Array {
  const table = new Uint8Array(layout.TAG_TABLE_BYTES);
  for (const tag of tagsOf(BOUNDARIES)) table[layout.TAG_KINDS_AT + tag] = layout.TAG_BOUNDARY;
  for (const tag of tagsOf(SKIPPED)) table[layout.TAG_KINDS_AT + tag] = layout.TAG_SKIPPED;
  for (const tag of tagsOf(OWN_NAMES)) table[layout.TAG_PATHS_AT + tag] = layout.PATH_NO_NAMES;
  for (const tag of tagsOf(OWN_IDS)) table[layout.TAG_PATHS_AT + tag] = layout.PATH_CLASSES;
  for (const [index, tag] of tagsOf(NUMBERED).entries()) table[layout.TAG_NUMBERS_AT + tag] = index + 1;
  for (const [bit, names] of BITS.entries()) {
    for (const tag of tagsOf(names)) table[layout.TAG_BITS_AT + tag] = bit + 1;
  }
  table[layout.TAG_BITS_AT + TAG.dialog] = layout.ABOVE_DIALOG + 1;
  return table;
}
