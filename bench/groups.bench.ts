/**
 * Measures layout groups and crosses: their cost, and how often the bounded search finds the most similar
 * page.
 *
 *     npx tsx bench/groups.bench.ts [--pages 10000] [--workers 2] [--threshold 0.6] [sites/*.warc.gz]
 *
 * Without archives, a site with `--pages` pages is generated in the system's temporary folder and removed.
 * With archives, each is measured with at most `--pages` pages. The search is checked against all pages. The
 * same pages are also signed by independent permutations, the simple method, for comparison.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mix32 } from '../src/analysis/byte-hash.ts';
import { findCrosses } from '../src/analysis/find-crosses.ts';
import { groupSignatures } from '../src/analysis/group-signatures.ts';
import { LayerTokens, PathTokens } from '../src/analysis/layout-signer.ts';
import { countEqual, MinHash } from '../src/analysis/minhash.ts';
import type { SignedPages } from '../src/analysis/signed-pages.ts';
import { pageKey } from '../src/model/page-key.ts';
import { Parser } from '../src/parse/parser.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { runGroups } from '../src/run/groups-run.ts';
import { openArchive } from '../src/run/library/open-archive.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '10000' },
    workers: { type: 'string', default: '2' },
    threshold: { type: 'string', default: '0.6' },
  },
});
const mostPages = Number(values.pages);
const workers = Number(values.workers);
const threshold = Number(values.threshold);
const PERMUTATIONS = 128;
/** Number of pages that are compared with all others, evenly spread. */
const CHECKED_PAGES = 1500;

if (positionals.length === 0) {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const options = { sites: 1, pagesPerSite: mostPages, languages: ['en'] as const, odd: false };
    const { warc } = await writeSampleArchive(folder, options);
    await measureRun(warc);
    await measureSteps(warc);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
for (const file of positionals) {
  await measureRun(file);
  await measureSteps(file);
}

/** Measures the whole command: reading, parsing, signing, groups and crosses. */
async function measureRun(file: string): Promise<void> {
  const started = performance.now();
  const before = process.cpuUsage();
  let groups = 0;
  let withoutUp = 0;
  const { pages, htmlBytes } = await runGroups([file], {
    crosses: true,
    threshold,
    workers,
    onSite(site) {
      groups += site.groups.length;
      for (const up of site.crosses!.up) if (up < 0) withoutUp++;
    },
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${basename(file)}: ${pages} pages, ${(htmlBytes / 1e6).toFixed(0)} MB, ${groups} groups, ` +
      `${withoutUp} pages without up; ${seconds.toFixed(1)} s wall, ${((user + system) / 1e6).toFixed(1)} s CPU, ${workers} workers, ` +
      `${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB at most`,
  );
}

/** Measures the steps on one thread, and the bounded search against all pairs. */
async function measureSteps(file: string): Promise<void> {
  const parser = new Parser();
  const layers = new LayerTokens();
  const paths = new PathTokens();
  const hasher = new MinHash({ permutations: PERMUTATIONS });
  const scratch = new Uint32Array(PERMUTATIONS);
  const signatures: Uint32Array[] = [];
  const urls: string[] = [];
  const times: string[] = [];
  const steps = { parse: 0, layers: 0, paths: 0, sign: 0, plain: 0 };
  for await (const page of openArchive(file)) {
    if (urls.length === mostPages) break;
    const tree = timed('parse', () => parser.parse(page.source));
    timed('paths', () => paths.make(tree));
    timed('layers', () => layers.make(tree));
    timed('sign', () => hasher.sign(layers.tokens, layers.count, scratch));
    timed('plain', () => signPlainly(layers.tokens, layers.count));
    signatures.push(scratch.slice());
    urls.push(page.url);
    times.push(page.time);
  }
  function timed<T>(step: keyof typeof steps, work: () => T): T {
    const start = performance.now();
    const result = work();
    steps[step] += performance.now() - start;
    return result;
  }

  const all = new Uint32Array(urls.length * PERMUTATIONS);
  for (const [k, signature] of signatures.entries()) all.set(signature, k * PERMUTATIONS);
  const pages: SignedPages = {
    permutations: PERMUTATIONS,
    signatures: all,
    keys: urls.map(pageKey),
    urls,
    times,
  };
  const perPage = (ms: number) => `${((1000 * ms) / urls.length).toFixed(0)} µs`;
  const grouping = elapsed(() => groupSignatures(pages, { threshold }));
  let crosses = findCrosses(pages, { threshold: 0.01 });
  const crossing = elapsed(() => {
    crosses = findCrosses(pages, { threshold: 0.01 });
  });
  console.log(
    `  a page: parse ${perPage(steps.parse)}, layer tokens ${perPage(steps.layers)}, path tokens ${perPage(steps.paths)}, ` +
      `sign ${perPage(steps.sign)} (independent permutations ${perPage(steps.plain)}), ` +
      `group ${perPage(grouping)}, cross ${perPage(crossing)}`,
  );

  let exact = 0;
  let near = 0;
  let without = 0;
  const step = Math.max(1, Math.floor(urls.length / CHECKED_PAGES));
  let checked = 0;
  for (let page = 0; page < urls.length; page += step) {
    checked++;
    let best = 0;
    for (let other = 0; other < urls.length; other++) {
      if (urls[other] === urls[page]) continue;
      best = Math.max(best, countEqual(all, page * PERMUTATIONS, other * PERMUTATIONS, PERMUTATIONS));
    }
    const found = Math.round(crosses.upSimilarity[page] * PERMUTATIONS);
    if (best < threshold * PERMUTATIONS) without++;
    else if (found === best) exact++;
    if (best >= threshold * PERMUTATIONS && best - found <= 4) near++;
  }
  const likely = checked - without;
  console.log(
    `  of ${likely} pages with another at or above ${threshold}, the search finds one as similar for ${share(exact, likely)}, ` +
      `one at most 0.03 less for ${share(near, likely)}`,
  );
}

function signPlainly(elements: Uint32Array, count: number): Uint32Array {
  const out = new Uint32Array(PERMUTATIONS).fill(0xffffffff);
  for (let k = 0; k < PERMUTATIONS; k++) {
    const factor = mix32(k + 1) | 1;
    const add = mix32(k + 1000);
    let least = 0xffffffff;
    for (let i = 0; i < count; i++) {
      const value = (Math.imul(elements[i], factor) + add) >>> 0;
      if (value < least) least = value;
    }
    out[k] = least;
  }
  return out;
}

function elapsed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
