/**
 * Rows of labelled pages for the commands that write them: from archives that are learnt first, or by a
 * model learnt before, where a pipe of JSON rows is answered row by row.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { FAULT_SKIP_CODES, type Problem } from '../model/problem.ts';
import { streamLabels } from '../run/label-stream.ts';
import { labelRows } from '../run/library/model-rows.ts';
import { openArchive, openPipe } from '../run/library/open-archive.ts';
import { SiteModels } from '../run/library/site-models.ts';
import type { StreamRow } from '../run/sinks/page-row.ts';
import type { RowContent } from '../run/tasks/task.ts';
import { type Accounts, problemTeller, settleAccounts, tellProblem } from './accounts.ts';
import { addTalkOptions, addWorkerOption, readOptionsOf, type TalkFlags } from './common-options.ts';
import type { Context } from './context.ts';
import { UsageError } from './exit-codes.ts';
import { addJobOptions, floorsOf, type JobFlags, jobOptionsOf } from './job-options.ts';
import { progressLine } from './progress.ts';

export interface RowFlags extends JobFlags, TalkFlags {
  model?: string;
  workers: number;
}

export interface WantedRows {
  want: RowContent[];
  mark?: boolean;
}

/** The options of every command that writes rows of labelled pages. */
export function addRowOptions(command: Command): Command {
  command.option('--model <file>', 'label by a model of chaff learn instead of learning from the inputs');
  addJobOptions(command);
  addWorkerOption(command);
  return addTalkOptions(command);
}

/** The rows; says the accounts and sets the exit code when they are all out. The command tells what was asked for. */
export function labelledRows(
  context: Context,
  inputs: string[],
  command: Command,
  wanted: WantedRows,
): AsyncGenerator<StreamRow> {
  const flags = command.opts<RowFlags>();
  if (flags.model === undefined) return learntRows(context, inputs, flags, wanted);
  const models = readModels(flags.model, isGiven(command, 'detector') ? flags.detector : undefined);
  if (isGiven(command, 'site') && flags.site !== models.siteRule) {
    throw new UsageError(`the model is of sites by ${models.siteRule}, not of --site ${flags.site}`);
  }
  return modelRows(context, inputs, { ...flags, site: models.siteRule }, { models, ...wanted });
}

/** Whether the user named an option, with its default perhaps. */
function isGiven(command: Command, option: keyof RowFlags): boolean {
  return command.getOptionValueSource(option) === 'cli';
}

async function* learntRows(
  context: Context,
  inputs: string[],
  flags: RowFlags,
  { want, mark }: WantedRows,
): AsyncGenerator<StreamRow> {
  const { stderr, stdout, stdin } = context.streams;
  // a bar between the rows on the same screen would tear both
  const line = progressLine(stderr, { quiet: flags.quiet || stdout.isTTY });
  const rows = streamLabels(inputs, {
    ...jobOptionsOf(flags),
    want,
    mark,
    workers: flags.workers,
    signal: context.signal,
    stdin,
    onProgress: line.update,
    onProblem: problemTeller(context, flags),
  });
  try {
    yield* rows;
  } finally {
    line.clear();
  }
  if (rows.summary) settleAccounts(context, rows.summary, flags);
}

async function* modelRows(
  context: Context,
  inputs: string[],
  flags: RowFlags,
  { models, ...wanted }: WantedRows & { models: SiteModels },
): AsyncGenerator<StreamRow> {
  const { signal, streams } = context;
  const accounts: Accounts = { captures: 0, pages: 0, skipped: {}, problems: {} };
  const onProblem = (problem: Problem) => {
    accounts.problems[problem.code] = (accounts.problems[problem.code] ?? 0) + 1;
    if (flags.verbose) tellProblem(streams.stderr, problem);
  };
  const readOptions = { ...readOptionsOf(flags), signal, onProblem };
  const onlyPipe = inputs.length === 1 && inputs[0] === '-';
  const archive = onlyPipe
    ? openPipe(streams.stdin, readOptions)
    : openArchive(inputs, { ...readOptions, stdin: streams.stdin });
  const { detectorOptions, limit } = jobOptionsOf(flags);
  const leftOut: Partial<Record<string, number>> = {};
  for await (const row of labelRows(archive, models, {
    ...wanted,
    detectorOptions,
    floors: floorsOf(flags),
    limits: readOptions.limits,
    limit,
    signal,
    onProblem: (problem) => {
      if (isSkip(problem)) leftOut[problem.code] = (leftOut[problem.code] ?? 0) + 1;
      onProblem(problem);
    },
  })) {
    if (row.kind === 'page') accounts.pages++;
    yield row;
  }
  accounts.captures = archive.captureCount;
  accounts.skipped = archive.skipped;
  for (const [code, count] of Object.entries(leftOut)) {
    accounts.skipped[code] = (accounts.skipped[code] ?? 0) + count!;
  }
  settleAccounts(context, accounts, flags);
}

/** Models of a file; of one detector only when it is named. */
function readModels(path: string, detector?: DetectorName): SiteModels {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new UsageError(`cannot read the model: ${(error as Error).message}`);
  }
  const models = SiteModels.decode(bytes);
  if (!detector) return models;
  const chosen = [...models].filter((model) => model.detector === detector);
  if (chosen.length === 0) {
    const names = [...new Set([...models].map((model) => model.detector))].sort().join(' and ');
    throw new UsageError(`the model is of ${names || 'no site'}, not of --detector ${detector}`);
  }
  return new SiteModels(chosen, models);
}

/** Whether a problem cost its page, as one with a skip code does when a page is labelled. */
function isSkip({ code }: Problem): boolean {
  return (FAULT_SKIP_CODES as readonly string[]).includes(code);
}
