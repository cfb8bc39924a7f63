/** `chaff report`: runs the analysis of whole archives. */

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Command, type Option } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { COMPARED_SETTINGS } from '../detect/settings-trial.ts';
import { parseTextSettings } from '../detect/text-settings.ts';
import { countOf } from '../model/count-of.ts';
import { writeReport } from '../report/write-report.ts';
import { type JobOptions, reportDetectors } from '../run/job.ts';
import { runReport } from '../run/report-run.ts';
import { type OutputFolder, withFolder } from '../store/open-folder.ts';
import type { RunFile } from '../store/run-file.ts';
import { readSiteGroups, type SiteGroups } from '../study/site-categories.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  type OutputFlags,
  remoteOptionsOf,
} from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { parsedBy, wholeNumber } from './option-table.ts';
import { InputOption, OutputOption, overwriteOption, START_AGAIN } from './path-options.ts';
import { type ProgressState, progressLine } from './progress.ts';
import { addRoleOptions, type RoleFlags, withRoles } from './role-options.ts';
import { siteTable, timingsTable } from './run-tables.ts';
import { printProblems, printSummary, problemPrinter } from './summary.ts';
import { coloursOf } from './terminal.ts';

/** Flags of `addReportOptions`. */
export interface ReportFlags extends JobFlags, StudyFlags, OutputFlags, RoleFlags {
  output?: string;
  overwrite?: boolean;
  markdown?: boolean;
  workers: number;
}

/** Declares the command `report`. */
export function reportCommand(context: Context): Command {
  const command = new Command('report')
    .summary('analyse whole archives: report.html, main text and tables of every page')
    .description(
      'Finds what the pages of each site share, and writes a folder: report.html to look at, the main text of every ' +
        'page, and tables of pages, ranges and templates for SQL (docs/reference/output-folder.md).',
    );
  addReportOptions(command);
  return addVerbosityOptions(command, { timings: true })
    .addHelpText(
      'after',
      `
Examples:
  chaff report crawl.warc.gz -o crawl.chaff
  chaff report 'crawl/*.warc.gz' --site domain --workers 4
  chaff report site.wacz --detector text --text-settings 32.10.40.200
  chaff report sites/*.warc.gz --categories sites.csv
  chaff report crawl.warc.gz -o settings.chaff --compare-settings 32.10.0.200,16.10.0.200

A run that was stopped continues when the same command is given again.`,
    )
    .action(async (inputs: string[], flags: ReportFlags) => void (await report(context, inputs, flags)));
}

/** The option `-o` of commands that write the folder of a report; by default it is named after the first input. */
export function reportFolderOption(extension: 'chaff' | 'history'): Option {
  return new OutputOption(
    '-o, --output <folder>',
    `folder to write (default: the name of the first input with .${extension})`,
    {
      byDefault: (inputs, flags) =>
        defaultOutput(inputs, 'for' in flags && flags.for === 'history' ? 'history' : extension),
    },
  );
}

/** Adds the inputs and options of `report`, which `plan` shares. */
export function addReportOptions(command: Command): Command {
  addReadOptions(command);
  command
    .addOption(reportFolderOption('chaff'))
    .addOption(overwriteOption(START_AGAIN))
    .option('--markdown', 'add Markdown to the main text of every page');
  addStudyOptions(command);
  addJobOptions(command, { detectorsOf });
  addRoleOptions(command);
  return addWorkerOption(command);
}

/** The job options from the flags of `report`. */
export async function reportOptionsOf(flags: ReportFlags): Promise<JobOptions> {
  return {
    ...withRoles(jobOptionsOf(flags), flags),
    detectors: detectorsOf(flags),
    markdown: flags.markdown,
    annotated: flags.annotated,
    ...(await studyOptionsOf(flags)),
  };
}

interface ReportVariant {
  /** Years of the history, if one is requested. */
  history?: JobOptions['history'];
  /** Text about the finished folder. @default the table of sites */
  summarise?: (folder: OutputFolder) => Promise<string>;
  /** Called with the progress, in addition to the line on the terminal. */
  onProgress?: (progress: ProgressState) => void;
}

/** Runs a report and prints its result; also for `chaff demo`, `chaff explore` and `chaff history`. */
export async function report(
  context: Context,
  inputs: string[],
  flags: ReportFlags,
  { history, summarise = siteTable, onProgress }: ReportVariant = {},
): Promise<RunFile> {
  const { stderr } = context.streams;
  const { output = '' } = flags;
  const line = progressLine(stderr, flags);
  context.resumable = !flags.overwrite;
  let summary: string | undefined;
  const { run, resumed } = await runReport(inputs, {
    ...(await reportOptionsOf(flags)),
    history,
    output,
    overwrite: flags.overwrite,
    workers: flags.workers,
    signal: context.signal,
    remote: remoteOptionsOf(flags),
    stdin: context.streams.stdin,
    // of a run that leaves no folder; others are read from it
    onProblem: problemPrinter(context, flags),
    onProgress: (progress) => {
      line.update(progress);
      onProgress?.(progress);
    },
    beforeFinish: async (folder, rest) => {
      await writeReport(folder, { rest });
      if (!flags.quiet) summary = await summarise(folder);
    },
  }).finally(line.clear);

  if (!flags.quiet) {
    if (resumed) stderr.write('resumed an earlier run of the same job\n');
    stderr.write(summary ?? (await withFolder(output, summarise)));
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

/** The detectors that `report` and `history` run. */
export function detectorsOf({ detector, categories }: ReportFlags): DetectorName[] {
  return reportDetectors(detector, { hasCategories: categories !== undefined });
}

/** The default name of the output folder for these inputs. */
export function defaultOutput(inputs: string[], extension: string): string {
  const first = inputs[0] === '-' ? 'stdin' : basename(inputs[0]).replace(/[*?[\]{}]/g, '');
  const stem = first.replace(/\.(gz|zst)$/, '').replace(/\.(warc|arc|wacz|jsonl|cdxj?|zip|html?)$/, '');
  return `${stem === '' ? 'archive' : stem}.${extension}`;
}

/** Flags of `addStudyOptions`. */
export interface StudyFlags {
  categories?: string;
  /** true if given without a list. */
  compareSettings?: string[] | true;
  minSitePages: number;
  drawSites?: number;
  annotated: number;
}

/** Adds the options of studies of whole sites. */
export function addStudyOptions(command: Command): Command {
  return command
    .addOption(
      new InputOption(
        '--categories <file>',
        'CSV file of site,category for shares by category; a column collection compares histories (docs/guides/study-an-archive.md)',
      ),
    )
    .option(
      '--min-site-pages <n>',
      'leave out sites with fewer pages, where captures of one URL are one page',
      wholeNumber(1),
      1,
    )
    .option('--draw-sites <n>', 'take only this many sites, drawn by --seed', wholeNumber(1))
    .option(
      '--annotated <n>',
      'pages of each site and snapshot to write with their ranges coloured, linked from the report',
      wholeNumber(0, 1000),
      0,
    )
    .option(
      '--compare-settings [W.F.D.P,…]',
      'compare settings of the text method on every site (Figure 1 of the report)',
      parsedBy(parseCompared),
    );
}

/** The study options from the flags; reads the file of categories. */
export async function studyOptionsOf({
  categories,
  compareSettings,
  minSitePages,
  drawSites,
}: StudyFlags): Promise<StudyOptions> {
  return {
    ...(categories === undefined ? {} : await groupsOf(categories)),
    minSitePages,
    drawSites,
    compareSettings: compareSettings === true ? [...COMPARED_SETTINGS] : compareSettings,
  };
}

function parseCompared(list: string): string[] {
  const settings = list.split(',').map((one) => one.trim());
  // an input directly after the bare option is parsed as its list
  if (settings.some((one) => !/^[\d.]*$/.test(one))) {
    throw new RangeError(
      'It must be settings W.F.D.P, separated by commas; or give it last, after the inputs.',
    );
  }
  for (const one of settings) parseTextSettings(one);
  return settings;
}

type StudyOptions = Pick<
  JobOptions,
  'categories' | 'collections' | 'compareSettings' | 'minSitePages' | 'drawSites'
>;

async function groupsOf(file: string): Promise<SiteGroups> {
  try {
    return readSiteGroups(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--categories ${file}: ${(error as Error).message}`);
  }
}
