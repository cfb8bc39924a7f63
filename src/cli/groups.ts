/** `chaff groups`: the layouts of every site, and the cross of each page. */

import { Command, Option } from 'commander';
import { DOWN_RULES, type DownRule } from '../analysis/choose-arms.ts';
import { DEFAULT_THRESHOLD } from '../analysis/group-signatures.ts';
import { LAYOUT_TOKENS, type LayoutTokens } from '../analysis/layout-signer.ts';
import { DEFAULT_PERMUTATIONS, LEAST_PERMUTATIONS, MOST_PERMUTATIONS } from '../analysis/minhash.ts';
import { runGroups } from '../run/groups-run.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  listFormatOption,
  numberBetween,
  type OutputFlags,
  outputFileOption,
  type ReadFlags,
  readOptionsOf,
  wholeNumber,
} from './common-options.ts';
import type { Context } from './context.ts';
import { type GroupList, GroupRows } from './group-table.ts';
import type { ListFormat } from './list-format.ts';
import { openLines } from './output.ts';
import { addPresetOption } from './presets/preset.ts';
import { progressLine } from './progress.ts';
import { printSummary, problemPrinter } from './summary.ts';

interface GroupFlags extends ReadFlags, OutputFlags {
  output?: string;
  threshold: number;
  permutations: number;
  tokens: LayoutTokens;
  members?: boolean;
  crosses?: boolean;
  crossDown: DownRule;
  limit?: number;
  format: ListFormat;
  workers: number;
}

export function groupsCommand(context: Context): Command {
  const command = new Command('groups')
    .summary('layouts of a site: which pages are made from one template')
    .description(
      'Groups the pages of each site by layout: similar tags, whatever the text. Lists\n' +
        'the groups, the group of each page, or the cross of each page: the two pages\n' +
        'most like it, and its own URL before and after.',
    );
  addReadOptions(command);
  command
    .addOption(outputFileOption())
    .option(
      '--threshold <s>',
      'similarity that joins two pages',
      numberBetween(0.01, 0.99),
      DEFAULT_THRESHOLD,
    )
    .option(
      '--permutations <n>',
      'places of a signature: more of them estimate better',
      wholeNumber(LEAST_PERMUTATIONS, MOST_PERMUTATIONS),
      DEFAULT_PERMUTATIONS,
    )
    .addOption(
      new Option(
        '--tokens <kind>',
        'what groups are made by: paths of tags and classes, or layers, as in Leśniak 2017',
      )
        .choices(LAYOUT_TOKENS)
        .default('paths'),
    )
    .addOption(new Option('--members', 'list the group of each page').conflicts('crosses'))
    .option('--crosses', 'list the cross of each page')
    .addOption(
      new Option(
        '--cross-down <rule>',
        'with --crosses: down is of another page than up where there is one, or any capture, as in the thesis',
      )
        .choices(DOWN_RULES)
        .default('page'),
    )
    .option('--limit <pages>', 'group at most so many pages', wholeNumber(1))
    .addOption(listFormatOption());
  addWorkerOption(command);
  addPresetOption(command, ['lesniak-2017']);
  return addVerbosityOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff groups crawl.warc.gz
  chaff groups crawl.warc.gz --threshold 0.7 --members --format csv > members.csv
  chaff groups history.warc.gz --crosses --format jsonl -o crosses.jsonl
  chaff report crawl.warc.gz --site layout      learns and labels each layout as a site of its own`,
    )
    .action((inputs: string[], flags: GroupFlags) => groups(context, inputs, flags));
}

async function groups(context: Context, inputs: string[], flags: GroupFlags): Promise<void> {
  const { stderr, stdin, stdout } = context.streams;
  const list: GroupList = flags.crosses ? 'crosses' : flags.members ? 'members' : 'groups';
  const rows = new GroupRows(list, flags.format);
  // a bar between the rows on the same screen would tear both
  const line = progressLine(stderr, { quiet: flags.quiet || (flags.output === undefined && stdout.isTTY) });
  const output = openLines(context, flags.output);
  try {
    const summary = await runGroups(inputs, {
      ...readOptionsOf(flags),
      limit: flags.limit,
      threshold: flags.threshold,
      permutations: flags.permutations,
      tokens: flags.tokens,
      crosses: flags.crosses,
      down: flags.crossDown,
      workers: flags.workers,
      signal: context.signal,
      stdin,
      onProgress: line.update,
      onSite: async (site) => {
        for (const text of rows.of(site)) await output.line(text);
      },
      onProblem: problemPrinter(context, flags),
    }).finally(line.clear);
    await output.commit();
    printSummary(context, summary, flags, { done: 'grouped' });
  } finally {
    output.discard();
  }
}
