/**
 * Labels pages by a dom model: its tables are laid out in the kernel's memory, where the spans of a page are
 * found. Sibling template nodes become one span (Gibson et al. §3.1), across small gaps of changing content:
 * a date, a counter, the name of the user. White space and comments between siblings do not count as a gap; a
 * title is never part of one. A gap lies inside the template, as in the paper, and is labelled as a slot.
 */
import * as layout from '../kernel/dom-layout.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { KeyIndex } from '../kernel/key-tables.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { domScratch, type FrequentNodes, type SampledTree } from './dom-evidence.ts';

/** Limits by which a model labels pages. */
export interface DomLimits {
  /** Trivially small nodes with more occurrences than this are not templates. */
  upperOccurrences: number;
  /** A node without text and with at most this many bytes is trivially small. */
  trivialBytes: number;
  /** Maximum size of a gap, in bytes of source and in bytes of text. */
  gapBytes: number;
  gapTextBytes: number;
}

/** A template node of a page, or several with the same parent. */
export interface DomSpan {
  /** Start of its first node and end of its last one, in bytes of the source. */
  start: number;
  end: number;
  /** Number of template nodes in it. */
  members: number;
  /** Minimum over its nodes of the number of sampled pages with the node. */
  pages: number;
  /** The content hash of a single node; for several nodes the hash of the sequence of their hashes. */
  low: number;
  high: number;
  /** Starts and ends of the gaps in it, in bytes of the source. */
  gaps: Int32Array;
}

/** The tables of a dom model in the kernel's memory; `release` frees them. */
export class DomTables {
  readonly #kernel: Kernel = threadKernel();
  readonly #nodes: KeyIndex;
  readonly #positions: KeyIndex;
  /** Address of the header, pages and occurrences of the model. */
  readonly #address: number;

  constructor({ evidence, nodes, places, ...limits }: FrequentNodes & DomLimits) {
    const count = nodes.low.length;
    this.#nodes = new KeyIndex(nodes.low, nodes.high);
    this.#positions = new KeyIndex(places.low, places.high);
    this.#address = this.#kernel.heap.take(4 * (layout.MODEL_WORDS + 2 * count));
    const { words } = this.#kernel;
    const header = this.#address >> 2;
    const pages = header + layout.MODEL_WORDS;
    words.set(nodes.pages, pages);
    words.set(nodes.occurrences, pages + count);
    words[header + layout.MODEL_BY_CONTENT] = evidence === 'content' ? 1 : 0;
    words[header + layout.MODEL_NODES] = this.#nodes.address;
    words[header + layout.MODEL_POSITIONS] = this.#positions.address;
    words[header + layout.MODEL_PAGES] = 4 * pages;
    words[header + layout.MODEL_OCCURRENCES] = 4 * (pages + count);
    words[header + layout.MODEL_UPPER_OCCURRENCES] = limits.upperOccurrences;
    words[header + layout.MODEL_TRIVIAL_BYTES] = limits.trivialBytes;
    words[header + layout.MODEL_GAP_BYTES] = limits.gapBytes;
    words[header + layout.MODEL_GAP_TEXT_BYTES] = limits.gapTextBytes;
  }

  /** Returns the template spans of a page, in order. */
  findSpans({ address, nodeCount }: SampledTree): DomSpan[] {
    const { functions } = this.#kernel;
    const scratch = domScratch(nodeCount);
    const count = functions.findDomSpans(scratch, address, this.#address);
    const memory = this.#kernel.words;
    const gapsAt = memory[(scratch >> 2) + layout.DOM_GAPS] >> 2;
    let at = memory[(scratch >> 2) + layout.DOM_SPANS] >> 2;
    const spans = new Array<DomSpan>(count);
    for (let i = 0; i < count; i++, at += layout.SPAN_WORDS) {
      const gapsFrom = gapsAt + layout.GAP_WORDS * memory[at + layout.SPAN_GAPS_FROM];
      const gapsTo = gapsAt + layout.GAP_WORDS * memory[at + layout.SPAN_GAPS_TO];
      spans[i] = {
        start: memory[at + layout.SPAN_START],
        end: memory[at + layout.SPAN_END],
        members: memory[at + layout.SPAN_MEMBERS],
        pages: memory[at + layout.SPAN_PAGES],
        low: memory[at + layout.SPAN_LOW],
        high: memory[at + layout.SPAN_HIGH],
        gaps: gapsFrom === gapsTo ? NO_GAPS : memory.slice(gapsFrom, gapsTo),
      };
    }
    return spans;
  }

  /** Frees the kernel memory of the tables. */
  release(): void {
    this.#nodes.release();
    this.#positions.release();
    this.#kernel.heap.release(this.#address);
  }
}

const NO_GAPS = new Int32Array(0);
