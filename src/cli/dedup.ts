/** `chaff dedup`: finds pages whose text outside templates is nearly the same. */
import { Command } from 'commander';
import { MAX_SHINGLE_HASHES, MAX_SHINGLE_WORDS, SHINGLE_DEFAULTS } from '../analysis/shingles.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { type DedupRow, type DedupSummary, dedupDetectors, runDedup } from '../run/dedup-run.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  capturesOption,
  listFormatOption,
  type OutputFlags,
} from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { type ListFormat, RowLines } from './list-format.ts';
import { wholeNumber } from './option-table.ts';
import { openLines } from './output.ts';
import { OutputOption, outputFileOption, overwriteOption } from './path-options.ts';
import { progressLine } from './progress.ts';
import { runningOptionsOf } from './running-options.ts';
import { printable, printSummary } from './summary.ts';

interface DedupFlags extends JobFlags, OutputFlags {
  shingle: number;
  hashes: number;
  match: number;
  captures: 'last' | 'all';
  acrossSites?: boolean;
  all?: boolean;
  keep?: string;
  format: ListFormat;
  output?: string;
  workers: number;
}

/** Declares the command `dedup`. */
export function dedupCommand(context: Context): Command {
  const command = new Command('dedup')
    .summary('pages whose main text is nearly the same, on one site or on several')
    .description(
      'Finds pages with nearly the same text, on one site or on several. Windows of words (shingles) outside ' +
        'templates are hashed, and pages that share enough of their smallest hashes are near-duplicates. Each ' +
        'page of a group is a near-duplicate of its first page, the earliest capture.',
    );
  addReadOptions(command);
  command
    .option(
      '--shingle <words>',
      'words of a window',
      wholeNumber(1, MAX_SHINGLE_WORDS),
      SHINGLE_DEFAULTS.words,
    )
    .option(
      '--hashes <n>',
      'number of hashes stored for each page, the smallest ones',
      wholeNumber(1, MAX_SHINGLE_HASHES),
      SHINGLE_DEFAULTS.hashes,
    )
    .option(
      '--match <n>',
      'how many of the stored hashes two pages must share',
      wholeNumber(1, MAX_SHINGLE_HASHES),
      SHINGLE_DEFAULTS.match,
    )
    .addOption(capturesOption('URL'))
    .option('--across-sites', 'only groups with pages of several sites')
    .option('--all', 'list every page, also those without duplicates or with too little text')
    .addOption(
      new OutputOption(
        '--keep <file>',
        'file for the URLs to keep: one of each group, and all pages without duplicates; - is standard output',
      ),
    )
    .addOption(listFormatOption())
    .addOption(outputFileOption())
    .addOption(overwriteOption());
  addJobOptions(command, { detectorsOf: (flags) => dedupDetectors(flags.detector) });
  addWorkerOption(command);
  return addVerbosityOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff dedup crawl.warc.gz
  chaff dedup 'crawl/*.warc.gz' --format jsonl -o duplicates.jsonl
  chaff dedup 'crawl/*.warc.gz' --across-sites
      syndicated stories and mirrors
  chaff dedup crawl.warc.gz --keep - > keep.txt
      the URLs of a corpus without duplicates
  chaff dedup crawl.warc.gz --match 8
      hardly anything but copies
  chaff dedup crawl.warc.gz --dom-lower 0.02
      for sites whose pages carry pieces of many others`,
    )
    .action((inputs: string[], flags: DedupFlags) => dedup(context, inputs, flags));
}

async function dedup(context: Context, inputs: string[], flags: DedupFlags): Promise<void> {
  const { stderr, stdout } = context.streams;
  if (flags.match > flags.hashes) {
    throw new UsageError(
      `--match ${flags.match} is more than the ${flags.hashes} hashes stored for each page (--hashes)`,
    );
  }
  const { keep } = flags;
  const lines = new DedupLines(flags.format, { all: flags.all });
  // the list of URLs to keep replaces the list of pages on standard output
  const isListed = flags.output !== undefined || keep !== '-';
  // a progress bar would mix with rows on the same screen
  const line = progressLine(stderr, { quiet: flags.quiet || (flags.output === undefined && stdout.isTTY) });
  const list = openLines(context, flags.output);
  const kept = keep === undefined ? undefined : openLines(context, keep);
  const keptUrls = new Set<string>();
  try {
    const summary = await runDedup(inputs, {
      ...jobOptionsOf(flags),
      words: flags.shingle,
      hashes: flags.hashes,
      match: flags.match,
      captures: flags.captures,
      acrossSites: flags.acrossSites,
      ...runningOptionsOf(context, flags, line),
      onPage: async (row) => {
        if (isListed) for (const text of lines.of(row)) await list.line(text);
        if (!kept || row.kind === 'copy' || keptUrls.has(row.url)) return;
        // with all captures a URL may occur several times
        if (flags.captures === 'all') keptUrls.add(row.url);
        await kept.line(urlLine(row));
      },
    }).finally(line.clear);
    if (isListed) for (const text of lines.end()) await list.line(text);
    await list.commit();
    await kept?.commit();
    if (!flags.quiet) stderr.write(`${summaryLine(summary, flags)}\n`);
    printSummary(context, summary, flags, { done: 'compared' });
  } finally {
    list.discard();
    kept?.discard();
  }
}

/** `412 pages: 31 near-duplicates in 12 groups, 6 with fewer than 6 words not compared`. */
function summaryLine(summary: DedupSummary, { shingle, acrossSites }: DedupFlags): string {
  const { pages, copies, groups, short, crowded } = summary;
  const parts = [
    `${formatCount(copies)} of ${countOf(pages, 'page')} ${copies === 1 ? 'is a near-duplicate' : 'are near-duplicates'} of another one`,
    `${countOf(groups, 'group')}${acrossSites ? ' across sites' : ''}`,
  ];
  if (short > 0) parts.push(`${countOf(short, 'page')} with fewer than ${shingle} words not compared`);
  if (crowded > 0) parts.push(`${countOf(crowded, 'page')} compared with some of very many candidates only`);
  return parts.join('; ');
}

/** Maximum number of groups in the table, and maximum pages of one group; the rest is summed up. */
const MAX_GROUPS = 20;
const MAX_PAGES = 10;

/** Formats one page after the other: groups are consecutive, ungrouped pages come last. */
export class DedupLines {
  readonly #rows: RowLines | undefined;
  readonly #all: boolean;
  #isStarted = false;
  #group = 0;
  #pagesOfGroup = 0;
  #groupsLeft = 0;
  #pagesLeft = 0;

  /** `all`: also list pages without duplicates. */
  constructor(format: ListFormat, { all = false } = {}) {
    this.#rows = format === 'table' ? undefined : new RowLines(format);
    this.#all = all;
  }

  *of(row: DedupRow): Generator<string> {
    if (row.group === null && !this.#all) return;
    if (this.#rows) yield* this.#rows.of(row);
    else if (row.group === null) yield* this.#aloneLine(row);
    else yield* this.#tableLines(row, row.group);
  }

  *end(): Generator<string> {
    if (this.#rows) return;
    yield* this.#closeGroup();
    if (this.#groupsLeft === 0) return;
    yield '';
    yield `… and ${countOf(this.#groupsLeft, 'group')} more of ${countOf(this.#pagesLeft, 'page')}; --format csv lists them all`;
  }

  *#tableLines(row: DedupRow, group: number): Generator<string> {
    if (group !== this.#group) {
      yield* this.#closeGroup();
      this.#group = group;
      this.#pagesOfGroup = 0;
      if (group > MAX_GROUPS) {
        this.#groupsLeft++;
        this.#pagesLeft += row.pages;
      } else {
        if (this.#isStarted) yield '';
        this.#isStarted = true;
        yield `group ${formatCount(group)}: ${countOf(row.pages, 'page')} of ${countOf(row.sites, 'site')}`;
      }
    }
    if (group > MAX_GROUPS || ++this.#pagesOfGroup > MAX_PAGES) return;
    yield `  ${matchOf(row).padStart(9)}  ${row.time.padEnd(20)}  ${printable(row.url)}`;
  }

  *#closeGroup(): Generator<string> {
    const left = this.#pagesOfGroup - MAX_PAGES;
    if (this.#group <= MAX_GROUPS && left > 0) yield `             … and ${countOf(left, 'page')} more`;
    this.#pagesOfGroup = 0;
  }

  *#aloneLine(row: DedupRow): Generator<string> {
    yield* this.#closeGroup();
    if (this.#group !== 0) {
      yield* this.end();
      yield '';
      this.#group = 0;
      this.#groupsLeft = 0;
    }
    yield `  ${row.kind.padStart(9)}  ${row.time.padEnd(20)}  ${printable(row.url)}`;
  }
}

/** `first`, `copy`, or the number of hashes shared with the first page. */
function matchOf({ kind, exact, matching, stored }: DedupRow): string {
  if (kind === 'first') return 'first';
  return exact ? 'copy' : `${matching} of ${stored}`;
}

/** A URL on one line: characters that would end the line are percent-encoded. */
export function urlLine({ url }: Pick<DedupRow, 'url'>): string {
  return url.replace(/[\x00-\x20\x7f]/g, (character) => encodeURIComponent(character));
}
