/** The command line: `main(args, streams)` resolves to the exit code and is what tests call. */
import { Command, CommanderError } from 'commander';
import { version } from '../model/version.ts';
import { annotateCommand } from './annotate.ts';
import { changesCommand } from './changes.ts';
import type { Context } from './context.ts';
import { dedupCommand } from './dedup.ts';
import { demoCommand } from './demo.ts';
import { evalCommand } from './eval.ts';
import { DONE, FAILED, STOPPED, UsageError, WRONG_USAGE } from './exit-codes.ts';
import { fragmentsCommand } from './fragments.ts';
import { groupsCommand } from './groups.ts';
import { historyCommand } from './history.ts';
import { indexCommand } from './index-captures.ts';
import { labelCommand } from './label.ts';
import { learnCommand } from './learn.ts';
import { pageCommand } from './page.ts';
import { reportCommand } from './report.ts';
import { sqlCommand } from './sql.ts';
import { ReaderGone, type Streams, tolerateVanishedReader } from './streams.ts';
import { stripCommand } from './strip.ts';
import { guardTerminals } from './terminal.ts';
import { trainCommand } from './train.ts';

const COMMANDS = [
  demoCommand,
  reportCommand,
  stripCommand,
  annotateCommand,
  learnCommand,
  labelCommand,
  pageCommand,
  trainCommand,
  fragmentsCommand,
  groupsCommand,
  changesCommand,
  historyCommand,
  dedupCommand,
  indexCommand,
  sqlCommand,
  evalCommand,
];

export async function main(args: string[], given: Streams): Promise<number> {
  const streams = guardTerminals(given);
  const abort = new AbortController();
  const context: Context = { streams, signal: abort.signal, exitCode: DONE, unread: [], resumable: false };
  const program = describeProgram(streams);
  for (const describe of COMMANDS) program.addCommand(inherit(describe(context), program));

  tolerateVanishedReader(streams.stdout, () => abort.abort(new ReaderGone()));
  tolerateVanishedReader(streams.stderr);
  const signals = stopOnSignals(abort, context);
  try {
    await program.parseAsync(withoutVainHelp(args, program), { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return exitCodeOf(error, abort.signal, streams);
  } finally {
    signals.forget();
  }
}

/** `help` on a command that is none: an error that suggests one, instead of the help on all. */
function withoutVainHelp(args: string[], { commands }: Command): string[] {
  const [first, name] = args;
  const isVain =
    first === 'help' &&
    name !== undefined &&
    !name.startsWith('-') &&
    name !== 'help' &&
    commands.every((command) => command.name() !== name);
  return isVain ? [name] : args;
}

function describeProgram({ stdout, stderr }: Streams): Command {
  return new Command('chaff')
    .description(
      'Reads web archives, finds the templates their pages share, and hands back what each page says.',
    )
    .version(version, '-V, --version')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride()
    .showHelpAfterError('(--help shows all options)')
    .addHelpText(
      'after',
      `
Examples:
  chaff demo                                   see it work on a made-up archive
  chaff report crawl.warc.gz -o crawl.chaff    label everything, write tables, text and report.html
  chaff strip 'crawl/*.warc.gz' > clean.jsonl  clean text of every page, one JSON row each
  chaff COMMAND --help                         options and examples of a command

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done with problems reported, 128 + n stopped by signal n.`,
    );
}

/** Subcommands do not take the program's output settings over by themselves when they are added ready-made. */
function inherit(command: Command, program: Command): Command {
  return command.copyInheritedSettings(program).showHelpAfterError('(--help shows all options)');
}

function exitCodeOf(error: unknown, signal: AbortSignal, { stderr }: Streams): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
  const reason = signal.aborted ? signal.reason : error;
  if (reason instanceof ReaderGone) return DONE;
  if (reason instanceof Stopped) {
    stderr.write(`chaff: ${reason.message}\n`);
    return reason.exitCode;
  }
  if (reason instanceof UsageError || reason instanceof RangeError) {
    stderr.write(`chaff: ${reason.message}\n`);
    return WRONG_USAGE;
  }
  const told = reason instanceof Error && (signal.aborted || process.env.CHAFF_DEBUG === undefined);
  stderr.write(`chaff: ${told ? reason.message : reason instanceof Error ? reason.stack : String(reason)}\n`);
  return FAILED;
}

type StopSignal = keyof typeof STOPPED;
const SIGNALS = Object.keys(STOPPED) as StopSignal[];

/** Asked to stop from outside. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(signal: StopSignal, { resumable }: Context) {
    super(`stopped${resumable ? '; the same command goes on where it was' : ''}`);
    this.exitCode = STOPPED[signal];
  }
}

/** The first signal lets tasks under way finish, and what is temporary be removed; the second ends the process. */
function stopOnSignals(abort: AbortController, context: Context): { forget(): void } {
  const stop = (signal: StopSignal) => {
    const reason = new Stopped(signal, context);
    if (abort.signal.aborted) process.exit(reason.exitCode);
    const { stderr, stdin } = context.streams;
    stderr.write('\nchaff: stopping after the tasks under way (once more to stop at once)\n');
    abort.abort(reason);
    // who writes there may take long to end
    stdin.on('error', () => {});
    stdin.destroy(reason);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return {
    forget() {
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}
