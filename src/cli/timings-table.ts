/** Where the time of a run went, in the terms of the cost model. */
import type { RunFile } from '../store/run-file.ts';

export function timingsTable({ timings, counts }: RunFile): string {
  const lines: string[] = [];
  for (const [stage, seconds] of Object.entries(timings.wallSeconds)) {
    lines.push(`  ${stage.padEnd(18)} ${seconds.toFixed(2).padStart(8)} s`);
    for (const [step, cpu] of Object.entries(timings.stepSeconds[stage.split(' ')[0]] ?? {})) {
      lines.push(`    ${step.padEnd(16)} ${cpu.toFixed(2).padStart(8)} s of all workers`);
    }
  }
  const wall = Object.values(timings.wallSeconds).reduce((sum, seconds) => sum + seconds, 0);
  const megabytes = counts.htmlBytes / 1e6;
  const perKb = counts.htmlBytes > 0 ? counts.nodes / (counts.htmlBytes / 1024) : 0;
  lines.push(
    `  ${megabytes.toFixed(0)} MB of HTML, ${perKb.toFixed(0)} nodes/KB: ${(megabytes / wall).toFixed(0)} MB/s, ` +
      `${(counts.pages / wall).toFixed(0)} pages/s on ${timings.workers} worker${timings.workers === 1 ? '' : 's'}`,
  );
  return `${lines.join('\n')}\n`;
}
