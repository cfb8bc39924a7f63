/**
 * Compares `chaff fragments` with Table 1 of Ma and Gu (2005), on a generated collection of the same size:
 *
 *     npm run build
 *     npx tsx bench/fragments.bench.ts [--sites 16] [--pages-per-site 8167] [--write]
 *     npx tsx bench/fragments.bench.ts --real [--write] [archives …]            default: $CHAFF_DATA/sites
 *
 * The collection (1.85 GB of HTML in 130,672 pages; some minutes to make, not timed) is in eight archives.
 * The first one, two and four of them are smaller collections of the same sites, which show how the time
 * grows. One worker is used. Figures are CPU time of the whole process, which is the wall time of one
 * processor, as theirs was. `--keep folder` writes the collection there and keeps it for the next run.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { FragmentRunFile } from '../src/store/run-file.ts';
import { docPath, markdownTable, writeDocPart } from './doc-part.ts';
import { writeCollection } from './fragment-collection.ts';
import { checkBuilt, measureReport } from './measure-report.ts';
import { count, figure, machine, megabytes } from './performance-doc.ts';
import { findArchives } from './real-sites.ts';
import { scatterPlot } from './scatter-plot.ts';

/**
 * Table 1 of Ma and Gu: seconds of complete / structural analysis, on a Celeron of 2.4 GHz with MySQL 4.1.
 */
const PAPER = {
  sina: { transform: [13_254, 12_490], analysis: [8_703, 5_189], merge: [32, 12], total: [21_989, 17_691] },
  yahoo: { transform: [2_248, 2_198], analysis: [263, 284], merge: [12, 6], total: [2_523, 2_488] },
};
const STEP_NAMES = {
  transform: 'transforming (read, parse, store)',
  analysis: 'primitive fragments',
  merge: 'composite fragments (the paper: merging)',
  total: 'total, with places, texts and tables',
};
const FILES = 8;
const DOC = 'research/fragments.md';
const PLOT = 'figures/fragments-time.svg';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sites: { type: 'string', default: '16' },
    'pages-per-site': { type: 'string', default: '8167' },
    real: { type: 'boolean', default: false },
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
checkBuilt();

interface Measure {
  wallSeconds: number;
  cpuSeconds: number;
  peakBytes: number;
  run: FragmentRunFile;
}

if (values.real) await benchReal(await findArchives(positionals));
else {
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    await benchGenerated(collectionIn(folder));
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function collectionIn(folder: string): string[] {
  if (!existsSync(join(folder, `part-${FILES}.warc.gz`))) {
    mkdirSync(folder, { recursive: true });
    const options = {
      sites: Number(values.sites),
      pagesPerSite: Number(values['pages-per-site']),
      files: FILES,
    };
    const { pages, bytes } = writeCollection(folder, options);
    console.error(`made ${count(pages)} pages, ${megabytes(bytes)}`);
  }
  const names = readdirSync(folder).filter((name) => name.startsWith('part-'));
  return names.sort().map((name) => join(folder, name));
}

async function measure(inputs: string[], relation: string): Promise<Measure> {
  const args = ['--relation', relation, '--top', '0'];
  const measured = (await measureReport(inputs, {
    command: 'fragments',
    workers: 1,
    args,
  })) as unknown as Measure;
  const { wallSeconds, cpuSeconds, peakBytes, run } = measured;
  console.error(
    `${relation}, ${count(run.counts.pages)} pages: ${figure(wallSeconds)} s, CPU ${figure(cpuSeconds)} s, ` +
      `${megabytes(peakBytes)} ${JSON.stringify(run.timings.cpuSeconds)}`,
  );
  return measured;
}

async function benchGenerated(files: string[]): Promise<void> {
  const complete = await measure(files, 'complete');
  const structural = await measure(files, 'structural');
  const sizes: Measure[] = [];
  for (const n of [1, 2, 4, FILES]) sizes.push(await measure(files.slice(0, n), 'both'));
  const both = sizes[sizes.length - 1];
  const { counts } = both.run;
  const markdown = [
    `Generated collection: ${count(counts.pages)} pages of ${counts.sites} sites, ${megabytes(counts.htmlBytes)} of HTML; ` +
      `one worker; ${machine()}. Peak memory ${megabytes(both.peakBytes)}, both relations in one run.`,
    comparison(complete, structural, both),
    'How the time grows (both relations):',
    growth(sizes),
    `![CPU seconds against pages](${PLOT})`,
  ];
  console.log(`${stageTable(both)}\n\n${findings([['generated', both]])}`);
  publish('fragments-generated', markdown.join('\n\n'));
  if (values.write) writeFileSync(docPath(`research/${PLOT}`), plot(sizes));
}

async function benchReal(archives: string[]): Promise<void> {
  const all = await measure(archives, 'both');
  const rows: [string, Measure][] = [];
  for (const archive of archives) {
    const name = archive.replace(/^.*\//, '').replace(/\.(warc|wacz)(\.gz)?$/, '');
    rows.push([name, await measure([archive], 'both')]);
  }
  console.log(`${findings(rows)}\n\n${stageTable(all)}`);
  const { counts } = all.run;
  const markdown = [
    `Real sites: ${count(counts.pages)} pages, ${megabytes(counts.htmlBytes)} of HTML; one worker; ${machine()}. ` +
      `CPU ${figure(all.cpuSeconds)} s, both relations in one run.`,
    findings([['all as one collection', all]]),
  ];
  publish('fragments-real', markdown.join('\n\n'));
}

function publish(part: string, markdown: string): void {
  console.log(`\n${markdown}\n`);
  if (values.write) writeDocPart(DOC, part, markdown);
}

/**
 * Returns Table 1 of the paper with our figures: seconds of complete / structural analysis, and of both at
 * once.
 */
function comparison(complete: Measure, structural: Measure, both: Measure): string {
  const seconds = (value: number) => (Number.isInteger(value) ? count(value) : figure(value));
  const pair = ([a, b]: number[]) => `${seconds(a)} / ${seconds(b)}`;
  const ours = (step: Step) => [complete, structural].map((measured) => stepSeconds(measured, step));
  const rows = (['transform', 'analysis', 'merge', 'total'] as const).map((step) => {
    const [c, s] = ours(step);
    const [paperC, paperS] = PAPER.sina[step];
    return [
      STEP_NAMES[step],
      pair(PAPER.yahoo[step]),
      pair(PAPER.sina[step]),
      pair([c, s]),
      figure(stepSeconds(both, step)),
      `${figure(paperC / c)} / ${figure(paperS / s)}`,
    ];
  });
  const head = [
    'seconds, complete / structural',
    'Ma and Gu, yahoo (7,379 files, 195 MB)',
    'Ma and Gu, sina (130,672 files, 1,846 MB)',
    `ours (${count(both.run.counts.pages)} pages, ${megabytes(both.run.counts.htmlBytes)}), CPU`,
    'ours, both at once',
    'sina against ours',
  ];
  return markdownTable(head, rows);
}

type Step = keyof typeof STEP_NAMES;

function stepSeconds({ run, cpuSeconds }: Measure, step: Step): number {
  const cpu = run.timings.cpuSeconds ?? {};
  if (step === 'total') return cpuSeconds;
  if (step === 'transform') return cpu['survey and plan'] + cpu.transform;
  return cpu[step === 'merge' ? 'composites' : step];
}

function stageTable({ run: { timings, counts }, wallSeconds, cpuSeconds }: Measure): string {
  const { total: _w, ...stages } = timings.wallSeconds;
  const cpu = timings.cpuSeconds ?? {};
  const rows = Object.entries(stages).map(([stage, seconds]) => [
    stage,
    seconds.toFixed(2),
    (cpu[stage] ?? 0).toFixed(2),
    ((1e9 * (cpu[stage] ?? 0)) / counts.htmlBytes).toFixed(2),
    Object.entries(timings.stepSeconds[stage.split(' ')[0]] ?? {})
      .filter(([, step]) => step > 0)
      .map(([name, step]) => `${name} ${step.toFixed(1)}`)
      .join(', '),
  ]);
  rows.push([
    'whole process',
    wallSeconds.toFixed(2),
    cpuSeconds.toFixed(2),
    perByte(cpuSeconds, counts),
    '',
  ]);
  return markdownTable(['stage', 'wall s', 'CPU s', 'CPU ns per byte', 'steps, s'], rows);
}

function perByte(seconds: number, { htmlBytes }: { htmlBytes: number }): string {
  return ((1e9 * seconds) / htmlBytes).toFixed(2);
}

function findings(measured: [string, Measure][]): string {
  const rows = measured.flatMap(
    ([
      name,
      {
        run: { counts },
      },
    ]) =>
      (['complete', 'structural'] as const).map((relation) => {
        const { classes, composites, members, sharedBytes, savedBytes } = counts[relation];
        return [
          name,
          relation,
          count(counts.pages),
          count(classes),
          count(composites),
          count(members),
          `${((100 * sharedBytes) / counts.htmlBytes).toFixed(0)} %`,
          megabytes(savedBytes),
        ];
      }),
  );
  const head = ['collection', 'relation', 'pages', 'classes', 'composite', 'members', 'HTML shared', 'saved'];
  return markdownTable(head, rows, { textColumns: 2 });
}

function growth(sizes: Measure[]): string {
  const [least] = sizes;
  const rows = sizes.map(({ run: { counts, timings }, cpuSeconds, peakBytes }) => {
    const cpu = timings.cpuSeconds ?? {};
    return [
      count(counts.pages),
      megabytes(counts.htmlBytes),
      figure(cpuSeconds),
      figure(cpu.analysis + cpu.composites),
      figure((1000 * cpuSeconds) / counts.pages),
      (cpuSeconds / least.cpuSeconds / (counts.htmlBytes / least.run.counts.htmlBytes)).toFixed(2),
      megabytes(peakBytes),
    ];
  });
  const head = ['pages', 'HTML', 'CPU s', 'of it analysis', 'CPU ms a page', 'against linear', 'peak memory'];
  return markdownTable(head, rows, { textColumns: 0 });
}

function plot(sizes: Measure[]): string {
  const points = sizes.map(({ run: { counts }, cpuSeconds }, k) => ({
    x: counts.pages / 1000,
    y: (1e6 * cpuSeconds) / counts.pages / 1000,
    label: `${figure(cpuSeconds)} s`,
    kind: k === sizes.length - 1 ? ('strong' as const) : ('plain' as const),
  }));
  return scatterPlot(points, {
    title: 'chaff fragments, both relations: cost of a page as the collection grows',
    xTitle: 'thousand pages',
    yTitle: 'CPU milliseconds a page',
  });
}
