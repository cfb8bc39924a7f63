/**
 * Parses the bytes of a page into the columns of its tree, in one call of the kernel. The tree lies in the
 * workspace of the thread and is valid until the next page is parsed there, by any parser.
 *
 * The tree is the one that browsers build (tests compare it with parse5), with two differences. Content that
 * a browser moves out of a table stays where its bytes are, so that ids, offsets and nesting agree; and the
 * depth of nesting is limited. Misnested formatting is rebuilt as in browsers unless `exact` is false: see
 * kernel/assembly/adoption.ts.
 */

import { threadWorkspace } from '../kernel/workspace.ts';
import { checkWhole } from '../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { PageTree } from './page-tree.ts';
import type { Tree } from './tree.ts';

/** Options of a `Parser`. */
export interface ParserOptions {
  /** Limits of a page; the parser reads only `depth` and `nodes`. */
  limits?: Partial<Limits>;
  /** Whether misnested formatting (`<b><p></b></p>`) is rebuilt as in browsers. @default true */
  exact?: boolean;
}

/** Thrown for a page with more nodes than the limit allows. */
export class TooManyNodesError extends Error {
  readonly code = 'too-many-nodes';

  constructor(limit: number) {
    super(`the page has more than ${limit} nodes (--max-nodes)`);
    this.name = 'TooManyNodesError';
  }
}

/** Upper bound of the nodes of a page: two per tag, one per text, and the copies of misnested formatting. */
const MAX_NODES_PER_BYTE = 4;
const MAX_FREE_NODES = 200_000;

/** Parses pages into trees, with fixed limits. */
export class Parser {
  readonly #depth: number;
  readonly #nodes: number;
  readonly #exact: boolean;

  constructor({ limits = {}, exact = true }: ParserOptions = {}) {
    const { depth, nodes } = { ...DEFAULT_LIMITS, ...limits };
    this.#depth = checkWhole('limits.depth', depth, 8);
    this.#nodes = checkWhole('limits.nodes', nodes, 8);
    this.#exact = exact;
  }

  /** Parses a page; throws `TooManyNodesError` if the page exceeds the limit of nodes. */
  parse(source: Uint8Array): Tree {
    const workspace = threadWorkspace();
    const { kernel } = workspace;
    const maxNodes = Math.min(this.#nodes, MAX_NODES_PER_BYTE * source.length + MAX_FREE_NODES);
    workspace.fill(source, maxNodes);
    // a page cannot be deeper than its number of nodes
    const maxDepth = Math.min(this.#depth, maxNodes);
    if (!kernel.functions.parse(workspace.address, maxNodes, maxDepth, this.#exact ? 1 : 0)) {
      throw new TooManyNodesError(this.#nodes);
    }
    const tree = new PageTree(kernel, workspace.address);
    workspace.occupant = tree;
    return tree;
  }
}
