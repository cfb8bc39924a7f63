/**
 * Walks a page from the root down to its frequent nodes and no further, with their places, and says which
 * of them stand in a line with changing text: in the same block, with text between or beside that is not
 * frequent. What is inside a frequent node is walked only when the caller asks for it.
 */
import type { HashTable } from '../compare/hash-table.ts';
import { breaksWords } from '../parse/tag-names.ts';
import { COMMENT, DECLARATION, TEXT, type Tree } from '../parse/tree.ts';
import { Places } from './places.ts';

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
  nodes = new Int32Array(4096);
  /** For each of them, where it stands in the table of frequent nodes; -1 when it does not. */
  found = new Int32Array(4096);
  /** By node: 1 when it stands in a line of changing text. Means something for nodes walked. */
  inLine = new Uint8Array(4096);
  count = 0;
  // by node: 1 when changing text stands directly in it, or in inline elements in it
  #changing = new Uint8Array(4096);

  /** Starts on a page: walks it from the root. */
  open(columns: NodeColumns, table: HashTable): void {
    this.#reserve(columns.nodeCount);
    this.#changing.fill(0, 0, columns.nodeCount);
    this.places.open(columns);
    this.inLine[0] = 0;
    this.count = 0;
    if (columns.nodeCount === 0) return;
    const found = table.find(columns.contentLow[0], columns.contentHigh[0]);
    this.nodes[0] = 0;
    this.found[0] = found;
    this.count = 1;
    if (found < 0) this.#walk(columns, table, 0);
  }

  /** Walks what is inside a node met before. */
  enter(columns: NodeColumns, table: HashTable, node: number): void {
    this.count = 0;
    this.#walk(columns, table, node);
  }

  #walk(columns: NodeColumns, table: HashTable, root: number): void {
    const { kind, name, parent, last, contentLow, contentHigh, textStart } = columns;
    const { words, shift } = table.filter;
    const { nodes, found, inLine } = this;
    const changing = this.#changing;
    const first = this.count;
    const end = last[root];
    let count = first;
    for (let node = root + 1; node < end; ) {
      const low = contentLow[node];
      const bit = low >>> shift;
      let at = -1;
      if (
        ((words[bit >>> 5] >>> (bit & 31)) & 1) === 1 &&
        kind[node] !== COMMENT &&
        kind[node] !== DECLARATION
      )
        at = table.find(low, contentHigh[node]);
      nodes[count] = node;
      found[count++] = at;
      if (at < 0 && kind[node] === TEXT && textStart[node + 1] > textStart[node]) {
        for (let above = parent[node]; above >= 0 && changing[above] === 0; above = parent[above]) {
          changing[above] = 1;
          if (breaksWords(name[above])) break;
        }
      }
      node = at < 0 ? node + 1 : last[node];
    }
    for (let i = first; i < count; i++) {
      const node = nodes[i];
      const above = parent[node];
      // a block among changing text is a line of its own
      const beside = changing[above] === 1 && !breaksWords(name[node]);
      inLine[node] = beside || (inLine[above] === 1 && !breaksWords(name[above])) ? 1 : 0;
    }
    this.places.place(columns, nodes, first, count);
    this.count = count;
  }

  #reserve(nodeCount: number): void {
    if (this.nodes.length >= nodeCount) return;
    const capacity = Math.max(nodeCount, this.nodes.length * 2);
    this.nodes = new Int32Array(capacity);
    this.found = new Int32Array(capacity);
    this.inLine = new Uint8Array(capacity);
    this.#changing = new Uint8Array(capacity);
  }
}

/** Copies what outlives the page. */
export function copyColumns(tree: Tree): NodeColumns {
  const { nodeCount } = tree;
  return {
    nodeCount,
    kind: tree.kind.slice(0, nodeCount),
    name: tree.name.slice(0, nodeCount),
    parent: tree.parent.slice(0, nodeCount),
    last: tree.last.slice(0, nodeCount),
    start: tree.start.slice(0, nodeCount),
    end: tree.end.slice(0, nodeCount),
    contentLow: tree.contentLow.slice(0, nodeCount),
    contentHigh: tree.contentHigh.slice(0, nodeCount),
    textStart: tree.textStart.slice(0, nodeCount + 1),
  };
}
