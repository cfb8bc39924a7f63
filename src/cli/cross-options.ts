/** The options of the cross detector. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { DOWN_RULES, type DownRule } from '../analysis/choose-arms.ts';
import { LAYOUT_TOKENS, type LayoutTokens } from '../analysis/layout-signer.ts';
import {
  CROSS_DEFAULTS,
  CROSS_DIFFS,
  CROSS_LENGTHS,
  CROSS_VARIANTS,
  type CrossDiff,
  type CrossLengths,
  type CrossOptions,
  type CrossVariant,
  parseSiteThresholds,
} from '../detect/cross/cross-settings.ts';
import { numberBetween, optionAdder, parsedBy, wholeNumber } from './common-options.ts';

export interface CrossFlags {
  crossVariant: CrossVariant;
  crossThreshold: number;
  crossThresholds?: Record<string, number>;
  crossPages: number;
  crossTokens?: LayoutTokens;
  crossDown: DownRule;
  crossDiff: CrossDiff;
  crossLengths: CrossLengths;
  crossRows: number;
  crossNeighbours: number;
  crossTrees: number;
  crossSeed?: number;
  crossBuckets?: boolean;
}

export function addCrossOptions(command: Command, group: string): void {
  const { add, choose } = optionAdder(command, group);
  choose(
    '--cross-variant <name>',
    'cross: T001 to T006 as in the thesis, or T007, ours',
    CROSS_VARIANTS,
    CROSS_DEFAULTS.variant,
  );
  add(
    '--cross-threshold <share>',
    'cross: similarity of layouts that makes a neighbour',
    numberBetween(0, 1),
    CROSS_DEFAULTS.threshold,
  );
  add(
    '--cross-thresholds <file>',
    'cross: the same for some sites, a CSV file of site,threshold',
    parsedBy((path) => parseSiteThresholds(readFileSync(path, 'utf8'))),
  );
  add(
    '--cross-pages <n>',
    'cross: sampled captures of a site kept to compare with',
    wholeNumber(2, 1000),
    CROSS_DEFAULTS.neighbourPages,
  );
  choose(
    '--cross-tokens <kind>',
    'cross: what layouts are compared by (default: layers for T001 to T006, paths for T007)',
    LAYOUT_TOKENS,
  );
  choose(
    '--cross-down <rule>',
    'cross: down is of another page than up where there is one, or any capture, as in the thesis',
    DOWN_RULES,
    CROSS_DEFAULTS.down,
  );
  choose(
    '--cross-diff <name>',
    'cross: tags and words, moved blocks too, or words as lxml does it, as in the thesis',
    CROSS_DIFFS,
    CROSS_DEFAULTS.diff,
  );
  choose(
    '--cross-lengths <unit>',
    "cross: text of features in bytes, or in characters with Kohlschütter's density",
    CROSS_LENGTHS,
    CROSS_DEFAULTS.lengths,
  );
  add(
    '--cross-rows <n>',
    'cross: most texts of a page that a classifier is trained on',
    wholeNumber(10, 100_000),
    CROSS_DEFAULTS.trainingRows,
  );
  add(
    '--cross-neighbours <k>',
    'cross, T003 to T005: nearest neighbours that vote',
    wholeNumber(1, 1000),
    CROSS_DEFAULTS.neighbours,
  );
  add(
    '--cross-trees <n>',
    'cross, T006 and T007: trees of the random forest',
    wholeNumber(1, 1000),
    CROSS_DEFAULTS.trees,
  );
  add(
    '--cross-seed <n>',
    'cross: seed of the random forest (default: that of --seed)',
    wholeNumber(0, 2 ** 31),
  );
  command.addOption(
    new Option(
      '--cross-buckets',
      'cross, T001 to T006: compare in each LSH bucket of a page and merge',
    ).helpGroup(group),
  );
}

/** @param seed that of the sample, which is also the forest's unless it has its own */
export function crossOptionsOf(flags: CrossFlags, seed: number): CrossOptions {
  return {
    variant: flags.crossVariant,
    threshold: flags.crossThreshold,
    ...(flags.crossThresholds && { siteThresholds: flags.crossThresholds }),
    neighbourPages: flags.crossPages,
    ...(flags.crossTokens && { tokens: flags.crossTokens }),
    down: flags.crossDown,
    diff: flags.crossDiff,
    lengths: flags.crossLengths,
    trainingRows: flags.crossRows,
    neighbours: flags.crossNeighbours,
    trees: flags.crossTrees,
    seed: flags.crossSeed ?? seed,
    buckets: flags.crossBuckets ?? false,
  };
}
