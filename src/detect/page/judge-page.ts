/**
 * Judges a page alone (Chakrabarti, Kumar and Punera 2007). Every judged node gets a score from the
 * classifier of its area class. The scores are smoothed over the tree: the smoothed score of a node is never
 * below that of its parent, and neighbours agree unless the difference is worth a section of its own. That is
 * the paper's method.
 *
 * A model with levels does more. Scores are normalised per page, because every page has some content
 * (normalize-scores.ts). What readers wrote below the text is judged apart (replies.ts), and the headline is
 * kept (keep-headline.ts). Normalised scores are not isotonic: the node of the main text is usually below its
 * parent. Sections with a score from the threshold on are template.
 *
 * Cost: linear in nodes and bytes of text for the features, in rows for the rest; about a millisecond for a
 * page of a thousand nodes. A judge reuses its columns from page to page.
 */

import type { Boxes } from '../../layout/boxes.ts';
import { LayoutEstimator } from '../../layout/estimate.ts';
import { TreeSmoother } from '../../learn/smooth-tree.ts';
import {
  checkChoice,
  checkNames,
  checkNumber,
  describeValue,
  withoutUndefined,
} from '../../model/check-option.ts';
import type { Label, Range } from '../../model/range.ts';
import type { ParsedPage } from '../detector.ts';
import { FEATURE_COLUMN, type FeatureTable } from './feature-list.ts';
import { keepHeadline } from './keep-headline.ts';
import { ScoreNormalizer } from './normalize-scores.ts';
import { FeatureMaker } from './page-features.ts';
import type { PageModel } from './page-model.ts';
import { ReplyFinder } from './replies.ts';
import { Reasons, rowRanges } from './row-ranges.ts';
import { RowScorer } from './row-scorer.ts';
import { fillPenalties, PENALTY_KINDS, type PenaltyKind } from './section-penalty.ts';
import { findMergedSections, findSections, mergeLeaves, type Section } from './sections.ts';

/** All values of `Smoothing`. */
export const SMOOTHINGS = ['isotonic', 'merge', 'none'] as const;
/** Way to combine the scores of neighbouring nodes. */
export type Smoothing = (typeof SMOOTHINGS)[number];

/** Options of `PageJudge`. */
export interface PageOptions {
  /**
   * Without levelling `none` is the paper's Basic, `merge` its Basic + Merge, `isotonic` its Smooth. @default
   * 'isotonic'
   */
  smoothing?: Smoothing;
  /**
   * Factor of the model's penalty, 0 to 1,000,000; a larger one gives fewer and larger sections. @default 1
   */
  penalty?: number;
  /** Quantity that the penalty of a node depends on; see section-penalty.ts. @default the model's */
  penaltyKind?: PenaltyKind;
  /**
   * Whether scores are normalised and replies removed, if the model can, and the headline is kept. @default
   * true
   */
  levelling?: boolean;
  /** Score from which a node is template, 0 to 1. @default the model's */
  threshold?: number;
  /** Scores up to this far below the threshold are unsure, 0 to 1. @default 0.1 */
  unsureBand?: number;
  /** Minimum area of a judged node in square pixels, from 0. @default the model's */
  hideBelow?: number;
  /** Number of values that the smoothing tries, 0 for the exact optimum. @default 256 */
  levels?: number;
  /**
   * Largest difference of scores that `merge` joins, 0 to 1; the default is the best for the packaged model
   * on the even half of gold. @default 0.24
   */
  delta?: number;
}

/** Names of `PageOptions`. */
export const PAGE_OPTION_NAMES = [
  'smoothing',
  'penalty',
  'penaltyKind',
  'levelling',
  'threshold',
  'unsureBand',
  'hideBelow',
  'levels',
  'delta',
] as const satisfies (keyof PageOptions)[];

const DEFAULTS = {
  smoothing: 'isotonic',
  penalty: 1,
  levelling: true,
  unsureBand: 0.1,
  levels: 256,
  delta: 0.24,
} as const;

/** The verdict on a page. The columns belong to the judge and are overwritten by the next page. */
export interface PageVerdict {
  /** Ordered, disjoint ranges that tile the source. */
  ranges: Range[];
  /** Regions with one score. Those of `isotonic` may be nested; then the innermost applies. */
  sections: Section[];
  /** The judged nodes and their features. */
  table: FeatureTable;
  /** By row: the classifier's probability of template, and the score after smoothing and normalising. */
  scores: Float64Array;
  smoothed: Float64Array;
}

/** Judges pages one after another by a page-level model. */
export class PageJudge {
  readonly #model: PageModel;
  readonly #options: Required<PageOptions>;
  readonly #maker: FeatureMaker;
  readonly #scorer: RowScorer;
  readonly #reasons: Reasons;
  readonly #smoother = new TreeSmoother();
  readonly #normalizer = new ScoreNormalizer();
  readonly #replies: ReplyFinder | undefined;
  #estimator: LayoutEstimator | undefined;
  #penalty = new Float32Array(0);
  #weight = new Float32Array(0);

  constructor(model: PageModel, options: PageOptions = {}) {
    this.#model = model;
    this.#options = checkPageOptions(options, model);
    const { lexicon, nodes } = model;
    this.#maker = new FeatureMaker({ hideBelow: this.#options.hideBelow, lexicon, nodes });
    this.#scorer = new RowScorer(model);
    this.#reasons = new Reasons(model);
    if (model.replies && this.#options.levelling) this.#replies = new ReplyFinder(model.replies);
  }

  /** Judges a page by its boxes, by default estimated ones. */
  judge(parsed: ParsedPage, boxes?: Boxes): PageVerdict {
    const { tree } = parsed;
    const { smoothing, delta } = this.#options;
    this.#estimator ??= new LayoutEstimator();
    const table = this.#maker.make(parsed, boxes ?? this.#estimator.estimate(tree));
    const scores = this.#scorer.score(table);
    let smoothed = scores;
    if (smoothing === 'isotonic') smoothed = this.#smooth(tree, table, scores);
    else if (smoothing === 'merge') smoothed = mergeLeaves(table, scores, delta);
    const level = this.#options.levelling ? this.#model.level : undefined;
    const replies = level && this.#replies?.find(tree, table);
    if (level) smoothed = this.#normalizer.normalize(table, smoothed, level, replies);

    const labelOf = (row: number): Label => this.#label(smoothed[row]);
    const rows = rowRanges(tree, table, {
      labelOf,
      scoreOf: (row) => smoothed[row],
      reasonOf: (row) =>
        replies?.[row] === 1
          ? `page-level score ${smoothed[row].toFixed(2)}: replies below the text`
          : this.#reasons.reasonOf(smoothed[row], table.values, row * table.width),
    });
    const sections =
      smoothing === 'isotonic'
        ? findSections(tree, table, smoothed, labelOf)
        : findMergedSections(tree, table, smoothed, labelOf, smoothing === 'merge' ? delta : 0);
    const ranges = this.#options.levelling ? keepHeadline(tree, rows) : rows;
    return { ranges, sections, table, scores, smoothed };
  }

  #label(score: number): Label {
    const { threshold, unsureBand } = this.#options;
    if (score >= threshold) return 'template';
    return score >= threshold - unsureBand ? 'unsure' : 'content';
  }

  #smooth(tree: ParsedPage['tree'], table: FeatureTable, scores: Float64Array): Float64Array {
    const { rowCount, parent, values, width } = table;
    if (this.#penalty.length < rowCount) {
      this.#penalty = new Float32Array(rowCount * 2);
      this.#weight = new Float32Array(rowCount * 2);
    }
    const { penalty: factor, penaltyKind: kind, hideBelow } = this.#options;
    const { penalty, weighting, nodes } = this.#model;
    fillPenalties(this.#penalty, tree, table, {
      kind,
      factor: penalty * factor,
      leastArea: Math.max(1, hideBelow),
    });
    const words = FEATURE_COLUMN.words;
    const byNodes = weighting !== 'one';
    const allWeigh = nodes === 'all';
    for (let row = 0; row < rowCount; row++) {
      // a row without words has its parent's score and no weight, unless the model judges all nodes
      const weighs = allWeigh || values[row * width + words] > 0;
      this.#weight[row] = !weighs ? 0 : byNodes ? table.weight[row] : 1;
    }
    return this.#smoother.smooth(
      { count: rowCount, parent, score: scores, weight: this.#weight, penalty: this.#penalty },
      { levels: this.#options.levels },
    ).smoothed;
  }
}

function checkPageOptions(options: PageOptions, model: PageModel): Required<PageOptions> {
  if (!Array.isArray(model?.classes) || model.classes.length === 0 || !Array.isArray(model.features)) {
    throw new TypeError(
      `model must be a page-level model, as decodePageModel reads it, not ${describeValue(model)}`,
    );
  }
  checkNames(options, PAGE_OPTION_NAMES);
  const checked = {
    ...DEFAULTS,
    threshold: model.threshold,
    hideBelow: model.hideBelow,
    penaltyKind: model.penaltyKind ?? 'area',
    ...withoutUndefined(options),
  };
  checkChoice('smoothing', checked.smoothing, SMOOTHINGS);
  checkChoice('penaltyKind', checked.penaltyKind, PENALTY_KINDS);
  checkNumber('penalty', checked.penalty, { min: 0, max: 1_000_000 });
  checkNumber('threshold', checked.threshold, { min: 0, max: 1 });
  checkNumber('unsureBand', checked.unsureBand, { min: 0, max: 1 });
  checkNumber('hideBelow', checked.hideBelow, { min: 0, max: 1e9 });
  checkNumber('levels', checked.levels, { min: 0, max: 65_535, whole: true });
  checkNumber('delta', checked.delta, { min: 0, max: 1 });
  return checked;
}
