/** The command line: `main(args, streams)` resolves to the exit code and is what tests call. */
import type { EventEmitter } from 'node:events';
import { Command, CommanderError } from 'commander';
import { version } from '../model/version.ts';
import { type Context, DONE, FAILED, STOPPED, type StopSignal, UsageError, WRONG_USAGE } from './context.ts';
import { describeFailure, isMemoryFailure } from './failure.ts';
import { flush, ignoreFailures, ReaderGone, type Streams, watchOutput } from './streams.ts';
import { guardTerminals } from './terminal.ts';

/** By name, in the order of the help. A command's code is loaded when it is asked for. */
const COMMANDS: Record<string, () => Promise<(context: Context) => Command>> = {
  demo: async () => (await import('./demo.ts')).demoCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  strip: async () => (await import('./strip.ts')).stripCommand,
  annotate: async () => (await import('./annotate.ts')).annotateCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  label: async () => (await import('./label.ts')).labelCommand,
  page: async () => (await import('./page-command.ts')).pageCommand,
  train: async () => (await import('./train.ts')).trainCommand,
  fragments: async () => (await import('./fragments.ts')).fragmentsCommand,
  groups: async () => (await import('./groups.ts')).groupsCommand,
  changes: async () => (await import('./changes.ts')).changesCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  dedup: async () => (await import('./dedup.ts')).dedupCommand,
  index: async () => (await import('./index-captures.ts')).indexCommand,
  sql: async () => (await import('./sql.ts')).sqlCommand,
  eval: async () => (await import('./eval.ts')).evalCommand,
};

export interface MainOptions {
  /** Emits a signal's name when the process is asked to stop. @default process */
  signals?: Pick<EventEmitter, 'on' | 'off'>;
}

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
    for (const describe of await loadCommands(args)) program.addCommand(inherit(describe(context), program));
    const exitCode = await parse(program, args, context);
    await flush(streams.stdout);
    return exitCode;
  } catch (error) {
    return exitCodeOf(error, abort.signal, streams);
  } finally {
    stops.forget();
    await flush(streams.stderr).catch(() => {});
  }
}

/** The command that the first argument names; all commands for help and for an unknown name. */
function loadCommands([first]: string[]): Promise<((context: Context) => Command)[]> {
  const names = first !== undefined && Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
  return Promise.all(names.map((name) => COMMANDS[name]()));
}

async function parse(program: Command, args: string[], context: Context): Promise<number> {
  try {
    await program.parseAsync(rewriteUnknownHelp(args, program), { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    throw error;
  }
}

/** `help` on an unknown command becomes that command: the error suggests a name, where help would list them all. */
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

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but input was lost, 128 + n stopped by signal n.`,
    );
}

/** Subcommands do not take the program's output settings over by themselves when they are added ready-made. */
function inherit(command: Command, program: Command): Command {
  return command.copyInheritedSettings(program).showHelpAfterError('(--help shows all options)');
}

function exitCodeOf(error: unknown, signal: AbortSignal, { stderr }: Streams): number {
  const reason = signal.aborted ? signal.reason : error;
  if (reason instanceof ReaderGone) return DONE;
  if (reason instanceof Stopped) {
    stderr.write(`chaff: ${reason.message}\n`);
    return reason.exitCode;
  }
  const isUsage = reason instanceof UsageError || (reason instanceof RangeError && !isMemoryFailure(reason));
  stderr.write(`chaff: ${isUsage ? reason.message : describeFailure(reason)}\n`);
  return isUsage ? WRONG_USAGE : FAILED;
}

/** Asked to stop from outside. */
class Stopped extends Error {
  readonly exitCode: number;

  constructor(signal: StopSignal, { resumable }: Context) {
    super(`stopped${resumable ? '; the same command goes on where it was' : ''}`);
    this.exitCode = STOPPED[signal];
  }
}

/** Lets tasks under way finish, and what is temporary be removed. Ending at once is up to who sends the signals. */
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
