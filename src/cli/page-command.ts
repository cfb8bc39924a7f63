/** `chaff page`: judges single pages without other pages of their site. */
import { Command, Option } from 'commander';
import type { BrowserLayout, BrowserLayoutOptions } from '../browse/browser-layout.ts';
import type { PageModel } from '../detect/page/page-model.ts';
import type { Problem } from '../model/problem.ts';
import { FETCH_DEFAULTS, isWebUrl, REDIRECT_RULES, type RedirectRule } from '../read/fetch-pages.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { checkReadOptions } from '../read/read-options.ts';
import { openPages } from '../run/library/open-pages.ts';
import { PageStream } from '../run/page-stream.ts';
import { openLayout } from '../run/pages/laid-out-pages.ts';
import { CONTENT_OF, type PageRow } from '../run/sinks/page-rows.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  addWorkerOption,
  type OutputFlags,
  pageReadOptionsOf,
  type ReadFlags,
  remoteOptionsOf,
  webUrl,
} from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addPageOptions, pageOptionsOf, readPageModel } from './detector-options.ts';
import { addLayoutOptions, browserOptionsOf, type LayoutFlags } from './layout-options.ts';
import { parsedBy, wholeNumber } from './option-table.ts';
import { FORMAT_MEANING, readOutputName } from './output-name.ts';
import { OVERWRITE_MEANING, openPageWriter } from './page-writer.ts';
import { InputOption, overwriteOption } from './path-options.ts';
import { addPresetOption, type PresetFlag } from './presets/preset.ts';
import { rowsOutputOption, shardOption } from './rows-output.ts';
import { printProblem, printSummary, problemPrinter } from './summary.ts';

const FORMATS = ['jsonl', 'text', 'markdown', 'html', 'parquet'] as const;
type Format = (typeof FORMATS)[number];

interface PageCommandFlags extends ReadFlags, OutputFlags, LayoutFlags, PresetFlag {
  format?: Format;
  output?: string;
  shardSize?: number;
  overwrite?: boolean;
  model?: PageModel;
  url?: string;
  limit?: number;
  workers: number;
  timeout: number;
  redirects: number;
  allowRedirects: RedirectRule;
  pause: number;
}

/** Declares the command `page`. */
export function pageCommand(context: Context): Command {
  const command = new Command('page')
    .summary('main text of single pages: HTML files, URLs, archives; no site needed')
    .description(
      'Judges each page by itself (docs/research/page-level.md) and writes its main text and its sections. Inputs are HTML ' +
        'files, archives, folders, globs, URLs, text files that list URLs, and - for HTML, JSON rows, an archive or a ' +
        'list of URLs on standard input. Only URLs that you name are fetched, and redirects within their site.',
    );
  addReadOptions(command);
  command
    .addOption(new Option('--format <name>', FORMAT_MEANING).choices(FORMATS))
    .addOption(rowsOutputOption())
    .addOption(shardOption())
    .addOption(overwriteOption(OVERWRITE_MEANING))
    .addOption(
      new InputOption(
        '--model <file>',
        "use a model that chaff train has written instead of the package's own",
      ).argParser(readPageModel),
    )
    .option('--url <url>', 'the URL of the page, for an HTML file or standard input', parsedBy(webUrl))
    .option('--limit <pages>', 'stop after this many pages', wholeNumber(1));
  addPageOptions(command);
  addPresetOption(command, ['chakrabarti-2007']);
  addLayoutOptions(command);
  const fetching = (flags: string, meaning: string, least: number, value: number) =>
    command.addOption(
      new Option(flags, meaning).argParser(wholeNumber(least)).default(value).helpGroup('Fetching:'),
    );
  fetching('--timeout <ms>', 'longest time for one URL with all its redirects', 1, FETCH_DEFAULTS.timeoutMs);
  fetching('--redirects <n>', 'redirects to follow', 0, FETCH_DEFAULTS.maxRedirects);
  command.addOption(
    new Option(
      '--allow-redirects <where>',
      'where redirects may lead; never from a public host to a private one',
    )
      .choices(REDIRECT_RULES)
      .default(FETCH_DEFAULTS.allowRedirects)
      .helpGroup('Fetching:'),
  );
  fetching('--pause <ms>', 'between two requests to one host', 0, FETCH_DEFAULTS.pauseMs);
  addWorkerOption(command);
  return addVerbosityOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  chaff page article.html --format text
  chaff page https://example.org/ --format markdown
  chaff page urls.txt -o fetched/
  chaff page crawl.warc.gz --limit 100 > verdicts.jsonl
  cat article.html | chaff page - --url https://example.org/article --format text
  chaff page site.wacz --layout browser --limit 5 > verdicts.jsonl`,
    )
    .action((inputs: string[], flags: PageCommandFlags) => judge(context, inputs, flags));
}

async function judge(context: Context, inputs: string[], flags: PageCommandFlags): Promise<void> {
  const { streams, signal } = context;
  if (flags.url !== undefined && (inputs.length > 1 || isWebUrl(inputs[0]))) {
    throw new UsageError('--url says where one page of bare HTML is from');
  }
  const name = readOutputName({ path: flags.output, format: flags.format });
  if (name.format === 'warc') throw new UsageError('WARC records are written by chaff strip');
  const browserOptions = browserOptionsOf(flags);
  const report = problemPrinter(context, flags);
  const onProblem = (problem: Problem) => {
    // report each page that could not be fetched, even without -v
    if (!flags.verbose && problem.code === 'not-fetched' && !flags.quiet)
      printProblem(streams.stderr, problem);
    else report(problem);
  };
  const readOptions = { ...pageReadOptionsOf(flags), signal, onProblem };
  const archive = openPages(inputs, {
    ...readOptions,
    stdin: streams.stdin,
    remote: remoteOptionsOf(flags),
    url: flags.url,
    timeoutMs: flags.timeout,
    maxRedirects: flags.redirects,
    allowRedirects: flags.allowRedirects,
    pauseMs: flags.pause,
  });
  const browser = flags.layout === 'browser' ? await openBrowser(inputs, flags, browserOptions) : undefined;
  const writer = openPageWriter(context, {
    name,
    overwrite: flags.overwrite,
    shardBytes: flags.shardSize,
    immediate: inputs.includes('-'),
  });
  try {
    const { writeEncoded } = writer;
    const output = writeEncoded ? { format: name.format } : { want: [CONTENT_OF[name.format]] };
    const stream = new PageStream(archive, {
      setup: {
        kind: 'judge',
        options: { ...pageOptionsOf(flags), model: flags.model },
        limits: checkReadOptions(readOptions).limits,
        output: { kind: 'rows', ...output },
      },
      workers: flags.workers,
      layout: browser?.layout,
      limit: flags.limit,
      signal,
      onProblem,
    });
    for await (const row of stream) {
      if (writeEncoded) await writeEncoded(row);
      else await writer.write(JSON.parse(Buffer.from(row).toString()) as PageRow);
    }
    const accounts = stream.summary!;
    if (accounts.pages > 0) await writer.commit();
    printSummary(context, accounts, flags, { done: 'judged' });
  } finally {
    writer.discard();
    await browser?.close();
  }
}

/** Opens a browser for pages with the contents of the named archives only. */
async function openBrowser(
  names: string[],
  flags: ReadFlags,
  options: BrowserLayoutOptions,
): Promise<{ layout: BrowserLayout; close(): Promise<void> }> {
  const files = names.filter((name) => name !== '-' && !isWebUrl(name));
  const readOptions = pageReadOptionsOf(flags);
  const { inputs } = await openInputs(files, { limits: readOptions.limits });
  try {
    const layout = await openLayout(inputs, readOptions, options);
    return {
      layout,
      async close() {
        await layout.close();
        closeInputs(inputs);
      },
    };
  } catch (error) {
    closeInputs(inputs);
    throw error;
  }
}
