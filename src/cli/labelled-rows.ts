/**
 * Rows of labelled pages for the commands that write them: from archives that are learnt first, or by a
 * model learnt before, where a pipe of JSON rows is answered row by row.
 */
import type { Command } from 'commander';
import {
  type LabelStream,
  type LabelStreamOptions,
  type Restart,
  streamLabels,
} from '../run/label-stream.ts';
import type { StreamRow, WantedPages, WantedRows } from '../run/sinks/page-rows.ts';
import { addVerbosityOptions, addWorkerOption, type OutputFlags } from './common-options.ts';
import type { Context } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { openModels } from './open-models.ts';
import { progressLine } from './progress.ts';
import { printSummary, problemPrinter } from './summary.ts';

export interface RowFlags extends JobFlags, OutputFlags {
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
    'label by a model of chaff learn, without its options, instead of learning from the inputs',
  );
  addJobOptions(command);
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
    ...jobOptionsOf(flags),
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
