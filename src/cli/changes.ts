/** `chaff changes`: what changed between the captures of a site, template apart from content. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { countOf, formatCount } from '../model/count-of.ts';
import { runChanges } from '../run/changes-run.ts';
import { CHANGE_CLASSES, type ChangeClass, type ChangeRow } from '../store/change-rows.ts';
import { tellFewSnapshots } from '../store/redesigns.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  listFormatOption,
  type OutputFlags,
  outputFileOption,
} from './common-options.ts';
import type { Context } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { type ListFormat, percent, RowLines, shorten } from './list-format.ts';
import { openLines } from './output.ts';
import { progressLine } from './progress.ts';
import { printable, printSummary, problemPrinter } from './summary.ts';

interface ChangeFlags extends JobFlags, OutputFlags {
  only: ChangeClass[];
  format: ListFormat;
  output?: string;
  workers: number;
}

export function changesCommand(context: Context): Command {
  const command = new Command('changes')
    .summary('what changed between captures: redesign, template, slot or content')
    .description(
      'Compares every page with the capture of its URL before it and tells what the changes mean: a redesign, ' +
        'a change of the template (one row for all pages that have it), a slot of the template that changes from ' +
        'page to page (dates, counters, ads), or content of a page. A redesign is one of the whole site, which also shows ' +
        'when all URLs are new, or of a part of it, more than the site usually changes.',
    );
  addReadOptions(command);
  command
    .addOption(
      new Option('--only <classes>', `some of ${CHANGE_CLASSES.join(', ')}`)
        .argParser(classes)
        .default([...CHANGE_CLASSES], 'all'),
    )
    .addOption(listFormatOption())
    .addOption(outputFileOption());
  addJobOptions(command, { detector: 'dom' });
  addWorkerOption(command);
  return addVerbosityOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff changes history.warc.gz
  chaff changes history.warc.gz --only redesign         when a site was made over
  chaff changes 'crawls/*.warc.gz' --only template,slot --format csv -o template-changes.csv
  chaff changes history.warc.gz --only content --format jsonl | jq -r .url
  chaff changes daily.warc.gz --snapshot day            a list for every day of a dense crawl`,
    )
    .action((inputs: string[], flags: ChangeFlags) => changes(context, inputs, flags));
}

async function changes(context: Context, inputs: string[], flags: ChangeFlags): Promise<void> {
  const { stderr, stdin, stdout } = context.streams;
  const lines = new ChangeLines(flags.format);
  // a bar between the rows on the same screen would tear both
  const line = progressLine(stderr, { quiet: flags.quiet || (flags.output === undefined && stdout.isTTY) });
  const output = openLines(context, flags.output);
  try {
    let told = 0;
    const write = async (texts: Iterable<string>) => {
      for (const text of texts) await output.line(text);
    };
    const summary = await runChanges(inputs, {
      ...jobOptionsOf(flags),
      only: flags.only,
      workers: flags.workers,
      signal: context.signal,
      stdin,
      onProgress: line.update,
      onChange: (row) => {
        told++;
        return write(lines.of(row));
      },
      onProblem: problemPrinter(context, flags),
    }).finally(line.clear);
    await write(lines.end());
    await output.commit();
    if (summary.compared === 0 && summary.pages > 0 && !flags.quiet) {
      const rest = told === 0 ? 'there is nothing to compare' : 'only designs could be compared';
      stderr.write(`chaff: no URL was captured at two times: ${rest}\n`);
    }
    if (summary.compared > 0 && summary.fewSnapshots > 0 && flags.only.includes('redesign') && !flags.quiet)
      stderr.write(`chaff: ${tellFewSnapshots(summary.fewSnapshots)}\n`);
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

/** Lines of a class at one date in the table; the rest is summed up. */
const MOST_LINES = 10;
const TEXT_CHARACTERS = 48;
const URL_CHARACTERS = 70;
/** Innermost elements of a place in the table. */
const PLACE_STEPS = 3;

/** The lines of row after row; `end` gives the last lines of a table. */
export class ChangeLines {
  readonly #rows: RowLines | undefined;
  readonly #isJson: boolean;
  #started = false;
  #site = '';
  #snapshot = '';
  #class: ChangeClass | '' = '';
  #shown = 0;
  #hidden = 0;

  constructor(format: ListFormat) {
    this.#rows = format === 'table' ? undefined : new RowLines(format);
    this.#isJson = format === 'jsonl';
  }

  of(row: ChangeRow): Generator<string> {
    return this.#rows?.of(this.#isJson ? withoutNulls(row) : row) ?? this.#tableLines(row);
  }

  *end(): Generator<string> {
    if (this.#hidden > 0) {
      yield `    … and ${formatCount(this.#hidden)} more of ${this.#class}; --format csv lists them all`;
    }
    this.#hidden = 0;
    this.#shown = 0;
  }

  *#tableLines(row: ChangeRow): Generator<string> {
    const isNewSite = row.site !== this.#site || !this.#started;
    const isNewDate = isNewSite || row.snapshot !== this.#snapshot;
    if (isNewDate || row.class !== this.#class) yield* this.end();
    if (isNewSite) yield `${this.#started ? '\n' : ''}${printable(row.site)}`;
    if (isNewDate) yield `  ${row.snapshot} (${countOf(row.compared, 'page')} compared, since ${row.since})`;
    this.#started = true;
    this.#site = row.site;
    this.#snapshot = row.snapshot;
    this.#class = row.class;
    if (this.#shown < MOST_LINES) {
      this.#shown++;
      yield `    ${row.class.padEnd(9)} ${LINE_OF[row.class](row)}`;
    } else this.#hidden++;
  }
}

const LINE_OF: Record<ChangeClass, (row: ChangeRow) => string> = {
  redesign: (row) =>
    `${row.size === 'part' ? 'in part: ' : ''}${figuresOf(row).join(', ')} (confidence ${row.confidence?.toFixed(2)})`,
  template: (row) => `${pagesOf(row)}  ${row.kind} ${placeOf(row)}: ${textsOf(row)}`,
  slot: (row) => `${pagesOf(row)}  ${placeOf(row)}, as ${textsOf(row)}`,
  content: (row) =>
    `${`+${formatCount(row.newWords ?? 0)} −${formatCount(row.lostWords ?? 0)} words`.padEnd(20)}  ${shorten(printable(row.url ?? ''), URL_CHARACTERS)}: ${textsOf(row)}`,
};

/** The measures of a redesign that could be taken. */
function figuresOf({ newTemplateShare, layoutSimilarity, designKept }: ChangeRow): string[] {
  const figures: string[] = [];
  if (newTemplateShare !== null) figures.push(`${percent(newTemplateShare)} of the template's words are new`);
  if (layoutSimilarity !== null) figures.push(`layouts are ${percent(layoutSimilarity)} alike`);
  if (designKept !== null) figures.push(`${percent(designKept)} of the design was kept`);
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
