/** Options of commands that run detectors over archives, and the job that the flags define. */
import { type Command, Option } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { DETECTOR_NAMES } from '../detect/index.ts';
import type { PageModel } from '../detect/page/page-model.ts';
import type { TextOptions } from '../detect/text-settings.ts';
import {
  DEFAULT_DETECTOR,
  DEFAULT_SAMPLE_PAGES,
  type JobOptions,
  LEARN_FROM,
  type LearnFrom,
} from '../run/job.ts';
import { DEFAULT_SNAPSHOT_RULE, parseSnapshotRule, type SnapshotRule } from '../store/snapshot-rule.ts';
import { LINKS_BY, type LinksBy } from '../study/shares.ts';
import { type ReadFlags, readOptionsOf } from './common-options.ts';
import { UsageError } from './context.ts';
import { addDetectorOptions, addFloorOptions, detectorOptionsOf, floorsOf } from './detector-options.ts';
import { parsedBy, wholeNumber } from './option-table.ts';
import { addPresetOption, type PresetFlag } from './presets/preset.ts';

/** Flags of `addJobOptions`. */
export interface JobFlags extends ReadFlags, PresetFlag {
  detector: DetectorName;
  snapshot: SnapshotRule;
  sample: number;
  seed: number;
  learnFrom: LearnFrom;
  limit?: number;
  linksBy: LinksBy;
  textSettings: TextOptions;
  pageModel?: PageModel;
  crossSeed?: number;
}

interface AddJobOptions<Flags> {
  /** Whether the command has `--limit`, because it labels pages. @default true */
  limit?: boolean;
  /** Default of `--detector`. @default 'joint' */
  detector?: DetectorName;
  /** All detectors that the command runs. @default that of `--detector` */
  detectorsOf?: (flags: Flags) => readonly DetectorName[];
}

/** Adds the options of a job: detectors, sample, snapshots and presets. */
export function addJobOptions<Flags extends JobFlags>(
  command: Command,
  {
    limit = true,
    detector = DEFAULT_DETECTOR,
    detectorsOf = (flags) => [flags.detector],
  }: AddJobOptions<Flags> = {},
): Command {
  command.addOption(
    new Option(
      '--detector <name>',
      'the method that separates content from template (docs/research/joint.md); none keeps everything',
    )
      .choices(DETECTOR_NAMES)
      .default(detector),
  );
  addSampleOptions(command, 'which captures of a site are compared with each other');
  command.addOption(
    new Option('--links-by <what>', 'count a link as template by its first text, or by its start tag')
      .choices(LINKS_BY)
      .default('text'),
  );
  command.addOption(
    new Option(
      '--learn-from <which>',
      'learn a site from all its pages, or only from those that --include and --exclude select',
    )
      .choices(LEARN_FROM)
      .default('all'),
  );
  if (limit) {
    const meaning = 'stop after this many pages; sites are still learnt from all their pages';
    command.option('--limit <pages>', meaning, wholeNumber(1));
  }
  addDetectorOptions(command);
  addPresetOption(command, ['gibson-2005', 'lesniak-2017', 'chakrabarti-2007']);
  addFloorOptions(command);
  // after the preset, which may set the detector
  return command.hook('preAction', (_, acting) =>
    checkDetectorFlags(acting, detectorsOf(acting.opts<Flags>())),
  );
}

/**
 * Throws for options of a detector that does not run, because they would have no effect. A model determines its
 * detector, and `page` is a fallback of others.
 */
function checkDetectorFlags(command: Command, detectors: readonly DetectorName[]): void {
  const given = flagsGiven(command);
  if (given.includes('--detector') || given.includes('--model')) return;
  for (const flag of given) {
    const owner = /^--(joint|dom|text|cross)-/.exec(flag)?.[1] as DetectorName | undefined;
    if (owner === undefined || detectors.includes(owner)) continue;
    throw new UsageError(
      `${flag} is an option of ${owner}, but the detector is ${detectors.join(' and ')}: add --detector ${owner}`,
    );
  }
}

/** The options that the user named, even with their default value. */
export function flagsGiven(command: Command): string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long ?? '');
}

/** Adds the options for which pages a site is learnt from. @param seed whether to add `--seed`. @default true */
export function addSampleOptions(command: Command, ofSnapshot: string, { seed = true } = {}): void {
  command
    .option(
      '--snapshot <rule>',
      `${ofSnapshot}: all, year, month, day or gap:DAYS`,
      parsedBy(parseSnapshotRule),
      DEFAULT_SNAPSHOT_RULE,
    )
    .option(
      '--sample <pages>',
      'pages that a site is learnt from, at most',
      wholeNumber(2, 1e6),
      DEFAULT_SAMPLE_PAGES,
    );
  if (seed) command.option('--seed <n>', 'draw another sample of pages', wholeNumber(0, 2 ** 31), 0);
}

/** The job options from the flags. */
export function jobOptionsOf(flags: JobFlags): JobOptions {
  const { detector, snapshot, sample, seed, limit, preset, learnFrom, linksBy } = flags;
  return {
    ...readOptionsOf(flags),
    preset,
    detectors: [detector],
    detectorOptions: detectorOptionsOf(flags),
    floors: floorsOf(flags),
    snapshot,
    sample,
    learnFrom,
    linksBy,
    seed,
    limit,
  };
}
