/**
 * Scores many rows with boosted trees, 128 rows at a time with one bit per row. The trees of a model test the
 * same few thresholds repeatedly, so each threshold is compared once with all rows. Each tree is then
 * traversed once for all rows, and every node has the bits of the rows that reach it. The right turns at each
 * depth, read row by row, are the path to the row's leaf. Leaves are added in the order of the trees, so that
 * the sum of a row does not depend on the other rows.
 */
import * as Trees from '../tree-layout.ts';

const ROWS: u32 = Trees.TREE_ROWS;
const BLOCK_ROWS: u32 = Trees.TREE_BLOCK_ROWS;
const LEAVES_BYTES: u32 = 4 << Trees.TREE_MAX_DEPTH;
/** Number of rows whose leaves are added together. */
const SUMMED_ROWS: u32 = 8;

function field(model: u32, word: u32): u32 {
  return load<u32>(model + (word << 2));
}

/**
 * Writes the sum of the bias and all leaves of each of `count` rows to `sums` (f64). Row i starts at `rows`
 * plus four times the i-th of `offsets`. `sums` has room for a multiple of eight.
 */
export function scoreTrees(model: u32, rows: u32, offsets: u32, count: u32, sums: u32): void {
  for (let from: u32 = 0; from < count; from += ROWS) {
    const size = min(ROWS, count - from);
    for (let row: u32 = 0; row < size; row += BLOCK_ROWS) {
      evaluateSplits(
        model,
        rows,
        offsets + ((from + row) << 2),
        min(BLOCK_ROWS, size - row),
        row / BLOCK_ROWS,
      );
    }
    traverse(model, size);
    for (let row: u32 = 0; row < size; row += SUMMED_ROWS) addLeaves(model, row, sums + ((from + row) << 3));
  }
}

/** Compares all thresholds with up to 32 rows, which are one block, 0 to 3, of those scored together. */
function evaluateSplits(model: u32, rows: u32, offsets: u32, rowCount: u32, block: u32): void {
  const featureCount = field(model, Trees.TREE_FEATURE_COUNT);
  const features = field(model, Trees.TREE_FEATURES);
  const columns = field(model, Trees.TREE_COLUMNS);
  for (let row: u32 = 0; row < rowCount; row++) {
    const values = rows + (load<u32>(offsets + (row << 2)) << 2);
    let to = columns + (row << 2);
    for (let feature: u32 = 0; feature < featureCount; feature++) {
      store<u32>(to, load<u32>(values + load<u32>(features + (feature << 2))));
      to += 4 * BLOCK_ROWS;
    }
  }

  const counts = field(model, Trees.TREE_THRESHOLD_COUNTS);
  let threshold = field(model, Trees.TREE_THRESHOLDS);
  let above = field(model, Trees.TREE_ABOVE) + (block << 2);
  let column = columns;
  for (let feature: u32 = 0; feature < featureCount; feature++) {
    const c0 = v128.load(column);
    const c1 = v128.load(column, 16);
    const c2 = v128.load(column, 32);
    const c3 = v128.load(column, 48);
    const c4 = v128.load(column, 64);
    const c5 = v128.load(column, 80);
    const c6 = v128.load(column, 96);
    const c7 = v128.load(column, 112);
    for (let left = load<u32>(counts + (feature << 2)); left > 0; left--) {
      const value = v128.load32_splat(threshold);
      const low = i8x16.bitmask(
        i8x16.narrow_i16x8_s(
          i16x8.narrow_i32x4_s(f32x4.gt(c0, value), f32x4.gt(c1, value)),
          i16x8.narrow_i32x4_s(f32x4.gt(c2, value), f32x4.gt(c3, value)),
        ),
      );
      const high = i8x16.bitmask(
        i8x16.narrow_i16x8_s(
          i16x8.narrow_i32x4_s(f32x4.gt(c4, value), f32x4.gt(c5, value)),
          i16x8.narrow_i32x4_s(f32x4.gt(c6, value), f32x4.gt(c7, value)),
        ),
      );
      store<u32>(above, low | (high << 16));
      threshold += 4;
      above += 16;
    }
    column += 4 * BLOCK_ROWS;
  }
}

/** Finds the path of the first `rowCount` rows through every tree. */
function traverse(model: u32, rowCount: u32): void {
  const splits = field(model, Trees.TREE_SPLITS);
  const ends = field(model, Trees.TREE_SPLIT_ENDS);
  const above = field(model, Trees.TREE_ABOVE);
  const reached = field(model, Trees.TREE_REACHED);
  const turns = field(model, Trees.TREE_RIGHT_TURNS);
  const treeCount = field(model, Trees.TREE_COUNT);
  const low: u64 = rowCount >= 64 ? u64.MAX_VALUE : ((1 as u64) << rowCount) - 1;
  const high: u64 = rowCount >= 128 ? u64.MAX_VALUE : rowCount > 64 ? ((1 as u64) << (rowCount - 64)) - 1 : 0;
  let split = splits;
  let paths = field(model, Trees.TREE_PATHS);
  for (let tree: u32 = 0; tree < treeCount; tree++) {
    store<u64>(reached, low);
    store<u64>(reached, high, 8);
    memory.fill(turns, 0, 16 * Trees.TREE_MAX_DEPTH);
    // from the root down; nodes that no row reaches are skipped with all nodes below them
    const end = splits + load<u32>(ends + (tree << 2));
    while (split < end) {
      const here = v128.load(reached + load<u32>(split, Trees.SPLIT_NODE << 2));
      if (!v128.any_true(here)) {
        split = splits + load<u32>(split, Trees.SPLIT_AFTER << 2);
        continue;
      }
      const right = v128.and(here, v128.load(above + load<u32>(split, Trees.SPLIT_THRESHOLD << 2)));
      const child = reached + load<u32>(split, Trees.SPLIT_CHILD << 2);
      v128.store(child, v128.xor(here, right));
      v128.store(child, right, 16);
      const turn = turns + load<u32>(split, Trees.SPLIT_DEPTH << 2);
      v128.store(turn, v128.or(v128.load(turn), right));
      split += Trees.SPLIT_WORDS << 2;
    }
    turnsToPaths(turns, paths, 0);
    turnsToPaths(turns, paths, 8);
    turnsToPaths(turns, paths, 16);
    turnsToPaths(turns, paths, 24);
    paths += ROWS;
  }
}

/** Moves eight bits of each block of a vector of turns, from bit `row` on, to bits `by` to `by` + 7. */
function rowsOf(turns: u32, depth: u32, row: u32, by: u32): v128 {
  const bits = i32x4.shr_u(v128.load(turns + (depth << 4)), row);
  return i32x4.shl(v128.and(bits, i32x4.splat(255)), by);
}

function fourTurns(turns: u32, first: u32, row: u32): v128 {
  return v128.or(
    v128.or(rowsOf(turns, first + 3, row, 0), rowsOf(turns, first + 2, row, 8)),
    v128.or(rowsOf(turns, first + 1, row, 16), rowsOf(turns, first, row, 24)),
  );
}

/** Swaps the bits of the mask with those `by` positions above them. */
function swapBits(bits: v128, by: u32, mask: u32): v128 {
  const swapped = v128.and(v128.xor(bits, i32x4.shr_u(bits, by)), i32x4.splat(mask));
  return v128.xor(bits, v128.xor(swapped, i32x4.shl(swapped, by)));
}

/** Transposes squares of eight rows and eight depths (Hacker's Delight, 7-3). */
function turnsToPaths(turns: u32, paths: u32, row: u32): void {
  const x = swapBits(swapBits(fourTurns(turns, 0, row), 7, 0x00aa00aa), 14, 0x0000cccc);
  const y = swapBits(swapBits(fourTurns(turns, 4, row), 7, 0x00aa00aa), 14, 0x0000cccc);
  const low = i32x4.splat(0x0f0f0f0f);
  const high = i32x4.splat(0xf0f0f0f0);
  const to = paths + (row << 2);
  v128.store(to, v128.or(v128.and(i32x4.shl(x, 4), high), v128.and(y, low)));
  v128.store(to, v128.or(v128.and(x, high), v128.and(i32x4.shr_u(y, 4), low)), 16);
}

/** Adds up the leaves of eight of the traversed rows, from `row` on. */
function addLeaves(model: u32, row: u32, sums: u32): void {
  const treeCount = field(model, Trees.TREE_COUNT);
  const bias = load<f64>(model, Trees.TREE_BIAS << 2);
  // a word has four rows, the first lowest; words of the four blocks are adjacent
  let paths = field(model, Trees.TREE_PATHS) + ((row % BLOCK_ROWS) << 2) + ((row / BLOCK_ROWS) << 2);
  let leaves = field(model, Trees.TREE_LEAVES);
  let s0 = bias;
  let s1 = bias;
  let s2 = bias;
  let s3 = bias;
  let s4 = bias;
  let s5 = bias;
  let s6 = bias;
  let s7 = bias;
  for (let tree: u32 = 0; tree < treeCount; tree++) {
    s0 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths)) << 2));
    s1 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 1)) << 2));
    s2 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 2)) << 2));
    s3 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 3)) << 2));
    s4 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 16)) << 2));
    s5 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 17)) << 2));
    s6 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 18)) << 2));
    s7 += <f64>load<f32>(leaves + ((<u32>load<u8>(paths, 19)) << 2));
    paths += ROWS;
    leaves += LEAVES_BYTES;
  }
  store<f64>(sums, s0);
  store<f64>(sums, s1, 8);
  store<f64>(sums, s2, 16);
  store<f64>(sums, s3, 24);
  store<f64>(sums, s4, 32);
  store<f64>(sums, s5, 40);
  store<f64>(sums, s6, 48);
  store<f64>(sums, s7, 56);
}
