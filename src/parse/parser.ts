/**
 * Bytes of a page to columns of its tree, in one pass. A parser keeps its columns: the tree it returns holds
 * until its next call. Make one per worker, not one per page.
 *
 * The tree is the one browsers build (checked against parse5), with two differences: what a browser moves
 * out of a table stays where its bytes are, so that ids, offsets and nesting agree; and nesting is capped.
 * Misnested formatting is rebuilt as browsers do unless `exact` is false: see adoption.ts.
 */
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { Columns } from './columns.ts';
import { Construction } from './construction.ts';
import { firstPage } from './first-page.ts';
import { Scanner } from './scanner.ts';
import { TagTable } from './tag-names.ts';
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
    return this.#columns;
  }
}
