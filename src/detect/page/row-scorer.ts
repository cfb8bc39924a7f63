/** Probability of template for every row of a table, by the classifier of its class of area. */
import { scoreTrees } from '../../learn/boosted-trees.ts';
import { calibrate } from '../../learn/calibration.ts';
import { scoreLinear } from '../../learn/logistic-regression.ts';
import { FEATURE_COLUMN } from './feature-list.ts';
import type { FeatureTable } from './feature-table.ts';
import { areaClassOf, type Classifier, type PageModel } from './page-model.ts';

export class RowScorer {
  readonly #model: PageModel;
  #scores = new Float64Array(0);

  constructor(model: PageModel) {
    this.#model = model;
  }

  /** The scores hold until the next call. A row without words has that of its parent. */
  score({ rowCount, width, values, area, parent }: FeatureTable): Float64Array {
    if (this.#scores.length < rowCount) this.#scores = new Float64Array(rowCount * 2);
    const scores = this.#scores;
    const { classes, areaBounds } = this.#model;
    const words = FEATURE_COLUMN.words;
    for (let row = 0; row < rowCount; row++) {
      const offset = row * width;
      if (values[offset + words] === 0) {
        scores[row] = row === 0 ? 0 : scores[parent[row]];
        continue;
      }
      const { classifier, calibration } = classes[areaClassOf(area[row], areaBounds)];
      scores[row] = calibrate(calibration, classify(classifier, values, offset));
    }
    return scores;
  }
}

/** Probability of template before calibration. */
export function classify(classifier: Classifier, values: Float32Array, offset: number): number {
  return classifier.kind === 'logistic'
    ? scoreLinear(classifier.model, values, offset)
    : scoreTrees(classifier.model, values, offset);
}
