/**
 * Compares Chaff and its rivals on the same pages in the same run, on one thread:
 *
 *     npm ci --prefix bench
 *     npx tsx bench/rivals.bench.ts [--pages 40] [--rounds 7] [--slow-rounds 3] [--write] [archives …]
 *
 * Contenders take turns, site by site. The time of a site is the median of its rounds in CPU time of the
 * process, with garbage collection; garbage of other contenders is collected before. The first round is a
 * warm-up and does not count. Slow rivals process all pages in fewer rounds.
 */

import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Contender, findContenders } from './contenders.ts';
import { markdownTable, median } from './doc-part.ts';
import { count, figure, machine, megabytes, publishPart } from './performance-doc.ts';
import { findArchives } from './real-sites.ts';
import { silenceConsole } from './rival-packages.ts';
import { type SiteSample, sampleSites } from './site-sample.ts';

/** Classes of sites by nodes per KB: script-heavy pages are cheap, documentation is expensive. */
const CLASSES = [
  { name: '< 12 nodes/KB', from: 0, to: 12 },
  { name: '12–25', from: 12, to: 25 },
  { name: '> 25', from: 25, to: Number.POSITIVE_INFINITY },
];

interface Result {
  contender: Contender;
  /** Milliseconds by site, then by round. */
  times: number[][];
  rounds: number;
  failed: number;
  nothing: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '7' },
    'slow-rounds': { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
await bench(await findArchives(positionals));

async function bench(names: string[]): Promise<void> {
  const samples = await sampleSites(names, Number(values.pages));
  const { contenders, missing } = await findContenders();
  if (missing.length > 0) console.error(`not installed: ${missing.join(', ')}; npm ci --prefix bench`);
  const slowRounds = Number(values['slow-rounds']);
  const results = contenders.map(
    (contender): Result => ({ contender, times: samples.map(() => []), rounds: 0, failed: 0, nothing: 0 }),
  );
  const collectGarbage = garbageCollector();
  const restore = silenceConsole();
  try {
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const result of results) {
        if (result.contender.slow && round > slowRounds) continue;
        collectGarbage();
        await runRound(result, samples, round > 0);
      }
      process.stderr.write(`round ${round} of ${values.rounds}\n`);
    }
  } finally {
    restore();
  }
  const pages = samples.reduce((sum, sample) => sum + sample.pages.length, 0);
  const bytes = samples.reduce((sum, sample) => sum + sample.bytes, 0);
  const corpus =
    `${count(pages)} pages, at most ${values.pages} of each of ${samples.length} real sites, ${megabytes(bytes)} of HTML; ` +
    `medians of ${values.rounds} rounds (slow rivals ${slowRounds}); ${machine()}.`;
  for (const job of ['parse', 'extract'] as const) {
    const rows = results.filter(({ contender }) => contender.job === job);
    publishPart(`rivals-${job}`, `${corpus}\n\n${table(rows, samples)}`, { write: values.write });
  }
}

async function runRound(result: Result, samples: SiteSample[], counts: boolean): Promise<void> {
  result.failed = result.nothing = 0;
  for (const [k, { pages }] of samples.entries()) {
    const before = process.cpuUsage();
    await result.contender.run(pages, (gave) => {
      if (gave instanceof Error) result.failed++;
      else if (!gave) result.nothing++;
    });
    const { user, system } = process.cpuUsage(before);
    if (counts) result.times[k].push((user + system) / 1000);
  }
}

function table(results: Result[], samples: SiteSample[]): string {
  const rate = (
    { times }: Result,
    amount: (sample: SiteSample) => number,
    from = 0,
    to = Number.POSITIVE_INFINITY,
  ) => {
    let ms = 0;
    let sum = 0;
    for (const [k, sample] of samples.entries()) {
      if (sample.nodesPerKb < from || sample.nodesPerKb >= to) continue;
      ms += median(times[k]);
      sum += amount(sample);
    }
    return (1000 * sum) / ms;
  };
  const megabytesOf = ({ bytes }: SiteSample) => bytes / 1e6;
  const ours = rate(results[0], megabytesOf);
  const present = CLASSES.filter(({ from, to }) => samples.some(({ nodesPerKb: n }) => n >= from && n < to));
  const rows = results.map((result) => [
    result.contender.name,
    figure(rate(result, megabytesOf)),
    ...present.map(({ from, to }) => figure(rate(result, megabytesOf, from, to))),
    figure(rate(result, ({ pages }) => pages.length)),
    `${figure(ours / rate(result, megabytesOf))}×`,
    String(result.failed),
    String(result.nothing),
  ]);
  const head = [
    '',
    'MB/s',
    ...present.map(({ name }) => name),
    'pages/s',
    'Chaff’s speed to its',
    'failed',
    'gave nothing',
  ];
  return markdownTable(head, rows);
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
