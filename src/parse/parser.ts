/**
 * Bytes of a page to columns of its tree, in one call of the kernel. The tree lies in the workspace of the thread and
 * holds until the next page is read or parsed there, by any parser.
 *
 * The tree is the one browsers build (checked against parse5), with two differences: content that a browser moves out
 * of a table stays where its bytes are, so that ids, offsets and nesting agree; and nesting is capped. Misnested
 * formatting is rebuilt as browsers do unless `exact` is false: see kernel/assembly/adoption.ts.
 */

import { threadWorkspace } from '../kernel/workspace.ts';
import { checkWhole } from '../model/check-option.ts';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { PageTree } from './page-tree.ts';
import type { Tree } from './tree.ts';

export interface ParserOptions {
  /** Only `depth` and `nodes` matter here. */
  limits?: Partial<Limits>;
  /** Whether misnested formatting (`<b><p></b></p>`) is rebuilt as browsers do. @default true */
  exact?: boolean;
}

/** A page with more nodes than the limit allows. */
export class TooManyNodesError extends Error {
  readonly code = 'too-many-nodes';

  constructor(limit: number) {
    super(`the page has more than ${limit} nodes (--max-nodes)`);
    this.name = 'TooManyNodesError';
  }
}

/** A page has fewer nodes than this: two per tag, one per text, and what misnested formatting may add. */
const MAX_NODES_PER_BYTE = 4;
const MAX_FREE_NODES = 200_000;

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

  /** Parses a page; throws `TooManyNodesError` when it exceeds the limit. */
  parse(source: Uint8Array): Tree {
    const workspace = threadWorkspace();
    const { kernel } = workspace;
    const maxNodes = Math.min(this.#nodes, MAX_NODES_PER_BYTE * source.length + MAX_FREE_NODES);
    workspace.fill(source, maxNodes);
    // no page is deeper than it has nodes
    const maxDepth = Math.min(this.#depth, maxNodes);
    if (!kernel.functions.parse(workspace.address, maxNodes, maxDepth, this.#exact ? 1 : 0)) {
      throw new TooManyNodesError(this.#nodes);
    }
    const tree = new PageTree(kernel, workspace.address);
    workspace.occupant = tree;
    return tree;
  }
}
