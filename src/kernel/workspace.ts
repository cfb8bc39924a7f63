/**
 * The page workspace of a thread: room in the kernel's memory for one page with its source, text and columns,
 * and for the stacks of the parser. It has room for any page within the default limits, or within the limits
 * given to the kernel; for a larger page it is allocated again. Bytes that no page has reached take no
 * physical memory.
 *
 * The workspace holds one page, until the next page is parsed in this thread. Views of it are made
 * again here when the memory grows.
 */
import type { Kernel } from './kernel.ts';
import * as layout from './layout.ts';
import { threadKernel } from './thread-kernel.ts';

/**
 * Extra bytes between columns, so that columns start at different cache lines. Otherwise entry i of a dozen
 * columns would compete for the same few lines of the cache, which costs 3 % of parsing.
 */
const STAGGER_BYTES = 320;
/** Entries of a stack beyond the number of nodes. */
const SPARE_ENTRIES = 16;

/** The object through which TypeScript reads the page in the workspace. */
export interface Occupant {
  /** Makes its views again after the memory has grown. */
  refresh(): void;
  /** Called before the memory holds another page. May allocate memory. */
  leave(): void;
}

/** Room for one page in the kernel's memory. */
export class Workspace {
  readonly kernel: Kernel;
  /** Address of the page header. */
  address = 0;
  #sourceAddress = 0;
  #sourceBytes = 0;
  #nodes = 0;
  #occupant: Occupant | undefined;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.#take(kernel.startRoom.pageBytes, kernel.startRoom.nodes);
    kernel.onGrow(() => this.#occupant?.refresh());
  }

  /** Sets the page in the workspace; the previous page becomes invalid. */
  set occupant(occupant: Occupant | undefined) {
    this.#occupant?.leave();
    this.#occupant = occupant;
  }

  /**
   * Makes room for a page with this many nodes. Copies the source unless it is already in place, and adds zeros
   * at its end.
   */
  fill(given: Uint8Array, nodes: number): void {
    const { kernel } = this;
    const { length, byteOffset } = given;
    const isInKernel = given.buffer === kernel.memory.buffer;
    this.occupant = undefined;
    // the page that left may have made the memory grow
    const source = isInKernel ? kernel.bytes.subarray(byteOffset, byteOffset + length) : given;
    const isHere = isInKernel && byteOffset === this.#sourceAddress;
    if (length > this.#sourceBytes || nodes > this.#nodes) {
      // the source may be in the workspace that is released, or its view may become empty when the memory
      // grows
      const kept = isInKernel ? source.slice() : source;
      this.#take(Math.max(length, this.#sourceBytes), Math.max(nodes, this.#nodes));
      kernel.bytes.set(kept, this.#sourceAddress);
    } else if (!isHere) kernel.bytes.set(source, this.#sourceAddress);
    const end = this.#sourceAddress + length;
    kernel.bytes.fill(0, end, end + layout.PADDING_BYTES);
    kernel.words[(this.address >> 2) + layout.PAGE_SOURCE_BYTES] = length;
  }

  /** Allocates a block with room for all parts, and writes their addresses into its header. */
  #take(sourceBytes: number, nodes: number): void {
    const { heap } = this.kernel;
    const textBytes = align(sourceBytes + 2 * layout.PADDING_BYTES);
    const columnBytes = align(4 * (nodes + layout.SPARE_NODES)) + STAGGER_BYTES;
    const entries = nodes + layout.SPARE_NODES + SPARE_ENTRIES;
    const sizeBytes =
      4 * layout.PAGE_WORDS +
      2 * textBytes +
      8 * layout.TAG_LIMIT +
      (layout.NODE_COLUMNS + layout.LINK_COLUMNS) * columnBytes +
      entries * (layout.ELEMENT_BYTES + layout.FORMAT_BYTES + 1);
    if (this.address > 0) heap.release(this.address);
    this.address = heap.take(sizeBytes);
    this.#sourceBytes = sourceBytes;
    this.#nodes = nodes;

    const header = this.kernel.words
      .subarray(this.address >> 2, (this.address >> 2) + layout.PAGE_WORDS)
      .fill(0);
    // loops over 16 bytes may also read before the source
    let at = this.address + 4 * layout.PAGE_WORDS + layout.PADDING_BYTES;
    this.#sourceAddress = header[layout.PAGE_SOURCE] = at;
    header[layout.PAGE_TEXT] = at += textBytes;
    at += textBytes;
    header[layout.PAGE_NAMES] = at;
    at += 8 * layout.TAG_LIMIT;
    for (let k = 0; k < layout.NODE_COLUMNS; k++, at += columnBytes)
      header[layout.FIRST_NODE_COLUMN + k] = at;
    for (let k = 0; k < layout.LINK_COLUMNS; k++, at += columnBytes)
      header[layout.FIRST_LINK_COLUMN + k] = at;
    header[layout.PAGE_ELEMENTS] = at;
    header[layout.PAGE_FORMATS] = at += entries * layout.ELEMENT_BYTES;
    header[layout.PAGE_TEMPLATES] = at + entries * layout.FORMAT_BYTES;
  }
}

/** Rounds up to a multiple of 64, the bytes of a cache line. */
function align(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 64) * 64;
}

let workspace: Workspace | undefined;

/** Returns the workspace of this thread. */
export function threadWorkspace(): Workspace {
  workspace ??= new Workspace(threadKernel());
  return workspace;
}
