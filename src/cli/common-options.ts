/** Options that several commands share, declared once, so that name, meaning and default are equal everywhere. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { DEFAULT_LIMITS, FETCH_LIMITS, type FetchLimits, type Limits } from '../model/limits.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import { compilePattern } from '../model/url-filter.ts';
import { isWebUrl } from '../read/fetch-pages.ts';
import type { RemoteInputOptions } from '../read/open-inputs.ts';
import {
  type ReadOptions,
  STATUSES,
  type Statuses,
  WACZ_PAGES,
  type WaczPages,
} from '../read/read-options.ts';
import { REMOTE_DEFAULTS } from '../read/remote-file.ts';
import { LIST_FORMATS } from './list-format.ts';
import {
  addOptions,
  type OptionTable,
  optionsOf,
  parseBytes,
  parsedBy,
  wholeNumber,
} from './option-table.ts';
import { InputArgument, InputOption } from './path-options.ts';

/** Flags of `addReadOptions`. */
export interface ReadFlags {
  site: SiteRule;
  include: string[];
  exclude: string[];
  statuses: Statuses;
  waczPages: WaczPages;
  rate?: number;
  retries: number;
  base?: string;
}

/** Flags of `addVerbosityOptions`. */
export interface OutputFlags {
  quiet?: boolean;
  verbose?: boolean;
  strict?: boolean;
  timings?: boolean;
}

/** Minimum bytes per second; a server would close a slower connection. */
const MIN_RATE_BYTES = 1000;

/** Depth and nodes that the parser needs for the document, html, head and body. */
const MIN_TREE = 8;

const LIMITS: OptionTable<Limits> = {
  pageBytes: ['--max-page-bytes <n>', 'skip pages larger than this many bytes', wholeNumber(1)],
  recordBytes: [
    '--max-record-bytes <n>',
    'skip records larger than this many bytes when decompressed',
    wholeNumber(1),
  ],
  ratio: [
    '--max-ratio <n>',
    'skip data that becomes more than this many times as large when decompressed',
    wholeNumber(1),
  ],
  spoolRatio: [
    '--max-spool-ratio <n>',
    'for files compressed as a whole: largest temporary copy, as a multiple of the file',
    wholeNumber(1),
  ],
  encodings: ['--max-encodings <n>', 'most nested encodings of a page (Content-Encoding)', wholeNumber(1)],
  depth: [
    '--max-depth <n>',
    'deepest nesting of elements; deeper ones become siblings',
    wholeNumber(MIN_TREE),
  ],
  nodes: ['--max-nodes <n>', 'skip pages with more nodes', wholeNumber(MIN_TREE)],
  pageMs: ['--max-page-ms <n>', 'skip pages that take longer, in milliseconds', wholeNumber(1)],
};

const FETCHING: OptionTable<FetchLimits> = {
  fetchBytes: [
    '--max-fetch-bytes <size>',
    'for archives on the web: largest file, or parts of it that an index names, to copy',
    parsedBy(parseSize),
  ],
  fetchMs: [
    '--max-fetch-ms <n>',
    'for archives on the web: longest time for one file, in milliseconds',
    wholeNumber(1),
  ],
  fetchRate: [
    '--min-fetch-rate <size>',
    'for archives on the web: give up a server that sends fewer bytes per second; 0 waits for any',
    parsedBy(parseSize),
  ],
};

/**
 * Adds the inputs and the limits on one page; `site` for commands that group pages by site, `optional` for commands
 * that may run without inputs.
 */
export function addReadOptions(
  command: Command,
  { site = true, optional = false, besides = undefined as ((name: string) => string[]) | undefined } = {},
): Command {
  const inputs =
    'archives (WARC, WACZ, …), HTML or JSONL files, folders, globs or URLs of archives; - is standard input';
  command.addArgument(new InputArgument(optional ? '[input...]' : '<input...>', inputs, besides));
  if (site) {
    const rule = parsedBy(parseSiteRule);
    command.option(
      '--site <rule>',
      'the pages that make a site: those of a host, a domain, a host with N parts of the path (path:N), or a layout',
      rule,
      'host',
    );
  }
  command
    // one value each: an option with several values would take the inputs after it
    .option('--include <regexp>', 'only pages whose URL matches; may be repeated', patterns, [])
    .option('--exclude <regexp>', 'no pages whose URL matches; may be repeated', patterns, [])
    .addOption(
      new Option(
        '--statuses <which>',
        'take successful responses as pages, or all: also errors and redirects',
      )
        .choices(STATUSES)
        .default('2xx'),
    )
    .addOption(
      new Option(
        '--wacz-pages <which>',
        'of WACZ files, take all pages or only those that their pages.jsonl lists',
      )
        .choices(WACZ_PAGES)
        .default('all'),
    );
  command
    .option(
      '--rate <size>',
      'for archives on the web: most bytes per second, such as 5MB',
      parsedBy(parseRate),
    )
    .option(
      '--retries <n>',
      'for archives on the web: tries after a failed one, with growing pauses',
      wholeNumber(0, 100),
      REMOTE_DEFAULTS.retries,
    )
    .addOption(
      new InputOption(
        '--base <place>',
        'for an index (CDXJ, or columnar in Parquet): URL or folder of the archives that it names, if not beside it',
      ).argParser(parsedBy(urlOrFolder)),
    );
  addOptions(command, LIMITS, { defaults: DEFAULT_LIMITS, group: 'Limits:' });
  addOptions(command, FETCHING, { defaults: FETCH_LIMITS, group: 'Limits:' });
  return command;
}

/** Read options for commands that run a job; the reader compiles the patterns. */
export function readOptionsOf(flags: ReadFlags) {
  const { site, include, exclude, statuses, waczPages } = flags;
  return { site, include, exclude, statuses, waczPages, limits: optionsOf(LIMITS, flags) };
}

/** Options for fetching archives on the web. */
export function remoteOptionsOf(flags: ReadFlags): RemoteInputOptions {
  const { rate, retries, base } = flags;
  return { rateBytes: rate, retries, base, ...optionsOf(FETCHING, flags) };
}

function parseSize(text: string): number {
  const bytes = parseBytes(text);
  if (bytes >= 0) return bytes;
  throw new RangeError('It must be a number of bytes, such as 500kB or 20GB.');
}

function parseRate(text: string): number {
  const bytes = parseBytes(text);
  if (bytes >= MIN_RATE_BYTES) return bytes;
  throw new RangeError('It must be a number of bytes per second from 1kB, such as 500kB or 5MB.');
}

function urlOrFolder(text: string): string {
  if (isWebUrl(text) || statSync(text, { throwIfNoEntry: false })?.isDirectory()) return text;
  throw new RangeError('It must be an http or https URL, or a folder.');
}

/** Parses an http or https URL. */
export function webUrl(text: string): string {
  if (isWebUrl(text)) return text;
  throw new RangeError('It must be an http or https URL.');
}

/** Read options for commands that read pages one by one. */
export function pageReadOptionsOf(flags: ReadFlags): ReadOptions {
  return {
    ...readOptionsOf(flags),
    include: flags.include.map(compilePattern),
    exclude: flags.exclude.map(compilePattern),
  };
}

/** Adds `--workers`. */
export function addWorkerOption(command: Command): Command {
  return command.option(
    '--workers <n>',
    'number of worker threads; 0 runs everything in the main thread',
    wholeNumber(0, 256),
    availableParallelism(),
  );
}

/**
 * Adds options for messages on stderr and for the exit code after problems; `timings` for commands with several stages.
 */
export function addVerbosityOptions(command: Command, { timings = false } = {}): Command {
  command
    .option('--strict', 'exit with 1 instead of 3 when part of the input could not be read')
    .option('-q, --quiet', 'print nothing but errors')
    .option('-v, --verbose', 'print every problem, one per line');
  return timings ? command.option('--timings', 'print where the time went') : command;
}

/** The option `--format` of commands that print a list. */
export function listFormatOption(): Option {
  return new Option('--format <name>', 'how to print the list').choices(LIST_FORMATS).default('table');
}

/** The option `--captures` of commands that compare pages. */
export function capturesOption(of: 'page' | 'URL'): Option {
  return new Option(
    '--captures <which>',
    `take the last capture of each ${of}, or all of them as separate pages`,
  )
    .choices(['last', 'all'])
    .default('last');
}

function patterns(text: string, before: string[]): string[] {
  parsedBy(compilePattern)(text);
  return [...before, text];
}
