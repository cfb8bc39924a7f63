/** The command line. Tests call `main(args, streams)`. */
import type { EventEmitter } from 'node:events';
import { Command, CommanderError } from 'commander';
import { NoPages } from '../model/totals.ts';
import { version } from '../model/version.ts';
import { loadCommands } from './commands.ts';
import {
  type Context,
  DONE,
  FAILED,
  READER_GONE,
  STOPPED,
  type StopSignal,
  UsageError,
  WRONG_USAGE,
} from './context.ts';
import { describeFailure, isMemoryFailure } from './failure.ts';
import { guardPaths } from './guard-paths.ts';
import { describeHelp } from './help.ts';
import { flush, ignoreFailures, ReaderGone, type Streams, watchOutput } from './streams.ts';
import { printSummary, type SummaryFlags } from './summary.ts';
import { guardTerminals } from './terminal.ts';

/** Options of `main`. */
export interface MainOptions {
  /** Emitter of stop signals, by signal name. @default process */
  signals?: Pick<EventEmitter, 'on' | 'off'>;
}

/** Runs a command line with the given streams; resolves to the exit code. */
export async function main(
  args: string[],
  given: Streams,
  { signals = process }: MainOptions = {},
): Promise<number> {
  const streams = guardTerminals(given);
  const abort = new AbortController();
  const context: Context = { streams, signal: abort.signal, exitCode: DONE, unread: [], resumable: false };
  watchOutput(streams.stdout, (reason) => abort.abort(reason));
  ignoreFailures(streams.stderr);
  const stops = stopOnSignals(signals, abort, context);
  try {
    const program = describeProgram(streams);
    const asked = readHelpRequest(args);
    describeHelp(program, asked);
    for (const describe of await loadCommands(asked.args)) {
      program.addCommand(describeHelp(guardPaths(inherit(describe(context), program)), asked));
    }
    const exitCode = await parse(program, asked.args, context);
    await flush(streams.stdout);
    return exitCode;
  } catch (error) {
    return exitCodeOf(error, abort.signal, streams);
  } finally {
    stops.forget();
    await flush(streams.stderr).catch(() => {});
  }
}

/**
 * Rewrites `--help all`, `-h all`, `--help=all` and `help NAME all` for commander, and returns whether `all` was given.
 */
function readHelpRequest(args: string[]): { args: string[]; all: boolean } {
  if (args[0] === 'help' && args[2] === 'all') return { args: [args[1], '--help'], all: true };
  const at = args.findIndex((arg, k) =>
    /^(-h|--help)$/.test(arg) ? args[k + 1] === 'all' : arg === '--help=all',
  );
  return at < 0 ? { args, all: false } : { args: [...args.slice(0, at), '--help'], all: true };
}

async function parse(program: Command, args: string[], context: Context): Promise<number> {
  let flags: SummaryFlags = {};
  program.hook('preAction', (_, acting) => {
    flags = acting.opts();
  });
  try {
    await program.parseAsync(rewriteUnknownHelp(args, program), { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof NoPages) {
      printSummary(context, error.accounts, flags, error);
      return context.exitCode;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    throw error;
  }
}

/**
 * Turns `help` on an unknown command into that command: its error suggests a name, where help would list all commands.
 */
function rewriteUnknownHelp(args: string[], { commands }: Command): string[] {
  const [first, name] = args;
  const isUnknown =
    first === 'help' &&
    name !== undefined &&
    !name.startsWith('-') &&
    name !== 'help' &&
    commands.every((command) => command.name() !== name);
  return isUnknown ? [name] : args;
}

function describeProgram({ stdout, stderr }: Streams): Command {
  return new Command('chaff')
    .description(
      'Extracts the main text of web pages, and finds the templates that the pages of a site share.',
    )
    .version(version, '-V, --version')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride()
    .showHelpAfterError('(--help shows the options)')
    .addHelpText(
      'after',
      `
Examples:
  chaff demo
  chaff strip 'crawl/*.warc.gz' > clean.jsonl
  chaff report crawl.warc.gz -o crawl.chaff
  chaff page article.html --format markdown

chaff COMMAND --help shows the everyday options and examples of a command, chaff COMMAND --help all every option.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but part of the input could not be read, 128 + n stopped by signal n.`,
    );
}

/** Copies the program's output settings to a subcommand, which does not inherit them when it is added ready-made. */
function inherit(command: Command, program: Command): Command {
  return command.copyInheritedSettings(program).showHelpAfterError('(--help shows the options)');
}

function exitCodeOf(error: unknown, signal: AbortSignal, { stderr }: Streams): number {
  const reason = signal.aborted ? signal.reason : error;
  if (reason instanceof ReaderGone) return READER_GONE;
  if (reason instanceof Stopped) {
    stderr.write(`chaff: ${reason.message}\n`);
    return reason.exitCode;
  }
  const isUsage = reason instanceof UsageError || (reason instanceof RangeError && !isMemoryFailure(reason));
  stderr.write(`chaff: ${isUsage ? reason.message : describeFailure(reason)}\n`);
  return isUsage ? WRONG_USAGE : FAILED;
}

/** The command was stopped by a signal. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(signal: StopSignal, { resumable }: Context) {
    super(`stopped${resumable ? '; the same command goes on where it was' : ''}`);
    this.exitCode = STOPPED[signal];
  }
}

/**
 * Stops a command on signals, so that running tasks finish and temporary files are removed. A second signal is not
 * handled here.
 */
function stopOnSignals(
  signals: NonNullable<MainOptions['signals']>,
  abort: AbortController,
  context: Context,
): { forget(): void } {
  const stop = (signal: StopSignal) => {
    if (abort.signal.aborted) return;
    const reason = new Stopped(signal, context);
    const { stdin } = context.streams;
    abort.abort(reason);
    // who writes there may take long to end
    stdin.on('error', () => {});
    stdin.destroy(reason);
  };
  const names = Object.keys(STOPPED) as StopSignal[];
  for (const name of names) signals.on(name, stop);
  return {
    forget() {
      for (const name of names) signals.off(name, stop);
    },
  };
}
