/**
 * Measures `chaff report` with both detectors on archives made to be slow:
 *
 *     npm run build
 *     npx tsx bench/adversarial.bench.ts [--only name] [--mb 16] [--write]
 *
 * Each case is an archive of one site with as many pages as make 16 MB, at least one, so that the detectors
 * learn and label it too. The cost is the CPU time of the process minus that of a run over one tiny page, per
 * MB of HTML before any limit. It is measured with the named page and with twice as many pages of half the
 * size: costs that grow faster than the page are higher in the first. No case may cost over 100 ms per MB,
 * and a page that exceeds a limit must be refused early and counted under the code of the limit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './doc-part.ts';
import { HOSTILE, type Hostile, writeHostileArchive } from './hostile-archive.ts';
import { checkBuilt, measureReport, type ReportMeasure } from './measure-report.ts';
import { figure, machine, publishPart } from './performance-doc.ts';

const MAX_MS_PER_MB = 100;
const TINY: Hostile = { name: 'tiny', html: () => '<p>one page' };

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    mb: { type: 'string', default: '16' },
    write: { type: 'boolean', default: false },
  },
});
checkBuilt();
const leastBytes = Number(values.mb) * 1e6;
const idle = await measureHostile(TINY, { scale: 1, leastBytes: 1 });

const rows: string[][] = [];
for (const hostile of HOSTILE) {
  if (!hostile.name.includes(values.only)) continue;
  const [half, whole] = [
    await measureHostile(hostile, { scale: 0.5, leastBytes }),
    await measureHostile(hostile, { scale: 1, leastBytes }),
  ];
  const msPerMb = costOf(whole);
  rows.push([
    hostile.name,
    outcomeOf(whole.measure),
    figure(whole.megabytes),
    figure(costOf(half)),
    figure(msPerMb),
    msPerMb <= MAX_MS_PER_MB ? 'yes' : 'no',
  ]);
  console.error(rows.at(-1)?.join(' | '));
}
const head = [
  'archive',
  'what came of it',
  'MB of HTML',
  'ms/MB, half the page',
  'ms/MB',
  `≤ ${MAX_MS_PER_MB}`,
];
publishPart('adversarial', `${machine()}.\n\n${markdownTable(head, rows, { textColumns: 2 })}`, {
  write: values.write,
});

interface HostileMeasure {
  measure: ReportMeasure;
  megabytes: number;
}

async function measureHostile(
  hostile: Hostile,
  size: { scale: number; leastBytes: number },
): Promise<HostileMeasure> {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
  try {
    const file = join(folder, 'hostile.warc.gz');
    const megabytes = writeHostileArchive(file, hostile, size) / 1e6;
    return { megabytes, measure: await measureReport([file], { workers: 1, args: hostile.args }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function costOf({ measure, megabytes }: HostileMeasure): number {
  return Math.max(0, (1000 * (measure.cpuSeconds - idle.measure.cpuSeconds)) / megabytes);
}

function outcomeOf({ run: { counts } }: ReportMeasure): string {
  const skipped = Object.entries(counts.skipped).map(([code, pages]) => `${pages} ${code}`);
  return [...(counts.pages > 0 ? [`${counts.pages} labelled`] : []), ...skipped].join(', ');
}
