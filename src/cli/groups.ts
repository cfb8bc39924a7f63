/** `chaff groups`: lists the layout groups of every site, and the cross of each page. */
import { Command, Option } from 'commander';
import { DOWN_RULES, type DownRule } from '../analysis/choose-arms.ts';
import { DEFAULT_THRESHOLD } from '../analysis/group-signatures.ts';
import { LAYOUT_TOKENS, type LayoutTokens } from '../analysis/layout-signer.ts';
import { DEFAULT_PERMUTATIONS, MAX_PERMUTATIONS, MIN_PERMUTATIONS } from '../analysis/minhash.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { runGroups, type SiteLayouts } from '../run/groups-run.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  listFormatOption,
  type OutputFlags,
  type ReadFlags,
  readOptionsOf,
} from './common-options.ts';
import type { Context } from './context.ts';
import { formatTable, type ListFormat, percent, RowLines, shorten } from './list-format.ts';
import { numberBetween, wholeNumber } from './option-table.ts';
import { openLines } from './output.ts';
import { outputFileOption, overwriteOption } from './path-options.ts';
import { addPresetOption } from './presets/preset.ts';
import { progressLine } from './progress.ts';
import { runningOptionsOf } from './running-options.ts';
import { printable, printSummary } from './summary.ts';

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

/** Declares the command `groups`. */
export function groupsCommand(context: Context): Command {
  const command = new Command('groups')
    .summary('layouts of a site: which pages have the same structure')
    .description(
      'Groups the pages of each site by layout: pages with similar tags, whose texts may differ. Lists the groups, the ' +
        'group of each page, or the cross of each page: the two most similar pages, and the captures of its URL before ' +
        'and after.',
    );
  addReadOptions(command);
  command
    .addOption(outputFileOption())
    .addOption(overwriteOption())
    .option(
      '--threshold <s>',
      'similarity of pages of a group, from 0 to 1',
      numberBetween(0.01, 0.99),
      DEFAULT_THRESHOLD,
    )
    .option(
      '--permutations <n>',
      'length of the signatures; longer ones estimate better',
      wholeNumber(MIN_PERMUTATIONS, MAX_PERMUTATIONS),
      DEFAULT_PERMUTATIONS,
    )
    .addOption(
      new Option(
        '--tokens <kind>',
        'what pages are compared by: paths of tags and classes, or layers, as in Leśniak 2017',
      )
        .choices(LAYOUT_TOKENS)
        .default('paths'),
    )
    .addOption(new Option('--members', 'list the group of each page').conflicts('crosses'))
    .option('--crosses', 'list the cross of each page')
    .addOption(
      new Option(
        '--cross-down <rule>',
        'with --crosses: down is a capture of another page than up, if there is one (page), or any capture, as in the thesis (capture)',
      )
        .choices(DOWN_RULES)
        .default('page'),
    )
    .option('--limit <pages>', 'stop after this many pages', wholeNumber(1))
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
  chaff report crawl.warc.gz --site layout
      learns and judges each layout as a site of its own`,
    )
    .action((inputs: string[], flags: GroupFlags) => groups(context, inputs, flags));
}

async function groups(context: Context, inputs: string[], flags: GroupFlags): Promise<void> {
  const { stderr, stdout } = context.streams;
  const list: GroupList = flags.crosses ? 'crosses' : flags.members ? 'members' : 'groups';
  const rows = new GroupRows(list, flags.format);
  // a progress bar would mix with rows on the same screen
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
      ...runningOptionsOf(context, flags, line),
      onSite: async (site) => {
        for (const text of rows.of(site)) await output.line(text);
      },
    }).finally(line.clear);
    await output.commit();
    printSummary(context, summary, flags, { done: 'grouped' });
  } finally {
    output.discard();
  }
}

/** What `chaff groups` lists. */
export type GroupList = 'groups' | 'members' | 'crosses';

type Row = Record<string, string | number | null>;

/** Maximum number of groups of a site in the table; the rest is summed up. */
const MAX_GROUPS = 20;
const PATTERN_CHARACTERS = 40;
const URL_CHARACTERS = 60;

/** Formats one site after the other. */
export class GroupRows {
  readonly #list: GroupList;
  readonly #rows: RowLines | undefined;
  #isStarted = false;

  constructor(list: GroupList, format: ListFormat) {
    this.#list = list;
    this.#rows = format === 'table' ? undefined : new RowLines(format);
  }

  *of(site: SiteLayouts): Generator<string> {
    if (!this.#rows && this.#list === 'groups') {
      if (this.#isStarted) yield '';
      this.#isStarted = true;
      yield* groupTable(site);
      return;
    }
    for (const row of ROWS_OF[this.#list](site)) {
      if (this.#rows) yield* this.#rows.of(row);
      else {
        if (!this.#isStarted) yield Object.keys(row).join('\t');
        this.#isStarted = true;
        yield Object.values(row)
          .map((cell) => (cell === null ? '–' : printable(String(cell))))
          .join('\t');
      }
    }
  }
}

const ROWS_OF: Record<GroupList, (site: SiteLayouts) => Generator<Row>> = {
  groups: groupRows,
  members: memberRows,
  crosses: crossRows,
};

function* groupRows({ site, pages, groups }: SiteLayouts): Generator<Row> {
  for (const { number, typical, ...group } of groups) {
    yield {
      site,
      group: number,
      pages: group.pages,
      urls: group.urls,
      share: rounded(group.share),
      similarity: rounded(group.similarity),
      pattern: group.pattern,
      url: pages[typical].url,
      time: pages[typical].time,
    };
  }
}

function* memberRows({ site, pages, numberOf, similarityToTypical }: SiteLayouts): Generator<Row> {
  for (let page = 0; page < pages.length; page++) {
    const { url, time } = pages[page];
    yield { site, group: numberOf[page], url, time, similarity: rounded(similarityToTypical(page)) };
  }
}

function* crossRows({ site, pages, numberOf, crosses }: SiteLayouts): Generator<Row> {
  if (!crosses) return;
  const { up, down, previous, next, similarity } = crosses;
  for (let page = 0; page < pages.length; page++) {
    const urlOf = (other: number) => (other < 0 ? null : pages[other].url);
    const timeOf = (other: number) => (other < 0 ? null : pages[other].time);
    const alike = (other: number) => (other < 0 ? null : rounded(similarity(page, other)));
    yield {
      site,
      group: numberOf[page],
      url: pages[page].url,
      time: pages[page].time,
      up: urlOf(up[page]),
      up_time: timeOf(up[page]),
      up_similarity: alike(up[page]),
      down: urlOf(down[page]),
      down_time: timeOf(down[page]),
      down_similarity: alike(down[page]),
      previous_time: timeOf(previous[page]),
      previous_similarity: alike(previous[page]),
      next_time: timeOf(next[page]),
      next_similarity: alike(next[page]),
    };
  }
}

function* groupTable({ site, pages, groups }: SiteLayouts): Generator<string> {
  yield `${printable(site)}: ${countOf(pages.length, 'page')} in ${countOf(groups.length, 'group')}`;
  const shown = groups.length > MAX_GROUPS ? groups.slice(0, MAX_GROUPS - 1) : groups;
  const rows = [
    ['group', 'pages', 'share', 'alike', 'pattern', 'typical page'],
    ...shown.map((group) => [
      String(group.number),
      formatCount(group.pages),
      percent(group.share),
      percent(group.similarity),
      shorten(printable(group.pattern), PATTERN_CHARACTERS),
      shorten(printable(pages[group.typical].url), URL_CHARACTERS),
    ]),
  ];
  yield* formatTable(rows, (column) => column < 4);
  const rest = groups.slice(shown.length);
  if (rest.length === 0) return;
  const left = rest.reduce((sum, group) => sum + group.pages, 0);
  yield `… and ${countOf(rest.length, 'group')} more of ${countOf(left, 'page')}; --format csv lists them all`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
