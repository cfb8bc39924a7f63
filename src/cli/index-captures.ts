/** `chaff index`: CDXJ of the inputs. */
import { setImmediate } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { Problem } from '../model/problem.ts';
import { type CdxjOptions, cdxjLine } from '../read/cdxj.ts';
import type { Input } from '../read/input.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { surveyInput } from '../read/read-captures.ts';
import { sortLines } from '../read/sort-lines.ts';
import { type Accounts, problemTeller, settleAccounts } from './accounts.ts';
import {
  addReadOptions,
  addTalkOptions,
  type ReadFlags,
  readOptionsOf,
  type TalkFlags,
} from './common-options.ts';
import type { Context } from './context.ts';
import { openLines } from './output.ts';

interface IndexFlags extends ReadFlags, TalkFlags {
  output?: string;
  sort: boolean;
  keys: NonNullable<CdxjOptions['keys']>;
}

/** Lines between looks at whether to stop. */
const LOOK_UP_LINES = 500;

export function indexCommand(context: Context): Command {
  const command = new Command('index')
    .summary('CDXJ of the inputs')
    .description('Writes a CDXJ line for every capture, as warcio and pywb read them.');
  addReadOptions(command, { site: false });
  command
    .option('-o, --output <file>', 'the file to write (.gz compresses) instead of standard output')
    .addOption(
      new Option('--keys <kind>', 'pywb: without a slash at the end, as pywb looks them up; warcio: with it')
        .choices(['pywb', 'warcio'])
        .default('pywb'),
    )
    .option('--no-sort', 'keep the order of the inputs; readers that search by halving need sorted lines');
  return addTalkOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff index crawl.warc.gz > crawl.cdxj
  chaff index 'crawl/*.warc.gz' -o crawl.cdxj
  chaff strip crawl.cdxj                        reads the archives it names, by offset`,
    )
    .action((inputs: string[], flags: IndexFlags) => indexCaptures(context, inputs, flags));
}

async function indexCaptures(context: Context, names: string[], flags: IndexFlags): Promise<void> {
  const { streams, signal } = context;
  const { inputs, problems } = await openInputs(names, { stdin: streams.stdin });
  const accounts: Accounts = { captures: 0, pages: 0, skipped: {}, problems: {} };
  const tell = problemTeller(context, flags);
  const note = (problem: Problem) => {
    accounts.problems[problem.code] = (accounts.problems[problem.code] ?? 0) + 1;
    tell(problem);
  };
  problems.forEach(note);
  const output = openLines(context, flags.output);
  try {
    const lines = captureLines(inputs, flags, accounts, note);
    let count = 0;
    for (const line of flags.sort ? sortLines(lines) : lines) {
      await output.line(line);
      if (++count % LOOK_UP_LINES > 0) continue;
      await setImmediate(); // a signal is heard of only between turns
      signal.throwIfAborted();
    }
    await output.commit();
  } finally {
    output.discard();
    await closeInputs(inputs);
  }
  settleAccounts(context, accounts, flags);
}

function* captureLines(
  inputs: Input[],
  flags: IndexFlags,
  accounts: Accounts,
  note: (problem: Problem) => void,
): Generator<string> {
  for (const input of inputs) {
    for (const event of surveyInput(input, readOptionsOf(flags))) {
      if (event.kind === 'problem') {
        note(event.problem);
        continue;
      }
      accounts.captures++;
      event.problems.forEach(note);
      if (event.kind === 'page') accounts.pages++;
      else accounts.skipped[event.code] = (accounts.skipped[event.code] ?? 0) + 1;
      if (event.kind === 'page' || event.code !== 'filtered') yield cdxjLine(event.capture, flags);
    }
  }
}
