/**
 * Finds the nodes that recur on enough pages, and the positions where that makes them template.
 *
 * By content alone (Gibson et al. §3.1) a node is template when its content hash is on enough distinct pages.
 * That also includes text that merely repeats: the teaser of a popular story on every listing, the title of
 * that story on its own page, `<code>None</code>` or "The" in the middle of a sentence. So positions are
 * counted as well as content (`place`):
 *
 * - A node must be stable: at one position on enough pages. Menus, footers and labels are; a teaser moves
 *   along its row from page to page. The nodes inside a stable node are stable with it.
 * - In a line with changing text a node is template only at such a position, and only when at least half of
 *   the pages with anything at that position have the same node there: "Posted by" is template, "The" is not.
 * - Elsewhere it is template at such a position, and in every context (the tags of its nearest two ancestors)
 *   in which it is on enough pages. So the footer of a rare layout and the "Reply" of the thirtieth comment
 *   are template, but the heading of a story is not, although its words are in every sidebar.
 *
 * Every part of a frequent node is frequent, so positions are counted for outermost frequent nodes only. The
 * loops over nodes are in the kernel (assembly/dom-learn.ts, dom-find.ts): two accesses to a sketch for each
 * node, one to a table for each node that may be frequent, three for each outermost frequent node. Both
 * positions of each node in a line of changing text are recorded in a first pass; the pages with anything at
 * a position are counted afterwards, for positions where that decides.
 */

import * as layout from '../kernel/dom-layout.ts';
import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { KeyCounter, type KeyCounts, KeyIndex, KeySketch } from '../kernel/key-tables.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { breaksWords, FIRST_FOREIGN_TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import type { Evidence } from './dom-settings.ts';

/** A page in the kernel's memory that stays valid while a model is learnt. */
export type SampledTree = Pick<Tree, 'address' | 'nodeCount'>;

/** The nodes that a model labels template, and where. */
export interface FrequentNodes {
  evidence: Evidence;
  /** Content hashes of nodes on enough pages; with evidence `place`, of stable nodes only. */
  nodes: KeyCounts;
  /** Hashes of a node with a position or a context that occur on enough pages. */
  places: { low: Int32Array; high: Int32Array };
}

/** Counts the nodes of the sampled pages and selects the frequent ones. */
export function countNodes(
  pages: readonly SampledTree[],
  thresholdPages: number,
  evidence: Evidence,
): FrequentNodes {
  const { functions } = threadKernel();
  const nodeCount = pages.reduce((sum, page) => sum + page.nodeCount, 0);
  const sketch = new KeySketch(nodeCount, thresholdPages);
  for (const [number, { address }] of pages.entries()) functions.sketchNodes(address, number, sketch.address);
  const counter = new KeyCounter(4096);
  countAll(pages, counter, sketch.address);
  const frequent = counter.select(thresholdPages);
  counter.release();
  sketch.release();
  if (evidence === 'place') return { evidence, ...selectStable(pages, thresholdPages, frequent) };
  return { evidence, nodes: frequent, places: { low: new Int32Array(0), high: new Int32Array(0) } };
}

/**
 * Selects nodes whose number of occurrences on the sampled pages is between two bounds, inclusive (Gibson et
 * al. §3.1).
 */
export function countNodesWithin(
  pages: readonly SampledTree[],
  { least, most }: { least: number; most: number },
): FrequentNodes {
  const counter = new KeyCounter(4096);
  countAll(pages, counter, 0);
  const counts = counter.select(least, 'occurrences');
  counter.release();
  return {
    evidence: 'content',
    nodes: filterCounts(counts, (i) => counts.occurrences[i] <= most),
    places: { low: new Int32Array(0), high: new Int32Array(0) },
  };
}

function countAll(pages: readonly SampledTree[], counter: KeyCounter, sketch: number): void {
  const { functions } = threadKernel();
  for (const [number, { address, nodeCount }] of pages.entries()) {
    counter.reserve(nodeCount);
    functions.countNodes(address, number, sketch, counter.address);
  }
}

/**
 * Selects frequent nodes with stable positions, and the positions and contexts in which they are template.
 */
function selectStable(
  pages: readonly SampledTree[],
  thresholdPages: number,
  frequent: KeyCounts,
): Pick<FrequentNodes, 'nodes' | 'places'> {
  const selection = new StableSelection(pages, thresholdPages, frequent);
  try {
    return selection.select();
  } finally {
    selection.release();
  }
}

class StableSelection {
  readonly #kernel: Kernel = threadKernel();
  readonly #pages: readonly SampledTree[];
  readonly #thresholdPages: number;
  readonly #frequent: KeyCounts;
  readonly #index: KeyIndex;
  /** Counts frequent nodes, by their index, at positions and in contexts. */
  readonly #positions = new KeyCounter(1 << 14);
  /** Keys of the positions and contexts that are kept. */
  readonly #kept = new KeyCounter(4096);
  /** Lanes of the frequent nodes, then one byte per node: whether it is stable. */
  readonly #lanes: number;
  /** Outermost frequent nodes, and positions in lines of changing text, page by page. */
  readonly #records = new Block(this.#kernel);
  readonly #lines = new Block(this.#kernel);
  readonly #recordCounts: number[] = [];
  readonly #lineCounts: number[] = [];

  constructor(pages: readonly SampledTree[], thresholdPages: number, frequent: KeyCounts) {
    const { low, high } = frequent;
    this.#pages = pages;
    this.#thresholdPages = thresholdPages;
    this.#frequent = frequent;
    this.#index = new KeyIndex(low, high);
    this.#lanes = this.#kernel.heap.take(9 * low.length);
    this.#kernel.words.set(low, this.#lanes >> 2);
    this.#kernel.words.set(high, (this.#lanes >> 2) + low.length);
    this.#kernel.bytes.fill(0, this.#stable, this.#stable + low.length);
  }

  get #stable(): number {
    return this.#lanes + 8 * this.#frequent.low.length;
  }

  select(): Pick<FrequentNodes, 'nodes' | 'places'> {
    const { functions } = this.#kernel;
    const highs = this.#lanes + 4 * this.#frequent.low.length;
    const threshold = this.#thresholdPages;
    const positions = this.#positions.address;
    const kept = this.#kept;
    this.#countPositions();
    const lineCounter = this.#countLines();
    kept.reserve(this.#positions.size);
    functions.keepStable(
      positions,
      threshold,
      lineCounter?.address ?? 0,
      this.#lanes,
      highs,
      this.#stable,
      kept.address,
    );
    lineCounter?.release();
    this.#forRecords((page, records, count) => {
      functions.markInside(page.address, records, count, this.#index.address, this.#stable);
    });
    this.#forRecords((page, records, count) => {
      kept.reserve(page.nodeCount + count);
      functions.keepContexts(
        page.address,
        records,
        count,
        positions,
        threshold,
        this.#index.address,
        this.#lanes,
        highs,
        this.#stable,
        kept.address,
      );
    });
    const { low, high } = kept.select(1);
    const { bytes } = this.#kernel;
    const nodes = filterCounts(this.#frequent, (i) => bytes[this.#stable + i] !== 0);
    return { nodes, places: { low, high } };
  }

  #countPositions(): void {
    const kernel = this.#kernel;
    let recordBytes = 0;
    let lineBytes = 0;
    for (const [number, { address, nodeCount }] of this.#pages.entries()) {
      const scratch = domScratch(nodeCount);
      this.#positions.reserve(3 * nodeCount);
      const records = this.#records.room(recordBytes + 4 * layout.RECORD_WORDS * nodeCount, recordBytes);
      const lines = this.#lines.room(lineBytes + 8 * nodeCount, lineBytes);
      kernel.functions.countPositions(
        scratch,
        address,
        number,
        this.#index.address,
        this.#positions.address,
        records + recordBytes,
        lines + lineBytes,
      );
      const [recordCount, lineCount] = kernel.results;
      this.#recordCounts.push(recordCount);
      this.#lineCounts.push(lineCount);
      recordBytes += 4 * layout.RECORD_WORDS * recordCount;
      lineBytes += 4 * lineCount;
    }
  }

  /** Counts the pages with anything at a position in a line, for positions where that decides. */
  #countLines(): KeyCounter | undefined {
    const { functions, heap } = this.#kernel;
    const filterBytes = 2 ** (layout.LINE_FILTER_BITS - 3);
    const filter = heap.take(filterBytes);
    this.#kernel.bytes.fill(0, filter, filter + filterBytes);
    const selected = functions.selectLinePositions(this.#positions.address, this.#thresholdPages, filter);
    const counter = selected === 0 ? undefined : new KeyCounter(4 * selected);
    let lines = this.#lines.room(0);
    for (const [number, count] of this.#lineCounts.entries()) {
      counter?.reserve(count);
      if (counter) functions.countLinePositions(lines, count, number, filter, counter.address);
      lines += 4 * count;
    }
    heap.release(filter);
    return counter;
  }

  #forRecords(visit: (page: SampledTree, records: number, count: number) => void): void {
    let records = this.#records.room(0);
    for (const [number, page] of this.#pages.entries()) {
      visit(page, records, this.#recordCounts[number]);
      records += 4 * layout.RECORD_WORDS * this.#recordCounts[number];
    }
  }

  release(): void {
    this.#index.release();
    this.#positions.release();
    this.#kept.release();
    this.#records.release();
    this.#lines.release();
    this.#kernel.heap.release(this.#lanes);
  }
}

function filterCounts(counts: KeyCounts, isKept: (i: number) => boolean): KeyCounts {
  const keeps = (_: number, i: number): boolean => isKept(i);
  return {
    low: counts.low.filter(keeps),
    high: counts.high.filter(keeps),
    pages: counts.pages.filter(keeps),
    occurrences: counts.occurrences.filter(keeps),
  };
}

const BREAKS_BYTES = FIRST_FOREIGN_TAG;
const TAG_COUNT_BYTES = 4 * FIRST_FOREIGN_TAG;

/** Kernel scratch memory of the dom detector, one block per thread: columns by node of the current page. */
let scratch: { block: Block; address: number; capacity: number } | undefined;

/** Returns the address of scratch memory for a page with `nodeCount` nodes. */
export function domScratch(nodeCount: number): number {
  scratch ??= { block: new Block(threadKernel()), address: 0, capacity: 0 };
  if (nodeCount <= scratch.capacity && scratch.capacity > 0) return scratch.address;
  const capacity = Math.max(4096, nodeCount, 2 * scratch.capacity);
  const columnBytes = 4 * (capacity + 4);
  const spanBytes = 4 * (layout.SPAN_WORDS + layout.GAP_WORDS) * capacity;
  const address = scratch.block.room(
    4 * layout.DOM_HEADER_WORDS +
      BREAKS_BYTES +
      TAG_COUNT_BYTES +
      (layout.DOM_WORD_COLUMNS + layout.DOM_BYTE_COLUMNS) * columnBytes +
      spanBytes,
  );
  const { bytes, words } = threadKernel();
  const header = address >> 2;
  let at = address + 4 * layout.DOM_HEADER_WORDS;
  bytes.fill(0, address, at + BREAKS_BYTES + TAG_COUNT_BYTES);
  words[header + layout.DOM_BREAKS] = at;
  for (let tag = 0; tag < FIRST_FOREIGN_TAG; tag++) bytes[at + tag] = Number(breaksWords(tag));
  at += BREAKS_BYTES;
  words[header + layout.DOM_TAG_COUNTS] = at;
  at += TAG_COUNT_BYTES;
  for (let k = 0; k < layout.DOM_WORD_COLUMNS; k++, at += columnBytes)
    words[header + layout.DOM_FIRST_WORD_COLUMN + k] = at;
  for (let k = 0; k < layout.DOM_BYTE_COLUMNS; k++, at += columnBytes)
    words[header + layout.DOM_FIRST_BYTE_COLUMN + k] = at;
  words[header + layout.DOM_SPANS] = at;
  words[header + layout.DOM_GAPS] = at + 4 * layout.SPAN_WORDS * capacity;
  scratch = { block: scratch.block, address, capacity };
  return address;
}
