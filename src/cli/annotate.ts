/** `chaff annotate`: writes pages with coloured ranges and the reason for each. */
import { join } from 'node:path';
import { Command } from 'commander';
import { countOf } from '../model/count-of.ts';
import type { Restart } from '../run/label-stream.ts';
import { ANNOTATE_INDEX } from '../run/sinks/page-rows.ts';
import { type IndexEntry, renderAnnotateIndex } from '../view/annotate-page.ts';
import { numberedFileName, openAnnotatedFolder } from './annotated-folder.ts';
import { addReadOptions } from './common-options.ts';
import type { Context } from './context.ts';
import { addRowOptions, labelledRows, type RowFlags } from './labelled-rows.ts';
import { writeComplete } from './output.ts';
import { OVERWRITE_MEANING } from './page-writer.ts';
import { OutputOption, overwriteOption } from './path-options.ts';
import { coloursOf } from './terminal.ts';

interface AnnotateFlags extends RowFlags {
  output: string;
  overwrite?: boolean;
}

/** Declares the command `annotate`. */
export function annotateCommand(context: Context): Command {
  const command = new Command('annotate')
    .summary('pages with shared text coloured, and the reason for each colour')
    .description(
      'Writes each page as an HTML file in which template, content and the rest have colours and the reason shows on ' +
        'hover, and an index. The files are safe to open: nothing in them runs or is fetched.',
    );
  addReadOptions(command);
  command
    .addOption(new OutputOption('-o, --output <folder>', 'folder to write').makeOptionMandatory())
    .addOption(overwriteOption(OVERWRITE_MEANING));
  addRowOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff annotate crawl.warc.gz -o annotated --limit 50
  chaff annotate crawl.warc.gz -o annotated-news --include '/news/'`,
    )
    .action((inputs: string[], _: AnnotateFlags, command: Command) => annotate(context, inputs, command));
}

async function annotate(context: Context, inputs: string[], command: Command): Promise<void> {
  const flags = command.opts<AnnotateFlags>();
  const entries: IndexEntry[] = [];
  const restart: Restart = {
    handler() {
      entries.length = 0;
      openAnnotatedFolder(flags.output, { overwrite: true });
    },
  };
  const rows = labelledRows(context, inputs, command, { want: ['annotated'], restart });
  openAnnotatedFolder(flags.output, flags);
  for await (const row of rows) {
    if (row.kind !== 'page' || !row.annotated) continue;
    const file = numberedFileName(row.page, 'html');
    writeComplete(join(flags.output, file), row.annotated.html);
    const { url, time, site, title } = row;
    entries.push({ file, url, time, site, title, shares: row.annotated.shares });
  }
  // written last: a folder with an index is complete
  writeComplete(join(flags.output, ANNOTATE_INDEX), renderAnnotateIndex(entries));
  if (!flags.quiet) {
    context.streams.stderr.write(
      `${countOf(entries.length, 'page')} annotated: ${coloursOf(context.streams.stderr).bold(join(flags.output, ANNOTATE_INDEX))}\n`,
    );
  }
}
