/** `chaff eval`: detectors against gold, and the gate that keeps a figure from falling unnoticed. */
import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { CHOICE_NAMES, detectorChoice } from '../evaluate/detector-choice.ts';
import { renderEvalTable } from '../evaluate/eval-table.ts';
import { type EvalResult, evaluate } from '../evaluate/evaluate.ts';
import { type Baseline, checkGate, readBaseline, updateFloors, writeBaseline } from '../evaluate/gate.ts';
import type { HostHalf } from '../evaluate/gold.ts';
import { countOf } from '../model/count-of.ts';
import { isLoss } from '../model/problem.ts';
import { DEFAULT_DETECTORS } from '../run/job.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  type OutputFlags,
  pageReadOptionsOf,
} from './common-options.ts';
import type { Context } from './context.ts';
import { DONE_WITH_LOSSES, FAILED, UsageError } from './exit-codes.ts';
import { addJobOptions, floorsOf, type JobFlags, jobOptionsOf } from './job-options.ts';
import { progressLine } from './progress.ts';
import { write } from './streams.ts';
import { printProblem } from './summary.ts';

interface EvalFlags extends JobFlags, OutputFlags {
  gold: string[];
  detectors: string[];
  sites?: boolean;
  classes?: boolean;
  crosses?: boolean;
  documents?: boolean;
  templates?: boolean;
  half?: HostHalf;
  format: 'table' | 'json';
  gate?: string;
  corpus?: string;
  update?: boolean;
  lower?: boolean;
}

export function evalCommand(context: Context): Command {
  const command = new Command('eval')
    .summary('score detectors against gold')
    .description(
      'Labels the pages of the inputs and compares their clean text with gold rows (docs/evaluation.md).',
    );
  addReadOptions(command);
  command
    // several values, for globs of the shell: what comes after it is no input
    .requiredOption(
      '--gold <file...>',
      'after the inputs; gold rows: JSON lines with url and text, keep, drop or blocks',
    )
    .addOption(
      new Option(
        '--detectors <name...>',
        'detectors to score, beside none; T001 to T007 are variants of cross, page-basic, page-merge and page-smooth of page',
      )
        .choices(CHOICE_NAMES)
        .default([...DEFAULT_DETECTORS]),
    )
    .option('--sites', 'a row per site too')
    .option('--classes', 'accuracy, and precision, recall and F1 of content and of boilerplate')
    .option('--crosses', 'a row per fullness of the cross too: the page, up, down, previous, next')
    .option('--documents', 'a row per page too: true and false positives and negatives, in words')
    .option('--templates', 'template text, anchor text and links found; adjusted Rand index of sections')
    .addOption(new Option('--half <name>', 'score only hosts of one half').choices(['even', 'odd']))
    .addOption(new Option('--format <name>', 'what to write').choices(['table', 'json']).default('table'))
    .option('--gate <file>', 'fail when a figure is under its floor in this file')
    .option('--corpus <name>', 'with --gate: the name of this corpus in the file')
    .option('--update', 'with --gate: raise the floors to what was measured')
    .option('--lower', 'with --update: let floors fall and the corpus change');
  addJobOptions(command, { limit: false });
  addVerbosityOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff eval gold/daniel.warc.gz --gold gold/daniel.jsonl
  chaff eval gold/daniel.warc.gz --gold gold/daniel.jsonl --detectors T001 T006 T007 --classes
  chaff eval history.warc.gz --gold history.jsonl --preset lesniak-2017 --crosses --documents
  chaff eval gold/wcxb.warc.gz --gold gold/wcxb.jsonl --detectors page page-basic page-merge --templates
  chaff eval gold/*.warc.gz --gold gold/*.jsonl --gate eval/baseline.json --corpus all`,
    )
    .action((inputs: string[], flags: EvalFlags) => runEval(context, inputs, flags));
}

async function runEval(context: Context, archives: string[], flags: EvalFlags): Promise<void> {
  const { stdout, stderr } = context.streams;
  if (flags.gate !== undefined && flags.corpus === undefined) {
    throw new UsageError('--gate needs --corpus: the name of this corpus in the file');
  }
  if (flags.gate !== undefined && flags.half !== undefined) {
    throw new UsageError('--half cannot go with --gate: floors are for all hosts');
  }
  const line = progressLine(stderr, flags);
  const { detectorOptions = {}, sample, seed } = jobOptionsOf(flags);
  const result = await evaluate({
    ...pageReadOptionsOf(flags),
    learnFrom: flags.learnFrom,
    archives,
    gold: flags.gold,
    detectors: flags.detectors.map((name) => detectorChoice(name, detectorOptions)),
    templates: flags.templates,
    half: flags.half,
    samplePages: sample,
    seed,
    floors: { ...floorsOf(flags), page: detectorOptions?.page },
    signal: context.signal,
    onProgress: ({ scored, goldPages }) =>
      line.update({ stage: 'score', done: scored, total: goldPages, pages: scored, bytes: 0 }),
  }).finally(line.clear);

  const told = flags.format === 'json' ? JSON.stringify(result) : renderEvalTable(result, flags).trimEnd();
  await write(stdout, `${told}\n`);
  if (!flags.quiet) {
    for (const problem of flags.verbose ? result.problems : []) printProblem(stderr, problem);
    const lacking = [countOf(result.missing.length, 'gold page'), countOf(result.problems.length, 'problem')];
    if (result.missing.length + result.problems.length > 0) stderr.write(`missing ${lacking.join('; ')}\n`);
  }
  if (result.problems.some(({ code }) => isLoss(code)))
    context.exitCode = flags.strict ? FAILED : DONE_WITH_LOSSES;
  if (flags.gate !== undefined)
    await passGate(context, result, flags as EvalFlags & { gate: string; corpus: string });
}

async function passGate(
  context: Context,
  result: EvalResult,
  { gate, corpus, update, lower }: EvalFlags & { gate: string; corpus: string },
): Promise<void> {
  const { stderr } = context.streams;
  const baseline: Baseline = existsSync(gate) ? await readBaseline(gate) : {};
  if (update) {
    await writeBaseline(gate, { ...baseline, [corpus]: updateFloors(result, baseline[corpus], { lower }) });
    stderr.write(`floors of ${corpus} written to ${gate}\n`);
    return;
  }
  if (!baseline[corpus]) {
    throw new UsageError(`${gate} has no floors for "${corpus}"; --update writes them`);
  }
  const { verdict, checked, reasons } = checkGate(result, baseline[corpus]);
  for (const reason of reasons) stderr.write(`${reason}\n`);
  stderr.write(`gate ${verdict}: ${countOf(checked, 'floor')} of ${corpus} checked\n`);
  if (verdict !== 'passed') context.exitCode = FAILED;
}
