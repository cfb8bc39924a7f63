/** Tables about a run for terminals: the sites of an output folder, and time by stage. */
import { countOf, formatCount } from '../model/count-of.ts';
import type { OutputFolder } from '../store/open-folder.ts';
import type { RunFile } from '../store/run-file.ts';
import { formatTable, percent } from './list-format.ts';
import { printable } from './summary.ts';

const MAX_ROWS = 20;
const MAX_NAME_CHARACTERS = 40;

/** The table of sites: text, HTML and links inside templates by the first detector, and text by the others. */
export async function siteTable(folder: OutputFolder): Promise<string> {
  const [first, ...others] = folder.detectors;
  const sites = await folder.sites({ limit: MAX_ROWS });
  const header = ['site', 'pages', `${first} text`, 'HTML', 'links', ...others.map((name) => `${name} text`)];
  const rows = sites.map((site) => [
    printable(site.site).slice(0, MAX_NAME_CHARACTERS),
    formatCount(site.pages),
    shareOf(site.inside[first].textBytes, site.textBytes),
    shareOf(site.inside[first].htmlBytes, site.htmlBytes),
    shareOf(site.inside[first].links, site.links),
    ...others.map((name) => shareOf(site.inside[name].textBytes, site.textBytes)),
  ]);
  const more = folder.run.counts.sites - sites.length;
  const lines = formatTable([header, ...rows], (column) => column > 0);
  if (more > 0) lines.push(`… and ${countOf(more, 'more site')}`);
  return sites.length === 0 ? '' : `share inside templates\n${lines.join('\n')}\n`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : percent(part / whole);
}

/** The table of `--timings`: seconds and speed of each stage and step. */
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
