/** The tree of a page in the kernel's memory: views of the columns that its page header describes. */
import type { Kernel } from '../kernel/kernel.ts';
import * as layout from '../kernel/layout.ts';
import { lowerCase } from '../model/byte-kinds.ts';
import type { Tree } from './tree.ts';

const NO_BYTES = new Uint8Array(0);
const NO_SHORTS = new Uint16Array(0);
const NO_INTEGERS = new Int32Array(0);
/** Counts of a tree that is gone: a loop up to them reaches a column that throws. */
const GONE_COUNT = 0x3fffffff;
const GONE_BYTES = gone(NO_BYTES);
const GONE_SHORTS = gone(NO_SHORTS);
const GONE_INTEGERS = gone(NO_INTEGERS);

/** A tree whose columns are views of the kernel's memory. */
export class PageTree implements Tree {
  address: number;
  source: Uint8Array = NO_BYTES;
  nodeCount = 0;
  kind: Uint8Array = NO_BYTES;
  name: Uint16Array = NO_SHORTS;
  parent: Int32Array = NO_INTEGERS;
  last: Int32Array = NO_INTEGERS;
  start: Int32Array = NO_INTEGERS;
  openEnd: Int32Array = NO_INTEGERS;
  end: Int32Array = NO_INTEGERS;
  contentLow: Int32Array = NO_INTEGERS;
  contentHigh: Int32Array = NO_INTEGERS;
  shapeLow: Int32Array = NO_INTEGERS;
  shapeHigh: Int32Array = NO_INTEGERS;
  text: Uint8Array = NO_BYTES;
  textLength = 0;
  textStart: Int32Array = NO_INTEGERS;
  linkCount = 0;
  linkNode: Int32Array = NO_INTEGERS;
  linkStart: Int32Array = NO_INTEGERS;
  linkEnd: Int32Array = NO_INTEGERS;
  depthCapped = false;
  exact = false;
  quirks = false;
  fosteredCount = 0;
  readonly #kernel: Kernel;
  #move: (() => void) | undefined;
  #foreignNames: string[] | undefined;

  constructor(kernel: Kernel, address: number) {
    this.#kernel = kernel;
    this.address = address;
    this.refresh();
  }

  /** Read from memory on first use, because few pages have such names. */
  get foreignNames(): string[] {
    this.#foreignNames ??= this.#readNames();
    return this.#foreignNames;
  }

  /** Makes the views; called again when the memory has grown. */
  refresh(): void {
    const { memory, words } = this.#kernel;
    const { buffer } = memory;
    const header = this.address >> 2;
    const nodes = words[header + layout.PAGE_NODE_COUNT];
    const links = words[header + layout.PAGE_LINK_COUNT];
    this.nodeCount = nodes;
    this.linkCount = links;
    this.textLength = words[header + layout.PAGE_TEXT_BYTES];
    this.source = new Uint8Array(
      buffer,
      words[header + layout.PAGE_SOURCE],
      words[header + layout.PAGE_SOURCE_BYTES],
    );
    this.text = new Uint8Array(buffer, words[header + layout.PAGE_TEXT], this.textLength);
    this.kind = new Uint8Array(buffer, words[header + layout.PAGE_KIND], nodes);
    this.name = new Uint16Array(buffer, words[header + layout.PAGE_NAME], nodes);
    this.parent = new Int32Array(buffer, words[header + layout.PAGE_PARENT], nodes);
    this.last = new Int32Array(buffer, words[header + layout.PAGE_LAST], nodes);
    this.start = new Int32Array(buffer, words[header + layout.PAGE_START], nodes);
    this.openEnd = new Int32Array(buffer, words[header + layout.PAGE_OPEN_END], nodes);
    this.end = new Int32Array(buffer, words[header + layout.PAGE_END], nodes);
    this.contentLow = new Int32Array(buffer, words[header + layout.PAGE_CONTENT_LOW], nodes);
    this.contentHigh = new Int32Array(buffer, words[header + layout.PAGE_CONTENT_HIGH], nodes);
    this.shapeLow = new Int32Array(buffer, words[header + layout.PAGE_SHAPE_LOW], nodes);
    this.shapeHigh = new Int32Array(buffer, words[header + layout.PAGE_SHAPE_HIGH], nodes);
    this.textStart = new Int32Array(buffer, words[header + layout.PAGE_TEXT_START], nodes + 1);
    this.linkNode = new Int32Array(buffer, words[header + layout.PAGE_LINK_NODE], links);
    this.linkStart = new Int32Array(buffer, words[header + layout.PAGE_LINK_START], links);
    this.linkEnd = new Int32Array(buffer, words[header + layout.PAGE_LINK_END], links);
    this.depthCapped = (words[header + layout.PAGE_FLAGS] & layout.PAGE_DEPTH_CAPPED) !== 0;
    this.exact = (words[header + layout.PAGE_FLAGS] & layout.PAGE_EXACT) !== 0;
    this.quirks = (words[header + layout.PAGE_FLAGS] & layout.PAGE_QUIRKS) !== 0;
    this.fosteredCount = words[header + layout.PAGE_FOSTERED_COUNT];
  }

  /** Sets how the page is moved to other memory, for a tree that must survive the next page. */
  set move(move: (() => void) | undefined) {
    this.#move = move;
  }

  /** Called before another page uses the memory. */
  leave(): void {
    if (this.#move) this.#move();
    else this.invalidate();
  }

  /** Makes every later read of this tree throw, because another page uses its memory. */
  invalidate(): void {
    this.address = 0;
    this.nodeCount = this.textLength = this.linkCount = GONE_COUNT;
    this.source = this.text = this.kind = GONE_BYTES;
    this.name = GONE_SHORTS;
    this.parent = this.last = this.start = this.openEnd = this.end = this.textStart = GONE_INTEGERS;
    this.contentLow = this.contentHigh = this.shapeLow = this.shapeHigh = GONE_INTEGERS;
    this.linkNode = this.linkStart = this.linkEnd = GONE_INTEGERS;
  }

  #readNames(): string[] {
    const { words } = this.#kernel;
    const header = this.address >> 2;
    const count = words[header + layout.PAGE_NAME_COUNT];
    const spans = words[header + layout.PAGE_NAMES] >> 2;
    return Array.from({ length: count }, (_, k) => {
      const [start, end] = words.subarray(spans + 2 * k, spans + 2 * k + 2);
      return decoder.decode(this.source.slice(start, end).map(lowerCase));
    });
  }
}

const decoder = new TextDecoder();

/** Returns a column that throws on every read, for a tree whose memory holds another page. */
function gone<Column extends object>(column: Column): Column {
  return new Proxy(column, {
    get() {
      throw new Error(
        'this tree is gone: another page was parsed in this thread; copy trees that must live longer with holdTree',
      );
    },
  });
}
