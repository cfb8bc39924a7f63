/** `chaff train`: a page-level model from any archive of several sites. */
import { Command, InvalidArgumentError } from 'commander';
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
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  type OutputFlags,
  type ReadFlags,
  readOptionsOf,
} from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addSampleOptions } from './job-options.ts';
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
import { checkOutputFile, openOutput } from './output.ts';
import { addPresetOption, type PresetFlag } from './presets/preset.ts';
import { progressLine } from './progress.ts';
import { printSummary, problemPrinter } from './summary.ts';

interface TrainFlags extends ReadFlags, OutputFlags, LayoutFlags, PresetFlag {
  output: string;
  features: FeatureSet;
  sample: number;
  seed: number;
  snapshot: SnapshotRule;
  name?: string;
  about?: string;
  date?: string;
  workers: number;
}

const TRAINING: OptionTable<TrainOptions> = {
  classifier: [
    '--classifier <name>',
    'four logistic regressions by area, as in the paper, or boosted trees',
    CLASSIFIERS,
  ],
  features: ['--features <set>', 'all 90, or the 15 that the paper names', FEATURE_SETS],
  calibration: [
    '--calibration <kind>',
    'of scores, on sites held out: platt, or none: probabilities of the classifier, as in the paper',
    CALIBRATIONS,
  ],
  nodes: [
    '--nodes <which>',
    'examples, and nodes that the model judges: blocks with words, or all of 2,000 px² and more, as in the paper',
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
    'html: over 85 % of the HTML in templates of dom; sitelevel: … of dom as in the paper; any: of the text, by dom, text or frequency',
    LABEL_RULES,
  ],
  share: ['--share <share>', 'share of the pages of a site that makes a node template', share],
  pages: ['--pages <n>', 'pages of a sample to train with', wholeNumber(1, 1e6)],
  minPages: ['--min-pages <n>', 'sites of fewer pages are left out', wholeNumber(2, 1e6)],
  minSites: ['--min-sites <n>', 'fewer sites with pages to train with are refused', wholeNumber(2, 1e6)],
  allPages: [
    '--all-pages',
    'train also with pages that repeat another, or of which nothing would be left',
    ON,
  ],
  weights: ['--weights <of>', 'what counts the same: every site, or every node', WEIGHTINGS],
  siteRows: ['--site-rows <n>', 'most nodes of a site snapshot', wholeNumber(10, 1e6)],
  rows: ['--rows <n>', 'most nodes in all: memory', wholeNumber(100, 1e7)],
};

/** Features told of at the end. */
const TOLD_FEATURES = 10;

export function trainCommand(context: Context): Command {
  const command = new Command('train')
    .summary('a page-level model from any archive')
    .description(
      'Learns the templates of every site of the inputs, labels the nodes of their pages by them, and trains ' +
        'classifiers that tell template from content on pages of other sites (docs/page-level.md). The more sites ' +
        'the better: a model of a few knows those.',
    );
  addReadOptions(command);
  command.requiredOption('-o, --output <file>', 'the model to write, as JSON');
  addSampleOptions(command, 'which captures of a site belong together');
  addOptions(command, TRAINING, { defaults: TRAIN_DEFAULTS });
  command
    .option('--name <text>', "the model's name, for its card")
    .option('--about <text>', 'what it is trained on, for its card')
    .option('--date <day>', 'the day on its card, as 2026-11-30; today when not given', day);
  addPresetOption(command, ['chakrabarti-2007']);
  addLayoutOptions(command);
  addWorkerOption(command);
  addVerbosityOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff train 'sites/*.warc.gz' -o page.json
  chaff train 'sites/*.warc.gz' --classifier trees -o page.json
  chaff train 'sites/*.warc.gz' --preset chakrabarti-2007 -o page.json
  chaff train crawl/ --site domain --sample 50 --min-pages 20 -o page.json
  chaff page --model page.json article.html`,
    )
    .action((inputs: string[], flags: TrainFlags) => train(context, inputs, flags));
}

async function train(context: Context, inputs: string[], flags: TrainFlags): Promise<void> {
  const { stderr, stdin } = context.streams;
  if (readLayoutRule(flags.site)) {
    throw new UsageError('sites that share a design are one site here: --site host, domain or path:N');
  }
  if (flags.output !== '-') checkOutputFile('-o', flags.output);
  const line = progressLine(stderr, flags);
  const result = await runTrain(inputs, {
    ...readOptionsOf(flags),
    ...optionsOf(TRAINING, flags),
    layout: flags.layout,
    browser: browserOptionsOf(flags),
    sample: flags.sample,
    seed: flags.seed,
    snapshot: flags.snapshot,
    card: cardOf(flags),
    workers: flags.workers,
    signal: context.signal,
    stdin,
    onProgress: line.update,
    onProblem: problemPrinter(context, flags),
  }).finally(line.clear);
  const text = encodePageModel(result.model);
  const output = openOutput(context, flags.output);
  try {
    await output.write(text);
    await output.commit();
  } finally {
    output.discard();
  }
  if (!flags.quiet) stderr.write(`${describe(result, flags, Buffer.byteLength(text))}\n`);
  const warning = warningOf(result.checked);
  if (warning !== undefined) stderr.write(`warning: ${flags.output}: ${warning}\n`);
  printSummary(context, result, flags, { done: 'used' });
}

function cardOf({ name, about, date }: TrainFlags) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(about === undefined ? {} : { data: about }),
    ...(date === undefined ? {} : { date }),
  };
}

/** What the model is made of, how good it is on sites held out, and what it goes by. */
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
  const telling = [...featuresOf(features).entries()]
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
    ...telling,
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
