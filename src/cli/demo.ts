/** `chaff demo`: generates a sample archive, runs a report on it and prints where the report is. */
import { join } from 'node:path';
import { Command } from 'commander';
import { countOf } from '../model/count-of.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { addWorkerOption } from './common-options.ts';
import type { Context } from './context.ts';
import { wholeNumber } from './option-table.ts';
import { OutputOption, overwriteOption } from './path-options.ts';
import { report, reportCommand } from './report.ts';
import { coloursOf } from './terminal.ts';

const DEMO_FOLDER = 'chaff-demo';
const DEMO_NAME = 'sample';
/** Distinct pages of each of the six sites: enough for every kind of page and both designs. */
const DEMO_PAGES = 120;

/** Declares the command `demo`. */
export function demoCommand(context: Context): Command {
  const command = new Command('demo')
    .summary('try it on a generated archive')
    .description(
      'Makes an archive of six small sites in six languages, captured over several years with a redesign in\n' +
        'between, and runs chaff report on it.',
    )
    .addOption(
      new OutputOption('-o, --output <folder>', 'where to put the archive and the report', {
        also: (folder) =>
          ['warc.gz', 'truth.jsonl', 'chaff'].map((ending) => join(folder, `${DEMO_NAME}.${ending}`)),
      }).default(DEMO_FOLDER),
    )
    .addOption(overwriteOption())
    .option('--pages <n>', 'pages of each site', wholeNumber(10, 100_000), DEMO_PAGES);
  addWorkerOption(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff demo
  chaff demo -o try-chaff/ --pages 200`,
    )
    .action((flags: { output: string; pages: number; workers: number }) => demo(context, flags));
}

async function demo(
  context: Context,
  { output, pages, workers }: { output: string; pages: number; workers: number },
): Promise<void> {
  const { stderr } = context.streams;
  stderr.write('making a sample archive …\n');
  const { warc, captures } = await writeSampleArchive(output, {
    name: DEMO_NAME,
    sites: 6,
    pagesPerSite: pages,
    generations: 2,
    soup: true,
  });
  stderr.write(
    `${countOf(captures, 'page')}: ${warc}\n\n${coloursOf(stderr).bold(`chaff report ${warc}`)}\n`,
  );
  const { output: _, ...defaults } = reportCommand(context).opts();
  await report(context, [warc], {
    ...(defaults as Parameters<typeof report>[2]),
    output: `${output}/${DEMO_NAME}.chaff`,
    overwrite: true,
    workers,
  });
  // the script ./chaff of the source folder passes its own name
  const name = process.env.CHAFF_NAME ?? 'chaff';
  stderr.write(`
next:
  ${name} strip ${warc} | head -n 1
  ${name} sql ${output}/${DEMO_NAME}.chaff "select site, pages, text from templates where role = 'menu' order by pages desc, site limit 6"
`);
}
