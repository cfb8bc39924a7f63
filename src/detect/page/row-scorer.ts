/** Scores every row of a table by the classifier of its area class. */
import { scoreTrees } from '../../learn/boosted-trees.ts';
import { calibrate } from '../../learn/calibration.ts';
import { scoreLinear } from '../../learn/logistic-regression.ts';
import { TreeBatch } from '../../learn/tree-batch.ts';
import { FEATURE_COLUMN, type FeatureTable } from './feature-list.ts';
import { areaClassOf, type PageClassifier, type PageModel } from './page-model.ts';

/** Computes the probability of template of the rows of pages, one page after another. */
export class RowScorer {
  readonly #model: PageModel;
  /** By area class; undefined for linear classifiers. */
  readonly #batches: (TreeBatch | undefined)[];
  #scores = new Float64Array(0);
  /** Rows of the current area class, the offsets of their values, and their scores. */
  #rows = new Int32Array(0);
  #offsets = new Int32Array(0);
  #ofClass = new Float64Array(0);

  constructor(model: PageModel) {
    this.#model = model;
    this.#batches = model.classes.map(({ classifier }) =>
      classifier.kind === 'logistic' ? undefined : new TreeBatch(classifier.model),
    );
  }

  /**
   * Returns the score of each row, valid until the next call. A row without words gets its parent's score,
   * unless all nodes are judged.
   */
  score(table: FeatureTable): Float64Array {
    if (this.#scores.length < table.rowCount) this.#reserve(table.rowCount * 2);
    const scores = this.#scores;
    const words = FEATURE_COLUMN.words;
    for (let k = 0; k < this.#model.classes.length; k++) this.#scoreClass(table, k);
    if (this.#model.nodes === 'all') return scores;
    // the columns are read here, because scoring may have made the kernel's memory grow
    const { rowCount, width, values, parent } = table;
    for (let row = 0; row < rowCount; row++) {
      if (values[row * width + words] === 0) scores[row] = row === 0 ? 0 : scores[parent[row]];
    }
    return scores;
  }

  /** Scores the rows of one area class that have words, or all of them. */
  #scoreClass({ rowCount, width, values, area }: FeatureTable, areaClass: number): void {
    const { classes, areaBounds, nodes } = this.#model;
    const all = nodes === 'all';
    const { classifier, calibration } = classes[areaClass];
    const rows = this.#rows;
    const offsets = this.#offsets;
    const ofClass = this.#ofClass;
    const words = FEATURE_COLUMN.words;
    let count = 0;
    for (let row = 0; row < rowCount; row++) {
      if (!all && values[row * width + words] === 0) continue;
      if (areaClassOf(area[row], areaBounds) !== areaClass) continue;
      rows[count] = row;
      offsets[count++] = row * width;
    }
    const batch = this.#batches[areaClass];
    if (batch) batch.score(values, offsets, count, ofClass);
    else for (let k = 0; k < count; k++) ofClass[k] = classifyRow(classifier, values, offsets[k]);
    for (let k = 0; k < count; k++) this.#scores[rows[k]] = calibrate(calibration, ofClass[k]);
  }

  #reserve(rows: number): void {
    this.#scores = new Float64Array(rows);
    this.#rows = new Int32Array(rows);
    this.#offsets = new Int32Array(rows);
    this.#ofClass = new Float64Array(rows);
  }
}

/** Returns the probability of template before calibration. */
export function classifyRow(classifier: PageClassifier, values: Float32Array, offset: number): number {
  return classifier.kind === 'logistic'
    ? scoreLinear(classifier.model, values, offset)
    : scoreTrees(classifier.model, values, offset);
}
