/** `chaff learn`: saves the models of sites as a file, for applying to other pages. */
import { Command } from 'commander';
import { encodeModelFile } from '../detect/model-file.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { readLayoutRule } from '../model/site.ts';
import { type LearnResult, runLearn } from '../run/learn-run.ts';
import { addReadOptions, addVerbosityOptions, addWorkerOption, type OutputFlags } from './common-options.ts';
import { type Context, UsageError } from './context.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { openOutput } from './output.ts';
import { OutputOption, overwriteOption } from './path-options.ts';
import { progressLine } from './progress.ts';
import { runningOptionsOf } from './running-options.ts';
import { printSummary } from './summary.ts';

interface LearnFlags extends JobFlags, OutputFlags {
  output: string;
  workers: number;
}

/** Declares the command `learn`. */
export function learnCommand(context: Context): Command {
  const command = new Command('learn')
    .summary('save what the pages of each site share, to judge other pages by')
    .description(
      'Learns what the pages of every site share, and writes one model file for strip, label and annotate.',
    );
  addReadOptions(command);
  command
    .addOption(new OutputOption('-o, --output <file>', 'model file to write').makeOptionMandatory())
    .addOption(overwriteOption());
  addJobOptions(command, { limit: false });
  addWorkerOption(command);
  addVerbosityOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff learn crawl.warc.gz -o site.model
  chaff strip --model site.model tomorrow.warc.gz > clean.jsonl
  chaff learn 'crawl/*.warc.gz' --detector text --text-settings 32.10.40.200 -o sites.model`,
    )
    .action((inputs: string[], flags: LearnFlags) => learn(context, inputs, flags));
}

async function learn(context: Context, inputs: string[], flags: LearnFlags): Promise<void> {
  const { stderr } = context.streams;
  if (readLayoutRule(flags.site)) {
    throw new UsageError(
      'a model file does not know the layout of a page it has not seen: --site host, domain or path:N',
    );
  }
  const line = progressLine(stderr, flags);
  const result = await runLearn(inputs, {
    ...jobOptionsOf(flags),
    ...runningOptionsOf(context, flags, line),
  }).finally(line.clear);
  printSummary(context, result, flags, { done: 'learnt from' });
  // an empty model file would be mistaken for models of the site
  if (result.pages === 0) return;
  const bytes = encodeModelFile(result.models, flags.site);
  const output = openOutput(context, flags.output);
  try {
    await output.write(bytes);
    await output.commit();
  } finally {
    output.discard();
  }
  if (!flags.quiet)
    stderr.write(`${describe(result)}: ${flags.output}, ${formatCount(bytes.length)} bytes\n`);
}

function describe({ models, pages }: LearnResult): string {
  const templates = models.reduce((sum, model) => sum + model.templates.length, 0);
  // joint saves counts and cross saves pages: templates are found only when a page is labelled
  const listsNone =
    models.length > 0 && models.every(({ detector }) => ['joint', 'cross'].includes(detector));
  const found = listsNone ? '' : ` of ${countOf(templates, 'template')}`;
  return `${countOf(models.length, 'model')}${found} from ${countOf(pages, 'page')}`;
}
