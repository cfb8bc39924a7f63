/** `chaff changes`: lists what changed between the captures of a site, templates apart from content. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { countOf, formatCount } from '../model/count-of.ts';
import { runChanges } from '../run/changes-run.ts';
import { CHANGE_CLASSES, type ChangeClass, type ChangeRow } from '../store/change-rows.ts';
import { describeFewSnapshots } from '../store/redesigns.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  listFormatOption,
  type OutputFlags,
} from './common-options.ts';
import type { Context } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { type ListFormat, percent, RowLines, shorten } from './list-format.ts';
import { openLines } from './output.ts';
import { outputFileOption, overwriteOption } from './path-options.ts';
import { progressLine } from './progress.ts';
import { runningOptionsOf } from './running-options.ts';
import { printable, printSummary } from './summary.ts';

interface ChangeFlags extends JobFlags, OutputFlags {
  only?: ChangeClass[];
  format: ListFormat;
  output?: string;
  workers: number;
}

/** Declares the command `changes`. */
export function changesCommand(context: Context): Command {
  const command = new Command('changes')
    .summary('what changed between captures: redesigns, templates, changing parts, content')
    .description(
      'Compares every page with the capture of its URL before it and says what the changes mean: a redesign of the ' +
        'site, a smaller change of its template, a text of the template (one row for all pages that have it), a slot of ' +
        'the template that changes from page to page (dates, counters, ads), or content of a page. A redesign is also ' +
        'found when all URLs are new. The table leaves out smaller changes unless --only names them or -v is given.',
    );
  addReadOptions(command);
  command
    .addOption(
      new Option('--only <classes>', `some of ${CHANGE_CLASSES.join(', ')}`)
        .default(undefined, 'all')
        .argParser(classes),
    )
    .addOption(listFormatOption())
    .addOption(outputFileOption())
    .addOption(overwriteOption());
  addJobOptions(command, { detector: 'dom' });
  addWorkerOption(command);
  return addVerbosityOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff changes history.warc.gz
  chaff changes history.warc.gz --only redesign
      when a site was redesigned
  chaff changes 'crawl/*.warc.gz' --only template,slot --format csv -o template-changes.csv
  chaff changes history.warc.gz --snapshot day
      a list for every day of a dense crawl`,
    )
    .action((inputs: string[], flags: ChangeFlags) => changes(context, inputs, flags));
}

async function changes(context: Context, inputs: string[], flags: ChangeFlags): Promise<void> {
  const { stderr, stdout } = context.streams;
  const { only = CHANGE_CLASSES, verbose = false } = flags;
  const lines = new ChangeLines(flags.format, {
    folds: flags.only === undefined && !verbose,
  });
  // a progress bar would mix with rows on the same screen
  const line = progressLine(stderr, { quiet: flags.quiet || (flags.output === undefined && stdout.isTTY) });
  const output = openLines(context, flags.output);
  try {
    let changeCount = 0;
    const write = async (texts: Iterable<string>) => {
      for (const text of texts) await output.line(text);
    };
    const summary = await runChanges(inputs, {
      ...jobOptionsOf(flags),
      only,
      ...runningOptionsOf(context, flags, line),
      onChange: (row) => {
        changeCount++;
        return write(lines.of(row));
      },
    }).finally(line.clear);
    await write(lines.end());
    await output.commit();
    if (summary.compared === 0 && summary.pages > 0 && !flags.quiet) {
      const rest = changeCount === 0 ? 'there is nothing to compare' : 'only designs could be compared';
      stderr.write(`chaff: no URL was captured at two times: ${rest}\n`);
    }
    if (summary.compared > 0 && summary.fewSnapshots > 0 && only.includes('smaller-change') && !flags.quiet)
      stderr.write(`chaff: ${describeFewSnapshots(summary.fewSnapshots)}\n`);
    printSummary(context, summary, flags);
  } finally {
    output.discard();
  }
}

function classes(text: string): ChangeClass[] {
  const names = text.split(',').map((name) => name.trim());
  const known = names.filter((name): name is ChangeClass => CHANGE_CLASSES.includes(name as ChangeClass));
  if (known.length === names.length) return known;
  throw new InvalidArgumentError(`It must be some of ${CHANGE_CLASSES.join(',')}, separated by commas.`);
}

/** Maximum number of lines of a class at one date in the table; the rest is summed up. */
const MAX_LINES = 10;
const TEXT_CHARACTERS = 48;
const URL_CHARACTERS = 70;
const DATES_CHARACTERS = 100;
/** Number of innermost elements that the table shows of a place. */
const PLACE_STEPS = 3;

/** Formats one row after the other; `end` returns the last lines of a table. */
export class ChangeLines {
  readonly #rows: RowLines | undefined;
  readonly #isJson: boolean;
  #started = false;
  #site = '';
  #snapshot = '';
  #class: ChangeClass | '' = '';
  #shown = 0;
  #hidden = 0;
  /** Whether the table only counts smaller changes of the template. */
  readonly #folds: boolean;
  /** Dates of the counted changes of the current site. */
  #folded: string[] = [];

  constructor(format: ListFormat, { folds = false } = {}) {
    this.#folds = folds;
    this.#rows = format === 'table' ? undefined : new RowLines(format);
    this.#isJson = format === 'jsonl';
  }

  of(row: ChangeRow): Generator<string> {
    return this.#rows?.of(this.#isJson ? withoutNulls(row) : row) ?? this.#tableLines(row);
  }

  *end(): Generator<string> {
    yield* this.#endClass();
    const dates = this.#folded;
    this.#folded = [];
    if (dates.length > 0) {
      const are = dates.length === 1 ? 'is' : 'are';
      yield `  ${countOf(dates.length, 'smaller change')} of the template ${are} not listed (${shorten(dates.join(', '), DATES_CHARACTERS)}); -v lists ${dates.length === 1 ? 'it' : 'them'}`;
    }
  }

  *#endClass(): Generator<string> {
    if (this.#hidden > 0) {
      yield `    … and ${formatCount(this.#hidden)} more of ${this.#class}; --format csv lists them all`;
    }
    this.#hidden = 0;
    this.#shown = 0;
  }

  *#tableLines(row: ChangeRow): Generator<string> {
    const isNewSite = row.site !== this.#site || !this.#started;
    const isNewDate = isNewSite || row.snapshot !== this.#snapshot;
    if (isNewSite) yield* this.end();
    else if (isNewDate || row.class !== this.#class) yield* this.#endClass();
    const isFolded = this.#folds && row.class === 'smaller-change';
    if (isNewSite) yield `${this.#started ? '\n' : ''}${printable(row.site)}`;
    this.#started = true;
    this.#site = row.site;
    if (isFolded) {
      this.#folded.push(row.snapshot);
      return;
    }
    if (isNewDate) yield `  ${row.snapshot} (${countOf(row.compared, 'page')} compared, since ${row.since})`;
    this.#snapshot = row.snapshot;
    this.#class = row.class;
    if (this.#shown < MAX_LINES) {
      this.#shown++;
      yield `    ${(CLASS_NAMES[row.class] ?? row.class).padEnd(9)} ${LINE_OF[row.class](row)}`;
    } else this.#hidden++;
  }
}

/** Short class names for the table. */
const CLASS_NAMES: Partial<Record<ChangeClass, string>> = { 'smaller-change': 'smaller' };

const LINE_OF: Record<ChangeClass, (row: ChangeRow) => string> = {
  redesign: (row) => `${figuresOf(row).join(', ')} (confidence ${row.confidence?.toFixed(2)})`,
  'smaller-change': (row) => `change of the template: ${figuresOf(row).join(', ')}`,
  template: (row) => `${pagesOf(row)}  ${row.kind} ${placeOf(row)}: ${textsOf(row)}`,
  slot: (row) => `${pagesOf(row)}  ${placeOf(row)}, as ${textsOf(row)}`,
  content: (row) =>
    `${`+${formatCount(row.newWords ?? 0)} −${formatCount(row.lostWords ?? 0)} words`.padEnd(20)}  ${shorten(printable(row.url ?? ''), URL_CHARACTERS)}: ${textsOf(row)}`,
};

/** The available measures of a redesign or smaller change. */
function figuresOf({ newTemplateShare, layoutSimilarity, designKept, linksKept }: ChangeRow): string[] {
  const figures: string[] = [];
  if (newTemplateShare !== null) figures.push(`${percent(newTemplateShare)} of the template's words are new`);
  if (layoutSimilarity !== null) figures.push(`layouts are ${percent(layoutSimilarity)} alike`);
  if (designKept !== null) figures.push(`${percent(designKept)} of the design was kept`);
  if (linksKept !== null) figures.push(`${percent(linksKept)} of the common links were kept`);
  return figures;
}

function pagesOf({ pages, compared }: ChangeRow): string {
  return `on ${formatCount(pages)} of ${countOf(compared, 'page')}`.padEnd(20);
}

function placeOf({ place }: ChangeRow): string {
  return printable((place ?? '').split(' > ').slice(-PLACE_STEPS).join(' > '));
}

function textsOf({ old, new: text }: ChangeRow): string {
  const quoted = (value: string) => `“${shorten(printable(value), TEXT_CHARACTERS)}”`;
  if (old === null) return `+ ${quoted(text ?? '')}`;
  return text === null ? `− ${quoted(old)}` : `${quoted(old)} → ${quoted(text)}`;
}

function withoutNulls(row: ChangeRow): Partial<ChangeRow> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
