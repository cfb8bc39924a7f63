/** `chaff report`: the main job. */

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Command } from 'commander';
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
  overwriteOption,
} from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { parsedBy, wholeNumber } from './option-table.ts';
import { checkOutputFolder } from './output.ts';
import { progressLine } from './progress.ts';
import { addRoleOptions, type RoleFlags, withRoles } from './role-options.ts';
import { siteTable, timingsTable } from './run-tables.ts';
import { printProblems, printSummary } from './summary.ts';
import { coloursOf } from './terminal.ts';

export interface ReportFlags extends JobFlags, StudyFlags, OutputFlags, RoleFlags {
  output?: string;
  overwrite?: boolean;
  markdown?: boolean;
  workers: number;
}

export function reportCommand(context: Context): Command {
  const command = new Command('report')
    .summary('label every page; write tables, clean text and report.html')
    .description(
      'Labels every page of the inputs and writes the output folder. --detector decides which text is kept;\n' +
        'dom, and text where the detector is not joint or with --categories, lists the templates of each site.',
    );
  addReadOptions(command);
  command
    .option('-o, --output <folder>', 'the folder to write; default: the first input’s name with .chaff')
    .addOption(overwriteOption())
    .option('--markdown', 'add Markdown to the rows of text/');
  addStudyOptions(command);
  addJobOptions(command, { detectorsOf });
  addRoleOptions(command);
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
    ...withRoles(jobOptionsOf(flags), flags),
    detectors: detectorsOf(flags),
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

/** The detectors that `report` and `history` run. */
export function detectorsOf({ detector, categories }: ReportFlags): DetectorName[] {
  return reportDetectors(detector, { hasCategories: categories !== undefined });
}

function defaultOutput(inputs: string[], extension: string): string {
  const first = inputs[0] === '-' ? 'stdin' : basename(inputs[0]).replace(/[*?[\]{}]/g, '');
  const stem = first.replace(/\.(gz|zst)$/, '').replace(/\.(warc|arc|wacz|jsonl|cdxj?|zip|html?)$/, '');
  return `${stem === '' ? 'archive' : stem}.${extension}`;
}

export interface StudyFlags {
  categories?: string;
  /** true: without a list. */
  compareSettings?: string[] | true;
  minSitePages: number;
  drawSites?: number;
}

export function addStudyOptions(command: Command): Command {
  return command
    .option(
      '--categories <file>',
      'a CSV file of site,category: shares by category; with a column collection: histories beside each other (docs/study.md)',
    )
    .option('--min-site-pages <n>', 'leave out sites with fewer pages', wholeNumber(1), 1)
    .option('--draw-sites <n>', 'a sample of so many sites, drawn by --seed', wholeNumber(1))
    .option(
      '--compare-settings [W.F.D.P,…]',
      'try settings of the text detector beside each other on every site: Figure 1 of the report',
      parsedBy(parseCompared),
    );
}

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
  // an input right after the bare option is taken for its list
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
