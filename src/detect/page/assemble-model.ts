/**
 * A page-level model from what was fitted: classifiers, the lexicon of all sites, what features look like on
 * either side (for reasons that a person reads), and its card with the figures of sites held out.
 */

import { FEATURES } from './feature-list.ts';
import type { ClassifierName, FittedClassifiers, TrainingTable } from './fit-classifiers.ts';
import type { Lexicon } from './lexicon.ts';
import { HIDE_BELOW } from './page-features.ts';
import { AREA_BOUNDS, type ModelCard, PAGE_MODEL_VERSION, type PageModel } from './page-model.ts';

/** How scores become labels. */
export type JudgingSettings = Pick<
  PageModel,
  'areaBounds' | 'penalty' | 'penaltyKind' | 'threshold' | 'level' | 'weighting' | 'nodes'
>;

/** By classifier: the paper's (sections 5.2 and 5.3), and those chosen for boosted trees, which need no classes of area. */
export const JUDGING_SETTINGS: Readonly<Record<ClassifierName, JudgingSettings>> = {
  logistic: { areaBounds: [...AREA_BOUNDS], penalty: 0.01, threshold: 0.5 },
  trees: {
    areaBounds: [],
    penalty: 0.0005,
    threshold: 0.5,
    level: {
      share: 0.1,
      margin: 1.9,
      least: 0.08,
      most: 0.85,
      links: 1.4,
      region: { share: 0.7, inside: 1.2, outside: 0.8 },
    },
    weighting: 'one',
  },
};

export interface AssembleOptions {
  lexicon: Lexicon;
  card: Omit<ModelCard, 'sites' | 'rows' | 'figures'>;
  judging: JudgingSettings;
}

export function assembleModel(
  { classes, figures, importance }: Omit<FittedClassifiers, 'heldOut'>,
  table: TrainingTable,
  { lexicon, card, judging }: AssembleOptions,
): PageModel {
  const told: Record<string, number> = {};
  for (const [k, { figures: own }] of classes.entries()) addFigures(told, `area ${k + 1}`, own);
  addFigures(told, 'all areas', figures);
  return {
    version: PAGE_MODEL_VERSION,
    features: FEATURES.slice(0, table.width).map(({ name }) => name),
    hideBelow: HIDE_BELOW,
    ...judging,
    classes: classes.map(({ classifier, calibration }) => ({ classifier, calibration })),
    lexicon,
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
