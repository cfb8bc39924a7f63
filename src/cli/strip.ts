/** `chaff strip`: clean text, Markdown, HTML or WARC conversion records of every page. */

import { gzipSync } from 'node:zlib';
import { Command, Option } from 'commander';
import { version } from '../model/version.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import type { Restart } from '../run/label-stream.ts';
import { CONTENT_OF, ROW_FORMATS, type RowFormat, type WantedRows } from '../run/sinks/page-rows.ts';
import { conversionInfo } from '../view/conversion.ts';
import { addReadOptions } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addRowOptions, labelledPages, labelledRows, PIPE_HELP, type RowFlags } from './labelled-rows.ts';
import { openBatches, writeAll } from './output.ts';
import { isDocument, OVERWRITE_MEANING, openPageWriter } from './page-writer.ts';

interface StripFlags extends RowFlags {
  format: RowFormat;
  output?: string;
  overwrite?: boolean;
  templates?: boolean;
  mark?: boolean;
  drop?: 'slots';
}

export function stripCommand(context: Context): Command {
  const command = new Command('strip')
    .summary('clean text of every page')
    .description('Writes what each page says, without the templates of its site.');
  addReadOptions(command);
  command
    .addOption(new Option('--format <name>', 'what to write').choices(ROW_FORMATS).default('jsonl'))
    .option(
      '-o, --output <path>',
      'a file (.gz compresses) instead of standard output; for text, markdown and html a folder, a file a page',
    )
    .option('--overwrite', OVERWRITE_MEANING)
    .option('--templates', 'jsonl: add a row for each template, once per site')
    .option('--mark', 'keep everything and mark what is template: ⟦template: …⟧')
    .addOption(
      new Option(
        '--drop <what>',
        'drop slots too: changing text inside a template, such as a date or a price',
      ).choices(['slots']),
    );
  addRowOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff strip crawl.warc.gz > clean.jsonl
  chaff strip crawl.warc.gz --without title,captions
  chaff strip crawl.warc.gz --only comments > comments.jsonl
  chaff strip 'crawl/*.warc.gz' --format warc -o crawl.wet.warc.gz
  chaff strip site.wacz --format markdown -o pages/
  chaff strip crawl.warc.gz --templates | jq -r 'select(.kind == "template") | .text'
  crawler | chaff strip --model site.model -    each page as it comes
${PIPE_HELP}`,
    )
    .action((inputs: string[], _: StripFlags, command: Command) => strip(context, inputs, command));
}

async function strip(context: Context, inputs: string[], command: Command): Promise<void> {
  const flags = command.opts<StripFlags>();
  const { format, templates, mark, output } = flags;
  if (templates && format !== 'jsonl') throw new UsageError('--templates goes with --format jsonl');
  if (mark && CONTENT_OF[format] !== 'text')
    throw new UsageError('--mark goes with the formats of plain text');
  if (mark && flags.drop) throw new UsageError('--mark keeps everything, so it does not go with --drop');
  const job: StripJob = { context, inputs, command, flags };
  if (isDocument(format) && output !== undefined && output !== '-') await writeFolder(job);
  else if (templates) await writeWithTemplates(job);
  else if (format === 'warc') await writeRecords(job);
  else await writePages(job, format);
}

interface StripJob {
  context: Context;
  inputs: string[];
  command: Command;
  flags: StripFlags;
}

/** What a row keeps beside content. */
function keptOf({ mark, drop }: StripFlags): { mark?: boolean; dropSlots: boolean } {
  return { mark, dropSlots: drop === 'slots' };
}

/** All pages behind each other. */
async function writePages({ context, inputs, command, flags }: StripJob, format: RowFormat): Promise<void> {
  const { output, model } = flags;
  const restart: Restart = {};
  const pages = labelledPages(context, inputs, command, { format, restart, ...keptOf(flags) });
  await writeAll(openBatches(context, output, { immediate: model !== undefined }), pages, restart);
}

/** A WARC file: each record is a gzip member of its own, as readers want it. */
async function writeRecords({ context, inputs, command, flags }: StripJob): Promise<void> {
  const { output, model } = flags;
  const packed = output?.endsWith('.gz') ?? false;
  const format = packed ? 'warc.gz' : 'warc';
  const restart: Restart = {};
  const records = labelledPages(context, inputs, command, { format, restart, ...keptOf(flags) });
  const info = conversionInfo({ software: `chaff ${version}`, format: 'WARC File Format 1.0' });
  const file = openBatches(context, output, { immediate: model !== undefined, packed: false });
  let hasBegun = false;
  // the information comes with the first record: a run that fails before has written nothing
  async function* all(): AsyncGenerator<Uint8Array> {
    const first = packed ? gzipSync(info) : info;
    for await (const record of records) {
      if (!hasBegun) yield first;
      hasBegun = true;
      yield record;
    }
    if (!hasBegun) yield first;
  }
  const restartFile = file.restart;
  if (restartFile) {
    file.restart = () => {
      hasBegun = false;
      restartFile();
    };
  }
  await writeAll(file, all(), restart);
}

/** Rows that say whether they are a page or a template. */
async function writeWithTemplates({ context, inputs, command, flags }: StripJob): Promise<void> {
  const { output, model } = flags;
  const restart: Restart = {};
  const wanted: WantedRows = { want: ['text', 'templates'], ...keptOf(flags) };
  const rows = labelledRows(context, inputs, command, { restart, ...wanted });
  await writeAll(openBatches(context, output, { immediate: model !== undefined }), linesOf(rows), restart);
}

async function* linesOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${wellFormedJson(row)}\n`;
}

/** A file a page. */
async function writeFolder({ context, inputs, command, flags }: StripJob): Promise<void> {
  const { format, output, overwrite } = flags;
  const restart: Restart = {};
  const wanted: WantedRows = { want: [CONTENT_OF[format]], ...keptOf(flags) };
  const rows = labelledRows(context, inputs, command, { restart, ...wanted });
  const writer = openPageWriter(context, { format, path: output, overwrite });
  restart.handler = writer.restart;
  try {
    for await (const row of rows) if (row.kind === 'page') await writer.write(row);
    await writer.commit();
  } finally {
    writer.discard();
  }
}
