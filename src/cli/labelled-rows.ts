/**
 * Rows of labelled pages for the commands that write them: from archives that are learnt first, or by a
 * model learnt before, where a pipe of JSON rows is answered row by row.
 */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { ModelFormatError } from '../detect/model-bytes.ts';
import type { SiteRule } from '../model/site.ts';
import {
  type LabelStream,
  type LabelStreamOptions,
  type Restart,
  streamLabels,
} from '../run/label-stream.ts';
import { SiteModels } from '../run/library/learn-pages.ts';
import type { StreamRow, WantedPages, WantedRows } from '../run/sinks/page-rows.ts';
import { addVerbosityOptions, addWorkerOption, type OutputFlags } from './common-options.ts';
import type { Context } from './context.ts';
import { UsageError } from './context.ts';
import { addJobOptions, flagsGiven, type JobFlags, jobOptionsOf } from './job-options.ts';
import { progressLine } from './progress.ts';
import { addRoleOptions, type RoleFlags, roleChoiceOf, withRoles } from './role-options.ts';
import { printSummary, problemPrinter } from './summary.ts';

export interface RowFlags extends JobFlags, OutputFlags, RoleFlags {
  model?: string;
  workers: number;
}

/** How a pipe is answered, for the help of commands that do it. */
export const PIPE_HELP = `
From a pipe with --model, each row {"url", "html"} is answered as it comes. One that gives no page (no JSON, empty, beyond
a limit) has no answer and is counted; "offset" is where the row that is answered begins in what came, in bytes.`;

/** The options of every command that writes rows of labelled pages. */
export function addRowOptions(command: Command): Command {
  command.option(
    '--model <file>',
    'label by a model of chaff learn, without its options, instead of learning from the inputs; none: each page by itself',
  );
  addJobOptions(command);
  addRoleOptions(command);
  addWorkerOption(command);
  return addVerbosityOptions(command);
}

/**
 * The rows; prints the totals and sets the exit code when they are all out. Wrong usage is refused before an output is
 * opened. `restart` gets its handler when the output is open, if that can take rows back.
 */
export function labelledRows(
  context: Context,
  inputs: string[],
  command: Command,
  wanted: WantedRows & { restart: Restart },
): AsyncGenerator<StreamRow> {
  return streamed(context, inputs, command, { wanted, take: (stream) => stream });
}

/** The same for pages as a format has them, in pieces of whole rows. */
export function labelledPages(
  context: Context,
  inputs: string[],
  command: Command,
  { format, ...wanted }: WantedPages & { restart: Restart },
): AsyncGenerator<Uint8Array> {
  return streamed(context, inputs, command, { wanted, take: (stream) => stream.encoded(format) });
}

interface Taken<Row> {
  wanted: LabelStreamOptions;
  take: (stream: LabelStream) => AsyncIterable<Row>;
}

function streamed<Row>(
  context: Context,
  inputs: string[],
  command: Command,
  { wanted, take }: Taken<Row>,
): AsyncGenerator<Row> {
  const flags = command.opts<RowFlags>();
  const { stderr, stdout, stdin } = context.streams;
  // a bar between the rows on the same screen would tear both
  const line = progressLine(stderr, { quiet: flags.quiet || stdout.isTTY });
  const stream = streamLabels(inputs, {
    ...withRoles(jobOptionsOf(flags), flags),
    ...wanted,
    models: flags.model === undefined ? undefined : openModels(command),
    workers: flags.workers,
    signal: context.signal,
    stdin,
    onProgress: line.update,
    onProblem: problemPrinter(context, flags),
  });
  async function* rows(): AsyncGenerator<Row> {
    try {
      yield* take(stream);
    } finally {
      line.clear();
    }
    if (stream.summary) printSummary(context, stream.summary, flags);
  }
  return rows();
}

interface ModelFlags {
  model: string;
  detector: DetectorName;
  site: SiteRule;
}

/** Options that learning alone looks at; the seed is that of the cross detector's verdict, too. */
const OF_LEARNING = /^--(snapshot|sample|seed|learn-from|text-.+|dom-.+|cross-(?:pages|tokens))$/;

/** The models that a command was given; of one detector only when it is named. */
export function openModels(command: Command): SiteModels {
  const { model, detector, site } = command.opts<ModelFlags>();
  const given = new Set(flagsGiven(command));
  const models = readModels(model, given.has('--detector') ? detector : undefined);
  if (given.has('--site') && site !== models.siteRule) {
    throw new UsageError(`${model} is of sites by ${models.siteRule}, not of --site ${site}`);
  }
  roleChoiceOf(command.opts<RoleFlags>(), new Set([...models].map((one) => one.detector)));
  const usesSeed = [...models].some((one) => one.detector === 'cross');
  const vain = [...given].filter((flag) => OF_LEARNING.test(flag) && !(flag === '--seed' && usesSeed));
  if (vain.length > 0) {
    throw new UsageError(`--model is learnt already: ${vain.join(', ')} must be given to chaff learn`);
  }
  return models;
}

function readModels(path: string, detector?: DetectorName): SiteModels {
  const models = decodeModels(path);
  if (!detector) return models;
  const chosen = [...models].filter((model) => model.detector === detector);
  if (chosen.length === 0) {
    const names = [...new Set([...models].map((model) => model.detector))].sort().join(' and ');
    throw new UsageError(`${path} is of ${names || 'no site'}, not of --detector ${detector}`);
  }
  return new SiteModels(chosen, models);
}

function decodeModels(path: string): SiteModels {
  if (path === 'none') return new SiteModels([]);
  try {
    return SiteModels.decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`--model ${path}: no such file; chaff learn makes one`);
    if (code !== undefined) throw new UsageError(`--model ${path} cannot be read: ${message}`);
    if (!(error instanceof ModelFormatError)) throw error;
    throw new UsageError(`--model ${path}: ${message}; make a new one with chaff learn`);
  }
}
