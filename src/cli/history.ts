/** `chaff history`: runs a report over captures of several times and reports how pages and templates changed. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { countOf, formatCount } from '../model/count-of.ts';
import { WHY_LEFT_OUT } from '../report/figures/share-history-figures.ts';
import { isoDay } from '../report/format-numbers.ts';
import type { Period } from '../store/history/history-queries.ts';
import { FIRST_HISTORY_YEAR } from '../store/history/history-tables.ts';
import {
  type HistoryOutline,
  type Redesign,
  readHistoryOutline,
  SMALL_SNAPSHOTS,
  type SmallSnapshots,
} from '../store/history/read-history.ts';
import type { OutputFolder } from '../store/open-folder.ts';
import { describeFewSnapshots, sitesWithFewSnapshots } from '../store/redesigns.ts';
import { addReadOptions, addVerbosityOptions, addWorkerOption } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addJobOptions } from './job-options.ts';
import { formatTable, percent } from './list-format.ts';
import { overwriteOption, START_AGAIN } from './path-options.ts';
import { addStudyOptions, detectorsOf, type ReportFlags, report, reportFolderOption } from './report.ts';
import { printable } from './summary.ts';

interface HistoryFlags extends ReportFlags {
  fromYear: number;
  toYear?: number;
  periods?: Period[];
  smallSnapshots: SmallSnapshots;
}

const MAX_SITES = 20;
const MAX_REDESIGNS = 20;

/** Declares the command `history`. */
export function historyCommand(context: Context): Command {
  const command = new Command('history')
    .summary('how a site changed over the years: shares, durations, redesigns')
    .description(
      'Labels every capture of the inputs, snapshot by snapshot, and describes how pages and templates changed (docs/guides/watch-a-site.md).',
    );
  addReadOptions(command);
  command
    .addOption(reportFolderOption('history'))
    .addOption(overwriteOption(START_AGAIN))
    .option('--from-year <year>', 'leave out captures of earlier years', parseYear, FIRST_HISTORY_YEAR)
    .option('--to-year <year>', 'leave out captures of later years (default: this year)', parseYear)
    .option('--periods <years,…>', 'periods of Table 2, as in 1996-2001,2002-2004', parsePeriods)
    .addOption(
      new Option(
        '--small-snapshots <how>',
        'snapshots with too few pages to learn from: mark draws them apart, leave-out does not draw them',
      )
        .choices(SMALL_SNAPSHOTS)
        .default('mark'),
    );
  addStudyOptions(command);
  addJobOptions(command, { detector: 'dom', detectorsOf });
  addWorkerOption(command);
  addVerbosityOptions(command, { timings: true });
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff history history.warc.gz -o site.history
  chaff sql site.history "select site, first, class, confidence from history_redesigns"
  chaff history 'crawl/*.warc.gz' --snapshot month --to-year 2024`,
    )
    .action((inputs: string[], flags: HistoryFlags) => history(context, inputs, flags));
}

async function history(context: Context, inputs: string[], flags: HistoryFlags): Promise<void> {
  // no capture is later than today, and an archive does not record when it was made: docs/guides/watch-a-site.md
  const { fromYear, toYear = new Date().getUTCFullYear(), periods, smallSnapshots } = flags;
  if (fromYear > toYear) throw new UsageError(`--from-year ${fromYear} is after --to-year ${toYear}`);
  await report(context, inputs, flags, {
    history: { fromYear, toYear, periods, smallSnapshots },
    summarise: (folder) => historyTable(folder, flags.verbose ?? false),
  });
}

/** The table for terminals: shares at the first and last snapshot of each site, and the redesigns. */
async function historyTable(folder: OutputFolder, verbose: boolean): Promise<string> {
  const found = await readHistoryOutline(folder);
  return found === undefined
    ? ''
    : `${shareRows(found).join('\n')}\n${redesignRows(found, verbose)}${fewSnapshotsRow(found)}${leftOutRow(found)}`;
}

function shareRows({ snapshots, detector }: HistoryOutline): string[] {
  const bySite = new Map<string, HistoryOutline['snapshots']>();
  for (const row of snapshots) {
    const known = bySite.get(row.site);
    if (known) known.push(row);
    else bySite.set(row.site, [row]);
  }
  if (bySite.size === 0) return ['no capture has a time within the years asked for'];
  const sites = [...bySite].sort(([a, rowsA], [b, rowsB]) => rowsB.length - rowsA.length || (a < b ? -1 : 1));
  const rows = sites.slice(0, MAX_SITES).map(([site, own]) => {
    const large = own.filter(({ small }) => !small);
    const [first, last] = [large[0], large[large.length - 1]];
    return [
      printable(site).slice(0, 40),
      formatCount(own.length),
      `${isoDay(own[0].moment)} – ${isoDay(own[own.length - 1].moment)}`,
      ...(['text', 'html', 'links'] as const).map((kind) =>
        first === undefined ? '–' : `${shareOf(first[kind])} → ${shareOf(last[kind])}`,
      ),
    ];
  });
  const header = ['site', 'snapshots', 'from – to', 'text', 'HTML', 'links'];
  const more = sites.length - rows.length;
  return [
    `share of an average page inside templates by ${detector}, at the first and the last snapshot with enough pages`,
    ...formatTable([header, ...rows], (column) => column === 1),
    ...(more > 0 ? [`… and ${countOf(more, 'more site')}`] : []),
  ];
}

/** Rows of redesigns; smaller changes of templates are counted, and listed if `verbose`. */
function redesignRows({ redesigns, smallerChanges }: HistoryOutline, verbose: boolean): string {
  const found = redesigns.length === 0 ? 'no redesign was found\n' : listed('redesign', redesigns);
  if (smallerChanges.length === 0) return found;
  if (verbose) return found + listed('smaller change', smallerChanges);
  return `${found}${countOf(smallerChanges.length, 'smaller change')} of templates: -v lists them, and so does chaff sql with the query smaller-changes\n`;
}

function listed(name: string, redesigns: readonly Redesign[]): string {
  const rows = redesigns
    .slice(0, MAX_REDESIGNS)
    .map(
      ({ site, since, first, why, confidence }) =>
        `${name} of ${printable(site)} between ${since} and ${first} (${why}; confidence ${confidence.toFixed(2)})\n`,
    );
  const more = redesigns.length - rows.length;
  return `${rows.join('')}${more > 0 ? `… and ${countOf(more, `more ${name}`)}\n` : ''}`;
}

/** A row for sites with too few snapshots: one step does not show what usually changes. */
function fewSnapshotsRow(found: HistoryOutline): string {
  const few = sitesWithFewSnapshots(found.snapshots);
  return few === 0 ? '' : `${describeFewSnapshots(few)}\n`;
}

function leftOutRow({ leftOut }: HistoryOutline): string {
  if (leftOut.length === 0) return '';
  const parts = leftOut.map(({ why, pages }) => `${formatCount(pages)} ${WHY_LEFT_OUT[why]}`);
  return `not in the history: ${parts.join(', ')}\n`;
}

function shareOf(share: number | null): string {
  return share === null ? '–' : percent(share);
}

function parsePeriods(text: string): Period[] {
  return text.split(',').map((part) => {
    const [, from, to = from] = /^(\d{4})(?:[-–](\d{4}))?$/.exec(part.trim()) ?? [];
    if (from === undefined || Number(to) < Number(from))
      throw new InvalidArgumentError('It must be periods of years, such as 1996-2001,2002-2004.');
    return { fromYear: Number(from), toYear: Number(to) };
  });
}

function parseYear(text: string): number {
  const year = Number(text);
  if (!/^\d{4}$/.test(text) || year < 1000)
    throw new InvalidArgumentError('It must be a year of four digits.');
  return year;
}
