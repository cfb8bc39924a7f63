/**
 * Rows of numbers with one of two classes and a weight, for the classifiers that are trained on many pages.
 */

/** Weighted training rows. */
export interface WeightedSet {
  /** `width` numbers per row. */
  rows: Float32Array;
  width: number;
  /** 0 or 1 for each row. */
  classes: Uint8Array;
  /** Weight of each row; rows of weight 0 are ignored. */
  weights: Float64Array;
}

/** Throws a `RangeError` that names the place when lengths do not match or a number is invalid. */
export function checkWeightedSet({ rows, width, classes, weights }: WeightedSet): void {
  const count = classes.length;
  if (!Number.isInteger(width) || width < 0) throw new RangeError(`width: a count expected, not ${width}`);
  if (rows.length !== count * width) {
    throw new RangeError(`rows: ${count} of ${width} numbers expected, not ${rows.length} numbers`);
  }
  if (weights.length !== count) throw new RangeError(`weights: ${count} expected, not ${weights.length}`);
  for (let row = 0; row < count; row++) {
    if (classes[row] > 1) throw new RangeError(`class of row ${row}: 0 or 1 expected, not ${classes[row]}`);
    const weight = weights[row];
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`weight of row ${row}: zero or more expected, not ${weight}`);
    }
  }
  for (let i = 0; i < rows.length; i++) {
    if (!Number.isFinite(rows[i])) {
      throw new RangeError(
        `row ${Math.floor(i / width)}, feature ${i % width}: a number expected, not ${rows[i]}`,
      );
    }
  }
}

/** Returns the sum of weights of each class. */
export function weighClasses({ classes, weights }: WeightedSet): [zeros: number, ones: number] {
  const sums: [number, number] = [0, 0];
  for (let row = 0; row < classes.length; row++) sums[classes[row]] += weights[row];
  return sums;
}

/**
 * Returns the weighted mean and standard deviation of each feature, in two passes to stay exact for large
 * means.
 */
export function momentsOf({ rows, width, weights }: WeightedSet): {
  mean: Float64Array;
  deviation: Float64Array;
} {
  const count = weights.length;
  const mean = new Float64Array(width);
  const deviation = new Float64Array(width);
  let total = 0;
  for (let row = 0, at = 0; row < count; row++) {
    const weight = weights[row];
    total += weight;
    for (let i = 0; i < width; i++, at++) mean[i] += weight * rows[at];
  }
  if (total === 0) return { mean, deviation };
  for (let i = 0; i < width; i++) mean[i] /= total;
  for (let row = 0, at = 0; row < count; row++) {
    const weight = weights[row];
    for (let i = 0; i < width; i++, at++) {
      const difference = rows[at] - mean[i];
      deviation[i] += weight * difference * difference;
    }
  }
  for (let i = 0; i < width; i++) deviation[i] = Math.sqrt(deviation[i] / total);
  return { mean, deviation };
}
