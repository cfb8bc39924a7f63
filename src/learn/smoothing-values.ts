/**
 * The values that smoothing tries (smooth-tree.ts): the distinct scores, which is exact, or, where these are too
 * many, the middle score of each of equal cells of their range. Rounding the best scores to these keeps their
 * order and makes no new section, so the cost exceeds the least one by at most a cell's width times the sum of
 * weights. Cost: a sort.
 */

/** At most `most` values to try, ascending; sorts the scores and writes them over the first of these. */
export function pickValues(scores: Float64Array, most: number): { values: Float64Array; exact: boolean } {
  const count = scores.length;
  const sorted = scores.sort();
  let distinct = 1;
  for (let i = 1; i < count; i++) if (sorted[i] !== sorted[i - 1]) distinct++;
  const least = sorted[0];
  const range = sorted[count - 1] - least;
  const exact = distinct <= most;

  let picked = 0;
  for (let from = 0, to = 0; from < count; from = to) {
    const cell = Math.min(most - 1, Math.floor(((sorted[from] - least) / range) * most));
    for (to = from + 1; to < count; to++) {
      if (sorted[to] === sorted[from]) continue;
      if (exact || Math.min(most - 1, Math.floor(((sorted[to] - least) / range) * most)) !== cell) break;
    }
    sorted[picked++] = sorted[(from + to - 1) >> 1];
  }
  return { values: sorted.subarray(0, picked), exact };
}

/** Place of the first value that is not below the score; the count of values when all are. */
export function firstNotBelow(values: Float64Array, score: number): number {
  let low = 0;
  for (let high = values.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (values[middle] < score) low = middle + 1;
    else high = middle;
  }
  return low;
}
