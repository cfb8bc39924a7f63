/**
 * Sums of gradients and hessians by bin, in pairs, for the rows of a node. Loops of their own, for the training
 * of trees spends its time here.
 */

/**
 * A histogram's parts of four features at once. A row and its gradients are read once for all,
 * and where many rows fall in one bin the processor has three others to go on with.
 */
export function addToFour(
  histogram: Float64Array,
  [fromA, fromB, fromC, fromD]: readonly [number, number, number, number],
  [columnA, columnB, columnC, columnD]: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array],
  rows: Int32Array,
  slopes: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = rows[i];
    const gradient = slopes[2 * i];
    const hessian = slopes[2 * i + 1];
    const a = fromA + 2 * columnA[row];
    histogram[a] += gradient;
    histogram[a + 1] += hessian;
    const b = fromB + 2 * columnB[row];
    histogram[b] += gradient;
    histogram[b + 1] += hessian;
    const c = fromC + 2 * columnC[row];
    histogram[c] += gradient;
    histogram[c + 1] += hessian;
    const d = fromD + 2 * columnD[row];
    histogram[d] += gradient;
    histogram[d + 1] += hessian;
  }
}

export function addToOne(
  histogram: Float64Array,
  offset: number,
  column: Uint8Array,
  rows: Int32Array,
  slopes: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const at = offset + 2 * column[rows[i]];
    histogram[at] += slopes[2 * i];
    histogram[at + 1] += slopes[2 * i + 1];
  }
}
