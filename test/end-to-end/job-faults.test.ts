/**
 * What goes wrong with the processes that carry a job: they are killed at any moment, at one capture again and again, or the
 * disk is full. The job is carried on, and the merged folder has the bytes that an undisturbed report has.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { jobStatus } from '../../src/run/cluster/job-status.ts';
import { mergeJob } from '../../src/run/cluster/merge-job.ts';
import { planJob } from '../../src/run/cluster/plan-job.ts';
import { runReport } from '../../src/run/report-run.ts';
import { type Attempt, JobFolder } from '../../src/store/job-folder.ts';
import { folderDigest } from '../folder-digest.ts';
import { seededRandom } from '../seeded-random.ts';

const COMMAND = resolve('dist/cli/bin.js');
const folder = mkdtempSync(join(tmpdir(), 'chaff-faults-'));
const small = { partPages: 10, sample: 12, workers: 0 };
const children = new Set<ChildProcess>();
let archive: string;
let jobs = 0;
const newPath = () => join(folder, `job-${jobs++}`);

beforeAll(async () => {
  archive = (await writeSampleArchive(folder, { sites: 1, pagesPerSite: 20, generations: 2 })).warc;
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Carried {
  child: ChildProcess;
  /** The exit code, or the signal that ended it. */
  ended: Promise<{ code: number | null; signal: string | null; stderr: string }>;
  /** What it has said so far. */
  said(): string;
}

function chaff(...args: string[]): Carried {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  children.add(child);
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]) => {
    children.delete(child);
    return { code, signal, stderr };
  });
  return { child, ended, said: () => stderr };
}

async function plan(input = archive, path = newPath()): Promise<string> {
  await planJob([input], { ...small, output: path });
  return path;
}

const reports = new Map<string, string>();
async function reported(input = archive): Promise<string> {
  if (!reports.has(input)) {
    const output = newPath();
    await runReport([input], { ...small, output });
    reports.set(input, folderDigest(output));
  }
  return reports.get(input)!;
}

/** Runs what is ready until nothing is left, each call in a process of its own. */
async function runAll(job: string): Promise<void> {
  for (let { ready } = jobStatus(job); ready.length > 0; { ready } = jobStatus(job)) {
    const { code, stderr } = await chaff('task', job, ...ready).ended;
    expect([code, stderr]).toEqual([0, '']);
  }
}

async function merged(job: string): Promise<string> {
  await mergeJob(job, { workers: 0 });
  return folderDigest(job);
}

/** Waits for an attempt, or for the end of the process that would make it. */
async function attemptOf(
  job: string,
  { child }: Carried,
  isMeant: (attempt: Attempt) => boolean,
): Promise<Attempt | undefined> {
  const whole = JobFolder.open(job);
  while (child.exitCode === null && child.signalCode === null) {
    const attempt = whole.attempts().find((each) => each.pid === child.pid && isMeant(each));
    if (attempt) return attempt;
    await sleep(1);
  }
  return undefined;
}

test('plan, task and merge are killed at any moment, and the commands given again make the same folder', async () => {
  const random = seededRandom(11);
  const job = newPath();
  const options = ['--task-pages', '10', '--sample', '12', '--workers', '1', '-q'];
  const whole = newPath();
  for (const output of [whole, job]) {
    const steps = [
      () => ['plan', archive, '-o', output, ...options],
      () => ['task', output, ...jobStatus(output).ready],
      () => ['task', output, ...jobStatus(output).ready],
      () => ['merge', output, '-q', '--workers', '1'],
    ];
    let kills = 0;
    for (const [number, step] of steps.entries()) {
      // a task is killed once only: a page at which two attempts die is left out
      const mostKills = number === 1 || number === 2 ? 1 : 2;
      for (let rest = output === job ? mostKills : 0; rest > 0; rest--) {
        const command = step();
        if (command.length === 2) break;
        const { child, ended } = chaff(...command);
        await sleep(50 + random() * 450);
        child.kill('SIGKILL');
        if ((await ended).signal === 'SIGKILL') kills++;
        else break;
      }
      // a step may be done before its kill comes; then there is no task left, or no job
      if (step === steps[3] && !JobFolder.isPlanned(output)) continue;
      if (step().length === 2) continue;
      expect((await chaff(...step()).ended).code).toBe(0);
    }
    if (output === job) expect(kills).toBeGreaterThan(2);
  }
  expect(folderDigest(job)).toBe(folderDigest(whole));
});

test('two processes that are killed in the same task lose nothing', async () => {
  const job = await plan();
  await runAllOfStage(job);
  const [id] = jobStatus(job).ready;
  const both = [chaff('task', job, id), chaff('task', job, id)];
  // both are stopped at their first page, which must not be taken for the culprit
  for (const one of both) {
    expect(await attemptOf(job, one, ({ page }) => page > 0)).toBeDefined();
    one.child.kill('SIGSTOP');
  }
  for (const { child } of both) child.kill('SIGKILL');
  for (const { ended } of both) expect((await ended).signal).toBe('SIGKILL');
  expect(JobFolder.open(job).isCommitted(id)).toBe(false);
  await runAll(job);
  expect(await merged(job)).toBe(await reported());
});

/** The first stage, whose tasks the others need. */
async function runAllOfStage(job: string): Promise<void> {
  expect((await chaff('task', job, ...jobStatus(job).ready).ended).code).toBe(0);
}

test.each(['crashes', 'never ends'])(
  'a capture that %s is left out the third time, and named',
  async (fault) => {
    const input = join(folder, `${fault}.jsonl`);
    const rows = Array.from({ length: 12 }, (_, k) => ({
      url: `http://a.example/${k}`,
      // one page takes so long that its process can be hit while it is at it
      html: `<nav><a href=/>Home of the site</a></nav>${`<div><p>Page ${k} says one thing or another.</p></div>`.repeat(k === 7 ? 60_000 : 5)}`,
    }));
    writeFileSync(input, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const job = await plan(input);
    await runAllOfStage(job);
    const { pages, name } = labelTaskWith(job, 'http://a.example/7');
    const culprit = pages.find(({ url }) => url === 'http://a.example/7')!.page;
    for (let attempt = 0; attempt < 2; attempt++) {
      const carried = chaff('task', job, name);
      expect(await attemptOf(job, carried, ({ page }) => page === culprit)).toBeDefined();
      if (fault === 'never ends') carried.child.kill('SIGSTOP'); // until the engine's time limit ends it
      carried.child.kill('SIGKILL');
      await carried.ended;
      expect(jobStatus(job).quarantine.map(({ url }) => url)).toEqual(
        attempt === 1 ? ['http://a.example/7'] : [],
      );
    }
    await runAll(job);
    await mergeJob(job, { workers: 0 });
    const { counts } = JSON.parse(readFileSync(join(job, 'run.json'), 'utf8'));
    expect([counts.pages, counts.skipped]).toEqual([11, { unreadable: 1 }]);
    const problems = readFileSync(join(job, 'problems.jsonl'), 'utf8').trim().split('\n');
    const named = problems.map((line) => JSON.parse(line)).filter(({ code }) => code === 'unreadable');
    expect(named).toMatchObject([{ url: 'http://a.example/7', message: expect.stringContaining('skipped') }]);
  },
);

interface LabelManifest {
  name: string;
  pages: { page: number; url: string }[];
}

function labelTaskWith(job: string, url: string): LabelManifest {
  const manifests = join(job, '.work', 'manifests');
  return readdirSync(manifests)
    .filter((name) => name.startsWith('label-'))
    .map((name) => JSON.parse(readFileSync(join(manifests, name), 'utf8')) as LabelManifest)
    .find(({ pages }) => pages.some((page) => page.url === url))!;
}

test('a second SIGINT ends a task at once, and another attempt commits it', async () => {
  const job = await plan();
  const [id] = jobStatus(job).ready;
  const carried = chaff('task', job, id);
  await attemptOf(job, carried, () => true);
  carried.child.kill('SIGSTOP'); // so that both signals come before the task is done
  carried.child.kill('SIGINT');
  carried.child.kill('SIGCONT');
  while (!carried.said().includes('once more')) await sleep(5);
  carried.child.kill('SIGINT');
  expect((await carried.ended).signal).toBe('SIGINT');
  await runAll(job);
  expect(await merged(job)).toBe(await reported());
});

test.skipIf(!canMount())(
  'a full disk is said in a sentence, and the job goes on when there is room',
  async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'chaff', disk]);
    try {
      const job = await plan(archive, join(disk, 'job'));
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, 'filler'), new Uint8Array(bavail * bsize - 20_000));
      const results = await Promise.all(jobStatus(job).ready.map((id) => chaff('task', job, id).ended));
      const full = results.find(({ code }) => code !== 0)!;
      expect(full.code).toBe(75);
      expect(full.stderr).toMatch(/^chaff: .*no space left on device/);
      rmSync(join(disk, 'filler'));
      await runAll(job);
      expect(await merged(job)).toBe(await reported());
    } finally {
      execFileSync('umount', [disk]);
    }
  },
);

/** Whether this user may mount a small file system: only root may. */
function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'chaff-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'chaff', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
