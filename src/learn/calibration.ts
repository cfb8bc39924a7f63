/**
 * Calibrates scores: of all rows with score 0.8, eight in ten shall be of class 1. There are two monotone
 * maps, both trained on weighted rows that the classifier has not seen:
 *
 * `platt`: probability = 1 / (1 + e^-(slope · log-odds of the score + bias)) (Platt 1999, with his smoothed
 * targets, which avoid certainty on a small or cleanly separated set). It has two parameters and suits few
 * rows.
 *
 * `isotonic`: the non-decreasing steps with the least squared error, found by pooling neighbours that violate
 * the order; linear between the steps and constant outside. It suits many rows. O(rows · log rows).
 */
import { logOddsOf, probabilityOf } from './boosted-trees.ts';
import { trainLogistic } from './logistic-regression.ts';

/** A trained calibration as plain data. */
export type Calibration =
  | { method: 'none' }
  | { method: 'platt'; slope: number; bias: number }
  /** `scores` ascend; `values` never fall. */
  | { method: 'isotonic'; scores: number[]; values: number[] };

/**
 * Trains a calibration. Rows of weight 0 are ignored; without other rows the calibration leaves scores
 * unchanged.
 */
export function trainCalibration(
  scores: ArrayLike<number>,
  classes: ArrayLike<number>,
  weights: ArrayLike<number>,
  { method = 'isotonic' }: { method?: 'platt' | 'isotonic' } = {},
): Calibration {
  if (classes.length !== scores.length || weights.length !== scores.length) {
    throw new RangeError(
      `as many scores, classes and weights expected, not ${scores.length}, ${classes.length} and ${weights.length}`,
    );
  }
  const kept: number[] = [];
  for (let row = 0; row < scores.length; row++) {
    if (!(scores[row] >= 0 && scores[row] <= 1)) {
      throw new RangeError(`score of row ${row}: 0 to 1 expected, not ${scores[row]}`);
    }
    if (!(weights[row] >= 0 && weights[row] < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`weight of row ${row}: zero or more expected, not ${weights[row]}`);
    }
    if (weights[row] > 0) kept.push(row);
  }
  if (kept.length === 0) return { method: 'none' };
  return method === 'platt'
    ? trainPlatt(scores, classes, weights, kept)
    : poolSteps(scores, classes, weights, kept);
}

/** Returns the calibrated score, in [0, 1]. */
export function calibrate(calibration: Calibration, score: number): number {
  if (calibration.method === 'none') return score;
  if (calibration.method === 'platt') {
    return probabilityOf(calibration.slope * logOddsOf(score) + calibration.bias);
  }
  const { scores, values } = calibration;
  let low = 0;
  for (let high = scores.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (scores[middle] < score) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return values[0];
  if (low === scores.length) return values[low - 1];
  const share = (score - scores[low - 1]) / (scores[low] - scores[low - 1]);
  return values[low - 1] + share * (values[low] - values[low - 1]);
}

function trainPlatt(
  scores: ArrayLike<number>,
  classes: ArrayLike<number>,
  weights: ArrayLike<number>,
  kept: number[],
): Calibration {
  const sums = [0, 0];
  for (const row of kept) sums[classes[row]] += weights[row];
  const targets = [1 / (sums[0] + 2), (sums[1] + 1) / (sums[1] + 2)];
  // a row with target t counts as t rows of class 1 and 1 - t rows of class 0
  const { weights: slopes, bias } = trainLogistic(
    {
      rows: Float32Array.from({ length: 2 * kept.length }, (_, i) => logOddsOf(scores[kept[i >> 1]])),
      width: 1,
      classes: Uint8Array.from({ length: 2 * kept.length }, (_, i) => i & 1),
      weights: Float64Array.from({ length: 2 * kept.length }, (_, i) => {
        const target = targets[classes[kept[i >> 1]]];
        return weights[kept[i >> 1]] * ((i & 1) === 1 ? target : 1 - target);
      }),
    },
    { l2: 1e-9 * (sums[0] + sums[1]) },
  );
  // a negative slope would reverse the order of scores, so such scores count as uninformative
  if (slopes[0] >= 0) return { method: 'platt', slope: roundSixth(slopes[0]), bias: roundSixth(bias) };
  return { method: 'platt', slope: 0, bias: roundSixth(logOddsOf(sums[1] / (sums[0] + sums[1]))) };
}

function poolSteps(
  scores: ArrayLike<number>,
  classes: ArrayLike<number>,
  weights: ArrayLike<number>,
  kept: number[],
): Calibration {
  kept.sort((a, b) => scores[a] - scores[b]);
  // pooled blocks so far: weight, weight of class 1, first and last score; shares of class 1 ascend
  const weight: number[] = [];
  const ones: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  for (const row of kept) {
    const score = roundSixth(scores[row]);
    if (last.at(-1) !== score) {
      weight.push(0);
      ones.push(0);
      first.push(score);
      last.push(score);
      poolBack(weight, ones, first, last, 1);
    }
    weight[weight.length - 1] += weights[row];
    ones[ones.length - 1] += classes[row] * weights[row];
  }
  poolBack(weight, ones, first, last, 0);

  const knots: { scores: number[]; values: number[] } = { scores: [], values: [] };
  for (let block = 0; block < weight.length; block++) {
    const value = roundSixth(ones[block] / weight[block]);
    knots.scores.push(first[block]);
    knots.values.push(value);
    if (last[block] === first[block]) continue;
    knots.scores.push(last[block]);
    knots.values.push(value);
  }
  return { method: 'isotonic', ...knots };
}

/**
 * Pools the last block before `spare` blocks with the ones before it while its share of class 1 is not
 * larger.
 */
function poolBack(weight: number[], ones: number[], first: number[], last: number[], spare: number): void {
  for (let at = weight.length - 1 - spare; at > 0; at--) {
    if (ones[at] * weight[at - 1] > ones[at - 1] * weight[at]) return;
    weight[at - 1] += weight[at];
    ones[at - 1] += ones[at];
    last[at - 1] = last[at];
    for (const column of [weight, ones, first, last]) column.splice(at, 1);
  }
}

/** Rounds to six decimals, the precision in which calibrated scores are stored and compared. */
function roundSixth(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Rows with predicted probabilities, true classes and weights. */
export interface ScoredRows {
  /** Probability of class 1. */
  scores: ArrayLike<number>;
  classes: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** Quality of predicted probabilities over weighted rows. */
export interface ClassifierFigures {
  rows: number;
  /** Share of the weight that is in class 1. */
  share: number;
  /** Area under the ROC curve, in [0, 1]; 0.5 when one class is missing. */
  auc: number;
  logLoss: number;
  accuracy: number;
}

/** Keeps the logarithm finite for a wrong score of 0 or 1. */
const MIN_PROBABILITY = 1e-6;

/**
 * Measures predicted probabilities: the area under the ROC curve (the share of pairs of the two classes in
 * the right order, ties count half), the log loss in nats, and the share of weight on the right side of 0.5.
 * Cost: one sort.
 */
export function measureClassifier(rows: ScoredRows): ClassifierFigures {
  const { scores, classes, weights } = rows;
  let total = 0;
  let ones = 0;
  let loss = 0;
  let right = 0;
  for (let row = 0; row < scores.length; row++) {
    const weight = weights[row];
    const score = Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, scores[row]));
    total += weight;
    if (classes[row] === 1) ones += weight;
    loss -= weight * Math.log(classes[row] === 1 ? score : 1 - score);
    if (scores[row] >= 0.5 === (classes[row] === 1)) right += weight;
  }
  return {
    rows: scores.length,
    share: total > 0 ? ones / total : 0,
    auc: measureAuc(rows),
    logLoss: total > 0 ? loss / total : 0,
    accuracy: total > 0 ? right / total : 0,
  };
}

/** Returns the area under the ROC curve, in [0, 1]; 0.5 when one class is missing. */
export function measureAuc({ scores, classes, weights }: ScoredRows): number {
  const order = Uint32Array.from({ length: scores.length }, (_, row) => row).sort(
    (a, b) => scores[a] - scores[b],
  );
  let zeros = 0;
  let ones = 0;
  let inOrder = 0;
  for (let k = 0; k < order.length; ) {
    // rows with the same score are neither before nor after each other
    let zerosHere = 0;
    let onesHere = 0;
    const score = scores[order[k]];
    for (; k < order.length && scores[order[k]] === score; k++) {
      if (classes[order[k]] === 1) onesHere += weights[order[k]];
      else zerosHere += weights[order[k]];
    }
    inOrder += onesHere * (zeros + zerosHere / 2);
    zeros += zerosHere;
    ones += onesHere;
  }
  return zeros === 0 || ones === 0 ? 0.5 : inOrder / (zeros * ones);
}
