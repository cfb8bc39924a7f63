/**
 * Options as in Chakrabarti, Kumar and Punera 2007: page-level detection with isotonic smoothing. What is left of a
 * difference between the paper and these options: docs/research/fidelity.md.
 */
import { type PageModel, paperPageModel } from '../../detect/page/page-model.ts';

/** Largest difference of scores that Basic + Merge closes: the best on hosts of the even half of gold. */
const MERGE_DELTA = 0.3;

export const chakrabarti2007 = {
  // section 5.1: sites, pages, labels
  'train.minPages': 100,
  'train.sample': 200,
  'train.pages': 200,
  'train.allPages': true,
  'train.siteRows': 1_000_000,
  'train.rows': 10_000_000,
  'train.weights': 'sites',
  'train.labels': 'sitelevel',
  'train.share': 0.1,
  // section 5.2: examples and classifiers
  'train.nodes': 'all',
  'train.features': 'paper',
  'train.classifier': 'logistic',
  'train.calibration': 'none',
  // section 5.3: the penalty that was chosen
  'train.penaltyConstant': 0.01,
  'train.penaltyKind': 'area',

  // judging one page at a time
  get 'page.model'(): PageModel {
    return paperPageModel();
  },
  'page.smoothing': 'isotonic',
  'page.penalty': 1,
  'page.penaltyKind': 'area',
  'page.levels': 0,
  'page.delta': MERGE_DELTA,
  'page.levelling': false,
  'page.threshold': 0.5,
  'page.unsureBand': 0,

  // the same in commands that run several detectors; no verdict is taken back
  detector: 'page',
  'eval.detectors': ['page-basic', 'page-merge', 'page'],
  get pageModel(): PageModel {
    return paperPageModel();
  },
  pageSmoothing: 'isotonic',
  pagePenalty: 1,
  pagePenaltyKind: 'area',
  pageLevels: 0,
  pageDelta: MERGE_DELTA,
  pageLevelling: false,
  pageThreshold: 0.5,
  pageUnsureBand: 0,
  minLeft: 0,
  minLeftShare: 0,
};
