/** The options of each detector, under the names that the detectors use. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DOWN_RULES } from '../analysis/choose-arms.ts';
import { LAYOUT_TOKENS } from '../analysis/layout-signer.ts';
import { FALLBACKS, FLOOR_DEFAULTS, type FloorOptions } from '../detect/confidence-fallback.ts';
import {
  CROSS_DEFAULTS,
  CROSS_DIFFS,
  CROSS_LENGTHS,
  CROSS_VARIANTS,
  type CrossOptions,
  parseSiteThresholds,
} from '../detect/cross/cross-settings.ts';
import { DOM_BOUNDS, DOM_DEFAULTS, type DomOptions } from '../detect/dom-settings.ts';
import type { DetectorOptions } from '../detect/index.ts';
import { JOINT_DEFAULTS, type JointOptions } from '../detect/joint/joint-detector.ts';
import { decodeJointModel, type JointModel } from '../detect/joint/joint-model.ts';
import { JUDGE_MODES } from '../detect/joint/judge-blocks.ts';
import { type PageOptions, SMOOTHINGS } from '../detect/page/judge-page.ts';
import type { PageDetectorOptions } from '../detect/page/page-detector.ts';
import { decodePageModel, type PageModel } from '../detect/page/page-model.ts';
import { PENALTY_KINDS } from '../detect/page/section-penalty.ts';
import {
  formatTextSettings,
  parseTextSettings,
  TEXT_COUNTS,
  TEXT_CUTS,
  TEXT_DEFAULTS,
  type TextOptions,
} from '../detect/text-settings.ts';
import {
  addOptions,
  numberBetween,
  OFF,
  ON,
  type OptionTable,
  optionsOf,
  parsedBy,
  share,
  wholeNumber,
} from './option-table.ts';
import { InputOption } from './path-options.ts';

const GROUP = 'Detectors:';

const JOINT: OptionTable<Omit<JointOptions, 'model'>> = {
  dial: ['--joint-dial <n>', 'joint: above 1 keeps more, below 1 cuts more', numberBetween(0.25, 4)],
  mode: [
    '--mode <kind>',
    'joint: text for reading, or fields: values that vary over the pages of a catalogue, without long prose',
    JUDGE_MODES,
  ],
};

const TEXT: OptionTable<TextOptions> = {
  minFrequency: ['--text-min-frequency <pages>', 'text: F is not lowered below this', wholeNumber(2)],
  scaleFrequency: ['--text-exact-frequency', 'text: keep F as it is on sites with fewer than P pages', OFF],
  wholeWords: ['--text-split-words', 'text: let templates begin and end within words', OFF],
  cut: [
    '--text-cut <where>',
    'text: cut templates where the number of pages halves, or none, as in the paper',
    TEXT_CUTS,
  ],
  count: ['--text-count <what>', 'text: F counts pages, or occurrences, as in the paper', TEXT_COUNTS],
};

const DOM: OptionTable<DomOptions> = {
  lowerShare: ['--dom-lower <share>', 'dom: share of pages that make a node template', share],
  minPages: ['--dom-min-pages <n>', 'dom: never fewer pages than this', wholeNumber(2)],
  upperShare: [
    '--dom-upper <times>',
    'dom: occurrences per page that rule out tiny nodes',
    numberBetween(0, 1e6),
  ],
  bounds: [
    '--dom-bounds <of>',
    'dom: upper threshold for small-nodes only; every-node: both thresholds for occurrences of every node, as in the paper',
    DOM_BOUNDS,
  ],
  trivialBytes: ['--dom-trivial <bytes>', 'dom: a node without text is tiny up to this size', wholeNumber(0)],
  evidence: [
    '--dom-evidence <kind>',
    'dom: content, as in the paper, or place: at one place on enough pages',
    ['content', 'place'],
  ],
  gapBytes: ['--dom-gap <bytes>', 'dom: join siblings across changing HTML up to this', wholeNumber(0)],
  gapTextBytes: ['--dom-gap-text <bytes>', 'dom: … and changing text up to this', wholeNumber(0)],
};

const CROSS: OptionTable<CrossOptions> = {
  variant: ['--cross-variant <name>', 'cross: T001 to T006 as in the thesis, or T007, ours', CROSS_VARIANTS],
  threshold: ['--cross-threshold <share>', 'cross: similarity of layouts that makes a neighbour', share],
  siteThresholds: [
    '--cross-thresholds <file>',
    'cross: the same for some sites, a CSV file of site,threshold',
    parsedBy((path) => parseSiteThresholds(readFileSync(path, 'utf8'))),
  ],
  neighbourPages: [
    '--cross-pages <n>',
    'cross: sampled captures of a site kept to compare with',
    wholeNumber(2, 1000),
  ],
  tokens: [
    '--cross-tokens <kind>',
    'cross: what layouts are compared by (default: layers for T001 to T006, paths for T007)',
    LAYOUT_TOKENS,
  ],
  down: [
    '--cross-down <rule>',
    'cross: down is a capture of another page than up, if there is one (page), or any capture, as in the thesis (capture)',
    DOWN_RULES,
  ],
  diff: [
    '--cross-diff <name>',
    'cross: compare tags and words with moved blocks, or words as lxml does, as in the thesis',
    CROSS_DIFFS,
  ],
  lengths: [
    '--cross-lengths <unit>',
    "cross: unit of text lengths: bytes, or characters with Kohlschütter's density",
    CROSS_LENGTHS,
  ],
  trainingRows: [
    '--cross-rows <n>',
    'cross: most texts of a page that a classifier is trained on',
    wholeNumber(10, 100_000),
  ],
  neighbours: [
    '--cross-neighbours <k>',
    'cross, T003 to T005: nearest neighbours that vote',
    wholeNumber(1, 1000),
  ],
  trees: ['--cross-trees <n>', 'cross, T006 and T007: trees of the random forest', wholeNumber(1, 1000)],
  seed: [
    '--cross-seed <n>',
    'cross: seed of the random forest (default: that of --seed)',
    wholeNumber(0, 2 ** 31),
  ],
  buckets: ['--cross-buckets', 'cross, T001 to T006: compare in each LSH bucket of a page and merge', ON],
};

/** Omits options without a default: their absence has a meaning (the seed is then that of the sample). */
const { siteThresholds: _, seed: __, ...CROSS_SHOWN_DEFAULTS } = CROSS_DEFAULTS;

/** Options of the page-level verdict; with a prefix for commands with several detectors. */
function pageTable(prefix: '' | 'page-'): OptionTable<PageOptions> {
  const about = prefix === '' ? '' : 'page: ';
  return {
    smoothing: [
      `--${prefix}smoothing <kind>`,
      `${about}isotonic: over the tree; merge: similar leaves get one score; none: each node for itself; isotonic when not given`,
      SMOOTHINGS,
    ],
    penalty: [
      `--${prefix}penalty <factor>`,
      `${about}factor of the penalty of smoothing: more gives fewer and larger sections; 1 when not given`,
      numberBetween(0, 1e6),
    ],
    penaltyKind: [
      `--${prefix}penalty-kind <kind>`,
      `${about}the ratio that the penalty of a node grows with: page to node in area or in nodes, parent to node in area, or sums of these; that of the model when not given`,
      PENALTY_KINDS,
    ],
    levels: [
      `--${prefix}levels <n>`,
      `${about}values that smoothing tries, or exact: all scores; 256 when not given`,
      (text) => (text === 'exact' ? 0 : wholeNumber(2, 65_535)(text)),
    ],
    delta: [
      `--${prefix}delta <difference>`,
      `${about}smoothing merge: leaves whose scores differ by less than this are merged; 0.24 when not given`,
      share,
    ],
    levelling: [
      `--no-${prefix}levelling`,
      `${about}take smoothed scores as they are: no level, no region, no replies`,
      OFF,
    ],
    threshold: [
      `--${prefix}threshold <score>`,
      `${about}score from which a node is template; the model's own when not given`,
      share,
    ],
    unsureBand: [
      `--${prefix}unsure-band <width>`,
      `${about}scores this far below the threshold are unsure, and kept; 0.1 when not given`,
      share,
    ],
  };
}

const PAGE = pageTable('page-');
const PAGE_ALONE = pageTable('');

const FLOORS: OptionTable<FloorOptions> = {
  minSitePages: [
    '--min-pages <n>',
    'dom, text, cross: with fewer pages of a site --fallback decides; joint has no fallback',
    wholeNumber(0),
  ],
  minTextBytes: [
    '--min-left <bytes>',
    'dom, text, cross, page: --fallback decides when less text than this is left …',
    wholeNumber(0),
  ],
  minTextShare: ['--min-left-share <share>', '… and a smaller share of the page than this', share],
  fallback: [
    '--fallback <name>',
    'dom, text, cross: the page-level verdict, or unsure: everything is kept',
    FALLBACKS,
  ],
};

/** Flags of the detectors that are not in the tables. */
interface DetectorFlags {
  seed: number;
  crossSeed?: number;
  textSettings: TextOptions;
  jointModel?: JointModel;
  pageModel?: PageModel;
}

/** Adds the options of all detectors to a command. */
export function addDetectorOptions(command: Command): void {
  command.addOption(
    new InputOption('--joint-model <file>', "joint: another model than the package's own")
      .argParser(readJointModel)
      .helpGroup(GROUP),
  );
  addOptions(command, JOINT, { defaults: JOINT_DEFAULTS, group: GROUP });
  command.addOption(
    new Option('--text-settings <W.F.D.P>', 'text: window, frequency, density, pages')
      .argParser(parsedBy(parseTextSettings))
      .default({}, formatTextSettings(TEXT_DEFAULTS))
      .helpGroup(GROUP),
  );
  addOptions(command, TEXT, { defaults: TEXT_DEFAULTS, group: GROUP });
  addOptions(command, DOM, { defaults: DOM_DEFAULTS, group: GROUP });
  addOptions(command, CROSS, { defaults: CROSS_SHOWN_DEFAULTS, group: GROUP });
  command.addOption(
    new InputOption('--page-model <file>', "page: a model of chaff train instead of the package's own")
      .argParser(readPageModel)
      .helpGroup(GROUP),
  );
  addOptions(command, PAGE, { group: GROUP });
}

/** Reads a joint model from a file. */
export function readJointModel(path: string): JointModel {
  return readModel(path, decodeJointModel);
}

/** The options of each detector from the flags. */
export function detectorOptionsOf(flags: DetectorFlags): Partial<DetectorOptions> {
  const { seed, crossSeed = seed, textSettings, jointModel, pageModel } = flags;
  const joint: JointOptions = optionsOf(JOINT, flags);
  const page: PageDetectorOptions = optionsOf(PAGE, flags);
  return {
    joint: jointModel === undefined ? joint : { ...joint, model: jointModel },
    dom: optionsOf(DOM, flags),
    text: { ...textSettings, ...optionsOf(TEXT, flags) },
    cross: optionsOf(CROSS, { ...flags, crossSeed }),
    page: pageModel === undefined ? page : { ...page, model: pageModel },
  };
}

/** Adds the options for when verdicts are not trusted, and what replaces them. */
export function addFloorOptions(command: Command): void {
  addOptions(command, FLOORS, { defaults: FLOOR_DEFAULTS, group: GROUP });
}

/** The floors from the flags of `addFloorOptions`. */
export function floorsOf(flags: object): FloorOptions {
  return optionsOf(FLOORS, flags);
}

/** Adds the options of the page-level verdict, for commands without other detectors. */
export function addPageOptions(command: Command): void {
  addOptions(command, PAGE_ALONE);
}

/** The options of the page-level verdict from the flags of `addPageOptions`. */
export function pageOptionsOf(flags: object): PageOptions {
  return optionsOf(PAGE_ALONE, flags);
}

/** Reads a page-level model from a file that `chaff train` has written. */
export function readPageModel(path: string): PageModel {
  return readModel(path, decodePageModel);
}

function readModel<Model>(path: string, decode: (text: string) => Model): Model {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as Error).message}.`);
  }
  try {
    return decode(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
