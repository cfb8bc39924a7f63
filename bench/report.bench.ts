/**
 * Measures `chaff report` with both detectors, from .warc.gz to the finished folder, against the budget:
 *
 *     npm run build
 *     npx tsx bench/report.bench.ts [--rounds 3] [--write] [archives …]      default: $CHAFF_DATA/sites
 *     npx tsx bench/report.bench.ts --copies 4 [archives …]        each site four times, as other sites
 *     npx tsx bench/report.bench.ts --generate 20000 [--sites 10]
 *
 * One worker, two workers and two concurrent processes of one worker take turns. Each figure is of the round
 * with the median CPU time, that of the two processes of the round with the median wall time. The two
 * processes show the gain from a second thread that shares nothing with the first: on two hyperthreads of one
 * core it is far from twice the speed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { markdownTable, median } from './doc-part.ts';
import { checkBuilt, measureReport, medianMeasure, type ReportMeasure } from './measure-report.ts';
import { count, figure, machine, megabytes, publishPart } from './performance-doc.ts';
import { findArchives } from './real-sites.ts';
import { copySites } from './site-copies.ts';

/** Minimum speeds and maximum memory of `report` on real sites. */
const BUDGET = { mbPerCore: 60, pagesPerCore: 2000, peakBytes: 1e9, speedUp: 1.7 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    copies: { type: 'string', default: '1' },
    generate: { type: 'string' },
    sites: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
checkBuilt();

const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
try {
  if (values.generate !== undefined) {
    const sites = Number(values.sites);
    const pagesPerSite = Math.ceil(Number(values.generate) / sites);
    const { warc } = await writeSampleArchive(folder, { sites, pagesPerSite, soup: true });
    await bench(`generated, ${sites} sites`, [warc]);
  } else {
    const archives = await findArchives(positionals);
    const copies = Number(values.copies);
    if (copies > 1) await bench(`real sites, ${copies} copies`, copySites(archives, copies, folder));
    else await bench('real sites', archives, { write: values.write });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function bench(corpus: string, inputs: string[], { write = false } = {}): Promise<void> {
  const measured: ReportMeasure[][] = [[], []];
  const pairSeconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const workers of [1, 2]) {
      const measure = await measureReport(inputs, { workers });
      measured[workers - 1].push(measure);
      const { wallSeconds, cpuSeconds, peakBytes } = measure;
      console.error(
        `round ${round + 1}, ${workers} worker(s): ${wallSeconds.toFixed(1)} s, ` +
          `CPU ${cpuSeconds.toFixed(1)} s, ${megabytes(peakBytes)}`,
      );
    }
    pairSeconds.push(await measurePair(inputs));
    console.error(`round ${round + 1}, two processes of one worker: ${pairSeconds[round].toFixed(1)} s`);
  }
  const [one, two] = measured.map(medianMeasure);
  const { counts } = one.run;
  const nodesPerKb = counts.nodes / (counts.htmlBytes / 1024);
  const markdown = [
    `${corpus}: ${count(counts.pages)} pages of ${counts.sites} sites, ${megabytes(counts.htmlBytes)} of HTML, ` +
      `${nodesPerKb.toFixed(0)} nodes/KB; ${machine()}.`,
    speedTable(one, two),
    budgetTable(one, two),
    secondThread(one, two, median(pairSeconds)),
    'Where the time goes (seconds of one worker; steps within their stage):',
    stageTable(one),
  ];
  publishPart('report-real', markdown.join('\n\n'), { write });
}

/** Returns the wall seconds until two reports of all inputs, started together, have both ended. */
async function measurePair(inputs: string[]): Promise<number> {
  const before = performance.now();
  await Promise.all([measureReport(inputs, { workers: 1 }), measureReport(inputs, { workers: 1 })]);
  return (performance.now() - before) / 1000;
}

/** Describes the wall-time gain from a second thread: as a worker, and as an independent process. */
function secondThread(one: ReportMeasure, two: ReportMeasure, pairSeconds: number): string {
  const workers = one.wallSeconds / two.wallSeconds;
  const processes = (2 * one.wallSeconds) / pairSeconds;
  return `By the wall, two workers: ${workers.toFixed(2)}× of one; two processes side by side: ${processes.toFixed(2)}× of one.`;
}

function speedTable(...measures: ReportMeasure[]): string {
  const rows = measures.map(({ wallSeconds, cpuSeconds, peakBytes, run: { counts } }, k) => [
    String(k + 1),
    figure(wallSeconds),
    figure(cpuSeconds),
    figure(counts.htmlBytes / 1e6 / wallSeconds),
    figure(counts.pages / wallSeconds),
    figure(counts.htmlBytes / 1e6 / cpuSeconds),
    figure(counts.pages / cpuSeconds),
    megabytes(peakBytes),
  ]);
  const head = [
    'workers',
    'wall s',
    'CPU s',
    'MB/s',
    'pages/s',
    'MB/s per core',
    'pages/s per core',
    'peak memory',
  ];
  return markdownTable(head, rows);
}

function budgetTable(one: ReportMeasure, two: ReportMeasure): string {
  const { counts } = one.run;
  const mbPerCore = counts.htmlBytes / 1e6 / one.cpuSeconds;
  const pagesPerCore = counts.pages / one.cpuSeconds;
  const peakBytes = Math.max(one.peakBytes, two.peakBytes);
  const speedUp = one.cpuSeconds / two.wallSeconds; // of the same bytes
  const row = (what: string, asked: string, measured: string, met: boolean) => [
    what,
    asked,
    measured,
    met ? 'yes' : 'no',
  ];
  return markdownTable(
    ['budget', 'asked', 'measured', 'met'],
    [
      row('MB/s per core', `≥ ${BUDGET.mbPerCore}`, figure(mbPerCore), mbPerCore >= BUDGET.mbPerCore),
      row(
        'pages/s per core',
        `≥ ${figure(BUDGET.pagesPerCore)}`,
        figure(pagesPerCore),
        pagesPerCore >= BUDGET.pagesPerCore,
      ),
      row(
        'peak memory',
        `≤ ${megabytes(BUDGET.peakBytes)}`,
        megabytes(peakBytes),
        peakBytes <= BUDGET.peakBytes,
      ),
      row(
        'MB/s of two workers against MB/s per core of one',
        `≥ ${BUDGET.speedUp}×`,
        `${speedUp.toFixed(2)}×`,
        speedUp >= BUDGET.speedUp,
      ),
    ],
  );
}

/**
 * Returns a table of the stages by wall time, the steps of their tasks, and each step in the units of the
 * cost model.
 */
function stageTable({ run: { timings, counts }, wallSeconds }: ReportMeasure): string {
  const { total, ...stages } = timings.wallSeconds;
  const share = (seconds: number) => `${((100 * seconds) / wallSeconds).toFixed(0)} %`;
  const perByte = (seconds: number) => `${((1e9 * seconds) / counts.htmlBytes).toFixed(2)}`;
  const rows: string[][] = [];
  for (const [stage, seconds] of Object.entries(stages)) {
    rows.push([`**${stage}**`, seconds.toFixed(2), share(seconds), perByte(seconds)]);
    for (const [step, stepSeconds] of Object.entries(timings.stepSeconds[stage.split(' ')[0]] ?? {})) {
      if (stepSeconds > 0)
        rows.push([step, stepSeconds.toFixed(2), share(stepSeconds), perByte(stepSeconds)]);
    }
  }
  const rest = wallSeconds - total;
  rows.push(['**start and end of the process**', rest.toFixed(2), share(rest), perByte(rest)]);
  const parse = (timings.stepSeconds.label?.parse ?? 0) / counts.nodes;
  return `${markdownTable(['stage, step', 'seconds', 'share', 'ns per byte'], rows)}\n\nParsing takes ${(1e6 * parse).toFixed(2)} µs per node.`;
}
