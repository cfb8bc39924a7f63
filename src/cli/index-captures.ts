/** `chaff index`: writes a CDXJ index of the inputs. */
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { countOf } from '../model/count-of.ts';
import type { Capture } from '../model/page.ts';
import type { Problem } from '../model/problem.ts';
import { Totals } from '../model/totals.ts';
import { type CdxjOptions, cdxjLine, sortLines } from '../read/cdxj.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import type { Input } from '../read/raw-record.ts';
import { surveyInput } from '../read/read-captures.ts';
import { splitEntry } from '../read/record-file.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  type OutputFlags,
  pageReadOptionsOf,
  type ReadFlags,
  remoteOptionsOf,
} from './common-options.ts';
import type { Context } from './context.ts';
import { openLines } from './output.ts';
import { outputFileOption, overwriteOption } from './path-options.ts';
import { printSummary, problemPrinter } from './summary.ts';

interface IndexFlags extends ReadFlags, OutputFlags {
  output?: string;
  sort: boolean;
  keys: NonNullable<CdxjOptions['keys']>;
}

/** Milliseconds of work between checks for a stop. */
const LOOK_UP_MS = 50;

/** Declares the command `index`. */
export function indexCommand(context: Context): Command {
  const command = new Command('index')
    .summary('CDXJ index of archives')
    .description('Writes a CDXJ line for every capture, as warcio and pywb read them.');
  addReadOptions(command, { site: false });
  command
    .addOption(outputFileOption())
    .addOption(overwriteOption())
    .addOption(
      new Option('--keys <kind>', 'pywb: without a slash at the end, as pywb looks them up; warcio: with it')
        .choices(['pywb', 'warcio'])
        .default('pywb'),
    )
    .option('--no-sort', 'keep the order of the inputs; readers that search by halving need sorted lines');
  return addVerbosityOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff index crawl.warc.gz > crawl.cdxj
  chaff index 'crawl/*.warc.gz' -o crawl.cdxj
  chaff strip crawl.cdxj > clean.jsonl
      reads the archives that the index names, by offset`,
    )
    .action((inputs: string[], flags: IndexFlags) => indexCaptures(context, inputs, flags));
}

async function indexCaptures(context: Context, names: string[], flags: IndexFlags): Promise<void> {
  const { streams, signal } = context;
  const { inputs, problems } = await openInputs(names, {
    stdin: streams.stdin,
    remote: { ...remoteOptionsOf(flags), signal },
  });
  const totals = new Totals();
  const printProblem = problemPrinter(context, flags);
  const note = (problem: Problem) => {
    totals.addProblem(problem);
    printProblem(problem);
  };
  problems.forEach(note);
  const output = openLines(context, flags.output);
  try {
    const watch = new StopWatch(signal);
    const lines = captureLines(inputs, flags, totals, note, watch);
    for await (const line of flags.sort ? sortLines(lines) : lines) {
      await output.line(line);
      if (watch.isTime) await watch.lookUp();
    }
    totals.check();
    if (totals.pages > 0) await output.commit();
  } finally {
    output.discard();
    await closeInputs(inputs);
  }
  printSummary(context, totals, flags, { done: 'indexed' });
}

/** Decides when to yield: signals are received only between turns of the event loop. */
class StopWatch {
  readonly #signal: AbortSignal;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isTime(): boolean {
    return performance.now() - this.#lastMs > LOOK_UP_MS;
  }

  async lookUp(): Promise<void> {
    await setImmediate();
    this.#signal.throwIfAborted();
    this.#lastMs = performance.now();
  }
}

/** Whether a file and an offset are enough to read a capture again. */
function hasPlace({ format, spooled, remote }: Input, { entry = '' }: Capture): boolean {
  if (format === 'cdx') return true;
  const isArchive = format === 'warc' || format === 'arc' || format === 'wacz';
  // the second and later captures of one gzip member have its offset
  return isArchive && (!spooled || remote === true) && splitEntry(entry).number === 1;
}

async function* captureLines(
  inputs: Input[],
  flags: IndexFlags,
  totals: Totals,
  note: (problem: Problem) => void,
  watch: StopWatch,
): AsyncGenerator<string> {
  // standard output of a shell usually goes to a file in the current folder
  const options: CdxjOptions = { ...flags, folder: dirname(resolve(flags.output ?? 'index.cdxj')) };
  for (const input of inputs) {
    let left = 0;
    for (const event of surveyInput(input, pageReadOptionsOf(flags))) {
      if (watch.isTime) await watch.lookUp();
      if (event.kind === 'problem') {
        note(event.problem);
        continue;
      }
      totals.captures++;
      event.problems.forEach(note);
      if (event.kind === 'skip' && event.code === 'filtered') totals.addSkip('filtered');
      else if (!hasPlace(input, event.capture)) {
        totals.addSkip('no-place');
        left++;
      } else {
        totals.pages++;
        yield cdxjLine(event.capture, options);
      }
    }
    if (left > 0) {
      const message = `${countOf(left, 'capture')} left out: CDXJ needs a file and an offset, which this input does not have`;
      note({ code: 'not-an-archive', message, file: input.name });
    }
  }
}
