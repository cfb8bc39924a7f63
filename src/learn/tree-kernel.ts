/**
 * The two loops of tree-batch.ts that most of its time goes to, in WebAssembly, which compares four numbers and
 * joins 128 bits at a time: the answers to all questions for 32 rows, and the walk of 128 rows through all trees.
 * Comparisons and bits only: nothing here is rounded.
 *
 * Memory, in this order, each part at a multiple of 16 bytes:
 *   rows        of a block of 32, one after the other, as floats
 *   columns     the same by feature that is asked for, 32 to each
 *   features    place of each in a row, bytes; then how many thresholds it has
 *   thresholds  by feature
 *   answers     by threshold, a vector: of the 128 rows those above it
 *   present     a vector: the rows there are
 *   reached     by node of the tree at hand, a vector: the rows that reach it
 *   turns       by depth, a vector: the rows that turn right there
 *   nodes       five integers each: places of its question, itself and its left child, of its depth, of the next
 *               node that is not below it
 *   nodeEnds    by tree
 *   ways        by tree: eight vectors, for rows 0 to 3, 4 to 7 and so on to 31 of each block of 32, a byte a row
 */
import * as wasm from '../model/wasm-code.ts';

/** Rows walked together, and rows whose questions are answered together. */
export const WALKED_ROWS = 128;
export const BLOCK_ROWS = 32;
const BLOCKS = WALKED_ROWS / BLOCK_ROWS;
/** Bytes of a vector, of a number. */
const VECTOR = 16;
const WORD = 4;
const NODE = 5 * WORD;
export const MOST_DEPTH = 8;
/** Numbers in `ways` of a tree. */
export const WAY_WORDS = WALKED_ROWS / WORD;

/** Nodes that ask, tree after tree, each before what is below it. */
export interface AskingNode {
  /** Which threshold. */
  question: number;
  /** Among the nodes of its tree: itself and its left child, which the right one follows. */
  place: number;
  child: number;
  depth: number;
  /** Among all that ask: the next that is not below it. */
  after: number;
}

export interface KernelTables {
  /** Numbers in a row. */
  width: number;
  /** Features that are asked for. */
  features: readonly number[];
  /** Thresholds of each. */
  thresholds: readonly (readonly number[])[];
  nodes: readonly AskingNode[];
  /** By tree: the end of its nodes. */
  nodeEnds: readonly number[];
  /** Nodes of the largest tree. */
  largestTree: number;
}

export class TreeKernel {
  /** Rows of a block of 32, one after the other; the caller fills them. */
  readonly rows: Float32Array;
  /** By tree, then eights of rows: those of the first block of 32, of the second and so on; see above. */
  readonly ways: Int32Array;
  readonly #present: Int32Array;
  readonly #answer: (rowCount: number, block: number) => void;
  readonly #walk: () => void;

  constructor({ width, features, thresholds, nodes, nodeEnds, largestTree }: KernelTables) {
    let used = 0;
    const place = (bytes: number): number => {
      const from = used;
      used += VECTOR * Math.ceil(bytes / VECTOR);
      return from;
    };
    const all = thresholds.flat();
    const at: Layout = {
      rows: place(BLOCK_ROWS * width * WORD),
      columns: place(BLOCK_ROWS * features.length * WORD),
      features: place(features.length * WORD),
      counts: place(features.length * WORD),
      thresholds: place(all.length * WORD),
      answers: place(all.length * VECTOR),
      present: place(VECTOR),
      reached: place((largestTree + 1) * VECTOR),
      turns: place(MOST_DEPTH * VECTOR),
      nodes: place(nodes.length * NODE),
      nodeEnds: place(nodeEnds.length * WORD),
      ways: place(nodeEnds.length * WALKED_ROWS),
    };
    const { memory, exports } = wasm.instantiate(
      [answerFunction(at, width, features.length), walkFunction(at, nodeEnds.length)],
      used,
    );
    this.#answer = exports.answer;
    this.#walk = exports.walk;
    const integers = (from: number, length: number) => new Int32Array(memory, from, length);
    this.rows = new Float32Array(memory, at.rows, BLOCK_ROWS * width);
    this.ways = integers(at.ways, nodeEnds.length * WAY_WORDS);
    this.#present = integers(at.present, BLOCKS);

    integers(at.features, features.length).set(features.map((feature) => feature * WORD));
    integers(at.counts, features.length).set(thresholds.map(({ length }) => length));
    new Float32Array(memory, at.thresholds, all.length).set(all);
    integers(at.nodeEnds, nodeEnds.length).set(nodeEnds.map((end) => end * NODE));
    integers(at.nodes, 5 * nodes.length).set(
      nodes.flatMap(({ question, place, child, depth, after }) => [
        question * VECTOR,
        place * VECTOR,
        child * VECTOR,
        depth * VECTOR,
        after * NODE,
      ]),
    );
  }

  /** Answers all questions for the first of `rows`, which are a block, 0 to 3, of those walked together. */
  answer(rowCount: number, block: number): void {
    this.#answer(rowCount, block * WORD);
    this.#present[block] = rowCount === BLOCK_ROWS ? -1 : (1 << rowCount) - 1;
  }

  /** Finds the ways of the blocks that were answered, which are then forgotten. */
  walk(): void {
    this.#walk();
    this.#present.fill(0);
  }
}

type Layout = Record<
  | 'rows'
  | 'columns'
  | 'features'
  | 'counts'
  | 'thresholds'
  | 'answers'
  | 'present'
  | 'reached'
  | 'turns'
  | 'nodes'
  | 'nodeEnds'
  | 'ways',
  number
>;

function answerFunction(at: Layout, width: number, featureCount: number): wasm.WasmFunction {
  const { get, set, add, multiply, integer, load, store, isBelow, loopWhile } = wasm;
  const rowCount = 0;
  const block = 1;
  const row = 2; // then thresholds left of a feature
  const source = 3; // then place of the threshold
  const feature = 4;
  const question = 5;
  const column = (k: number) => 6 + k;
  const step = (local: number, by: number) => set(local, add(get(local), integer(by)));

  // rows to columns
  const copyRow = [
    ...set(feature, integer(0)),
    ...loopWhile(isBelow(get(feature), integer(featureCount * WORD)), [
      ...store(
        add(multiply(get(feature), integer(BLOCK_ROWS)), get(row)),
        at.columns,
        load(add(get(source), load(get(feature), at.features)), at.rows),
      ),
      ...step(feature, WORD),
    ]),
  ];
  const copyRows = [
    ...set(rowCount, multiply(get(rowCount), integer(WORD))),
    ...loopWhile(isBelow(get(row), get(rowCount)), [
      ...copyRow,
      ...step(row, WORD),
      ...step(source, width * WORD),
    ]),
  ];

  // a column against each of its thresholds, 32 comparisons to the bits of an integer
  const masks = (k: number) =>
    wasm.narrowTo16(
      wasm.isAbove(get(column(k)), get(column(THRESHOLD))),
      wasm.isAbove(get(column(k + 1)), get(column(THRESHOLD))),
    );
  const halfAnswer = (k: number) => wasm.signBits(wasm.narrowTo8(masks(k), masks(k + 2)));
  const compare = [
    ...set(column(THRESHOLD), wasm.loadFourfold(get(source), at.thresholds)),
    ...store(
      get(question),
      at.answers,
      wasm.or(halfAnswer(0), wasm.shiftLeft(halfAnswer(4), integer(BLOCK_ROWS / 2))),
    ),
    ...step(source, WORD),
    ...step(question, VECTOR),
    ...step(row, -1),
  ];
  const loadColumn = range(8).flatMap((k) =>
    set(column(k), wasm.loadVector(multiply(get(feature), integer(BLOCK_ROWS)), at.columns + k * VECTOR)),
  );
  return {
    name: 'answer',
    parameters: 2,
    integers: 4,
    vectors: 9,
    body: [
      ...copyRows,
      ...set(source, integer(0)),
      ...set(feature, integer(0)),
      ...set(question, get(block)),
      ...loopWhile(isBelow(get(feature), integer(featureCount * WORD)), [
        ...loadColumn,
        ...set(row, load(get(feature), at.counts)),
        ...loopWhile(get(row), compare),
        ...step(feature, WORD),
      ]),
    ],
  };
}

/** The vector after those of a column. */
const THRESHOLD = 8;

function walkFunction(at: Layout, treeCount: number): wasm.WasmFunction {
  const { get, set, add, integer, load, isBelow, loopWhile, loadVector, storeVector } = wasm;
  const tree = 0;
  const node = 1;
  const end = 2;
  const child = 3;
  const depth = 4;
  const way = 5;
  const here = 6;
  const over = 7;
  const x = 8;
  const y = 9;
  const swapped = 10;
  const turn = (k: number) => 11 + k;

  // from the root down, the rows that turn right at each depth; what no row reaches is passed over
  const visit = [
    ...set(here, loadVector(load(get(node), at.nodes + WORD), at.reached)),
    ...wasm.ifElse(
      wasm.isAnySet(get(here)),
      [
        ...set(over, wasm.andVector(get(here), loadVector(load(get(node), at.nodes), at.answers))),
        ...set(child, load(get(node), at.nodes + 2 * WORD)),
        ...storeVector(get(child), at.reached, wasm.xorVector(get(here), get(over))),
        ...storeVector(get(child), at.reached + VECTOR, get(over)),
        ...set(depth, load(get(node), at.nodes + 3 * WORD)),
        ...storeVector(get(depth), at.turns, wasm.orVector(loadVector(get(depth), at.turns), get(over))),
        ...set(node, add(get(node), integer(NODE))),
      ],
      set(node, load(get(node), at.nodes + 4 * WORD)),
    ),
  ];

  // turns to ways: eight rows at a time, a square of bits turned over its diagonal (Hacker's Delight, 7-3)
  const rowsOf = (k: number, row: number, by: number) =>
    wasm.shiftLeftVector(wasm.andVector(wasm.shiftRightVector(get(turn(k)), row), wasm.fourfold(255)), by);
  const fourTurns = (first: number, row: number) =>
    [8, 16, 24].reduce<wasm.Code>(
      (code, by) => wasm.orVector(code, rowsOf(first + 3 - by / 8, row, by)),
      rowsOf(first + 3, row, 0),
    );
  const swap = (vector: number, by: number, mask: number) => [
    ...set(
      swapped,
      wasm.andVector(
        wasm.xorVector(get(vector), wasm.shiftRightVector(get(vector), by)),
        wasm.fourfold(mask),
      ),
    ),
    ...set(
      vector,
      wasm.xorVector(get(vector), wasm.xorVector(get(swapped), wasm.shiftLeftVector(get(swapped), by))),
    ),
  ];
  const low = wasm.fourfold(0x0f0f0f0f);
  const high = wasm.fourfold(0xf0f0f0f0 | 0);
  const turnsToWays = (row: number) => [
    ...set(x, fourTurns(0, row)),
    ...set(y, fourTurns(4, row)),
    ...[...swap(x, 7, 0x00aa00aa), ...swap(y, 7, 0x00aa00aa)],
    ...[...swap(x, 14, 0x0000cccc), ...swap(y, 14, 0x0000cccc)],
    ...storeVector(
      get(way),
      at.ways + row * WORD,
      wasm.orVector(wasm.andVector(wasm.shiftLeftVector(get(x), 4), high), wasm.andVector(get(y), low)),
    ),
    ...storeVector(
      get(way),
      at.ways + row * WORD + VECTOR,
      wasm.orVector(wasm.andVector(get(x), high), wasm.andVector(wasm.shiftRightVector(get(y), 4), low)),
    ),
  ];
  return {
    name: 'walk',
    parameters: 0,
    integers: 6,
    vectors: 5 + MOST_DEPTH,
    body: loopWhile(isBelow(get(tree), integer(treeCount * WORD)), [
      ...storeVector(integer(0), at.reached, loadVector(integer(0), at.present)),
      ...range(MOST_DEPTH).flatMap((k) => storeVector(integer(0), at.turns + k * VECTOR, wasm.fourfold(0))),
      ...set(end, load(get(tree), at.nodeEnds)),
      ...loopWhile(isBelow(get(node), get(end)), visit),
      ...range(MOST_DEPTH).flatMap((k) => set(turn(k), loadVector(integer(0), at.turns + k * VECTOR))),
      ...[0, 8, 16, 24].flatMap(turnsToWays),
      ...set(way, add(get(way), integer(WALKED_ROWS))),
      ...set(tree, add(get(tree), integer(WORD))),
    ]),
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}
