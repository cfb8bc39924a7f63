/**
 * The page workspace of a thread: room in the kernel's memory for one page with its source, text and columns, and for
 * the stacks of the parser. It has room for any page within the default limits, or as the kernel was made; a page that needs
 * more has it taken anew. Bytes that no page has reached take no physical memory.
 *
 * The workspace holds one page, until the next page is read or parsed in this thread. Its views are made anew here
 * when the memory grows.
 */
import type { Kernel } from './kernel.ts';
import {
  ELEMENT_BYTES,
  FIRST_LINK_COLUMN,
  FIRST_NODE_COLUMN,
  FORMAT_BYTES,
  LINK_COLUMNS,
  NODE_COLUMNS,
  PADDING_BYTES,
  PAGE_ELEMENTS,
  PAGE_FORMATS,
  PAGE_NAMES,
  PAGE_SOURCE,
  PAGE_SOURCE_BYTES,
  PAGE_TEMPLATES,
  PAGE_TEXT,
  PAGE_WORDS,
  SPARE_NODES,
  TAG_LIMIT,
} from './layout.ts';
import { threadKernel } from './thread-kernel.ts';

/**
 * Columns start at different cache lines: entry i of a dozen of them would compete for the same few lines of the
 * cache, which costs 3 % of parsing.
 */
const STAGGER_BYTES = 320;
/** Stacks may be as deep as there are nodes, and have a few entries more. */
const SPARE_ENTRIES = 16;

/** The page in the workspace, as TypeScript sees it. */
export interface Occupant {
  /** Makes its views anew. */
  refresh(): void;
  /** Its memory is about to hold another page. */
  giveUp(): void;
}

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

  /** The page that is in the workspace from now on; the one before is given up. */
  set occupant(occupant: Occupant | undefined) {
    this.#occupant?.giveUp();
    this.#occupant = occupant;
  }

  /** Room for the source of a page, to be filled before it is parsed. The page before is given up. */
  sourceView(sizeBytes: number): Uint8Array<ArrayBuffer> {
    this.occupant = undefined;
    if (sizeBytes > this.#sourceBytes) this.#take(sizeBytes, this.#nodes);
    return this.kernel.bytes.subarray(this.#sourceAddress, this.#sourceAddress + sizeBytes);
  }

  /** Makes room for a page of so many nodes. Copies the source in unless it lies here already, and ends it with zeros. */
  fill(source: Uint8Array, nodes: number): void {
    const { kernel } = this;
    this.occupant = undefined;
    const { length } = source;
    const isInKernel = source.buffer === kernel.memory.buffer;
    const isHere = isInKernel && source.byteOffset === this.#sourceAddress;
    if (length > this.#sourceBytes || nodes > this.#nodes) {
      // the source may be in the workspace that is given back, or its view may end when the memory grows
      const kept = isInKernel ? source.slice() : source;
      this.#take(Math.max(length, this.#sourceBytes), Math.max(nodes, this.#nodes));
      kernel.bytes.set(kept, this.#sourceAddress);
    } else if (!isHere) kernel.bytes.set(source, this.#sourceAddress);
    const end = this.#sourceAddress + length;
    kernel.bytes.fill(0, end, end + PADDING_BYTES);
    kernel.words[(this.address >> 2) + PAGE_SOURCE_BYTES] = length;
  }

  /** Takes a block with room for all parts, and writes their addresses into its header. */
  #take(sourceBytes: number, nodes: number): void {
    const { heap } = this.kernel;
    const textBytes = align(sourceBytes + 2 * PADDING_BYTES);
    const columnBytes = align(4 * (nodes + SPARE_NODES)) + STAGGER_BYTES;
    const entries = nodes + SPARE_NODES + SPARE_ENTRIES;
    const sizeBytes =
      4 * PAGE_WORDS +
      2 * textBytes +
      8 * TAG_LIMIT +
      (NODE_COLUMNS + LINK_COLUMNS) * columnBytes +
      entries * (ELEMENT_BYTES + FORMAT_BYTES + 1);
    if (this.address > 0) heap.release(this.address);
    this.address = heap.take(sizeBytes);
    this.#sourceBytes = sourceBytes;
    this.#nodes = nodes;

    const header = this.kernel.words.subarray(this.address >> 2, (this.address >> 2) + PAGE_WORDS).fill(0);
    // loops over 16 bytes may read before the source, too
    let at = this.address + 4 * PAGE_WORDS + PADDING_BYTES;
    this.#sourceAddress = header[PAGE_SOURCE] = at;
    header[PAGE_TEXT] = at += textBytes;
    at += textBytes;
    header[PAGE_NAMES] = at;
    at += 8 * TAG_LIMIT;
    for (let k = 0; k < NODE_COLUMNS; k++, at += columnBytes) header[FIRST_NODE_COLUMN + k] = at;
    for (let k = 0; k < LINK_COLUMNS; k++, at += columnBytes) header[FIRST_LINK_COLUMN + k] = at;
    header[PAGE_ELEMENTS] = at;
    header[PAGE_FORMATS] = at += entries * ELEMENT_BYTES;
    header[PAGE_TEMPLATES] = at + entries * FORMAT_BYTES;
  }
}

/** Cache lines have 64 bytes. */
function align(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 64) * 64;
}

let workspace: Workspace | undefined;

/** The workspace of this thread. */
export function threadWorkspace(): Workspace {
  workspace ??= new Workspace(threadKernel());
  return workspace;
}
