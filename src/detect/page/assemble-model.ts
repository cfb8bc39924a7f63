/**
 * A page-level model from what was fitted: classifiers, the lexicon of all sites, what features look like on
 * either side (for reasons that a person reads), and its card with the figures of sites held out.
 */

import { FEATURES, HIDE_BELOW } from './features.ts';
import type { FittedClassifiers, TrainingTable } from './fit-classifiers.ts';
import type { Lexicon } from './lexicon.ts';
import { AREA_BOUNDS, type ModelCard, PAGE_MODEL_VERSION, type PageModel } from './page-model.ts';

/** c of the penalty c·A/Aᵢ, as in section 5.3 of the paper. */
export const DEFAULT_PENALTY = 0.01;
export const DEFAULT_THRESHOLD = 0.5;

export interface AssembleOptions {
  lexicon: Lexicon;
  card: Omit<ModelCard, 'sites' | 'rows' | 'figures'>;
  /** @default 0.01 */
  penalty?: number;
  /** @default 0.5 */
  threshold?: number;
}

export function assembleModel(
  { classes, figures, importance }: FittedClassifiers,
  table: TrainingTable,
  { lexicon, card, penalty = DEFAULT_PENALTY, threshold = DEFAULT_THRESHOLD }: AssembleOptions,
): PageModel {
  const told: Record<string, number> = {};
  for (const [k, { figures: own }] of classes.entries()) addFigures(told, `area ${k + 1}`, own);
  addFigures(told, 'all areas', figures);
  return {
    version: PAGE_MODEL_VERSION,
    features: FEATURES.map(({ name }) => name),
    hideBelow: HIDE_BELOW,
    areaBounds: [...AREA_BOUNDS],
    classes: classes.map(({ classifier, calibration }) => ({ classifier, calibration })),
    lexicon,
    penalty,
    threshold,
    importance: Array.from(importance, rounded),
    templateMean: meansOf(table, 1),
    contentMean: meansOf(table, 0),
    card: { ...card, sites: table.siteCount, rows: table.classes.length, figures: told },
  };
}

function addFigures(
  told: Record<string, number>,
  name: string,
  { auc, logLoss, accuracy }: FittedClassifiers['figures'],
): void {
  told[`${name}: AUC`] = rounded(auc);
  told[`${name}: log loss`] = rounded(logLoss);
  told[`${name}: accuracy`] = rounded(accuracy);
}

/** The mean of each feature over the rows of a class. */
function meansOf({ rows, width, classes, weights }: TrainingTable, wanted: number): number[] {
  const sums = new Float64Array(width);
  let total = 0;
  for (let row = 0; row < classes.length; row++) {
    if (classes[row] !== wanted) continue;
    total += weights[row];
    for (let k = 0; k < width; k++) sums[k] += weights[row] * rows[row * width + k];
  }
  return Array.from(sums, (sum) => rounded(total > 0 ? sum / total : 0));
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
