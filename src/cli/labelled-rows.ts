/**
 * Rows of labelled pages for the commands that write them: from archives that are learnt first, or by a
 * model learnt before, where a pipe of JSON rows is answered row by row.
 */
import type { Command } from 'commander';
import { Totals } from '../model/totals.ts';
import { type LabelStream, type Restart, streamLabels } from '../run/label-stream.ts';
import { labelRows } from '../run/library/label-pages.ts';
import type { SiteModels } from '../run/library/learn-pages.ts';
import { openArchive, openPipe } from '../run/library/open-archive.ts';
import type { StreamRow } from '../run/sinks/page-rows.ts';
import {
  CONTENT_OF,
  encodePage,
  type PageFormat,
  type WantedPages,
  type WantedRows,
} from '../run/sinks/page-rows.ts';
import {
  addVerbosityOptions,
  addWorkerOption,
  type OutputFlags,
  pageReadOptionsOf,
} from './common-options.ts';
import type { Context } from './context.ts';
import { addJobOptions, floorsOf, type JobFlags, jobOptionsOf } from './job-options.ts';
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
  { restart, ...wanted }: WantedRows & { restart: Restart },
): AsyncGenerator<StreamRow> {
  const flags = command.opts<RowFlags>();
  if (flags.model === undefined)
    return learntRows(context, inputs, { flags, wanted, restart, take: (rows) => rows });
  return modelRows(context, inputs, command, wanted);
}

/** The same for pages as a format has them, in pieces of whole rows. */
export function labelledPages(
  context: Context,
  inputs: string[],
  command: Command,
  { format, restart, ...kept }: WantedPages & { restart: Restart },
): AsyncGenerator<Uint8Array> {
  const flags = command.opts<RowFlags>();
  const wanted: WantedRows = { want: [CONTENT_OF[format]], ...kept };
  if (flags.model === undefined) {
    return learntRows(context, inputs, { flags, wanted, restart, take: (rows) => rows.encoded(format) });
  }
  return encodeAll(modelRows(context, inputs, command, wanted), format);
}

async function* encodeAll(rows: AsyncIterable<StreamRow>, format: PageFormat): AsyncGenerator<Uint8Array> {
  for await (const row of rows) if (row.kind === 'page') yield encodePage(row, format);
}

async function* learntRows<Row>(
  context: Context,
  inputs: string[],
  {
    flags,
    wanted,
    restart,
    take,
  }: {
    flags: RowFlags;
    wanted: WantedRows;
    restart: Restart;
    take: (stream: LabelStream) => AsyncIterable<Row>;
  },
): AsyncGenerator<Row> {
  const { stderr, stdout, stdin } = context.streams;
  // a bar between the rows on the same screen would tear both
  const line = progressLine(stderr, { quiet: flags.quiet || stdout.isTTY });
  const stream = streamLabels(inputs, {
    ...jobOptionsOf(flags),
    ...wanted,
    restart,
    workers: flags.workers,
    signal: context.signal,
    stdin,
    onProgress: line.update,
    onProblem: problemPrinter(context, flags),
  });
  try {
    yield* take(stream);
  } finally {
    line.clear();
  }
  if (stream.summary) printSummary(context, stream.summary, flags);
}

function modelRows(
  context: Context,
  inputs: string[],
  command: Command,
  wanted: WantedRows,
): AsyncGenerator<StreamRow> {
  const models = openModels(command);
  const flags = { ...command.opts<RowFlags>(), site: models.siteRule };
  return rowsByModels(context, inputs, flags, { models, ...wanted });
}

async function* rowsByModels(
  context: Context,
  inputs: string[],
  flags: RowFlags,
  { models, ...wanted }: WantedRows & { models: SiteModels },
): AsyncGenerator<StreamRow> {
  const { signal, streams } = context;
  const totals = new Totals();
  const onProblem = problemPrinter(context, flags);
  const readOptions = { ...pageReadOptionsOf(flags), signal, onProblem };
  const onlyPipe = inputs.length === 1 && inputs[0] === '-';
  const archive = onlyPipe
    ? openPipe(streams.stdin, readOptions)
    : openArchive(inputs, { ...readOptions, stdin: streams.stdin });
  const { detectorOptions, limit } = jobOptionsOf(flags);
  for await (const row of labelRows(archive, models, {
    ...wanted,
    detectorOptions,
    floors: floorsOf(flags),
    limits: readOptions.limits,
    limit,
    signal,
    onProblem: (problem) => {
      totals.addPageProblem(problem);
      onProblem(problem);
    },
  })) {
    if (row.kind === 'page') totals.pages++;
    yield row;
  }
  totals.addReading(archive);
  totals.check();
  printSummary(context, totals, flags);
}
