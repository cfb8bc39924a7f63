/** `chaff plan`: divides a report or a history into tasks for other machines. */
import { Command, Option } from 'commander';
import { countOf } from '../model/count-of.ts';
import { planJob } from '../run/cluster/plan-job.ts';
import { DEFAULT_DETECTOR, DEFAULT_PART_PAGES } from '../run/job.ts';
import { FIRST_HISTORY_YEAR } from '../store/history/history-tables.ts';
import { addVerbosityOptions, remoteOptionsOf } from './common-options.ts';
import type { Context } from './context.ts';
import { wholeNumber } from './option-table.ts';
import { progressLine } from './progress.ts';
import { addReportOptions, type ReportFlags, reportOptionsOf } from './report.ts';
import { printSummary, problemPrinter } from './summary.ts';

interface PlanFlags extends ReportFlags {
  for: 'report' | 'history';
  taskPages: number;
}

/** Declares the command `plan`. */
export function planCommand(context: Context): Command {
  const command = new Command('plan')
    .summary('cut a report into tasks for Spark, Slurm or Kubernetes')
    .description(
      'Reads where the captures of the inputs are and writes a job: tasks that chaff task runs on any machine that sees\n' +
        'the folder and the inputs. chaff merge makes the output folder of them (docs/reference/task-contract.md).',
    );
  addVerbosityOptions(addReportOptions(command));
  command.addOption(
    new Option('--for <command>', 'plan what this command makes')
      .choices(['report', 'history'])
      .default('report'),
  );
  command.option(
    '--task-pages <n>',
    'put at most this many pages into a task',
    wholeNumber(1),
    DEFAULT_PART_PAGES,
  );
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff plan crawl.warc.gz -o crawl.chaff
  chaff status crawl.chaff --ready | chaff task crawl.chaff -
  chaff merge crawl.chaff`,
    )
    .action((inputs: string[], flags: PlanFlags) => plan(context, inputs, flags));
}

async function plan(context: Context, inputs: string[], flags: PlanFlags): Promise<void> {
  const { stderr, stdin } = context.streams;
  const isHistory = flags.for === 'history';
  const { output = '' } = flags;
  const line = progressLine(stderr, flags);
  const job = await planJob(inputs, {
    ...(await reportOptionsOf(flags)),
    ...(isHistory && {
      // joint lists no templates, and a history describes templates
      ...(flags.detector === DEFAULT_DETECTOR && { detectors: undefined }),
      history: { fromYear: FIRST_HISTORY_YEAR, toYear: new Date().getUTCFullYear(), smallSnapshots: 'mark' },
    }),
    partPages: flags.taskPages,
    output,
    overwrite: flags.overwrite,
    workers: flags.workers,
    signal: context.signal,
    remote: remoteOptionsOf(flags),
    stdin,
    onProblem: problemPrinter(context, flags),
    onProgress: line.update,
  }).finally(line.clear);
  printSummary(context, job.kept.accounts, flags, { done: 'planned' });
  if (flags.quiet) return;
  const pages = job.tasks.reduce((sum, task) => sum + (task.stage === 'label' ? task.pages : 0), 0);
  stderr.write(`${countOf(pages, 'page')} in ${countOf(job.tasks.length, 'task')}: ${output}\n`);
  stderr.write(
    `next, until nothing is ready: chaff status ${output} --ready | chaff task ${output} -\n` +
      `then: chaff merge ${output}\n`,
  );
}
