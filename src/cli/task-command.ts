/** `chaff task`: runs tasks of a planned job. Its exit code says whether a cluster engine should try again. */
import type { Readable } from 'node:stream';
import { Command } from 'commander';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { JobWorker } from '../run/cluster/run-job-task.ts';
import { JobError } from '../store/task-parts.ts';
import { type Context, DONE, PERMANENT, TRY_AGAIN } from './context.ts';
import { describeFailure } from './failure.ts';

/** Declares the command `task`. */
export function taskCommand(context: Context): Command {
  return new Command('task')
    .summary('run tasks of a job that chaff plan made')
    .description(
      'Runs tasks and prints a JSON line for each. A signal lets the task under way finish; a second one ends it.\n' +
        'Exit codes: 0 all are committed, 75 try again, 65 trying again does not help, 128 + n stopped by signal n.',
    )
    .argument('<job>', 'the folder that chaff plan has written')
    .argument('<id...>', 'names of tasks; - reads them from standard input, one per line')
    .addHelpText(
      'after',
      `
Examples:
  chaff plan crawl.warc.gz -o crawl.chaff
  chaff status crawl.chaff --ready | chaff task crawl.chaff -
  chaff task crawl.chaff label-00000`,
    )
    .action((job: string, ids: string[]) => runTasks(context, job, ids));
}

async function runTasks(context: Context, path: string, ids: string[]): Promise<void> {
  const { stdout, stderr, stdin } = context.streams;
  const fail = (error: unknown) => {
    // one permanent failure makes the whole call permanent, or an engine would repeat it for ever
    if (error instanceof JobError) context.exitCode = PERMANENT;
    else if (context.exitCode === DONE) context.exitCode = TRY_AGAIN;
    stderr.write(`chaff: ${describeFailure(error)}\n`);
  };
  let worker: JobWorker | undefined;
  try {
    worker = await JobWorker.open(path);
    for await (const id of ids.includes('-') ? namesFrom(stdin) : ids) {
      // finish the running task after a signal, so that its work is not lost
      context.signal.throwIfAborted();
      try {
        stdout.write(`${wellFormedJson(await worker.run(id, context.signal))}\n`);
      } catch (error) {
        if (error === context.signal.reason) throw error;
        fail(error);
      }
    }
  } catch (error) {
    if (context.signal.aborted) throw error;
    fail(error);
  } finally {
    await worker?.close();
  }
}

/** Lines as they arrive. (An interface of node:readline never ends if its input was destroyed before.) */
async function* namesFrom(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== '') yield line.trim();
  }
  if (rest.trim() !== '') yield rest.trim();
}
