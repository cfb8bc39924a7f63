/** `chaff fragments`: finds what the pages of a collection share, and what one copy of it would save. */
import { join } from 'node:path';
import { Command, Option } from 'commander';
import {
  COMPOSITES,
  type Composites,
  DEFAULT_COMPOSITES,
  DEFAULT_MIN_BYTES,
  DEFAULT_MIN_SHARED,
  type FragmentResult,
  RELATIONS,
  type Relation,
  sharePasses,
} from '../fragments/shared-page.ts';
import { writeReport } from '../report/write-report.ts';
import { DEFAULT_DESCRIBED, runFragments } from '../run/fragments-run.ts';
import type { FragmentRunFile } from '../store/run-file.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  capturesOption,
  listFormatOption,
  type OutputFlags,
  type ReadFlags,
  readOptionsOf,
  remoteOptionsOf,
} from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import {
  addDictionaryOptions,
  addIncludeOptions,
  addSelectorOptions,
  checkIncludeFlags,
  checkSelectorFlags,
  type DictionaryFlags,
  exportDictionaries,
  exportIncludes,
  exportSelectors,
  type IncludeFlags,
  type SelectorFlags,
} from './fragment-exports.ts';
import { fragmentLines } from './fragment-table.ts';
import type { ListFormat } from './list-format.ts';
import { wholeNumber } from './option-table.ts';
import { OutputOption, overwriteOption, START_AGAIN } from './path-options.ts';
import { addPresetOption, type PresetFlag } from './presets/preset.ts';
import { progressLine } from './progress.ts';
import { timingsTable } from './run-tables.ts';
import { write } from './streams.ts';
import { printProblems, printSummary } from './summary.ts';
import { coloursOf } from './terminal.ts';

interface FragmentFlags
  extends ReadFlags,
    OutputFlags,
    IncludeFlags,
    DictionaryFlags,
    SelectorFlags,
    PresetFlag {
  output?: string;
  overwrite?: boolean;
  minShared: number;
  minBytes: number;
  composites?: Composites;
  relation: Relation | 'both';
  captures: 'last' | 'all';
  top: number;
  format: ListFormat;
  limit?: number;
  workers: number;
}

const DEFAULT_TOP = 20;

/** Declares the command `fragments`. */
export function fragmentsCommand(context: Context): Command {
  const command = new Command('fragments')
    .summary('the largest pieces of HTML that pages share: selectors, includes, dictionaries')
    .description(
      'Finds the largest fragments that pages share: single elements or several adjacent ones. Complete fragments ' +
        'are equal in markup and text, structural ones in elements and attribute names only.',
    );
  addReadOptions(command);
  command
    .addOption(
      new OutputOption('-o, --output <folder>', 'folder to write, with all fragments and pages as tables'),
    )
    .addOption(overwriteOption(START_AGAIN))
    .option('--min-shared <n>', 'fewest occurrences of a fragment', wholeNumber(2), DEFAULT_MIN_SHARED)
    .option('--min-bytes <n>', 'smallest fragment, in bytes', wholeNumber(1, 0xffffffff), DEFAULT_MIN_BYTES)
    .addOption(
      new Option(
        '--relation <name>',
        'same markup and text (complete), same elements only (structural), or both',
      )
        .choices([...RELATIONS, 'both'])
        .default('both'),
    )
    .addOption(
      new Option(
        '--composites <rule>',
        'which adjacent elements are one fragment: every shared run, or classes that always occur together',
      )
        .choices([...COMPOSITES])
        .default(undefined, `${DEFAULT_COMPOSITES}; merged with --selectors`),
    )
    .addOption(capturesOption('page'))
    .option('--limit <pages>', 'stop after this many pages', wholeNumber(1))
    .option('--top <n>', 'fragments to list', wholeNumber(0, 1_000_000), DEFAULT_TOP)
    .addOption(listFormatOption());
  addPresetOption(command, ['ma-gu-2005']);
  addSelectorOptions(command);
  addIncludeOptions(command);
  addDictionaryOptions(command);
  addWorkerOption(command);
  addVerbosityOptions(command, { timings: true });
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff fragments crawl.warc.gz
  chaff fragments 'site/**/*.html' --relation complete --min-bytes 64 --top 50
  chaff fragments crawl.warc.gz -o crawl.fragments --format csv > classes.csv
  chaff sql crawl.fragments "select url, complete_share from fragment_pages order by page"
  chaff fragments crawl.warc.gz --preset ma-gu-2005

With -o, a run that was stopped continues when the same command is given again.`,
    )
    .action((inputs: string[], flags: FragmentFlags, self: Command) => {
      checkDependentFlags(flags, (name) => self.getOptionValueSource(name) === 'cli');
      return fragments(context, inputs, flags);
    });
}

/** Flags that need another flag, by the flag that they need. */
const DEPENDENT_FLAGS = [
  ['includeStyle', '--include-style', 'includes', '--includes'],
  ['includeCost', '--include-cost', 'includes', '--includes'],
  ['dictionarySize', '--dictionary-size', 'dictionary', '--dictionary'],
] as const;

/** Throws for a flag that would have no effect. */
function checkDependentFlags(flags: FragmentFlags, isGiven: (name: string) => boolean): void {
  for (const [name, flag, needed, neededFlag] of DEPENDENT_FLAGS) {
    if (isGiven(name) && flags[needed] === undefined) throw new UsageError(`${flag} needs ${neededFlag}`);
  }
}

async function fragments(context: Context, inputs: string[], flags: FragmentFlags): Promise<void> {
  checkIncludeFlags(flags);
  checkSelectorFlags(flags);
  const { stderr, stdin } = context.streams;
  const line = progressLine(stderr, flags);
  context.resumable = flags.output !== undefined && !flags.overwrite;
  const { run, resumed } = await runFragments(inputs, {
    ...readOptionsOf(flags),
    limit: flags.limit,
    minShared: flags.minShared,
    minBytes: flags.minBytes,
    composites: flags.composites ?? compositesFor(flags),
    preset: flags.preset,
    relations: flags.relation === 'both' ? RELATIONS : [flags.relation],
    captures: flags.captures,
    described: Math.max(flags.top, DEFAULT_DESCRIBED),
    output: flags.output,
    overwrite: flags.overwrite,
    workers: flags.workers,
    signal: context.signal,
    remote: remoteOptionsOf(flags),
    stdin,
    onProgress: line.update,
    useResult: async (result, run) => {
      line.clear();
      await list(context, result, run, flags);
      await printProblems(context, result.folder, flags);
      for (const print of await sharePasses(result, exportsOf(context, flags))) print();
      // printed last, because it shows the results of the exports
      if (flags.output !== undefined) await writeReport(result.folder, { run });
    },
  }).finally(line.clear);

  if (!flags.quiet) {
    if (resumed) stderr.write('resumed an earlier run of the same job\n');
    if (flags.timings) stderr.write(timingsTable(run));
  }
  printSummary(context, run.counts, flags, { done: 'compared' });
  if (!flags.quiet && flags.output !== undefined) {
    stderr.write(`all classes, members and pages are in ${coloursOf(stderr).bold(flags.output)}\n`);
    stderr.write(`${coloursOf(stderr).bold('report:')} ${join(flags.output, 'report.html')}\n`);
  }
}

/** The requested exports, in the order of their messages. */
function exportsOf(
  context: Context,
  { selectors, selectorFormat, includes, dictionary, ...flags }: FragmentFlags,
): ((result: FragmentResult) => Promise<() => void>)[] {
  const found: ReturnType<typeof exportsOf> = [];
  if (selectors !== undefined) {
    found.push((result) =>
      exportSelectors(context, result, { ...flags, file: selectors, format: selectorFormat }),
    );
  }
  if (includes !== undefined) {
    found.push((result) => exportIncludes(context, result, { ...flags, folder: includes }));
  }
  if (dictionary !== undefined) {
    found.push((result) => exportDictionaries(context, result, { ...flags, file: dictionary }));
  }
  return found;
}

async function list(
  { streams }: Context,
  { classes }: FragmentResult,
  { counts, options }: FragmentRunFile,
  { top, format, minBytes }: FragmentFlags,
): Promise<void> {
  const shown = options.relations.map((relation) => ({
    relation,
    classes: classes.filter((found) => found.relation === relation).slice(0, top),
    counts: counts[relation],
  }));
  const { htmlBytes, pages } = counts;
  for (const text of fragmentLines(shown, { format, htmlBytes, pages, minBytes })) {
    await write(streams.stdout, `${text}\n`);
  }
}

/** A selector matches all occurrences of a fragment, so classes must include those inside composites. */
function compositesFor({ selectors }: SelectorFlags): Composites {
  return selectors === undefined ? DEFAULT_COMPOSITES : 'merged';
}
