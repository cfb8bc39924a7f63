/**
 * Commands are killed with SIGKILL before a change that they make to files, and given again. Nothing may be cut off under its
 * final name, and the command given again has to make what an undisturbed run makes. Seeded; `CHAFF_KILLS=50` kills each
 * command fifty times.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { jobStatus } from '../../src/run/cluster/job-status.ts';
import { JobFolder } from '../../src/store/job-folder.ts';
import { folderDigest } from '../folder-digest.ts';
import { seededRandom } from '../seeded-random.ts';

const KILLS = Number(process.env.CHAFF_KILLS ?? 2);
vi.setConfig({ testTimeout: 150_000 * KILLS }); // a busy machine takes minutes

const COMMAND = resolve('dist/cli/bin.js');
const FAULTS = pathToFileURL(resolve('test/faults.mjs')).href;
/** A command makes fewer changes to files in each of its threads. */
const CHANGES_OF_A_THREAD = 30;
const folder = mkdtempSync(join(tmpdir(), 'killed-run-'));
const scratch = join(folder, 'tmp');
let archive = '';

/** Returns the arguments of a command, or nothing when it has nothing to do. */
type Step = (output: string) => string[];

interface Killed {
  /** Commands that together make the output. */
  steps: Step[];
  /** What they make at the output path. */
  kind: 'file' | 'pages' | 'run';
}

const job = ['--task-pages', '10', '--sample', '12', '--max-page-ms', '600000', '--workers', '1', '-q'];
const readyTasks: Step = (output) => {
  const { ready } = jobStatus(output);
  return ready.length === 0 ? [] : ['task', output, ...ready];
};
const training = ['--date', '2026-01-01', '--min-sites', '2', '--site-rows', '100'];

const KILLED: Record<string, Killed> = {
  strip: { steps: [one('strip', '--format', 'jsonl')], kind: 'file' },
  train: { steps: [one('train', ...training)], kind: 'file' },
  annotate: { steps: [one('annotate', '--overwrite')], kind: 'pages' },
  report: { steps: [one('report')], kind: 'run' },
  history: { steps: [one('history')], kind: 'run' },
  fragments: { steps: [one('fragments')], kind: 'run' },
  'plan, task and merge': {
    steps: [
      (output) => ['plan', archive, '-o', output, ...job],
      readyTasks,
      readyTasks,
      (output) => (JobFolder.isPlanned(output) ? ['merge', output, '-q'] : []),
    ],
    kind: 'run',
  },
};

function one(command: string, ...options: string[]): Step {
  return (output) => [command, archive, '-q', '-o', output, ...options];
}

beforeAll(async () => {
  mkdirSync(scratch);
  archive = (await writeSampleArchive(folder, { sites: 2, pagesPerSite: 16, generations: 2 })).warc;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(KILLED))(
  '%s: a kill leaves nothing cut off, and the same command goes on',
  async (name, killed) => {
    const { steps, kind } = killed;
    const random = seededRandom(7);
    const whole = join(folder, `${name}-whole`);
    for (const step of steps) expect(await run(step(whole))).toBe(0);

    const output = join(folder, `${name}-killed`);
    const faults: string[] = [];
    // a page at which two attempts die is left out of a job, so each job is killed once
    const isJob = steps.length > 1;
    let most = CHANGES_OF_A_THREAD;
    for (let kills = 0; kills < (isJob ? 3 : 1) * KILLS; ) {
      const victim = Math.floor(steps.length * random());
      for (const step of steps.slice(0, victim)) expect(await run(step(output))).toBe(0);
      const change = 1 + Math.floor(most * random());
      const code = await run(steps[victim](output), `kill at change ${change}`);
      const when = `killed before change ${change} of step ${victim}`;
      if (code === null) kills++;
      else if (!isJob) most = change;
      if (!isJob) faults.push(...cutFiles(output, whole, kind).map((file) => `${when}: ${file} is cut off`));
      // a third of the kills hit an output that was killed before
      if (!isJob && kills < KILLS && random() < 1 / 3) continue;
      for (const step of steps.slice(victim)) {
        const again = await run(step(output));
        if (again !== 0) faults.push(`${when}: given again it ended with ${again}`);
      }
      if (digestOf(output) !== digestOf(whole)) faults.push(`${when}: given again it made something else`);
      for (const left of readdirSync(scratch)) faults.push(`${when}: ${left} stays in TMPDIR`);
      rmSync(output, { recursive: true, force: true });
    }
    expect(faults).toEqual([]);
  },
);

/** Runs a command; returns its exit code, or null when it was killed. */
async function run(args: string[], fault?: string): Promise<number | null> {
  if (args.length === 0) return 0;
  const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: scratch };
  if (fault) Object.assign(env, { CHAFF_FAULT: fault, NODE_OPTIONS: `--import ${FAULTS}` });
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code;
}

/** Files under a final name that differ from those of the undisturbed run. */
function cutFiles(output: string, whole: string, kind: Killed['kind']): string[] {
  if (!existsSync(output)) return [];
  if (kind === 'file') return digestOf(output) === digestOf(whole) ? [] : [output];
  // a run's folder is finished by the same command given again, which is compared above; others by their index
  const isMissing = (file: string) => !existsSync(join(output, file));
  const isFinished = kind !== 'run' && existsSync(join(output, 'index.html'));
  if (isFinished && filesOf(whole).some(isMissing)) return [`finished ${output}`];
  return filesOf(output).filter(
    (file) => !/^\.work|\.(part|draft-\d+)$/.test(file) && !isSame(join(output, file), join(whole, file)),
  );
}

function isSame(path: string, other: string): boolean {
  if (path.endsWith('run.json')) return true; // compared with the folder
  return existsSync(other) && digestOf(path) === digestOf(other);
}

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
}

function digestOf(path: string): string {
  if (statSync(path).isDirectory()) return folderDigest(path);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
