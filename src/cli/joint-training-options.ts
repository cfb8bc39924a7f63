/** `chaff train --detector joint`: its options and its final message. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { encodeJointModel } from '../detect/joint/joint-model.ts';
import {
  JOINT_TRAINING_DEFAULTS,
  type JointTrainingOptions,
  type JointTrainingResult,
  trainOnArchives,
} from '../evaluate/joint-training.ts';
import { archiveBeside, type GoldFile } from '../evaluate/training-pages.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { type OutputFlags, pageReadOptionsOf, type ReadFlags } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { numberBetween } from './option-table.ts';
import { writeWhole } from './output.ts';
import { InputOption } from './path-options.ts';
import { progressLine } from './progress.ts';
import { runningOptionsOf } from './running-options.ts';
import { printSummary } from './summary.ts';

/** Flags of `addJointTrainingOptions`. */
export interface JointTrainingFlags extends ReadFlags, OutputFlags {
  output: string;
  gold?: string[];
  siteWeight: number;
  seed: number;
}

/** Adds the options of `train --detector joint`. */
export function addJointTrainingOptions(command: Command): void {
  command
    .addOption(
      new InputOption(
        '--gold <file...>',
        'after the inputs; labels of pages, JSON lines with url and text, keep, drop or attributes; the pages are in ' +
          'NAME.warc.gz beside NAME.jsonl, or else in the inputs; NAME.jsonl:0.3 makes them count 0.3 instead of 1',
        (value) => {
          const { file } = splitWeight(value);
          const archive = archiveBeside(file);
          return archive === undefined ? [file] : [file, archive];
        },
      ),
    )
    .option(
      '--site-weight <n>',
      'how much pages of whole sites count',
      numberBetween(0, 1000),
      JOINT_TRAINING_DEFAULTS.siteWeight,
    );
}

/**
 * Trains and writes a joint model. `given`: options whose defaults differ for other models, if the user named them, and
 * the card.
 */
export async function trainJointModel(
  context: Context,
  inputs: string[],
  flags: JointTrainingFlags,
  given: Pick<JointTrainingOptions, 'pages' | 'minPages' | 'minSites' | 'card'>,
): Promise<void> {
  const gold = (flags.gold ?? []).map(goldFileOf);
  if (inputs.length === 0 && gold.length === 0) {
    throw new UsageError('name archives of whole sites to train on, or --gold');
  }
  // sort the files, so that their order does not change the model
  gold.sort((a, b) => (a.file < b.file ? -1 : 1));
  const { stderr } = context.streams;
  const line = progressLine(stderr, flags);
  const result = await trainOnArchives(inputs, {
    ...pageReadOptionsOf(flags),
    ...given,
    gold,
    siteWeight: flags.siteWeight,
    seed: flags.seed,
    ...runningOptionsOf(context, flags, line),
  }).finally(line.clear);
  const text = encodeJointModel(result.model);
  await writeWhole(context, flags.output, text);
  if (!flags.quiet) stderr.write(`${describe(result, flags.output, Buffer.byteLength(text))}\n`);
  for (const warning of warningsOf(result)) stderr.write(`warning: ${warning}\n`);
  printSummary(context, result, flags, { done: 'used' });
}

function goldFileOf(text: string): GoldFile {
  const gold = splitWeight(text);
  if (!existsSync(gold.file)) throw new UsageError(`--gold ${gold.file}: there is no such file`);
  return gold;
}

/** Parses `gold/news.jsonl` or `gold/news.jsonl:0.3`; the name of an existing file is never split. */
function splitWeight(text: string): GoldFile {
  const [, name, weight] = /^(.+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return name === undefined || existsSync(text) ? { file: text } : { file: name, weight: Number(weight) };
}

/** The final message: training data, and figures on held-out hosts. */
function describe(result: JointTrainingResult, output: string, bytes: number): string {
  const { model, sites, sitesTooSmall, sets, pages } = result;
  const { rows, hosts, figures = {} } = model.card;
  const small = sitesTooSmall > 0 ? `; ${countOf(sitesTooSmall, 'site')} had too few pages` : '';
  const parts = [
    ...sets.map(({ name, pages: found }) => ({ name, of: ` of ${name}`, pages: found })),
    ...(sites > 0 ? [{ name: 'whole sites', of: ' of sites', pages: undefined }] : []),
  ];
  const listed = parts.length > 1 ? parts : [];
  const line = (name: string, count: number | undefined, of: string) =>
    [
      name.padEnd(28),
      (count === undefined ? '' : formatCount(count)).padStart(9),
      figureOf(figures[`word F1${of}`]),
      figureOf(figures[`AUC${of}`]),
    ].join(' ');
  return [
    `${output}, ${formatCount(bytes)} bytes: ${countOf(rows, 'block')} of ${countOf(pages, 'page')} of ${countOf(hosts, 'host')}, ${countOf(sites, 'whole site')}${small}`,
    '',
    'first trees, on hosts held out:  pages  word F1     AUC',
    ...listed.map(({ name, of, pages: count }) => line(name, count, of)),
    line('all', pages, ''),
    '',
  ].join('\n');
}

function figureOf(figure: number | undefined): string {
  return (figure === undefined ? '' : figure.toFixed(4)).padStart(8);
}

function warningsOf({ sets }: JointTrainingResult): string[] {
  return sets.flatMap(({ file, rows, pages, unlabelled }) => [
    ...(pages < rows
      ? [`${file}: ${formatCount(rows - pages)} of ${countOf(rows, 'row')} have no page in the archives`]
      : []),
    ...(unlabelled > 0
      ? [`${file}: ${countOf(unlabelled, 'row')} without text, keep, drop or attributes left out`]
      : []),
  ]);
}
