/**
 * Walks a page from the root down to its frequent nodes and no further, and notes where text stands that is not
 * frequent: what is in the same block beside it is in a line of changing text (places.ts). What is inside a
 * frequent node is walked only when the caller asks for it.
 */
import type { HashTable } from '../analysis/hash-table.ts';
import { Columns } from '../parse/columns.ts';
import { breaksWords } from '../parse/tag-names.ts';
import { COMMENT, DECLARATION, TEXT, type Tree } from '../parse/tree.ts';
import { Places } from './places.ts';

const NO_INTEGERS = new Int32Array(0);

/** The columns that the dom detector reads; a copy of them outlives the parser's next page. */
export type NodeColumns = Pick<
  Tree,
  | 'nodeCount'
  | 'kind'
  | 'name'
  | 'parent'
  | 'last'
  | 'start'
  | 'end'
  | 'contentLow'
  | 'contentHigh'
  | 'textStart'
>;

export class NodeWalk {
  readonly places = new Places();
  /** The nodes walked last, in document order, `count` of them. */
  nodes = NO_INTEGERS;
  count = 0;
  /** Those of them that are frequent, `foundCount` of them, and where each stands in the table. */
  foundNodes = NO_INTEGERS;
  foundAt = NO_INTEGERS;
  foundCount = 0;
  /** By node: 1 when changing text stands directly in it, or in inline elements in it. */
  #changing = new Uint8Array(0);
  /** What was walked into last, and whether it stood in a line of changing text before. */
  #root = 0;
  #rootInLine = false;

  constructor() {
    this.#reserve(4096);
  }

  /** Starts on a page: walks it from the root. */
  open(columns: NodeColumns, table: HashTable): void {
    this.#reserve(columns.nodeCount);
    this.#changing.fill(0, 0, columns.nodeCount);
    this.places.open(columns);
    this.#root = 0;
    this.#rootInLine = false;
    this.count = 0;
    this.foundCount = 0;
    if (columns.nodeCount === 0) return;
    const at = table.find(columns.contentLow[0], columns.contentHigh[0]);
    this.nodes[this.count++] = 0;
    if (at < 0) {
      this.#walk(columns, table, 0);
    } else {
      this.foundNodes[0] = 0;
      this.foundAt[0] = at;
      this.foundCount = 1;
    }
  }

  /** Walks what is inside a node found before; `inLine`: what was said of it then. */
  enter(columns: NodeColumns, table: HashTable, node: number, inLine: boolean): void {
    this.#root = node;
    this.#rootInLine = inLine;
    this.count = 0;
    this.foundCount = 0;
    this.#walk(columns, table, node);
  }

  #walk(columns: NodeColumns, table: HashTable, root: number): void {
    const { kind, name, parent, last, contentLow, contentHigh, textStart } = columns;
    const { words, shift } = table.filter;
    const { nodes, foundNodes, foundAt } = this;
    const changing = this.#changing;
    const end = last[root];
    let count = this.count;
    let foundCount = this.foundCount;
    for (let node = root + 1; node < end; ) {
      nodes[count++] = node;
      const low = contentLow[node];
      const bit = low >>> shift;
      if (((words[bit >>> 5] >>> (bit & 31)) & 1) === 1 && isCandidate(kind[node])) {
        const at = table.find(low, contentHigh[node]);
        if (at >= 0) {
          foundNodes[foundCount] = node;
          foundAt[foundCount++] = at;
          node = last[node];
          continue;
        }
      }
      if (kind[node] === TEXT && textStart[node + 1] > textStart[node]) {
        for (let above = parent[node]; above >= 0 && changing[above] === 0; above = parent[above]) {
          changing[above] = 1;
          if (breaksWords(name[above])) break;
        }
      }
      node++;
    }
    this.count = count;
    this.foundCount = foundCount;
  }

  /**
   * Whether a node walked last stands in a line of changing text: beside it, or in an inline element beside it. A
   * block among changing text is a line of its own.
   */
  isInLine({ parent, name }: NodeColumns, node: number): boolean {
    const changing = this.#changing;
    for (let below = node, above = parent[node]; above >= 0; below = above, above = parent[above]) {
      if (changing[above] === 1 && !breaksWords(name[below])) return true;
      if (breaksWords(name[above])) return false;
      if (above === this.#root) return this.#rootInLine;
    }
    return false;
  }

  /** Places all nodes walked last, from the top down. */
  placeAll(columns: NodeColumns): void {
    const { places, nodes, count, foundNodes, foundCount } = this;
    const { last } = columns;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const node = nodes[i];
      if (found < foundCount && foundNodes[found] === node) found++;
      else if (last[node] > node + 1) places.placeChildren(columns, node);
    }
  }

  #reserve(nodeCount: number): void {
    if (this.nodes.length >= nodeCount) return;
    const capacity = Math.max(nodeCount, this.nodes.length * 2);
    this.nodes = new Int32Array(capacity);
    this.foundNodes = new Int32Array(capacity);
    this.foundAt = new Int32Array(capacity);
    this.#changing = new Uint8Array(capacity);
  }
}

/** Comments and doctypes do not become templates by themselves. */
export function isCandidate(kind: number): boolean {
  return kind !== COMMENT && kind !== DECLARATION;
}

/** Copies what outlives the page, into the class that parsers give: loops that get both are compiled for one. */
export function copyColumns(tree: Tree): NodeColumns {
  const { nodeCount } = tree;
  const copy = new Columns(0);
  copy.nodeCount = nodeCount;
  copy.kind = tree.kind.slice(0, nodeCount);
  copy.name = tree.name.slice(0, nodeCount);
  copy.parent = tree.parent.slice(0, nodeCount);
  copy.last = tree.last.slice(0, nodeCount);
  copy.start = tree.start.slice(0, nodeCount);
  copy.end = tree.end.slice(0, nodeCount);
  copy.contentLow = tree.contentLow.slice(0, nodeCount);
  copy.contentHigh = tree.contentHigh.slice(0, nodeCount);
  copy.textStart = tree.textStart.slice(0, nodeCount + 1);
  return copy;
}
