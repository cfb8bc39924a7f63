/**
 * Measures the commands that write rows to a pipe, and the report on the same archives:
 *
 *     npm run build
 *     npx tsx bench/rows.bench.ts [--rounds 3] [--workers 1] [archives …]      default: $CHAFF_DATA/sites
 *
 * They take turns; each figure is of the round with the median CPU time.
 */
import { parseArgs } from 'node:util';
import { markdownTable } from './doc-part.ts';
import { checkBuilt, type Measure, measureCommand, measureReport, medianMeasure } from './measure-report.ts';
import { count, figure, machine, megabytes } from './performance-doc.ts';
import { findArchives } from './real-sites.ts';

const COMMANDS = [
  ['strip'],
  ['strip', '--format', 'text'],
  ['strip', '--format', 'warc'],
  ['strip', '--format', 'markdown'],
  ['strip', '--format', 'html'],
  ['strip', '--detector', 'text'],
  ['label'],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    workers: { type: 'string', default: '1' },
  },
});
checkBuilt();
const archives = await findArchives(positionals);
const workers = Number(values.workers);

const report = await measureReport(archives, { workers });
const { pages, sites, htmlBytes } = report.run.counts;
const measured: Measure[][] = COMMANDS.map(() => []);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [k, [command, ...options]] of COMMANDS.entries()) {
    const measure = await measureCommand([command, ...archives, ...options, '--workers', String(workers)]);
    measured[k].push(measure);
    console.error(`round ${round + 1}, ${COMMANDS[k].join(' ')}: CPU ${measure.cpuSeconds.toFixed(1)} s`);
  }
}

const rows = [
  ...COMMANDS.map((command, k) => row(`chaff ${command.join(' ')}`, medianMeasure(measured[k]))),
  row('chaff report, once', report),
];
const head = ['command', 'wall s', 'CPU s', 'MB/s per core', 'pages/s per core', 'peak memory'];
console.log(
  `real sites: ${count(pages)} pages of ${sites} sites, ${megabytes(htmlBytes)} of HTML; ${workers} worker(s); ${machine()}.`,
);
console.log(markdownTable(head, rows));

function row(name: string, { wallSeconds, cpuSeconds, peakBytes }: Measure): string[] {
  return [
    `\`${name}\``,
    figure(wallSeconds),
    figure(cpuSeconds),
    figure(htmlBytes / 1e6 / cpuSeconds),
    figure(pages / cpuSeconds),
    megabytes(peakBytes),
  ];
}
