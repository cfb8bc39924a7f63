/**
 * The options of each paper, by commander's option names: `domLower` for `--dom-lower`. `train.minPages` applies to the
 * command `train` only, where one name has several meanings. Options whose default is the paper's may be omitted.
 * docs/research/fidelity.md has the reasons, and the remaining differences.
 */
import { type PageModel, paperPageModel } from '../../detect/page/page-model.ts';

/** Gibson, Punera and Tomkins 2005: templates by DOM hashes and by text windows. */
export const gibson2005 = {
  detector: 'dom',
  'eval.detectors': ['dom', 'text'],
  // section 3.1: occurrences of every node, wherever it is; below two the whole page would be template
  domEvidence: 'content',
  domBounds: 'every-node',
  domMinPages: 2,
  // a gap between sibling templates is part of the template
  drop: 'slots',
  // section 3.2: occurrences of windows, F as it is; fragments that touch are one template, whatever it cuts
  textCount: 'occurrences',
  textExactFrequency: true,
  textSplitWords: true,
  textCut: 'none',
  // section 4.2: links by the offsets of their nodes; every page counts as it was labelled
  linksBy: 'tag',
  minPages: 0,
  minLeft: 0,
  minLeftShare: 0,
  fallback: 'unsure',
  // section 5.1: redirects and error pages are among the pages
  statuses: 'all',
} as const;

/** Leśniak 2017: the cross of similar pages and captures. */
export const lesniak2017 = {
  detector: 'cross',
  /** Of `eval`. */
  detectors: ['T001', 'T002', 'T003', 'T004', 'T005', 'T006'],
  /** Test case T001; the others by `--cross-variant`. */
  crossVariant: 'T001',
  /** `lsh_threshold` of section 4.2. */
  crossThreshold: 0.6,
  /** All entries of a domain are candidates, of any time; as many as a model can keep. */
  crossPages: 1000,
  sample: 1000,
  snapshot: 'all',
  crossTokens: 'layers',
  /** Of `groups`. */
  tokens: 'layers',
  /** The second entry of the list of similar documents, of whatever page. */
  crossDown: 'capture',
  crossDiff: 'lxml',
  crossLengths: 'characters',
  crossRows: 100_000,
  crossNeighbours: 5,
  crossTrees: 10,
  /** Section 4; the sample keeps its own seed. */
  crossSeed: 2_047_226_289,
  /** Works from two documents, and takes nothing back. */
  minPages: 0,
  minLeft: 0,
  minLeftShare: 0,
  fallback: 'unsure',
} as const;

/** Largest difference of scores that Basic + Merge closes: the best on hosts of the even half of gold. */
const MERGE_DELTA = 0.3;

/** Chakrabarti, Kumar and Punera 2007: page-level detection with isotonic smoothing. */
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

/** Ma and Gu 2005: shared fragments. Every file is a page; M and MIN_FRAG_SIZE of section 4, composites of section 3.3. */
export const maGu2005 = {
  captures: 'all',
  minShared: 2,
  minBytes: 256,
  composites: 'merged',
  relation: 'both',
} as const;
