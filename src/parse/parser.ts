/**
 * Bytes of a page to columns of its tree, in one pass. A parser keeps its columns: the tree it returns holds
 * until its next call. Make one per worker, not one per page.
 *
 * The tree is the one browsers build (checked against parse5), with two differences: what a browser moves
 * out of a table stays where its bytes are, so that ids, offsets and nesting agree; and nesting is capped.
 * Misnested formatting is rebuilt as browsers do unless `exact` is false: see adoption.ts.
 */
import {
  PADDING_BYTES,
  PAGE_CONTENT_HIGH,
  PAGE_CONTENT_LOW,
  PAGE_DEPTH_CAPPED,
  PAGE_END,
  PAGE_EXACT,
  PAGE_FLAGS,
  PAGE_FOSTERED_COUNT,
  PAGE_KIND,
  PAGE_LAST,
  PAGE_LINK_COUNT,
  PAGE_LINK_END,
  PAGE_LINK_NODE,
  PAGE_LINK_START,
  PAGE_NAME,
  PAGE_NAME_COUNT,
  PAGE_NAMES,
  PAGE_NODE_COUNT,
  PAGE_OPEN_END,
  PAGE_PARENT,
  PAGE_SHAPE_HIGH,
  PAGE_SHAPE_LOW,
  PAGE_SOURCE_BYTES,
  PAGE_START,
  PAGE_TEXT,
  PAGE_TEXT_BYTES,
  PAGE_TEXT_START,
  PAGE_WORDS,
} from '../kernel/layout.ts';
import { threadWorkspace } from '../kernel/workspace.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { Columns } from './columns.ts';
import { Construction } from './construction.ts';
import { firstPage } from './first-page.ts';
import { PageTree } from './page-tree.ts';
import { Scanner } from './scanner.ts';
import { FIRST_FOREIGN_TAG, TagTable } from './tag-names.ts';
import type { Tree } from './tree.ts';

export interface ParserOptions {
  /** Only `depth` and `nodes` matter here. */
  limits?: Partial<Limits>;
  /** Whether misnested formatting (`<b><p></b></p>`) is rebuilt as browsers do. @default true */
  exact?: boolean;
}

/** A parser's page from which on there will probably be many; early enough that V8 has compiled little yet. */
const PAGE_OF_MANY = 3;
/** Once for all parsers of a thread. */
let hasMetAll = false;

export class Parser {
  #columns: Columns;
  #names = new TagTable();
  #build: Construction;
  #scanner: Scanner;
  #parsed = 0;

  constructor({ limits = {}, exact = true }: ParserOptions = {}) {
    const { depth, nodes } = { ...DEFAULT_LIMITS, ...limits };
    if (!Number.isInteger(depth) || depth < 8) {
      throw new RangeError(`limits.depth must be a whole number from 8, not ${depth}`);
    }
    if (!Number.isInteger(nodes) || nodes < 8) {
      throw new RangeError(`limits.nodes must be a whole number from 8, not ${nodes}`);
    }
    this.#columns = new Columns(nodes);
    this.#build = new Construction(this.#columns, this.#names, { maxDepth: depth, exact });
    this.#scanner = new Scanner(this.#build);
  }

  /** Parses a page; throws `TooManyNodesError` when it exceeds the limit. */
  parse(source: Uint8Array): Tree {
    if (!hasMetAll && ++this.#parsed === PAGE_OF_MANY) {
      hasMetAll = true;
      const parser = new Parser();
      // the first time V8 takes note of what is called, the second of what that does
      for (let i = 0; i < 2; i++) parser.#parse(firstPage());
    }
    return this.#parse(source);
  }

  #parse(source: Uint8Array): Tree {
    this.#names.reset();
    this.#scanner.scan(source);
    this.#columns.foreignNames = this.#names.foreignNames;
    return this.#moveIn();
  }

  /** Until the kernel has all rules: copies the page into the workspace. */
  #moveIn(): Tree {
    const columns = this.#columns;
    const { source, nodeCount, linkCount, textLength, foreignNames, name, start } = columns;
    const workspace = threadWorkspace();
    workspace.fill(source, nodeCount);
    const { kernel, address } = workspace;
    const { bytes, words } = kernel;
    const header = words.subarray(address >> 2, (address >> 2) + PAGE_WORDS);
    header[PAGE_SOURCE_BYTES] = source.length;
    header[PAGE_TEXT_BYTES] = textLength;
    header[PAGE_NODE_COUNT] = nodeCount;
    header[PAGE_LINK_COUNT] = linkCount;
    header[PAGE_NAME_COUNT] = foreignNames.length;
    header[PAGE_FOSTERED_COUNT] = columns.fosteredCount;
    header[PAGE_FLAGS] = (columns.depthCapped ? PAGE_DEPTH_CAPPED : 0) | (columns.exact ? PAGE_EXACT : 0);
    bytes.set(columns.text.subarray(0, textLength), header[PAGE_TEXT]);
    bytes.fill(0, header[PAGE_TEXT] + textLength, header[PAGE_TEXT] + textLength + PADDING_BYTES);
    bytes.set(columns.kind.subarray(0, nodeCount), header[PAGE_KIND]);
    new Uint16Array(kernel.memory.buffer, header[PAGE_NAME], nodeCount).set(name.subarray(0, nodeCount));
    const move = (column: Int32Array, word: number, count: number) =>
      words.set(column.subarray(0, count), header[word] >> 2);
    move(columns.parent, PAGE_PARENT, nodeCount);
    move(columns.last, PAGE_LAST, nodeCount);
    move(start, PAGE_START, nodeCount);
    move(columns.openEnd, PAGE_OPEN_END, nodeCount);
    move(columns.end, PAGE_END, nodeCount);
    move(columns.contentLow, PAGE_CONTENT_LOW, nodeCount);
    move(columns.contentHigh, PAGE_CONTENT_HIGH, nodeCount);
    move(columns.shapeLow, PAGE_SHAPE_LOW, nodeCount);
    move(columns.shapeHigh, PAGE_SHAPE_HIGH, nodeCount);
    move(columns.textStart, PAGE_TEXT_START, nodeCount + 1);
    move(columns.linkNode, PAGE_LINK_NODE, linkCount);
    move(columns.linkStart, PAGE_LINK_START, linkCount);
    move(columns.linkEnd, PAGE_LINK_END, linkCount);
    if (foreignNames.length > 0) {
      const spans = words.subarray(header[PAGE_NAMES] >> 2).fill(0, 0, 2 * foreignNames.length);
      for (let node = nodeCount - 1; node > 0; node--) {
        const at = 2 * (name[node] - FIRST_FOREIGN_TAG);
        if (at < 0) continue;
        let nameEnd = start[node] + 1;
        while (![0x3e, 0x2f, 0x20, 0x0a, 0x0d, 0x09, 0x0c].includes(source[nameEnd])) nameEnd++;
        spans[at] = start[node] + 1;
        spans[at + 1] = nameEnd;
      }
    }
    const tree = new PageTree(kernel, address);
    workspace.occupant = tree;
    return tree;
  }
}
