/** `chaff strip`: writes clean text, Markdown, HTML or WARC conversion records of every page. */

import { gzipSync } from 'node:zlib';
import { Command, Option } from 'commander';
import { version } from '../model/version.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import type { Restart } from '../run/label-stream.ts';
import { CONTENT_OF, type WantedRows } from '../run/sinks/page-rows.ts';
import { conversionInfo } from '../view/conversion.ts';
import { addReadOptions } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addRowOptions, labelledPages, labelledRows, PIPE_HELP, type RowFlags } from './labelled-rows.ts';
import { writeAll } from './output.ts';
import {
  FILE_FORMATS,
  type FileFormat,
  FORMAT_MEANING,
  type OutputName,
  readOutputName,
} from './output-name.ts';
import { OVERWRITE_MEANING, openPageWriter } from './page-writer.ts';
import { overwriteOption } from './path-options.ts';
import { openRows, type RowsOutputOptions, rowsOutputOption, shardOption } from './rows-output.ts';

interface StripFlags extends RowFlags {
  format?: FileFormat;
  output?: string;
  shardSize?: number;
  overwrite?: boolean;
  templates?: boolean;
  mark?: boolean;
  drop?: 'slots';
}

/** Declares the command `strip`. */
export function stripCommand(context: Context): Command {
  const command = new Command('strip')
    .summary('main text of every page as JSON, text, Markdown, HTML, Parquet or WARC')
    .description(
      'Writes the main text of every page: without the menus, footers and other text that the pages of its site share.',
    );
  addReadOptions(command);
  command
    .addOption(new Option('--format <name>', FORMAT_MEANING).choices(FILE_FORMATS))
    .addOption(rowsOutputOption())
    .addOption(shardOption())
    .addOption(overwriteOption(OVERWRITE_MEANING))
    .option('--templates', 'jsonl: add a row for each template (text that pages share), once per site')
    .option('--mark', 'keep all text and mark what pages share: ⟦template: …⟧')
    .addOption(
      new Option(
        '--drop <what>',
        'also drop slots: text inside a template that changes from page to page, such as a date',
      ).choices(['slots']),
    );
  addRowOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff strip crawl.warc.gz > clean.jsonl
  chaff strip crawl.warc.gz -o clean.parquet
  chaff strip site.wacz --format markdown -o pages/
  chaff strip 'crawl/*.warc.gz' -o crawl.wet.warc.gz
  chaff strip crawl.warc.gz --only comments > comments.jsonl
  chaff learn crawl.warc.gz -o site.model
  cat pages.jsonl | chaff strip --model site.model - > answers.jsonl
${PIPE_HELP}`,
    )
    .action((inputs: string[], _: StripFlags, command: Command) => strip(context, inputs, command));
}

async function strip(context: Context, inputs: string[], command: Command): Promise<void> {
  const flags = command.opts<StripFlags>();
  const { templates, mark } = flags;
  const name = readOutputName({ path: flags.output, format: flags.format });
  const { format } = name;
  if (templates && (format !== 'jsonl' || name.kind === 'parquet')) {
    throw new UsageError('--templates goes with --format jsonl');
  }
  if (mark && CONTENT_OF[format] !== 'text')
    throw new UsageError('--mark goes with the formats of plain text');
  if (mark && flags.drop) throw new UsageError('--mark keeps everything, so it does not go with --drop');
  const job: StripJob = { context, inputs, command, flags, name };
  if (name.kind === 'folder') await writeFolder(job);
  else if (templates) await writeWithTemplates(job);
  else await writePages(job);
}

interface StripJob {
  context: Context;
  inputs: string[];
  command: Command;
  flags: StripFlags;
  name: OutputName;
}

/** What rows keep besides content. */
function keptOf({ mark, drop }: StripFlags): { mark?: boolean; dropSlots: boolean } {
  return { mark, dropSlots: drop === 'slots' };
}

/** Writes all pages to one output. */
async function writePages(job: StripJob): Promise<void> {
  const { context, inputs, command, flags, name } = job;
  const restart: Restart = {};
  // each record of a compressed WARC file is a gzip member of its own, which readers expect
  const isPacked = name.format === 'warc' && name.compression === 'gzip';
  const format = isPacked ? 'warc.gz' : name.format;
  const pages = labelledPages(context, inputs, command, { format, restart, ...keptOf(flags) });
  const info = name.format === 'warc' ? conversionInfo(WARC_INFO) : undefined;
  const header = info && isPacked ? gzipSync(info) : info;
  await writeAll(openRows(context, name, { header, ...rowsOptionsOf(flags) }), pages, restart);
}

const WARC_INFO = { software: `chaff ${version}`, format: 'WARC File Format 1.0' };

function rowsOptionsOf({ model, shardSize, overwrite }: StripFlags): RowsOutputOptions {
  return { immediate: model !== undefined, shardBytes: shardSize, overwrite };
}

/** Writes rows of pages and of templates, which name their kind. */
async function writeWithTemplates({ context, inputs, command, flags, name }: StripJob): Promise<void> {
  const restart: Restart = {};
  const wanted: WantedRows = { want: ['text', 'templates'], ...keptOf(flags) };
  const rows = labelledRows(context, inputs, command, { restart, ...wanted });
  await writeAll(openRows(context, name, rowsOptionsOf(flags)), linesOf(rows), restart);
}

async function* linesOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${wellFormedJson(row)}\n`;
}

/** Writes one file per page. */
async function writeFolder({ context, inputs, command, flags, name }: StripJob): Promise<void> {
  if (flags.shardSize !== undefined) throw new UsageError('--shard-size needs the name of a file (-o)');
  const restart: Restart = {};
  const wanted: WantedRows = { want: [CONTENT_OF[name.format]], ...keptOf(flags) };
  const rows = labelledRows(context, inputs, command, { restart, ...wanted });
  const writer = openPageWriter(context, { name, overwrite: flags.overwrite });
  restart.handler = writer.restart;
  try {
    for await (const row of rows) if (row.kind === 'page') await writer.write(row);
    await writer.commit();
  } finally {
    writer.discard();
  }
}
