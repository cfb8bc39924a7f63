/** `chaff report`: the main job. */
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { countOf } from '../model/count-of.ts';
import { writeReport } from '../report/write-report.ts';
import { DEFAULT_DETECTORS, type JobOptions } from '../run/job.ts';
import { runReport } from '../run/report-run.ts';
import { type OutputFolder, withFolder } from '../store/open-folder.ts';
import type { RunFile } from '../store/run-file.ts';
import { coloursOf } from './colours.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  type OutputFlags,
  overwriteOption,
} from './common-options.ts';
import type { Context } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { progressLine } from './progress.ts';
import { siteTable } from './site-table.ts';
import { addStudyOptions, type StudyFlags, studyOptionsOf } from './study-options.ts';
import { printProblems, printSummary } from './summary.ts';
import { timingsTable } from './timings-table.ts';
import { checkOutputFolder } from './writable-target.ts';

export interface ReportFlags extends JobFlags, StudyFlags, OutputFlags {
  output?: string;
  overwrite?: boolean;
  markdown?: boolean;
  workers: number;
}

export function reportCommand(context: Context): Command {
  const command = new Command('report')
    .summary('label every page; write tables, clean text and report.html')
    .description(
      'Labels every page of the inputs by both site-level detectors and writes the output folder.',
    );
  addReadOptions(command);
  command
    .option('-o, --output <folder>', 'the folder to write; default: the first input’s name with .chaff')
    .addOption(overwriteOption())
    .option('--markdown', 'add Markdown to the rows of text/');
  addStudyOptions(command);
  addJobOptions(command);
  addWorkerOption(command);
  addVerbosityOptions(command, { timings: true });
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff report crawl.warc.gz -o crawl.chaff
  chaff report 'crawl/*.warc.gz' --site domain --workers 4
  chaff report site.wacz --detector text --text-settings 32.10.40.200
  chaff report sites/*.warc.gz --categories sites.csv
  chaff report crawl.warc.gz --compare-settings 32.10.0.200,32.10.40.200,16.10.0.200
A run that was stopped goes on where it was when the same command is given again.`,
    )
    .action(async (inputs: string[], flags: ReportFlags) => void (await report(context, inputs, flags)));
}

interface ReportVariant {
  /** Years whose history is told too. */
  history?: JobOptions['history'];
  /** Of the folder's name. @default 'chaff' */
  extension?: string;
  /** What is told of the finished folder. @default the table of sites */
  tell?: (folder: OutputFolder) => Promise<string>;
}

/** Also what `chaff demo` and `chaff history` run. */
export async function report(
  context: Context,
  inputs: string[],
  flags: ReportFlags,
  { history, extension = 'chaff', tell = siteTable }: ReportVariant = {},
): Promise<RunFile> {
  const { stderr } = context.streams;
  const output = flags.output ?? defaultOutput(inputs, extension);
  const line = progressLine(stderr, flags);
  checkOutputFolder('-o', output);
  context.resumable = !flags.overwrite;
  let told: string | undefined;
  const { run, resumed } = await runReport(inputs, {
    ...jobOptionsOf(flags, { alsoRun: DEFAULT_DETECTORS }),
    markdown: flags.markdown,
    history,
    ...(await studyOptionsOf(flags)),
    output,
    overwrite: flags.overwrite,
    workers: flags.workers,
    signal: context.signal,
    stdin: context.streams.stdin,
    onProgress: line.update,
    beforeFinish: async (folder, rest) => {
      await writeReport(folder, { rest });
      if (!flags.quiet) told = await tell(folder);
    },
  }).finally(line.clear);

  if (!flags.quiet) {
    if (resumed) stderr.write('an earlier run of the same job was taken up\n');
    stderr.write(told ?? (await withFolder(output, tell)));
    if (flags.timings) stderr.write(timingsTable(run));
  }
  await printProblems(context, output, flags);
  printSummary(context, run.counts, flags);
  if (!flags.quiet) {
    const { sites, templates } = run.counts;
    stderr.write(
      `${countOf(sites, 'site')}, ${countOf(templates, 'template')}; all of it is in ${coloursOf(stderr).bold(output)}\n`,
    );
    stderr.write(`${coloursOf(stderr).bold('report:')} ${join(output, 'report.html')}\n`);
  }
  return run;
}

function defaultOutput(inputs: string[], extension: string): string {
  const first = inputs[0] === '-' ? 'stdin' : basename(inputs[0]).replace(/[*?[\]{}]/g, '');
  const stem = first.replace(/\.(gz|zst)$/, '').replace(/\.(warc|arc|wacz|jsonl|cdxj?|zip|html?)$/, '');
  return `${stem === '' ? 'archive' : stem}.${extension}`;
}
