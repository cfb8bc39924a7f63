/** Where the time of a run went, in the terms of the cost model. */
import { countOf } from '../model/count-of.ts';
import type { RunFile } from '../store/run-file.ts';

export function timingsTable({
  timings,
  counts,
}: {
  timings: RunFile['timings'];
  counts: Pick<RunFile['counts'], 'htmlBytes' | 'nodes' | 'pages'>;
}): string {
  const lines: string[] = [];
  const { total: wall, ...stages } = timings.wallSeconds;
  for (const [stage, seconds] of Object.entries(stages)) {
    const steps = Object.entries(timings.stepSeconds[stage.split(' ')[0]] ?? {}).filter(([, cpu]) => cpu > 0);
    const detail = steps.map(([step, cpu]) => `${step} ${cpu.toFixed(2)}`).join(', ');
    lines.push(`  ${stage.padEnd(16)} ${seconds.toFixed(2).padStart(7)} s${detail ? `  (${detail})` : ''}`);
  }
  const compared = Object.entries(timings.settingsSeconds ?? {});
  for (const [settings, seconds] of compared)
    lines.push(`    learnt by ${settings.padEnd(14)} ${seconds.toFixed(2).padStart(7)} s`);
  const megabytes = counts.htmlBytes / 1e6;
  const perKb = counts.htmlBytes > 0 ? counts.nodes / (counts.htmlBytes / 1024) : 0;
  lines.push(
    `  ${megabytes.toFixed(0)} MB of HTML, ${perKb.toFixed(0)} nodes/KB: ${(megabytes / wall).toFixed(0)} MB/s, ` +
      `${(counts.pages / wall).toFixed(0)} pages/s on ${countOf(timings.workers, 'worker')}`,
  );
  return `${lines.join('\n')}\n`;
}
