/**
 * Logistic regression of two classes with weighted rows: finds the weights and the bias that minimise
 *
 *     sum over rows of weight · log loss  +  l2 / 2 · sum of squared weights of the standardised features
 *
 * The bias has no penalty. This is what scikit-learn's LogisticRegression finds on standardised features with
 * C = 1 / l2. Features are standardised on the fly and the result is converted back, so the model applies to
 * raw features.
 *
 * The method is Newton's: the loss is convex, and strictly so with l2 above zero. A step that does not reduce
 * the loss is halved. About eight passes of O(rows · width²); memory O(width²) besides the rows.
 */
import { naturalLog, probabilityOf } from './boosted-trees.ts';
import { checkWeightedSet, momentsOf, type WeightedSet, weighClasses } from './weighted-set.ts';

/** A linear model: the log-odds of class 1 are the bias plus the sum of weights times features. */
export interface LinearModel {
  weights: Float64Array;
  bias: number;
}

/** A linear model as plain data. */
export interface LinearModelData {
  weights: number[];
  bias: number;
}

/**
 * Trains a linear model. Without rows it gives probability 0.5. With rows of a single class all weights are
 * 0, and the bias is that of the class with half a row of the other class added. A constant feature has
 * weight 0.
 *
 * `l2` is the strength of the penalty, above zero. Training ends with the step that is expected to reduce the loss by
 * less than the share `tolerance` of it.
 */
export function trainLogistic(
  set: WeightedSet,
  { l2 = 1, maxIterations = 50, tolerance = 1e-8 } = {},
): LinearModel {
  if (!(l2 > 0 && Number.isFinite(l2))) throw new RangeError(`l2: above zero expected, not ${l2}`);
  checkWeightedSet(set);
  const { width } = set;
  const weights = new Float64Array(width);
  const [zeros, ones] = weighClasses(set);
  if (zeros === 0 || ones === 0) {
    return { weights, bias: zeros === ones ? 0 : naturalLog((ones + 0.5) / (zeros + 0.5)) };
  }

  const pass = new NewtonPass(set);
  const { size } = pass;
  let point = new Float64Array(size); // weights of the features that vary, then the bias
  point[size - 1] = naturalLog(ones / zeros);
  let loss = pass.run(point, l2);
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const step = pass.solve();
    let promised = 0;
    for (let i = 0; i < size; i++) promised += step[i] * pass.gradient[i];
    if (!(promised / 2 > tolerance * loss)) {
      // this close to the optimum a Newton step squares the error, so take it without a check
      for (let i = 0; i < size; i++) point[i] -= step[i];
      break;
    }
    const before = loss;
    let share = 1;
    let tried = point;
    for (; share > 1e-6; share /= 2) {
      const scale = share;
      tried = point.map((value, i) => value - scale * step[i]);
      loss = pass.run(tried, l2);
      if (loss <= before) break;
    }
    if (share <= 1e-6) break; // no better point within double precision
    point = tried;
  }

  let bias = point[size - 1];
  for (let i = 0; i < size - 1; i++) {
    const feature = pass.features[i];
    weights[feature] = point[i] / pass.deviation[feature];
    bias -= weights[feature] * pass.mean[feature];
  }
  return { weights, bias };
}

/** Returns the probability of class 1 of the row of features that begins at `offset`. */
export function scoreLinear({ weights, bias }: LinearModel, values: Float32Array, offset: number): number {
  let logOdds = bias;
  for (let i = 0; i < weights.length; i++) logOdds += weights[i] * values[offset + i];
  return probabilityOf(logOdds);
}

/** Encodes a model with seven digits per number; scores change by less than 1e-6. */
export function encodeLinear({ weights, bias }: LinearModel): LinearModelData {
  return { weights: Array.from(weights, roundDigits), bias: roundDigits(bias) };
}

/** Decodes a model. Throws a `RangeError` when a number is not finite. */
export function decodeLinear({ weights, bias }: LinearModelData): LinearModel {
  if (![...weights, bias].every((one) => Number.isFinite(one))) {
    throw new RangeError('linear model: weights and a bias expected');
  }
  return { weights: Float64Array.from(weights), bias };
}

function roundDigits(value: number): number {
  return Number(value.toPrecision(7));
}

/** Rows processed together, so that each entry of the Hessian is read and written once for all of them. */
const BLOCK = 4;

/** One pass over the rows: computes loss, gradient and Hessian at a point. */
class NewtonPass {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  /** Indexes of the features that vary. */
  readonly features: Int32Array;
  /** Number of unknowns: a weight for each of `features`, and the bias. */
  readonly size: number;
  readonly gradient: Float64Array;
  /** Lower triangle, with `size` numbers per row. */
  readonly #hessian: Float64Array;
  readonly #set: WeightedSet;

  constructor(set: WeightedSet) {
    this.#set = set;
    const { mean, deviation } = momentsOf(set);
    this.mean = mean;
    this.deviation = deviation;
    const varies: number[] = [];
    // rounding of the mean leaves a constant feature with a deviation of about this size
    for (let i = 0; i < set.width; i++) if (deviation[i] > 1e-12 * Math.abs(mean[i])) varies.push(i);
    this.features = Int32Array.from(varies);
    this.size = varies.length + 1;
    this.gradient = new Float64Array(this.size);
    this.#hessian = new Float64Array(this.size * this.size);
  }

  /** Returns the loss at `point` and computes the gradient and the Hessian. */
  run(point: Float64Array, l2: number): number {
    const { mean, deviation, features, size, gradient } = this;
    const hessian = this.#hessian;
    const { rows, width, classes, weights } = this.#set;
    const count = classes.length;
    gradient.fill(0);
    hessian.fill(0);
    let loss = 0;
    const scale = Float64Array.from(features, (feature) => 1 / deviation[feature]);
    const shift = Float64Array.from(features, (feature) => mean[feature]);
    const block = new Float64Array(BLOCK * size); // standardised rows, each with a 1 for the bias at its end
    const curvature = new Float64Array(BLOCK);
    const last = size - 1;

    for (let row = 0; row < count; ) {
      let filled = 0;
      for (; filled < BLOCK && row < count; row++) {
        const weight = weights[row];
        if (weight === 0) continue;
        const from = row * width;
        const to = filled * size;
        let logOdds = point[last];
        for (let i = 0; i < last; i++) {
          const value = (rows[from + features[i]] - shift[i]) * scale[i];
          block[to + i] = value;
          logOdds += point[i] * value;
        }
        block[to + last] = 1;
        const probability = probabilityOf(logOdds);
        const error = weight * (probability - classes[row]);
        curvature[filled++] = weight * probability * (1 - probability);
        loss += weight * lossOf(classes[row] === 1 ? logOdds : -logOdds);
        for (let i = 0; i < size; i++) gradient[i] += error * block[to + i];
      }
      for (; filled < BLOCK && filled > 0; filled++) curvature[filled] = 0;
      if (filled > 0) addOuterProducts(hessian, block, curvature, size);
    }

    for (let i = 0; i < last; i++) {
      loss += (l2 / 2) * point[i] * point[i];
      gradient[i] += l2 * point[i];
      hessian[i * size + i] += l2;
    }
    return loss;
  }

  /**
   * Returns the Newton step, the inverse of the Hessian times the gradient, by Cholesky decomposition in
   * place.
   */
  solve(): Float64Array {
    const { size } = this;
    const matrix = this.#hessian;
    const step = this.gradient.slice();
    for (let i = 0; i < size; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = matrix[i * size + j];
        for (let k = 0; k < j; k++) sum -= matrix[i * size + k] * matrix[j * size + k];
        // the bias has no penalty, so its curvature is almost zero where all rows are certain
        matrix[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[j * size + j];
      }
    }
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < i; k++) step[i] -= matrix[i * size + k] * step[k];
      step[i] /= matrix[i * size + i];
    }
    for (let i = size - 1; i >= 0; i--) {
      for (let k = i + 1; k < size; k++) step[i] -= matrix[k * size + i] * step[k];
      step[i] /= matrix[i * size + i];
    }
    return step;
  }
}

/** Adds curvature · row · rowᵀ of each row of a block to the lower triangle. */
function addOuterProducts(
  hessian: Float64Array,
  block: Float64Array,
  curvature: Float64Array,
  size: number,
): void {
  const [c0, c1, c2, c3] = curvature;
  const second = size;
  const third = 2 * size;
  const fourth = 3 * size;
  for (let i = 0; i < size; i++) {
    const a = c0 * block[i];
    const b = c1 * block[second + i];
    const c = c2 * block[third + i];
    const d = c3 * block[fourth + i];
    for (let j = 0, at = i * size; j <= i; j++, at++) {
      hessian[at] += a * block[j] + b * block[second + j] + c * block[third + j] + d * block[fourth + j];
    }
  }
}

/** Returns ln(1 + e^-margin): the loss of a row whose log-odds of its own class are `margin`. */
function lossOf(margin: number): number {
  if (margin < -30) return -margin;
  return -naturalLog(probabilityOf(margin));
}
