/**
 * Which blocks of a page are in its gold text: the words of both are aligned by their longest common subsequence, from
 * the end, so that a title goes to the heading next to the text and not to the breadcrumb. A block's label is the share
 * of its words that match in runs: single words match by chance.
 */

/** Minimum run of matching words in a longer block. */
const MIN_RUN = 3;
/** A short block this many blocks away from all long ones that match has matched by chance. */
const LONE_BLOCKS = 12;
const LONG_WORDS = 8;
const SHORT_WORDS = 2;

/** For each block, the share of its words that are gold. Words are numbers: equal words, equal numbers. */
export function alignBlocks(blocks: readonly Int32Array[], gold: Int32Array): Float32Array {
  const words = new Int32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let start = 0;
  for (const block of blocks) {
    words.set(block, start);
    start += block.length;
  }
  const matches = matchWords(words, gold);
  const shares = new Float32Array(blocks.length);
  start = 0;
  for (const [k, block] of blocks.entries()) {
    shares[k] = block.length === 0 ? 0 : countRuns(matches, start, block.length) / block.length;
    start += block.length;
  }
  dropLone(blocks, shares);
  return shares;
}

/** Words of a block in runs that are long enough, or are all of it. */
function countRuns(matches: Int32Array, start: number, size: number): number {
  const end = start + size;
  let counted = 0;
  for (let from = start; from < end; ) {
    if (matches[from] < 0) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < end && matches[to] === matches[to - 1] + 1) to++;
    const run = to - from;
    if (run >= MIN_RUN || run === size || (run === 2 && size <= 3)) counted += run;
    from = to;
  }
  return counted;
}

function dropLone(blocks: readonly Int32Array[], shares: Float32Array): void {
  const matching = Array.from(shares.keys()).filter((k) => shares[k] > 0.5);
  const long = matching.filter((k) => blocks[k].length >= LONG_WORDS);
  if (long.length === 0) return;
  const first = long[0] - LONE_BLOCKS;
  const last = long[long.length - 1] + LONE_BLOCKS;
  for (const k of matching) if (blocks[k].length <= SHORT_WORDS && (k < first || k > last)) shares[k] = 0;
}

/**
 * For each word, the position of the gold word that it matches, or -1. The bit-parallel algorithm of Hyyrö: a row of
 * bits for each word, one bit for each gold word; O(words · gold / 32) in time and memory.
 */
export function matchWords(words: Int32Array, gold: Int32Array): Int32Array {
  const matches = new Int32Array(words.length).fill(-1);
  const width = (gold.length + 31) >>> 5;
  const masks = new Map<number, Uint32Array>();
  for (let column = 0; column < gold.length; column++) {
    const word = gold[gold.length - 1 - column];
    const mask = masks.get(word) ?? new Uint32Array(width);
    mask[column >>> 5] |= 1 << (column & 31);
    masks.set(word, mask);
  }
  // after row r, bit c is 0 where one more gold word makes the subsequence longer
  const rows = new Uint32Array((words.length + 1) * width).fill(0xffffffff, 0, width);
  for (let row = 0; row < words.length; row++) {
    const mask = masks.get(words[words.length - 1 - row]);
    const from = row * width;
    if (!mask) {
      rows.copyWithin(from + width, from, from + width);
      continue;
    }
    let carry = 0;
    for (let k = 0; k < width; k++) {
      const bits = rows[from + k];
      const matched = (bits & mask[k]) >>> 0;
      const sum = bits + matched + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[from + width + k] = (sum | (bits - matched)) >>> 0;
    }
  }
  let row = words.length;
  let column = gold.length;
  const isSet = () => (rows[row * width + ((column - 1) >>> 5)] >>> ((column - 1) & 31)) & 1;
  while (row > 0 && column > 0) {
    if (isSet()) {
      column--;
      continue;
    }
    row--;
    if (row > 0 && !isSet()) continue;
    matches[words.length - 1 - row] = gold.length - column;
    column--;
  }
  return matches;
}
