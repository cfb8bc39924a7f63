/** `chaff changes`: what changed between the captures of a site, template apart from content. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { tellFewSnapshots } from '../report/few-snapshots.ts';
import { runChanges } from '../run/changes-run.ts';
import { CHANGE_CLASSES, type ChangeClass } from '../store/change-rows.ts';
import { ChangeLines } from './change-table.ts';
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
import type { ListFormat } from './list-format.ts';
import { openLines } from './output.ts';
import { progressLine } from './progress.ts';
import { printSummary, problemPrinter } from './summary.ts';

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
  addJobOptions(command);
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
