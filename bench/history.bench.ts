/**
 * Measures `chaff history` over generated captures from archive to report, at two sizes, to show time that is
 * not linear and memory that grows.
 *
 *     npm run build && npx tsx bench/history.bench.ts [--pages 200] [--snapshots 20] [--sites 5] [--workers 2]
 *
 * `--pages` is the total number of distinct URLs, each captured once in every snapshot, a year apart: 5000 in
 * 20 snapshots make 100,000 captures. The template changes after every fifth snapshot. The archive is written
 * to the system's temporary folder and removed.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { measureReport } from './measure-report.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '200' },
    snapshots: { type: 'string', default: '20' },
    sites: { type: 'string', default: '5' },
    workers: { type: 'string', default: '2' },
  },
});
const CAPTURES_PER_GENERATION = 5;
const workers = Number(values.workers);
const sites = Number(values.sites);
const captures = Math.min(CAPTURES_PER_GENERATION, Number(values.snapshots));
const generations = Math.max(1, Math.round(Number(values.snapshots) / captures));

for (const pages of [Number(values.pages) / 4, Number(values.pages)])
  await measure(Math.max(8, Math.ceil(pages / sites)));

async function measure(pagesPerSite: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const { warc } = await writeSampleArchive(folder, {
      sites,
      pagesPerSite,
      generations,
      captures,
      languages: ['en'],
      odd: false,
    });
    const { wallSeconds, cpuSeconds, peakBytes, run } = await measureReport([warc], {
      workers,
      command: 'history',
    });
    const { pages: labelled, htmlBytes, snapshots } = run.counts;
    const stages = Object.entries(run.timings.wallSeconds).map(
      ([name, seconds]) => `${name} ${seconds.toFixed(1)} s`,
    );
    console.log(
      [
        `${labelled} captures in ${snapshots} site snapshots, ${megabytes(htmlBytes)} of HTML, ${megabytes(statSync(warc).size)} stored`,
        `  ${wallSeconds.toFixed(1)} s with ${workers} workers, ${cpuSeconds.toFixed(1)} s CPU: ${((1000 * cpuSeconds) / labelled).toFixed(2)} ms a capture`,
        `  ${megabytes(peakBytes)} at most`,
        `  ${stages.join(', ')}`,
      ].join('\n'),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
