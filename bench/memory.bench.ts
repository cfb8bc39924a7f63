/**
 * Peak memory and cost per page of `chaff report` as the archive grows:
 *
 *   npm run build
 *   npx tsx bench/memory.bench.ts [--pages 1000,10000,100000] [--sites 10] [--workers 1] [--detector name] [--write]
 *   npx tsx bench/memory.bench.ts --detector cross --sites 1 --pages 1000,10000,50000    (docs/research/cross.md)
 *   npx tsx bench/memory.bench.ts --small --sites 100 --workers 2 --pages 10000,1000000    (docs/research/scale.md)
 *
 * Archives are generated page by page into the system's temporary folder, and removed. The number of sites
 * stays, so what grows is the pages of a site; memory may depend on the sample and on the number of sites,
 * not on the pages. `--small` takes pages of 2 KB, so that a million fit on a disk.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { markdownTable } from './doc-part.ts';
import { checkBuilt, measureReport } from './measure-report.ts';
import { count, figure, machine, megabytes, publishPart } from './performance-doc.ts';
import { writeSmallPages } from './small-pages.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000,10000,100000' },
    sites: { type: 'string', default: '10' },
    workers: { type: 'string', default: '1' },
    detector: { type: 'string' },
    small: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
checkBuilt();
const sites = Number(values.sites);
const workers = Number(values.workers);
const args = values.detector === undefined ? [] : ['--detector', values.detector];

const rows: string[][] = [];
for (const pages of values.pages.split(',').map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const warc = values.small ? writeSmallPages(folder, { pages, sites }) : await writeSites(folder, pages);
    const { size } = statSync(warc);
    console.error(`${count(pages)} pages: archive of ${megabytes(size)} made`);
    const { cpuSeconds, wallSeconds, peakBytes, run } = await measureReport([warc], { workers, args });
    const { counts } = run;
    rows.push([
      count(counts.pages),
      megabytes(counts.htmlBytes),
      megabytes(size),
      figure(wallSeconds),
      figure(cpuSeconds),
      figure((1000 * cpuSeconds) / counts.pages),
      figure(counts.htmlBytes / 1e6 / cpuSeconds),
      megabytes(peakBytes),
    ]);
    console.error(`  ${figure(cpuSeconds)} s of CPU, ${megabytes(peakBytes)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const head = [
  'pages',
  'HTML',
  '.warc.gz',
  'wall s',
  'CPU s',
  'CPU ms a page',
  'MB/s per core',
  'peak memory',
];
const kind = values.small ? 'pages of 2 KB' : 'in turn of six languages, every third with sloppy markup';
const corpus = `Generated archives of ${sites} sites, ${kind}; ${workers} worker(s); ${machine()}.`;
publishPart('memory', `${corpus}\n\n${markdownTable(head, rows, { textColumns: 0 })}`, {
  write: values.write,
});

async function writeSites(folder: string, pages: number): Promise<string> {
  const pagesPerSite = Math.ceil(pages / sites);
  const { warc, truth } = await writeSampleArchive(folder, { sites, pagesPerSite, soup: true });
  rmSync(truth);
  return warc;
}
