/** `chaff explore`: serves a page about an output folder to the user's browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import type { JointModel } from '../detect/joint/joint-model.ts';
import type { RunProgress } from '../explore/explored.ts';
import { startExplorer } from '../explore/server.ts';
import { messageOf } from '../run/pages/page-parser.ts';
import { readRunFile } from '../store/run-file.ts';
import { addWorkerOption } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { readJointModel } from './detector-options.ts';
import { checkPaths } from './guard-paths.ts';
import { wholeNumber } from './option-table.ts';
import { InputArgument, InputOption, OutputOption } from './path-options.ts';
import { defaultOutput, report, reportCommand } from './report.ts';
import { coloursOf } from './terminal.ts';

interface ExploreFlags {
  port: number;
  open: boolean;
  workers: number;
  archives: string[];
  labels?: string;
  jointModel?: JointModel;
}

/** Declares the command `explore`. */
export function exploreCommand(context: Context): Command {
  const command = new Command('explore')
    .summary('look at an output folder in the browser')
    .description(
      'Serves a page over an output folder, on this machine only: sites, template maps, templates, schemas, history, SQL.\n' +
        'An archive is reported on first, into a folder beside it; the page shows how far that is.',
    )
    .addArgument(
      new InputArgument(
        '<input>',
        'an output folder of chaff report, chaff history or chaff fragments; or an archive',
      ),
    )
    .option('--port <n>', 'the port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--no-open', 'only print the URL, open no browser')
    .addOption(
      new InputOption(
        '--archives <folder...>',
        'after the input; where archives are that are no longer where they were',
      ).default([]),
    )
    .addOption(
      new OutputOption(
        '--labels <folder>',
        'where labels are saved; by default NAME.labels beside NAME.chaff',
      ),
    )
    .addOption(
      new InputOption(
        '--joint-model <file>',
        'whose verdict labelling suggests; by default that of the package',
      ).argParser(readJointModel),
    );
  addWorkerOption(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff explore crawl.chaff
  chaff explore crawl.warc.gz
  chaff explore crawl.chaff --port 4700 --no-open
The URL has a secret in it: who has it can read the folder while the command runs. Ctrl+C ends it.`,
    )
    .action((input: string, flags: ExploreFlags) => explore(context, input, flags));
}

async function explore(
  context: Context,
  input: string,
  { port, open, workers, archives, labels, jointModel }: ExploreFlags,
): Promise<void> {
  const { stderr, stdout } = context.streams;
  if (!existsSync(input))
    throw new UsageError(`${input} does not exist: name an output folder or an archive`);
  const isFolder = statSync(input).isDirectory() && existsSync(join(input, 'run.json'));
  if (!isFolder) {
    const report = { flag: 'the report', path: folderBeside(input), kind: 'folder' } as const;
    await checkPaths({ inputs: [input], outputs: [report] });
  }
  const explorer = await startExplorer({
    port,
    archiveFolders: archives,
    ...(labels === undefined ? {} : { labels }),
    ...(jointModel ? { jointModel } : {}),
    source: isFolder ? async () => input : (onProgress) => reportOn(context, input, { workers, onProgress }),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new UsageError(`--port ${port} is in use: name another one`);
    throw error;
  });
  // a mistake in one answer must not end the server
  const onStray = (reason: unknown) =>
    void stderr.write(`${coloursOf(stderr).bold('explorer:')} ${messageOf(reason)}\n`);
  process.on('unhandledRejection', onStray);
  try {
    if (isFolder) {
      await explorer.opened;
      if (explorer.failure !== undefined) throw new Error(explorer.failure);
    }
    stdout.write(`${explorer.url}\n`);
    stderr.write(`${coloursOf(stderr).bold('explorer:')} open the URL above; Ctrl+C ends it\n`);
    if (open && hasDesktop()) openBrowser(explorer.url);
    if (!context.signal.aborted) await once(context.signal, 'abort');
  } finally {
    await explorer.close();
    process.off('unhandledRejection', onStray);
  }
  // Ctrl+C is the end of a look, but stops a report
  if (!explorer.isOpen) context.signal.throwIfAborted();
}

/** Runs the report of an archive into a folder beside it; a finished report is reused. */
async function reportOn(
  context: Context,
  input: string,
  { workers, onProgress }: { workers: number; onProgress: (progress: RunProgress) => void },
): Promise<string> {
  const output = folderBeside(input);
  if (isReportOf(output, input)) return output;
  const { output: _, ...defaults } = reportCommand(context).opts();
  await report(
    context,
    [input],
    { ...(defaults as Parameters<typeof report>[2]), output, workers },
    { onProgress },
  );
  return output;
}

/** The folder of the report on an archive. */
function folderBeside(archive: string): string {
  return join(dirname(archive), defaultOutput([archive], 'chaff'));
}

/** Whether a folder holds a finished report of this archive, with any options. */
function isReportOf(folder: string, input: string): boolean {
  if (!existsSync(join(folder, 'run.json'))) return false;
  const { inputs } = readRunFile(folder);
  return (
    inputs.length === 1 &&
    basename(inputs[0].name) === basename(input) &&
    inputs[0].sizeBytes === statSync(input).size
  );
}

/** Whether a desktop is available that could open a browser. */
function hasDesktop(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Asks the desktop to open a browser; if that fails, the user still has the printed URL. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
