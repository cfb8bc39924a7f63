/** `chaff merge`: makes the output folder of a job whose tasks are all done. */
import { join } from 'node:path';
import { Command } from 'commander';
import { writeReport } from '../report/write-report.ts';
import { mergeJob } from '../run/cluster/merge-job.ts';
import { addVerbosityOptions, addWorkerOption, type OutputFlags } from './common-options.ts';
import type { Context } from './context.ts';
import { progressLine } from './progress.ts';
import { printProblems, printSummary } from './summary.ts';

interface MergeFlags extends OutputFlags {
  workers: number;
}

/** Declares the command `merge`. */
export function mergeCommand(context: Context): Command {
  const command = new Command('merge')
    .summary('make the output folder of a job whose tasks are done')
    .description(
      'Turns the folder of a job into the ordinary output folder: the same bytes as chaff report writes.',
    )
    .argument('<job>', 'the folder that chaff plan has written');
  addWorkerOption(command);
  addVerbosityOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff plan crawl.warc.gz -o crawl.chaff
  chaff status crawl.chaff --ready | chaff task crawl.chaff -
  chaff merge crawl.chaff`,
    )
    .action((job: string, flags: MergeFlags) => merge(context, job, flags));
}

async function merge(context: Context, path: string, flags: MergeFlags): Promise<void> {
  const { stderr } = context.streams;
  const line = progressLine(stderr, flags);
  context.resumable = true;
  const { run } = await mergeJob(path, {
    workers: flags.workers,
    signal: context.signal,
    onProgress: line.update,
    beforeFinish: async (folder, rest) => void (await writeReport(folder, { rest })),
  }).finally(line.clear);
  await printProblems(context, path, flags);
  printSummary(context, run.counts, flags);
  if (!flags.quiet) stderr.write(`report: ${join(path, 'report.html')}\n`);
}
