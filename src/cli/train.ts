/** `chaff train`: trains a page-level model from archives of several sites, or a joint model, also from gold. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { FEATURE_SETS, type FeatureSet, featuresOf, NODE_CHOICES } from '../detect/page/feature-list.ts';
import { CALIBRATIONS, CLASSIFIERS } from '../detect/page/fit-classifiers.ts';
import { encodePageModel } from '../detect/page/page-model.ts';
import { PENALTY_KINDS } from '../detect/page/section-penalty.ts';
import { LABEL_RULES } from '../detect/page/site-labels.ts';
import type { ClassifierFigures } from '../learn/calibration.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { readLayoutRule } from '../model/site.ts';
import { WEIGHTINGS } from '../run/stages/train-stages.ts';
import {
  runTrain,
  TRAIN_DEFAULTS,
  type TrainOptions,
  type TrainResult,
  warningOf,
} from '../run/train-run.ts';
import type { SnapshotRule } from '../store/snapshot-rule.ts';
import { addReadOptions, addVerbosityOptions, addWorkerOption, readOptionsOf } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addSampleOptions } from './job-options.ts';
import {
  addJointTrainingOptions,
  type JointTrainingFlags,
  trainJointModel,
} from './joint-training-options.ts';
import { addLayoutOptions, browserOptionsOf, type LayoutFlags } from './layout-options.ts';
import {
  addOptions,
  numberBetween,
  ON,
  type OptionTable,
  optionsOf,
  share,
  wholeNumber,
} from './option-table.ts';
import { writeWhole } from './output.ts';
import { OutputOption, overwriteOption } from './path-options.ts';
import { addPresetOption, type PresetFlag } from './presets/preset.ts';
import { progressLine } from './progress.ts';
import { runningOptionsOf } from './running-options.ts';
import { printSummary } from './summary.ts';

interface TrainFlags extends JointTrainingFlags, LayoutFlags, PresetFlag {
  detector: 'page' | 'joint';
  features: FeatureSet;
  sample: number;
  snapshot: SnapshotRule;
  name?: string;
  about?: string;
  date?: string;
  workers: number;
}

/** Options of both detectors. */
const EITHER: OptionTable<TrainOptions> = {
  pages: ['--pages <n>', 'pages of a site to train with; joint takes 60 when not given', wholeNumber(1, 1e6)],
  minPages: [
    '--min-pages <n>',
    'sites of fewer pages are left out; joint: 11 when not given, fewer cannot label themselves',
    wholeNumber(2, 1e6),
  ],
  minSites: [
    '--min-sites <n>',
    'fewer sites with pages to train with are refused; joint: without gold',
    wholeNumber(2, 1e6),
  ],
};

const TRAINING: OptionTable<TrainOptions> = {
  classifier: [
    '--classifier <name>',
    'four logistic regressions by area, as in the paper, or boosted trees',
    CLASSIFIERS,
  ],
  features: ['--features <set>', 'all 90, or the 15 that the paper names', FEATURE_SETS],
  calibration: [
    '--calibration <kind>',
    'calibration of the scores on held-out sites; none keeps the probabilities of the classifier, as in the paper',
    CALIBRATIONS,
  ],
  nodes: [
    '--nodes <which>',
    'nodes that are examples and are judged: blocks with words, or all of 2,000 px² and more, as in the paper',
    NODE_CHOICES,
  ],
  penalty: [
    '--penalty-constant <c>',
    'constant of the penalty that the model smooths with; 0.01, as in the paper, when not given (trees: 0.0005)',
    numberBetween(0, 1000),
  ],
  penaltyKind: [
    '--penalty-kind <kind>',
    'what that penalty depends on: area, as in the paper, and others',
    PENALTY_KINDS,
  ],
  labels: [
    '--labels <rule>',
    'a node is template when over 85 % of its HTML is, by dom (html) or by dom as in the paper (sitelevel), or of its text, by dom, text or frequency (any)',
    LABEL_RULES,
  ],
  share: ['--share <share>', 'share of the pages of a site that makes a node template', share],
  allPages: [
    '--all-pages',
    'train also with pages that repeat another, or of which nothing would be left',
    ON,
  ],
  weights: ['--weights <of>', 'what weighs the same: every site, or every node', WEIGHTINGS],
  siteRows: ['--site-rows <n>', 'most nodes of a site snapshot', wholeNumber(10, 1e6)],
  rows: ['--rows <n>', 'most nodes in total; limits the memory', wholeNumber(100, 1e7)],
};

/** Maximum number of features in the final message. */
const TOLD_FEATURES = 10;

/** Declares the command `train`. */
export function trainCommand(context: Context): Command {
  const command = new Command('train')
    .summary('train the model that pages are judged with, from your own archives')
    .description(
      'Makes the model that a detector judges pages with, from pages of many sites; the more sites the better.\n\n' +
        'page (docs/research/page-level.md): learns the templates of every site of the inputs, labels the nodes of their pages by ' +
        'them, and trains classifiers that separate template from content.\n\n' +
        'joint (docs/research/joint.md): trains on blocks of pages. Pages of whole sites label themselves: a paragraph that one ' +
        'page has is content, a text that the site repeats is not. --gold adds pages that people have labelled.',
    );
  addReadOptions(command, { optional: true });
  command
    .addOption(new OutputOption('-o, --output <file>', 'model file to write, as JSON').makeOptionMandatory())
    .addOption(overwriteOption())
    .addOption(
      new Option(
        '--detector <name>',
        'the detector that the model is for: chaff page --model, or --joint-model',
      )
        .choices(['page', 'joint'])
        .default('page'),
    );
  command
    .option('--seed <n>', 'another seed draws other pages of the sites', wholeNumber(0, 2 ** 31), 0)
    .option('--name <text>', "the model's name, for its card")
    .option('--about <text>', 'what it is trained on, for its card')
    .option('--date <day>', 'the day on its card, as 2026-11-30; today when not given', day);
  addOptions(command, EITHER, { defaults: TRAIN_DEFAULTS });
  addWorkerOption(command);
  addVerbosityOptions(command);
  command.optionsGroup(groupOf('joint'));
  addJointTrainingOptions(command);
  command.optionsGroup(groupOf('page'));
  addOptions(command, TRAINING, { defaults: TRAIN_DEFAULTS });
  addSampleOptions(command, 'which captures of a site belong together', { seed: false });
  addPresetOption(command, ['chakrabarti-2007']);
  addLayoutOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff train 'sites/*.warc.gz' -o page.json
  chaff page --model page.json article.html
  chaff train 'sites/*.warc.gz' --classifier trees -o trees.json
  chaff train 'sites/*.warc.gz' --preset chakrabarti-2007 --min-pages 8 -o paper.json
  chaff train 'sites/*.warc.gz' --detector joint -o joint.json
  chaff strip crawl.warc.gz --joint-model joint.json > clean.jsonl
  chaff train 'sites/*.warc.gz' --detector joint --gold gold/news.jsonl gold/old.jsonl:0.3 -o gold.json`,
    )
    .action((inputs: string[], flags: TrainFlags) => train(context, inputs, flags, command));
}

async function train(context: Context, inputs: string[], flags: TrainFlags, command: Command): Promise<void> {
  if (readLayoutRule(flags.site)) {
    throw new UsageError('chaff train does not group pages by layout: --site must be host, domain or path:N');
  }
  refuseOthers(command, flags.detector);
  if (flags.detector === 'joint') {
    const card = { date: new Date().toISOString().slice(0, 10), ...cardOf(flags) };
    return trainJointModel(context, inputs, flags, { ...givenOf(command), card });
  }
  if (inputs.length === 0) throw new UsageError('name the archives to train on');
  return trainPageModel(context, inputs, flags);
}

/** Options of both detectors that the user named; their declared defaults are those of `page`. */
function givenOf(command: Command): Pick<TrainOptions, 'pages' | 'minPages' | 'minSites'> {
  const given = Object.entries(command.opts()).filter(
    ([name]) => name in EITHER && command.getOptionValueSource(name) === 'cli',
  );
  return Object.fromEntries(given);
}

/** Heading of the options of only one detector. */
function groupOf(detector: TrainFlags['detector']): string {
  return `Options of ${detector}:`;
}

/** Throws for options of the other detector, which would have no effect. */
function refuseOthers(command: Command, detector: TrainFlags['detector']): void {
  const other = detector === 'page' ? 'joint' : 'page';
  const wrong = command.options.find(
    (option) =>
      option.helpGroupHeading === groupOf(other) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (wrong) throw new UsageError(`${wrong.long} is an option of --detector ${other}`);
}

async function trainPageModel(context: Context, inputs: string[], flags: TrainFlags): Promise<void> {
  const { stderr } = context.streams;
  const line = progressLine(stderr, flags);
  const result = await runTrain(inputs, {
    ...readOptionsOf(flags),
    ...optionsOf(EITHER, flags),
    ...optionsOf(TRAINING, flags),
    layout: flags.layout,
    browser: browserOptionsOf(flags),
    sample: flags.sample,
    seed: flags.seed,
    snapshot: flags.snapshot,
    card: cardOf(flags),
    ...runningOptionsOf(context, flags, line),
  }).finally(line.clear);
  const text = encodePageModel(result.model);
  await writeWhole(context, flags.output, text);
  if (!flags.quiet) stderr.write(`${describe(result, flags, Buffer.byteLength(text))}\n`);
  const warning = warningOf(result.checked);
  if (warning !== undefined) stderr.write(`warning: ${flags.output}: ${warning}\n`);
  printSummary(context, result, flags, { done: 'used' });
}

/** Fields of the model's card; the flag `about` becomes `data`. */
function cardOf({ name, about, date }: TrainFlags) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(about === undefined ? {} : { data: about }),
    ...(date === undefined ? {} : { date }),
  };
}

/** The final message: training data, figures on held-out sites, and the most important features. */
function describe(result: TrainResult, { output, features }: TrainFlags, bytes: number): string {
  const { model, classes, figures, sites, sitesTooSmall, rows, pages, checked } = result;
  const rowsOf = classes.map(({ figures: own }, k): [string, ClassifierFigures] => [
    areaName(k, model.areaBounds),
    own,
  ]);
  const table = [...rowsOf, ['all', figures] as [string, ClassifierFigures]].map(([name, own]) =>
    [
      name.padEnd(28),
      formatCount(own.rows).padStart(9),
      percent(own.share),
      percent(own.accuracy),
      own.auc.toFixed(3).padStart(7),
      own.logLoss.toFixed(3).padStart(9),
    ].join(' '),
  );
  const strongest = [...featuresOf(features).entries()]
    .map(([k, { name, about }]) => ({ name, about, weight: model.importance[k] }))
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
    .slice(0, TOLD_FEATURES)
    .map(({ name, about, weight }) => `  ${weight.toFixed(4)}  ${name}: ${about}`);
  const small = sitesTooSmall > 0 ? `; ${countOf(sitesTooSmall, 'site')} had too few pages` : '';
  return [
    `${output}, ${formatCount(bytes)} bytes: ${countOf(rows, 'node')} of ${countOf(pages, 'page')} of ${countOf(sites, 'site')}${small}`,
    '',
    'on sites held out, by area:      nodes template accuracy    AUC  log loss',
    ...table,
    '',
    'what shuffling a feature takes off the AUC:',
    ...strongest,
    '',
    `almost no text is left of ${formatCount(checked.empty)} of ${countOf(checked.pages, 'page')} of sites held out`,
    '',
  ].join('\n');
}

function areaName(areaClass: number, bounds: readonly number[]): string {
  const from = areaClass === 0 ? undefined : bounds[areaClass - 1];
  const to = bounds[areaClass];
  if (from === undefined && to === undefined) return 'of any area';
  if (from === undefined) return `under ${formatCount(to)} px²`;
  return to === undefined
    ? `from ${formatCount(from)} px²`
    : `${formatCount(from)} to ${formatCount(to)} px²`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`.padStart(8);
}

function day(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It must be a day such as 2026-11-30.');
}
