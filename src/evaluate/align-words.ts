/**
 * Lines up two lists of words that should be nearly the same: the longest common subsequence by Myers'
 * greedy algorithm ("An O(ND) Difference Algorithm", 1986). Time and memory grow with the square of the
 * number of differences, so that is bounded: past the bound the lists are lined up as far as was reached.
 */

/** Most words dropped from or added to either side before the rest is given up. */
const MAX_DIFFERENCES = 3000;

/** For each word of `left` the position of its partner in `right`, or -1. Partners ascend. */
export function alignWords(
  left: readonly string[],
  right: readonly string[],
  { maxDifferences = MAX_DIFFERENCES }: { maxDifferences?: number } = {},
): Int32Array {
  const partners = new Int32Array(left.length).fill(-1);
  const limit = Math.min(maxDifferences, left.length + right.length);
  // furthest[k + middle]: how far `left` is used up on diagonal k (left minus right)
  const middle = limit + 1;
  const furthest = new Int32Array(2 * limit + 3);
  const steps: Int32Array[] = [];
  let best = { differences: 0, diagonal: 0, reached: -1 };

  for (let differences = 0; differences <= limit; differences++) {
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = isDown(furthest, middle, diagonal, differences)
        ? furthest[middle + diagonal + 1]
        : furthest[middle + diagonal - 1] + 1;
      let y = x - diagonal;
      while (x < left.length && y < right.length && left[x] === right[y]) {
        x++;
        y++;
      }
      furthest[middle + diagonal] = x;
      // moves past either end lead nowhere; they are kept only so that the recurrence stays simple
      const inside = x <= left.length && y <= right.length;
      if (inside && x + y > best.reached) best = { differences, diagonal, reached: x + y };
    }
    steps.push(furthest.slice(middle - differences, middle + differences + 1));
    if (best.reached === left.length + right.length) break;
  }
  traceBack(steps, best, partners);
  return partners;
}

/** Whether the best way onto a diagonal adds a word of `right` rather than dropping one of `left`. */
function isDown(furthest: Int32Array, middle: number, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1];
}

function traceBack(
  steps: Int32Array[],
  { differences, diagonal }: { differences: number; diagonal: number },
  partners: Int32Array,
): void {
  let k = diagonal;
  for (let d = differences; d >= 0; d--) {
    let x = steps[d][k + d];
    let startX = 0;
    let previousK = 0;
    if (d > 0) {
      const previous = steps[d - 1];
      // entry i of steps[d - 1] is diagonal i - (d - 1)
      const down = isDown(previous, d - 1, k, d);
      previousK = down ? k + 1 : k - 1;
      startX = down ? previous[previousK + d - 1] : previous[previousK + d - 1] + 1;
    }
    while (x > startX) {
      x--;
      partners[x] = x - k;
    }
    k = previousK;
  }
}
