/**
 * The options that commands share, declared once: the same name, meaning and default everywhere. Defaults
 * shown in help are the constants the code uses.
 */

import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import { compilePattern } from '../model/url-filter.ts';
import { type ReadOptions, STATUSES, type Statuses } from '../read/read-options.ts';
import { LIST_FORMATS } from './list-format.ts';

export interface ReadFlags {
  site: SiteRule;
  include: string[];
  exclude: string[];
  statuses: Statuses;
  maxPageBytes: number;
  maxRecordBytes: number;
  maxRatio: number;
  maxSpoolRatio: number;
  maxEncodings: number;
  maxDepth: number;
  maxNodes: number;
  maxPageMs: number;
}

export interface OutputFlags {
  quiet?: boolean;
  verbose?: boolean;
  strict?: boolean;
  timings?: boolean;
}

/** Depth and nodes that the parser needs for html, head, body and what it stands on. */
const LEAST_TREE = 8;

const LIMIT_FLAGS: [flag: string, limit: keyof Limits, meaning: string, least?: number][] = [
  ['--max-page-bytes <n>', 'pageBytes', 'largest page body, decoded'],
  ['--max-record-bytes <n>', 'recordBytes', 'largest record, decompressed'],
  ['--max-ratio <n>', 'ratio', 'largest decompressed to compressed ratio'],
  ['--max-spool-ratio <n>', 'spoolRatio', 'largest temporary copy per byte of a file compressed as a whole'],
  ['--max-encodings <n>', 'encodings', 'longest chain of Content-Encodings'],
  ['--max-depth <n>', 'depth', 'deepest element; deeper ones become siblings', LEAST_TREE],
  ['--max-nodes <n>', 'nodes', 'most nodes of a page', LEAST_TREE],
  ['--max-page-ms <n>', 'pageMs', 'longest time for one page, in milliseconds'],
];

/** What to read, and how much one page may cost; `site` when it matters which pages belong together. */
export function addReadOptions(command: Command, { site = true } = {}): Command {
  command.argument('<input...>', 'archives, folders or globs; - is standard input');
  if (site) {
    command.option('--site <rule>', 'what makes a site: host, domain, path:N or layout', rule, 'host');
  }
  command
    // one value each: an option that takes several would swallow the inputs after it
    .option('--include <regexp>', 'write only pages whose URL matches; repeated: one of them', patterns, [])
    .option('--exclude <regexp>', 'write no pages whose URL matches; repeated: any of them', patterns, [])
    .addOption(
      new Option(
        '--statuses <which>',
        'responses of which HTTP status are pages; all: errors and redirects too',
      )
        .choices(STATUSES)
        .default('2xx'),
    );
  for (const [flag, limit, meaning, least = 1] of LIMIT_FLAGS) {
    command.addOption(
      new Option(flag, meaning)
        .argParser(wholeNumber(least))
        .default(DEFAULT_LIMITS[limit])
        .helpGroup('Limits:'),
    );
  }
  return command;
}

/** For commands that run a job: patterns are compiled by those who read. */
export function readOptionsOf({ site, include, exclude, statuses, ...flags }: ReadFlags) {
  return { site, include, exclude, statuses, limits: limitsOf(flags) };
}

/** For commands that read pages one by one. */
export function pageReadOptionsOf(flags: ReadFlags): ReadOptions {
  return {
    ...readOptionsOf(flags),
    include: flags.include.map(compilePattern),
    exclude: flags.exclude.map(compilePattern),
  };
}

function limitsOf(flags: Omit<ReadFlags, 'site' | 'include' | 'exclude' | 'statuses'>): Limits {
  return {
    pageBytes: flags.maxPageBytes,
    recordBytes: flags.maxRecordBytes,
    ratio: flags.maxRatio,
    spoolRatio: flags.maxSpoolRatio,
    encodings: flags.maxEncodings,
    depth: flags.maxDepth,
    nodes: flags.maxNodes,
    pageMs: flags.maxPageMs,
  };
}

export function addWorkerOption(command: Command): Command {
  return command.option(
    '--workers <n>',
    'worker threads; 0 works in the thread of the command',
    wholeNumber(0, 256),
    availableParallelism(),
  );
}

/** What is said on stderr, and what problems mean for the exit code; `timings` where there is more than one stage to tell of. */
export function addVerbosityOptions(command: Command, { timings = false } = {}): Command {
  command
    .option('--strict', 'problems in the input make the exit code 1 instead of 3')
    .option('-q, --quiet', 'say nothing but errors')
    .option('-v, --verbose', 'list every problem as it is reported');
  return timings ? command.option('--timings', 'say where the time went') : command;
}

export function outputFileOption(): Option {
  return new Option('-o, --output <file>', 'the file to write (.gz compresses) instead of standard output');
}

export function overwriteOption(): Option {
  return new Option('--overwrite', 'start afresh in a folder that another run has written');
}

export function listFormatOption(): Option {
  return new Option('--format <name>', 'of the list').choices(LIST_FORMATS).default('table');
}

export function capturesOption(of: 'page' | 'URL'): Option {
  return new Option('--captures <which>', `of each ${of} the last capture, or all as pages of their own`)
    .choices(['last', 'all'])
    .default('last');
}

/** Adds options of one group of the help to a command: with a parsed value, or with a choice of values. */
export function optionAdder(command: Command, group: string) {
  return {
    add(flags: string, meaning: string, parse: (text: string) => unknown, value?: unknown, shown?: string) {
      command.addOption(new Option(flags, meaning).argParser(parse).default(value, shown).helpGroup(group));
    },
    choose(flags: string, meaning: string, choices: readonly string[], value?: string) {
      command.addOption(new Option(flags, meaning).choices(choices).default(value).helpGroup(group));
    },
  };
}

/** A parser for whole numbers in a range. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text.replaceAll('_', ''));
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? ` from ${least}` : ` from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number${upTo}.`);
  };
}

/** A parser for numbers in a range, such as shares. */
export function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };
}

/** Makes a parser of the library speak as an option's parser: its message, without a stack. */
export function parsedBy<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}

function rule(text: string): SiteRule {
  return parsedBy(parseSiteRule)(text);
}

function patterns(text: string, before: string[]): string[] {
  parsedBy(compilePattern)(text);
  return [...before, text];
}
