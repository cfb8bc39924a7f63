/**
 * How good probabilities are, over weighted rows: the area under the ROC curve (the share of pairs of the two
 * classes in the right order, ties half), the log loss in nats, and the share on the right side of a half.
 * One sort.
 */

export interface ScoredRows {
  /** Probability of class 1. */
  scores: ArrayLike<number>;
  classes: ArrayLike<number>;
  weights: ArrayLike<number>;
}

export interface ClassifierFigures {
  rows: number;
  /** Share of the weight in class 1. */
  share: number;
  /** In [0, 1]; a half when one class is missing. */
  auc: number;
  logLoss: number;
  accuracy: number;
}

/** Keeps the log of a sure and wrong score finite. */
const LEAST_PROBABILITY = 1e-6;

export function measureClassifier(rows: ScoredRows): ClassifierFigures {
  const { scores, classes, weights } = rows;
  let total = 0;
  let ones = 0;
  let loss = 0;
  let right = 0;
  for (let row = 0; row < scores.length; row++) {
    const weight = weights[row];
    const score = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, scores[row]));
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

/** The area under the ROC curve. */
export function measureAuc({ scores, classes, weights }: ScoredRows): number {
  const order = Uint32Array.from({ length: scores.length }, (_, row) => row).sort(
    (a, b) => scores[a] - scores[b],
  );
  let zeros = 0;
  let ones = 0;
  let inOrder = 0;
  for (let k = 0; k < order.length; ) {
    // rows of one score are neither before nor after each other
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
