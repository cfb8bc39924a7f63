/** `chaff label`: writes the ranges of every page. */
import { Command } from 'commander';
import type { Restart } from '../run/label-stream.ts';
import { addReadOptions } from './common-options.ts';
import type { Context } from './context.ts';
import { addRowOptions, labelledPages, PIPE_HELP, type RowFlags } from './labelled-rows.ts';
import { openBatches, writeAll } from './output.ts';
import { outputFileOption, overwriteOption } from './path-options.ts';

interface LabelFlags extends RowFlags {
  output?: string;
  explain?: boolean;
}

/** Declares the command `label`. */
export function labelCommand(context: Context): Command {
  const command = new Command('label')
    .summary('which bytes of every page are template and which are content')
    .description(
      'Writes a JSON row for each page with its ranges: start and end in bytes of the page as UTF-8, label (template, ' +
        'slot, content or unsure), score, reason and role (title, byline, comments and so on).',
    );
  addReadOptions(command);
  command.addOption(outputFileOption()).addOption(overwriteOption());
  command.option(
    '--explain',
    'cross: also what each page was compared with, and in which of these captures each text occurs',
  );
  addRowOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff label crawl.warc.gz > ranges.jsonl
  chaff learn crawl.warc.gz -o site.model
  chaff label --model site.model tomorrow.warc.gz > tomorrow.jsonl
  cat pages.jsonl | chaff label --model site.model - > answers.jsonl
  chaff label crawl.warc.gz --preset lesniak-2017 --explain > crosses.jsonl
${PIPE_HELP}`,
    )
    .action((inputs: string[], _: LabelFlags, command: Command) => label(context, inputs, command));
}

async function label(context: Context, inputs: string[], command: Command): Promise<void> {
  const flags = command.opts<LabelFlags>();
  const restart: Restart = {};
  const pages = labelledPages(context, inputs, command, {
    format: 'ranges',
    explain: flags.explain,
    restart,
  });
  const output = openBatches(context, flags.output, { immediate: flags.model !== undefined });
  await writeAll(output, pages, restart);
}
