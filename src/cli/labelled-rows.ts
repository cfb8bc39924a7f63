/**
 * Rows of labelled pages for the commands that write them: from archives that are learnt first, or by a saved model,
 * where JSON rows of a pipe are answered one by one.
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
import { InputOption } from './path-options.ts';
import { progressLine } from './progress.ts';
import { addRoleOptions, type RoleFlags, roleChoiceOf, withRoles } from './role-options.ts';
import { runningOptionsOf } from './running-options.ts';
import { printSummary } from './summary.ts';

/** Flags of `addRowOptions`. */
export interface RowFlags extends JobFlags, OutputFlags, RoleFlags {
  model?: string;
  workers: number;
}

/** Help text on pipes, for commands that answer rows. */
export const PIPE_HELP = `
With --model and - each row {"url", "html"} of standard input is answered at once. A row that gives no page (not JSON,
empty, over a limit) is counted and has no answer; "offset" is the byte at which the answered row begins.`;

/** Adds the options of commands that write rows of labelled pages. */
export function addRowOptions(command: Command): Command {
  command.addOption(
    new InputOption(
      '--model <file>',
      'use a model that chaff learn has written instead of learning from the inputs; none: judge each page by itself',
    ),
  );
  addJobOptions(command);
  addRoleOptions(command);
  addWorkerOption(command);
  return addVerbosityOptions(command);
}

/**
 * The rows; after the last row, prints the totals and sets the exit code. Wrong usage throws before an output is
 * opened. The handler of `restart` is set when an output is open that can discard rows.
 */
export function labelledRows(
  context: Context,
  inputs: string[],
  command: Command,
  wanted: WantedRows & { restart: Restart },
): AsyncGenerator<StreamRow> {
  return streamed(context, inputs, command, { wanted, take: (stream) => stream });
}

/** The pages encoded in a format, in pieces of whole rows. */
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
  const { stderr, stdout } = context.streams;
  // a progress bar would mix with rows on the same screen
  const line = progressLine(stderr, { quiet: flags.quiet || stdout.isTTY });
  const stream = streamLabels(inputs, {
    ...withRoles(jobOptionsOf(flags), flags),
    ...wanted,
    models: flags.model === undefined ? undefined : openModels(command),
    ...runningOptionsOf(context, flags, line),
  });
  async function* rows(): AsyncGenerator<Row> {
    try {
      yield* take(stream);
    } finally {
      line.clear();
    }
    if (stream.summary)
      printSummary(context, stream.summary, flags, { mayBeEmpty: flags.model !== undefined });
  }
  return rows();
}

interface ModelFlags {
  model: string;
  detector: DetectorName;
  site: SiteRule;
}

/** Options that are used only for learning; the seed is also used by the cross detector's verdict. */
const OF_LEARNING = /^--(snapshot|sample|seed|learn-from|text-.+|dom-.+|cross-(?:pages|tokens))$/;

/** The models given to a command; only those of one detector if it is named. */
function openModels(command: Command): SiteModels {
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
    throw new UsageError(`--model was learnt with its own settings: give ${vain.join(', ')} to chaff learn`);
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
