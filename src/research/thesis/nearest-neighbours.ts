/**
 * k nearest neighbours by Euclidean distance, as scikit-learn's KNeighborsClassifier with its defaults: every
 * neighbour has one vote, features are taken as they are. Ties of distance go to the earlier row. Brute
 * force: training sets are the texts of one page.
 */
import type { Classifier, TrainingSet } from '../../learn/training-set.ts';

export interface NearestNeighboursOptions {
  /** @default 5 */
  neighbours?: number;
}

export function nearestNeighbours(
  { rows, width, classes }: TrainingSet,
  { neighbours = 5 }: NearestNeighboursOptions = {},
): Classifier {
  const count = classes.length;
  const k = Math.min(neighbours, count);
  const distances = new Float64Array(k);
  const votes = new Uint8Array(k);
  return {
    vote(queries, query) {
      if (k === 0) return 0.5;
      const from = query * width;
      distances.fill(Number.POSITIVE_INFINITY);
      for (let row = 0; row < count; row++) {
        // a row that is farther than the k-th so far need not be measured to its end
        const worst = distances[k - 1];
        let distance = 0;
        for (let i = 0, at = row * width; i < width && distance < worst; i++, at++) {
          const difference = rows[at] - queries[from + i];
          distance += difference * difference;
        }
        if (distance >= worst) continue;
        let place = k - 1;
        for (; place > 0 && distances[place - 1] > distance; place--) {
          distances[place] = distances[place - 1];
          votes[place] = votes[place - 1];
        }
        distances[place] = distance;
        votes[place] = classes[row];
      }
      let ones = 0;
      for (const vote of votes) ones += vote;
      return ones / k;
    },
  };
}
