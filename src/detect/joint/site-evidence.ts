/**
 * Site evidence: counts of the blocks of a site's pages, made in the kernel (kernel/assembly/count-evidence.ts). The
 * same pages give the same counts in any order. Saved counts are columns sorted by key.
 */

import * as layout from '../../kernel/evidence-layout.ts';
import { Block } from '../../kernel/heap.ts';
import type { Tree } from '../../parse/tree.ts';
import type { BlockReader, PageBlocks } from './block-reader.ts';
import { findGroup, groupLayouts, isDistinctive, type LayoutGroup, slotSet } from './page-layouts.ts';

/** The counts of a site as plain data. */
export interface EvidenceColumns {
  pages: number;
  /** The kind of the site, as the sums of `DESCRIBED` over its pages. */
  kind: number[];
  /** Keys of the entries, sorted by (high, low) read as unsigned numbers. */
  low: Int32Array;
  high: Int32Array;
  /** SAVED_WORDS numbers for each entry. */
  counts: Uint32Array;
  groups: LayoutGroup[];
}

const DESCRIBED = [layout.SITE_DESCRIBED, layout.SITE_PROSE, layout.SITE_FIELDS, layout.SITE_FORUM_PAGES];
/** Length of `EvidenceColumns.kind`. */
export const KIND_NUMBERS = DESCRIBED.length;

/** Words of an entry that are saved. */
const SAVED = [
  layout.ENTRY_PAGES,
  layout.ENTRY_OCCURRENCES,
  layout.ENTRY_DISTINCT,
  layout.ENTRY_WORDS,
  layout.ENTRY_LINK_WORDS,
  layout.ENTRY_REPEATED,
  layout.ENTRY_SCORE,
  layout.ENTRY_SCORED_WORDS,
];
/** Numbers that are saved for each entry of the evidence. */
export const SAVED_WORDS = SAVED.length;
/**
 * Numbers that are meaningful for a text and a pair once all pages are counted: pages, occurrences, pages as a link,
 * scores.
 */
const SAVED_OF_TEXT = new Set([0, 1, 2, 6, 7]);
const SAVED_OF_PAIR = new Set([0, 1]);
/**
 * From this number of pages on, texts and links of one page only are not saved. The page itself does not need them, and
 * for an uncounted page they make a negligible share.
 */
const MANY_PAGES = 20;
/**
 * Minimum number of pages that determine the kind of a site; minimum fields per page of a catalogue, per word of prose
 * and absolute.
 */
const TELLING_PAGES = 10;
const FIELDS_PER_PAGE = 3;
const FIELDS_PER_WORD = 0.025;
const MANY_FIELDS_PER_PAGE = 10;
/** Minimum share of pages with a forum URL for the site to be a forum. */
const FORUM_SHARE = 0.1;

/** Marks a block without an entry. */
const NO_ENTRY = -1;

/** Counts the blocks of a site's pages and adds the counts to the rows of a page; holds kernel memory. */
export class SiteEvidence {
  readonly #reader: BlockReader;
  /** Address of the header. */
  readonly address: number;
  readonly #entries: Block;
  /** Entry numbers of the page's slots, then of its texts in these slots. */
  readonly #listed: Block;
  #groups: LayoutGroup[] = [];
  /** By counted page: the entries of its blocks' slots and of the texts in them. Kept only while counting. */
  #counted: { slots: Int32Array; pairs: Int32Array }[] = [];
  #slots = 0;
  #slotCount = 0;
  #capacity = 0;

  constructor(reader: BlockReader, columns?: EvidenceColumns) {
    this.#reader = reader;
    const { kernel } = reader;
    this.address = kernel.heap.take(4 * layout.SITE_HEADER_WORDS);
    kernel.words.fill(0, this.address >> 2, (this.address >> 2) + layout.SITE_HEADER_WORDS);
    this.#entries = new Block(kernel);
    this.#listed = new Block(kernel);
    if (columns) this.#load(columns);
    else this.#reserve(4096);
  }

  get pages(): number {
    return this.#reader.kernel.words[(this.address >> 2) + layout.SITE_PAGES];
  }

  /**
   * Whether the pages of the site are mostly fields: short texts that vary over pages, each with its label. Both
   * thresholds lie between the catalogues and the news sites among the labelled pages.
   */
  get isCatalogue(): boolean {
    const { words } = this.#reader.kernel;
    const [pages, prose, fields, forumPages] = DESCRIBED.map((sum) => words[(this.address >> 2) + sum]);
    // profiles of a forum are fields too, but not content
    if (forumPages >= FORUM_SHARE * pages) return false;
    if (pages < TELLING_PAGES || fields < FIELDS_PER_PAGE * pages) return false;
    return fields >= FIELDS_PER_WORD * prose || fields >= MANY_FIELDS_PER_PAGE * pages;
  }

  /** Counts the page that the reader has read. */
  count(tree: Tree, blocks: PageBlocks): void {
    const { kernel } = this.#reader;
    this.#reserve(layout.ENTRIES_PER_BLOCK * blocks.count + layout.ENTRIES_PER_LINK * tree.linkCount);
    kernel.functions.countSitePage(this.address, this.#reader.address, tree.address, this.pages + 1);
    const { slots, pairs } = this.#list(blocks);
    this.#counted.push({ slots: slots.slice(), pairs: pairs.slice() });
  }

  /** Completes the counts; call it after the last page. */
  finish(): void {
    const { kernel } = this.#reader;
    kernel.functions.finishSite(this.address);
    const { groups, groupOf } = groupLayouts(this.#counted.map(({ slots }) => this.#distinctiveSlots(slots)));
    this.#groups = groups;
    for (const [page, { pairs }] of this.#counted.entries()) {
      if (groupOf[page] < 0) continue;
      this.#reserve(pairs.length);
      const shared = pairs.filter((pair) => this.#entry(pair, layout.ENTRY_PAGES) >= 2);
      const at = this.#listed.room(4 * shared.length);
      kernel.words.set(shared, at >> 2);
      kernel.functions.countGroupPairs(this.address, at, shared.length, groupOf[page] + 1, page + 1);
    }
    this.#counted = [];
  }

  /** Fills the site features in the rows of the page that the reader has read. */
  addTo(tree: Tree, blocks: PageBlocks, isCounted: boolean): void {
    const { kernel, address } = this.#reader;
    const group = findGroup(this.#groups, this.#distinctiveSlots(this.#list(blocks).slots));
    const header = this.address >> 2;
    kernel.words[header + layout.SITE_GROUP] = group + 1;
    kernel.words[header + layout.SITE_GROUP_PAGES] = group < 0 ? 0 : this.#groups[group].pages;
    kernel.functions.addEvidence(this.address, address, tree.address, isCounted ? 1 : 0);
  }

  /** Adds the page that the reader has read, with its evidence, to the description of the site. */
  describe(isForum: boolean): void {
    const { kernel, address } = this.#reader;
    kernel.functions.describeSite(this.address, address, isForum);
  }

  /** Adds the scores of the page that the reader has read to those of its slots. `scores` is an address of floats. */
  countScores(scores: number): void {
    const { kernel, address } = this.#reader;
    kernel.functions.countScores(this.address, address, scores);
  }

  /** The counts so far. */
  save(): EvidenceColumns {
    const { words } = this.#reader.kernel;
    const header = this.address >> 2;
    const entries = words[header + layout.SITE_ENTRIES] >>> 2;
    const count = words[header + layout.SITE_ENTRY_COUNT];
    const { pages } = this;
    const least = pages >= MANY_PAGES ? 2 : 1;
    const kept: number[] = [];
    for (let k = 0; k < count; k++) {
      const entry = entries + layout.ENTRY_SIZE * k;
      const isSlot = words[entry + layout.ENTRY_KIND] === layout.KIND_SLOT;
      if (isSlot || words[entry + layout.ENTRY_PAGES] >= least) kept.push(entry);
    }
    kept.sort(
      (a, b) =>
        (words[a + layout.ENTRY_HIGH] >>> 0) - (words[b + layout.ENTRY_HIGH] >>> 0) ||
        (words[a + layout.ENTRY_LOW] >>> 0) - (words[b + layout.ENTRY_LOW] >>> 0),
    );
    const counts = new Uint32Array(kept.length * SAVED_WORDS);
    for (const [k, entry] of kept.entries()) {
      const kind = words[entry + layout.ENTRY_KIND];
      const saved =
        kind === layout.KIND_SLOT ? undefined : kind === layout.KIND_TEXT ? SAVED_OF_TEXT : SAVED_OF_PAIR;
      for (let word = 0; word < SAVED_WORDS; word++) {
        if (!saved || saved.has(word)) counts[k * SAVED_WORDS + word] = words[entry + SAVED[word]];
      }
    }
    return {
      pages,
      kind: DESCRIBED.map((sum) => words[header + sum]),
      low: Int32Array.from(kept, (entry) => words[entry + layout.ENTRY_LOW]),
      high: Int32Array.from(kept, (entry) => words[entry + layout.ENTRY_HIGH]),
      counts,
      groups: this.#groups,
    };
  }

  release(): void {
    const { heap } = this.#reader.kernel;
    heap.release(this.address);
    heap.release(this.#slots);
    this.#entries.release();
    this.#listed.release();
  }

  /** Entries of the slots of the page that the reader has read, and of the texts in them; valid until the next page. */
  #list({ count }: PageBlocks): { slots: Int32Array; pairs: Int32Array } {
    const { kernel, address } = this.#reader;
    const at = this.#listed.room(8 * count);
    kernel.functions.listEntries(this.address, address, at, at + 4 * count);
    const { buffer } = kernel.memory;
    return { slots: new Int32Array(buffer, at, count), pairs: new Int32Array(buffer, at + 4 * count, count) };
  }

  #entry(number: number, word: number): number {
    const { words } = this.#reader.kernel;
    return words[
      (words[(this.address >> 2) + layout.SITE_ENTRIES] >>> 2) + layout.ENTRY_SIZE * number + word
    ];
  }

  /** The slots of a page, given by their entries, that distinguish its layout. */
  #distinctiveSlots(entries: Int32Array): Uint32Array {
    const { pages } = this;
    const isKnown = (entry: number) =>
      entry !== NO_ENTRY && isDistinctive(this.#entry(entry, layout.ENTRY_PAGES), pages);
    return slotSet(Array.from(entries.filter(isKnown), (entry) => this.#entry(entry, layout.ENTRY_LOW)));
  }

  #load({ pages, kind, low, high, counts, groups }: EvidenceColumns): void {
    const { kernel } = this.#reader;
    this.#groups = groups;
    const header = this.address >> 2;
    this.#reserve(Math.max(1, low.length));
    const { words } = kernel;
    words[header + layout.SITE_PAGES] = pages;
    for (const [k, sum] of DESCRIBED.entries()) words[header + sum] = kind[k];
    words[header + layout.SITE_ENTRY_COUNT] = low.length;
    for (let k = 0; k < low.length; k++) {
      const entry = (words[header + layout.SITE_ENTRIES] >>> 2) + layout.ENTRY_SIZE * k;
      words.fill(0, entry, entry + layout.ENTRY_SIZE);
      words[entry + layout.ENTRY_LOW] = low[k];
      words[entry + layout.ENTRY_HIGH] = high[k];
      for (let word = 0; word < SAVED_WORDS; word++)
        words[entry + SAVED[word]] = counts[k * SAVED_WORDS + word];
    }
    kernel.functions.indexEntries(this.address);
  }

  #reserve(more: number): void {
    const { kernel } = this.#reader;
    const header = this.address >> 2;
    const count = kernel.words[header + layout.SITE_ENTRY_COUNT];
    if (count + more <= this.#capacity) return;
    this.#capacity = Math.max(2 * this.#capacity, count + more);
    const entryBytes = 4 * layout.ENTRY_SIZE;
    const entries = this.#entries.room(entryBytes * this.#capacity, entryBytes * count);
    kernel.words[header + layout.SITE_ENTRIES] = entries;
    if (this.#slots !== 0) kernel.heap.release(this.#slots);
    let slotCount = Math.max(1024, this.#slotCount);
    while (slotCount < 2 * this.#capacity) slotCount *= 2;
    this.#slotCount = slotCount;
    this.#slots = kernel.heap.take(4 * slotCount);
    kernel.words.fill(0, this.#slots >> 2, (this.#slots >> 2) + slotCount);
    kernel.words[header + layout.SITE_BUCKETS] = this.#slots;
    kernel.words[header + layout.SITE_MASK] = slotCount - 1;
    kernel.functions.indexEntries(this.address);
  }
}
