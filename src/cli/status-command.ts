/** `chaff status`: shows the progress of a planned job. */
import { Command } from 'commander';
import { countOf, formatCount } from '../model/count-of.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { type JobStatus, jobStatus } from '../run/cluster/job-status.ts';
import { MERGE } from '../store/job-folder.ts';
import type { Context } from './context.ts';
import { formatTable, percent } from './list-format.ts';
import { printable } from './summary.ts';

const MAX_LISTED = 20;

/** Declares the command `status`. */
export function statusCommand(context: Context): Command {
  return new Command('status')
    .summary('how far a job is that chaff plan made')
    .description(
      'Shows how many tasks of each stage are done, stragglers (tasks that take three times as long as most), attempts that\n' +
        'died, and quarantined captures: those at which two attempts died, which the next attempt leaves out.',
    )
    .argument('<job>', 'the folder that chaff plan has written')
    .option('--ready', 'print only the names of tasks that can run now, one per line')
    .option('--json', 'print everything as one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  chaff plan crawl.warc.gz -o crawl.chaff
  chaff status crawl.chaff
  chaff status crawl.chaff --ready`,
    )
    .action((job: string, { ready, json }: { ready?: boolean; json?: boolean }) => {
      const status = jobStatus(job);
      const { stdout } = context.streams;
      if (ready) for (const id of status.ready) stdout.write(`${id}\n`);
      else stdout.write(json ? `${wellFormedJson(status)}\n` : describe(status, job));
    });
}

function describe({ stages, running, ready, died, quarantine, skipped }: JobStatus, job: string): string {
  const rows = stages.map(({ stage, tasks, done, running: now, pages, donePages }) => [
    stage,
    `${formatCount(done)} of ${formatCount(tasks)}`,
    formatCount(now),
    `${formatCount(donePages)} of ${formatCount(pages)}`,
    pages > 0 ? percent(donePages / pages) : '',
  ]);
  const lines = formatTable(
    [['stage', 'tasks done', 'running', 'pages done', ''], ...rows],
    (column) => column > 0,
  );
  const left = secondsLeft(stages);
  if (left !== undefined) lines.push(`work left: about ${duration(left)} of one core`);
  if (died > 0) lines.push(`${countOf(died, 'attempt')} died; what they were at is tried again`);

  const slow = running.filter(({ isSlow }) => isSlow);
  for (const { task, host, pid, seconds } of slow.slice(0, MAX_LISTED)) {
    lines.push(`straggler: ${task} has run for ${duration(seconds)}, process ${pid} on ${printable(host)}`);
  }
  for (const { task, url, file, offset } of quarantine.slice(0, MAX_LISTED)) {
    lines.push(
      `quarantined: ${printable(url)} (${printable(file)}, offset ${offset}); two attempts at ${task} died at it`,
    );
  }
  for (const [list, what] of [
    [slow, 'straggler'],
    [quarantine, 'quarantined capture'],
  ] as const) {
    if (list.length > MAX_LISTED)
      lines.push(`and ${countOf(list.length - MAX_LISTED, `more ${what}`)} (--json lists all)`);
  }
  const leftOut = Object.entries(skipped).map(([code, count]) => `${formatCount(count)} ${code}`);
  if (leftOut.length > 0) lines.push(`captures left out so far: ${leftOut.join(', ')}`);

  const atWork = new Set(running.map(({ task }) => task));
  const free = ready.filter((id) => !atWork.has(id)).length;
  if (atWork.has(MERGE)) lines.push('chaff merge is running');
  else if (ready.length === 0) lines.push(`all tasks are done; next: chaff merge ${job}`);
  else if (free === 0) lines.push('every task that can run now is running');
  else
    lines.push(
      `${countOf(free, 'task')} can start now; next: chaff status ${job} --ready | chaff task ${job} -`,
    );
  return `${lines.join('\n')}\n`;
}

/** By what a page of each stage took so far; undefined at the end, and while a stage that has begun nothing is left. */
function secondsLeft(stages: JobStatus['stages']): number | undefined {
  const open = stages.filter(({ pages, donePages }) => donePages < pages);
  if (open.length === 0 || open.some(({ donePages }) => donePages === 0)) return undefined;
  return open.reduce(
    (sum, { pages, donePages, seconds }) => sum + ((pages - donePages) / donePages) * seconds,
    0,
  );
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 2 * 3600
    ? `${Math.round(seconds / 60)} min`
    : `${formatCount(Math.round(seconds / 3600))} h`;
}
