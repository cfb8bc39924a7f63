/**
 * An arena holds pages that live longer than the workspace: copies in the kernel's memory, each with its own
 * page header, that are freed together. The arena allocates them from a few large chunks, which it keeps for
 * the next pages. Chunks that only an unusually large site needed go back to the heap step by step.
 */
import type { Kernel } from '../kernel/kernel.ts';
import * as layout from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import { PageTree } from './page-tree.ts';
import type { Tree } from './tree.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A page larger than this, in bytes, gets a block of its own. */
const MAX_CUT_BYTES = CHUNK_BYTES / 4;
/** Every part of a page starts at a multiple of this many bytes. */
const ALIGNMENT = 16;

/** Allocates memory for held pages and frees all of them together. */
export class PageArena {
  readonly kernel: Kernel;
  /** Addresses of chunks of CHUNK_BYTES each. */
  readonly #chunks: number[] = [];
  /** Addresses of blocks for one large page each. */
  #large: number[] = [];
  /** Index of the chunk in use, and the number of its bytes that are allocated. */
  #chunk = 0;
  #cutBytes = 0;
  #trees: PageTree[] = [];
  #stopListening: (() => void) | undefined;

  constructor(kernel = threadKernel()) {
    this.kernel = kernel;
  }

  /** Returns the address of memory that is reserved until `reset`. Its bytes are undefined. */
  take(sizeBytes: number): number {
    const { heap } = this.kernel;
    if (sizeBytes > MAX_CUT_BYTES) {
      const address = heap.take(sizeBytes);
      this.#large.push(address);
      return address;
    }
    if (this.#cutBytes + sizeBytes > CHUNK_BYTES) {
      this.#chunk++;
      this.#cutBytes = 0;
    }
    this.#chunks[this.#chunk] ??= heap.take(CHUNK_BYTES);
    const address = this.#chunks[this.#chunk] + this.#cutBytes;
    this.#cutBytes += align(sizeBytes);
    return address;
  }

  /** Registers a tree of this arena, so that its views are made again when the memory grows. */
  add(tree: PageTree): void {
    this.#stopListening ??= this.kernel.onGrow(() => {
      for (const held of this.#trees) held.refresh();
    });
    this.#trees.push(tree);
  }

  /** Frees all pages. Half of the chunks that they did not need stay allocated. */
  reset(): void {
    const { heap } = this.kernel;
    for (const tree of this.#trees) tree.invalidate();
    this.#trees = [];
    for (const address of this.#large) heap.release(address);
    this.#large = [];
    const neededChunks = this.#cutBytes === 0 ? 0 : this.#chunk + 1;
    if (neededChunks > 0) {
      const spare = Math.ceil((this.#chunks.length - neededChunks) / 2);
      for (const address of this.#chunks.splice(this.#chunks.length - spare)) heap.release(address);
    }
    this.#chunk = 0;
    this.#cutBytes = 0;
  }

  /** Frees all pages and all memory. */
  release(): void {
    this.reset();
    for (const address of this.#chunks.splice(0)) this.kernel.heap.release(address);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}

/**
 * Copies a page with its source into an arena and returns its tree, which is valid until the arena is reset.
 */
export function holdTree(tree: Tree, arena: PageArena): Tree {
  const held = new PageTree(arena.kernel, copyPage(tree, arena));
  arena.add(held);
  return held;
}

/**
 * Keeps a tree readable until the returned function is called, whatever this thread parses meanwhile. The page is
 * copied when another one needs its place, so that work with nothing beside it pays no copy.
 */
export function lend(tree: Tree): () => void {
  const lent = tree as PageTree;
  let arena: PageArena | undefined;
  lent.move = () => {
    arena = new PageArena();
    lent.address = copyPage(lent, arena);
    lent.refresh();
    arena.add(lent);
  };
  return () => {
    lent.move = undefined;
    arena?.release();
  };
}

/** Copies a page with its source into an arena and returns its address. */
function copyPage(tree: Tree, arena: PageArena): number {
  const { kernel } = arena;
  const address = arena.take(heldBytes(tree));
  const { bytes, words } = kernel; // read after `take`, because the memory may have grown
  const from = tree.address >> 2;
  const header = address >> 2;
  words.copyWithin(header, from, from + layout.PAGE_WORDS);
  const nodes = words[header + layout.PAGE_NODE_COUNT];
  let at = address + 4 * layout.PAGE_WORDS + layout.PADDING_BYTES;
  const copy = (part: number, sizeBytes: number) => {
    const start = words[from + part];
    bytes.copyWithin(at, start, start + sizeBytes);
    words[header + part] = at;
    at += align(sizeBytes);
  };
  copy(layout.PAGE_SOURCE, words[header + layout.PAGE_SOURCE_BYTES]);
  at = pad(bytes, at, words[header + layout.PAGE_SOURCE] + words[header + layout.PAGE_SOURCE_BYTES]);
  copy(layout.PAGE_TEXT, words[header + layout.PAGE_TEXT_BYTES]);
  at = pad(bytes, at, words[header + layout.PAGE_TEXT] + words[header + layout.PAGE_TEXT_BYTES]);
  copy(layout.PAGE_NAMES, 8 * words[header + layout.PAGE_NAME_COUNT]);
  for (let k = 0; k < layout.NODE_COLUMNS; k++) {
    const column = layout.FIRST_NODE_COLUMN + k;
    const entries = column === layout.PAGE_TEXT_START ? nodes + 1 : nodes;
    copy(column, entries * (column === layout.PAGE_KIND ? 1 : column === layout.PAGE_NAME ? 2 : 4));
  }
  for (let k = 0; k < layout.LINK_COLUMNS; k++) {
    copy(layout.FIRST_LINK_COLUMN + k, 4 * words[header + layout.PAGE_LINK_COUNT]);
  }
  return address;
}

/** Returns an upper bound of the bytes of a held copy. */
export function heldBytes(tree: Tree): number {
  const { words } = threadKernel();
  const header = tree.address >> 2;
  const parts = 3 + layout.NODE_COLUMNS + layout.LINK_COLUMNS;
  return (
    4 * layout.PAGE_WORDS +
    3 * layout.PADDING_BYTES +
    words[header + layout.PAGE_SOURCE_BYTES] +
    words[header + layout.PAGE_TEXT_BYTES] +
    8 * words[header + layout.PAGE_NAME_COUNT] +
    (words[header + layout.PAGE_NODE_COUNT] + 1) * NODE_BYTES +
    words[header + layout.PAGE_LINK_COUNT] * LINK_BYTES +
    parts * ALIGNMENT
  );
}

/**
 * Bytes of all columns per node (kind, name, ten columns of four bytes), and of the three columns per link.
 */
const NODE_BYTES = 1 + 2 + 10 * 4;
const LINK_BYTES = 3 * 4;

/** Writes zeros from `end` up to PADDING_BYTES after `at`; returns the first address after them. */
function pad(bytes: Uint8Array, at: number, end: number): number {
  bytes.fill(0, end, at + layout.PADDING_BYTES);
  return at + layout.PADDING_BYTES;
}

function align(sizeBytes: number): number {
  return Math.ceil(sizeBytes / ALIGNMENT) * ALIGNMENT;
}
