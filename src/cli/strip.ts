/** `chaff strip`: clean text, Markdown, HTML or WARC conversion records of every page. */
import { Command, Option } from 'commander';
import type { RowContent } from '../run/tasks/task.ts';
import { addReadOptions } from './common-options.ts';
import type { Context } from './context.ts';
import { UsageError } from './exit-codes.ts';
import { addRowOptions, labelledRows, PIPE_HELP, type RowFlags } from './labelled-rows.ts';
import { OVERWRITE_MEANING } from './page-folder.ts';
import { openRowWriter, ROW_FORMATS, type RowFormat } from './row-writer.ts';

interface StripFlags extends RowFlags {
  format: RowFormat;
  output?: string;
  overwrite?: boolean;
  templates?: boolean;
  mark?: boolean;
}

const CONTENT_OF: Record<RowFormat, RowContent> = {
  jsonl: 'text',
  dolma: 'text',
  text: 'text',
  warc: 'text',
  markdown: 'markdown',
  html: 'html',
};

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
    .option('--mark', 'keep everything and mark what is template: ⟦template: …⟧');
  addRowOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff strip crawl.warc.gz > clean.jsonl
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
  const want: RowContent[] = [CONTENT_OF[format]];
  if (templates) want.push('templates');
  const rows = labelledRows(context, inputs, command, { want, mark });
  const writer = openRowWriter(context, {
    format,
    path: output,
    overwrite: flags.overwrite,
    tellKind: templates,
    immediate: flags.model !== undefined,
  });
  try {
    for await (const row of rows) await writer.write(row);
    await writer.commit();
  } finally {
    writer.discard();
  }
}
