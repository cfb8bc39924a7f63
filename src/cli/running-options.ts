/** Options of how the run of a command is executed, the same for all commands. */
import { type OutputFlags, type ReadFlags, remoteOptionsOf } from './common-options.ts';
import type { Context } from './context.ts';
import type { ProgressLine } from './progress.ts';
import { problemPrinter } from './summary.ts';

/** Returns the options for a run that shows its progress on `line` and prints problems. */
export function runningOptionsOf(
  context: Context,
  flags: ReadFlags & OutputFlags & { workers?: number },
  line: ProgressLine,
) {
  return {
    workers: flags.workers,
    signal: context.signal,
    remote: remoteOptionsOf(flags),
    stdin: context.streams.stdin,
    onProgress: line.update,
    onProblem: problemPrinter(context, flags),
  };
}
