/** The options that commands share, declared once: the same name, meaning and default everywhere. */
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import { parseSiteRule, type SiteRule } from '../model/site.ts';
import { compilePattern } from '../model/url-filter.ts';
import { type ReadOptions, STATUSES, type Statuses } from '../read/read-options.ts';
import { LIST_FORMATS } from './list-format.ts';
import { addOptions, type OptionTable, optionsOf, parsedBy, wholeNumber } from './option-table.ts';

export interface ReadFlags {
  site: SiteRule;
  include: string[];
  exclude: string[];
  statuses: Statuses;
}

export interface OutputFlags {
  quiet?: boolean;
  verbose?: boolean;
  strict?: boolean;
  timings?: boolean;
}

/** Depth and nodes that the parser needs for html, head, body and the document. */
const LEAST_TREE = 8;

const LIMITS: OptionTable<Limits> = {
  pageBytes: ['--max-page-bytes <n>', 'largest page body, decoded', wholeNumber(1)],
  recordBytes: ['--max-record-bytes <n>', 'largest record, decompressed', wholeNumber(1)],
  ratio: ['--max-ratio <n>', 'largest decompressed to compressed ratio', wholeNumber(1)],
  spoolRatio: [
    '--max-spool-ratio <n>',
    'largest temporary copy per byte of a file compressed as a whole',
    wholeNumber(1),
  ],
  encodings: ['--max-encodings <n>', 'longest chain of Content-Encodings', wholeNumber(1)],
  depth: ['--max-depth <n>', 'deepest element; deeper ones become siblings', wholeNumber(LEAST_TREE)],
  nodes: ['--max-nodes <n>', 'most nodes of a page', wholeNumber(LEAST_TREE)],
  pageMs: ['--max-page-ms <n>', 'longest time for one page, in milliseconds', wholeNumber(1)],
};

/**
 * What to read, and how much one page may cost; `site` when it matters which pages belong together, `optional` when there is
 * something to do without inputs.
 */
export function addReadOptions(command: Command, { site = true, optional = false } = {}): Command {
  const inputs = 'archives, folders or globs; - is standard input';
  command.argument(optional ? '[input...]' : '<input...>', inputs);
  if (site) {
    const rule = parsedBy(parseSiteRule);
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
  addOptions(command, LIMITS, { defaults: DEFAULT_LIMITS, group: 'Limits:' });
  return command;
}

/** For commands that run a job: the reader compiles the patterns. */
export function readOptionsOf(flags: ReadFlags) {
  const { site, include, exclude, statuses } = flags;
  return { site, include, exclude, statuses, limits: optionsOf(LIMITS, flags) };
}

/** For commands that read pages one by one. */
export function pageReadOptionsOf(flags: ReadFlags): ReadOptions {
  return {
    ...readOptionsOf(flags),
    include: flags.include.map(compilePattern),
    exclude: flags.exclude.map(compilePattern),
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

/** What is said on stderr, and what problems mean for the exit code; `timings` for commands of several stages. */
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

function patterns(text: string, before: string[]): string[] {
  parsedBy(compilePattern)(text);
  return [...before, text];
}
