/** The options of commands that run detectors over archives, and the job they ask for. */
import { type Command, Option } from 'commander';
import {
  FALLBACKS,
  type Fallback,
  FLOOR_DEFAULTS,
  type FloorOptions,
} from '../detect/confidence-fallback.ts';
import type { DetectorName } from '../detect/detector.ts';
import {
  DOM_BOUNDS,
  DOM_DEFAULTS,
  type DomBounds,
  type DomOptions,
  type Evidence,
} from '../detect/dom-settings.ts';
import { DETECTOR_NAMES } from '../detect/index.ts';
import {
  formatTextSettings,
  parseTextSettings,
  TEXT_COUNTS,
  TEXT_CUTS,
  TEXT_DEFAULTS,
  type TextCount,
  type TextCut,
  type TextOptions,
} from '../detect/text-settings.ts';
import {
  DEFAULT_DETECTORS,
  DEFAULT_SAMPLE_PAGES,
  type JobOptions,
  LEARN_FROM,
  type LearnFrom,
} from '../run/job.ts';
import { DEFAULT_SNAPSHOT_RULE, parseSnapshotRule, type SnapshotRule } from '../store/snapshot-rule.ts';
import { LINKS_BY, type LinksBy } from '../study/shares.ts';
import {
  numberBetween,
  optionAdder,
  parsedBy,
  type ReadFlags,
  readOptionsOf,
  wholeNumber,
} from './common-options.ts';
import { addCrossOptions, type CrossFlags, crossOptionsOf } from './cross-options.ts';
import { addPageDetectorOptions, type PageDetectorFlags, pageDetectorOptionsOf } from './page-options.ts';
import { addPresetOption, type PresetFlag } from './presets/preset.ts';

export interface FloorFlags {
  minPages: number;
  minLeft: number;
  minLeftShare: number;
  fallback: Fallback;
}

export interface JobFlags extends ReadFlags, FloorFlags, PageDetectorFlags, PresetFlag, CrossFlags {
  detector: DetectorName;
  snapshot: SnapshotRule;
  sample: number;
  seed: number;
  learnFrom: LearnFrom;
  limit?: number;
  textSettings: TextOptions;
  textExactFrequency?: boolean;
  textMinFrequency: number;
  textSplitWords?: boolean;
  textCut: TextCut;
  textCount: TextCount;
  linksBy: LinksBy;
  domLower: number;
  domMinPages: number;
  domUpper: number;
  domTrivial: number;
  domBounds: DomBounds;
  domEvidence: Evidence;
  domGap: number;
  domGapText: number;
}

const DETECTOR_GROUP = 'Detectors:';

/** @param limit whether pages are labelled, of which there may be a most. @default true */
export function addJobOptions(command: Command, { limit = true } = {}): Command {
  const { add, choose } = optionAdder(command, DETECTOR_GROUP);
  command.addOption(
    new Option('--detector <name>', 'whose labels decide what is kept')
      .choices(DETECTOR_NAMES)
      .default(DEFAULT_DETECTORS[0]),
  );
  command
    .option(
      '--snapshot <rule>',
      'which captures of a site are compared: all, year, month, day or gap:DAYS',
      parsedBy(parseSnapshotRule),
      DEFAULT_SNAPSHOT_RULE,
    )
    .option(
      '--sample <pages>',
      'pages a site snapshot is learnt from',
      wholeNumber(2, 1e6),
      DEFAULT_SAMPLE_PAGES,
    )
    .option('--seed <n>', 'another seed draws another sample', wholeNumber(0, 2 ** 31), 0);
  command.addOption(
    new Option('--links-by <what>', 'a link is inside a template by its first text, or by its start tag')
      .choices(LINKS_BY)
      .default('text'),
  );
  command.addOption(
    new Option(
      '--learn-from <which>',
      'learn sites from all their pages, or only from those that --include and --exclude select',
    )
      .choices(LEARN_FROM)
      .default('all'),
  );
  if (limit) {
    command.option(
      '--limit <pages>',
      'label at most so many pages; sites are learnt from all of theirs',
      wholeNumber(1),
    );
  }
  command.addOption(
    new Option('--text-settings <W.F.D.P>', 'text: window, frequency, density, pages')
      .argParser(parsedBy(parseTextSettings))
      .default({}, formatTextSettings(TEXT_DEFAULTS))
      .helpGroup(DETECTOR_GROUP),
  );
  command.addOption(
    new Option('--text-exact-frequency', 'text: keep F as it is on sites with fewer than P pages').helpGroup(
      DETECTOR_GROUP,
    ),
  );
  command.addOption(
    new Option('--text-split-words', 'text: let templates begin and end within words').helpGroup(
      DETECTOR_GROUP,
    ),
  );
  choose(
    '--text-cut <where>',
    'text: cut templates where the number of pages halves, or none, as in the paper',
    TEXT_CUTS,
    TEXT_DEFAULTS.cut,
  );
  choose(
    '--text-count <what>',
    'text: F counts pages, or occurrences, as in the paper',
    TEXT_COUNTS,
    TEXT_DEFAULTS.count,
  );
  add(
    '--text-min-frequency <pages>',
    'text: F is not lowered below this',
    wholeNumber(2),
    TEXT_DEFAULTS.minFrequency,
  );
  add(
    '--dom-lower <share>',
    'dom: share of pages that make a node template',
    numberBetween(0, 1),
    DOM_DEFAULTS.lowerShare,
  );
  add('--dom-min-pages <n>', 'dom: never fewer pages than this', wholeNumber(2), DOM_DEFAULTS.minPages);
  add(
    '--dom-upper <times>',
    'dom: occurrences per page that rule out tiny nodes',
    numberBetween(0, 1e6),
    DOM_DEFAULTS.upperShare,
  );
  add(
    '--dom-trivial <bytes>',
    'dom: a node without text is tiny up to this size',
    wholeNumber(0),
    DOM_DEFAULTS.trivialBytes,
  );
  command.addOption(
    new Option(
      '--dom-evidence <kind>',
      'dom: content, as in the paper, or place: at one place on enough pages',
    )
      .choices(['content', 'place'])
      .default(DOM_DEFAULTS.evidence)
      .helpGroup(DETECTOR_GROUP),
  );
  choose(
    '--dom-bounds <of>',
    'dom: both thresholds bound occurrences of every-node, as in the paper, or the upper one only small-nodes',
    DOM_BOUNDS,
    DOM_DEFAULTS.bounds,
  );
  add(
    '--dom-gap <bytes>',
    'dom: join siblings across changing HTML up to this',
    wholeNumber(0),
    DOM_DEFAULTS.gapBytes,
  );
  add(
    '--dom-gap-text <bytes>',
    'dom: … and changing text up to this',
    wholeNumber(0),
    DOM_DEFAULTS.gapTextBytes,
  );
  addCrossOptions(command, DETECTOR_GROUP);
  addPageDetectorOptions(command, DETECTOR_GROUP);
  addPresetOption(command, ['gibson-2005', 'lesniak-2017', 'chakrabarti-2007']);
  add(
    '--min-pages <n>',
    'fewer pages of a site: the fall-back decides',
    wholeNumber(0),
    FLOOR_DEFAULTS.minSitePages,
  );
  add('--min-left <bytes>', 'less text and …', wholeNumber(0), FLOOR_DEFAULTS.minTextBytes);
  add(
    '--min-left-share <share>',
    '… a smaller share left of a page: the fall-back decides',
    numberBetween(0, 1),
    FLOOR_DEFAULTS.minTextShare,
  );
  command.addOption(
    new Option('--fallback <name>', 'the page-level verdict, or unsure: everything is kept')
      .choices(FALLBACKS)
      .default(FLOOR_DEFAULTS.fallback)
      .helpGroup(DETECTOR_GROUP),
  );
  return command;
}

/** The job that the flags ask for, with the chosen detector first. */
export function jobOptionsOf(flags: JobFlags, { alsoRun = [] as readonly DetectorName[] } = {}): JobOptions {
  const { detector, snapshot, sample, seed, limit, preset } = flags;
  return {
    ...readOptionsOf(flags),
    preset,
    detectors: [detector, ...alsoRun.filter((name) => name !== detector)],
    detectorOptions: {
      dom: domOptionsOf(flags),
      text: textOptionsOf(flags),
      cross: crossOptionsOf(flags, seed),
      page: pageDetectorOptionsOf(flags),
    },
    floors: floorsOf(flags),
    snapshot,
    sample,
    learnFrom: flags.learnFrom,
    linksBy: flags.linksBy,
    seed,
    limit,
  };
}

function domOptionsOf(flags: JobFlags): DomOptions {
  return {
    lowerShare: flags.domLower,
    minPages: flags.domMinPages,
    upperShare: flags.domUpper,
    bounds: flags.domBounds,
    trivialBytes: flags.domTrivial,
    evidence: flags.domEvidence,
    gapBytes: flags.domGap,
    gapTextBytes: flags.domGapText,
  };
}

function textOptionsOf(flags: JobFlags): TextOptions {
  return {
    ...flags.textSettings,
    minFrequency: flags.textMinFrequency,
    scaleFrequency: !flags.textExactFrequency,
    wholeWords: !flags.textSplitWords,
    cut: flags.textCut,
    count: flags.textCount,
  };
}

export function floorsOf(flags: FloorFlags): FloorOptions {
  const { minPages, minLeft, minLeftShare, fallback } = flags;
  return { minSitePages: minPages, minTextBytes: minLeft, minTextShare: minLeftShare, fallback };
}
