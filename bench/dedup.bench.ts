/**
 * Measures near-duplicate detection: the whole command from archive to groups, and the grouping alone.
 *
 *     npx tsx bench/dedup.bench.ts [--pages 10000] [--workers 2] [--detector dom] [--grouping 1000000] [archive.warc.gz …]
 *
 * Without archives, ten sites with `--pages` pages in total are generated in the system's temporary folder
 * and removed. `--grouping` groups that many synthetic pages by their hashes: a third are near-duplicates of
 * an earlier one, and all have three hashes in common with ten thousand others, like pages with a template; 0
 * omits this part.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { groupByStars, type HashedPages } from '../src/analysis/near-duplicate-groups.ts';
import type { DetectorName } from '../src/detect/detector.ts';
import { Random } from '../src/research/generated-sites/random.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { runDedup } from '../src/run/dedup-run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '2' },
    detector: { type: 'string', default: 'dom' },
    grouping: { type: 'string', default: '1000000' },
  },
});
const SITES = 10;
const HASHES = 8;
const MATCH = 4;

const grouped = Number(values.grouping);
for (const count of grouped > 0 ? [grouped / 10, grouped] : []) measureGrouping(Math.round(count));

if (positionals.length > 0) await measureRun(positionals);
else if (Number(values.pages) > 0) {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const pagesPerSite = Math.ceil(Number(values.pages) / SITES);
    const options = { sites: SITES, pagesPerSite, languages: ['en'] as const, odd: false };
    await measureRun([(await writeSampleArchive(folder, options)).warc]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures the whole command: reading, parsing, learning, labelling, shingles, groups. */
async function measureRun(files: string[]): Promise<void> {
  const workers = Number(values.workers);
  const started = performance.now();
  const before = process.cpuUsage();
  const { pages, htmlBytes, groups, copies, short, crowded } = await runDedup(files, {
    detectors: [values.detector as DetectorName],
    workers,
    onPage() {},
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  console.log(
    `${files.map((file) => basename(file)).join(', ')}: ${pages} pages, ${(htmlBytes / 1e6).toFixed(0)} MB, ` +
      `${groups} groups, ${copies} copies, ${short} short, ${crowded} crowded; ${seconds.toFixed(1)} s wall, ` +
      `${cpu.toFixed(1)} s CPU (${(pages / cpu).toFixed(0)} pages/s of CPU), ${workers} workers, ` +
      `${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB at most`,
  );
}

function measureGrouping(count: number): void {
  const pages = makeHashes(count);
  const before = process.cpuUsage();
  const { first, crowded } = groupByStars(pages, { hashes: HASHES, match: MATCH });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  let copies = 0;
  for (let page = 0; page < count; page++) if (first[page] !== page) copies++;
  console.log(
    `grouping ${count} pages: ${copies} copies, ${crowded} crowded; ${seconds.toFixed(2)} s CPU, ` +
      `${((1e6 * seconds) / count).toFixed(1)} µs a page`,
  );
}

function makeHashes(count: number): HashedPages {
  const random = new Random(1);
  const hash = () => random.next() * 2 ** 21 + (random.next() >>> 11);
  const templates = Array.from({ length: Math.ceil(count / 10_000) }, () => [hash(), hash(), hash()]);
  const starts = Uint32Array.from({ length: count + 1 }, (_, page) => page * HASHES);
  const hashes = new Float64Array(count * HASHES);
  for (let page = 0; page < count; page++) {
    const at = page * HASHES;
    hashes.set(random.pick(templates), at);
    const original = page > 0 && random.chance(1 / 3) ? random.below(page) : -1;
    for (let k = 3; k < HASHES; k++) {
      // four of the five hashes are those of an earlier page
      hashes[at + k] = original >= 0 && k < HASHES - 1 ? hashes[original * HASHES + k] : hash();
    }
  }
  return { starts, hashes };
}
