/**
 * Faults of the processes that run the tasks of a job: they are killed together or repeatedly at one capture, or the disk is
 * full; killed-run.test.ts kills them at any moment. Other processes complete the job, and the merged folder has the same bytes as the folder of a report
 * without faults. Faults are injected at exact places (test/faults.mjs), so that no test depends on time.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { jobStatus } from '../../src/run/cluster/job-status.ts';
import { mergeJob } from '../../src/run/cluster/merge-job.ts';
import { planJob } from '../../src/run/cluster/plan-job.ts';
import { runReport } from '../../src/run/report-run.ts';
import { type Attempt, JobFolder } from '../../src/store/job-folder.ts';
import { folderDigest } from '../folder-digest.ts';

vi.setConfig({ testTimeout: 300_000 }); // each test starts many processes

const COMMAND = resolve('dist/cli/bin.js');
const FAULTS = pathToFileURL(resolve('test/faults.mjs')).href;
const folder = mkdtempSync(join(tmpdir(), 'chaff-faults-'));
/** Small tasks, and a time limit that no page reaches on a busy machine, even one that a test stops for a while. */
const small = { partPages: 10, sample: 12, workers: 0, limits: { pageMs: 600_000 } };
const children = new Set<ChildProcess>();
/** Options of unshare: the process gets its own process ids, from 1 on, as in a container. */
const CONTAINER = ['--pid', '--fork', '--mount-proc', '--kill-child'];
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

/** A started process. */
interface Carried {
  child: ChildProcess;
  /** The exit code, or the signal that ended it. */
  ended: Promise<{ code: number | null; signal: string | null; stderr: string }>;
  /** What it has written to stderr so far. */
  said(): string;
}

const chaff = (...args: string[]) => chaffWith(undefined, ...args);

/** Starts a process that meets a fault of test/faults.mjs. */
const chaffWith = (fault: string | undefined, ...args: string[]) =>
  start(fault, process.execPath, COMMAND, ...args);

function start(fault: string | undefined, command: string, ...args: string[]): Carried {
  const { NODE_OPTIONS = '', ...env } = process.env;
  const faulty = { ...env, CHAFF_FAULT: fault, NODE_OPTIONS: `${NODE_OPTIONS} --import ${FAULTS}` };
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: fault ? faulty : process.env,
  });
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

/** Runs the tasks that are ready, a process for each stage, until no task is left. */
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

/** Waits for an attempt of a process; undefined if the process ends without it. */
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

test('two processes that are killed in the same task lose nothing', async () => {
  const job = await plan();
  await runAllOfStage(job);
  const [id] = jobStatus(job).ready;
  // both processes stop at the first page of the task, and are then killed together, as when a node is lost
  const both: Carried[] = [];
  for (let count = 0; count < 2; count++) {
    both.push(chaffWith('stop at page 0', 'task', job, id));
    expect(await attemptOf(job, both[count], ({ page }) => page > 0)).toBeDefined();
  }
  expect(
    new Set(
      JobFolder.open(job)
        .attempts(id)
        .map(({ page }) => page),
    ).size,
  ).toBe(1);
  for (const { child } of both) child.kill('SIGKILL');
  for (const { ended } of both) expect((await ended).signal).toBe('SIGKILL');
  expect(jobStatus(job).quarantine).toEqual([]);
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
    const { job, task, culprit } = await planWithCulprit(`${fault}.jsonl`);
    const run = () =>
      chaffWith(`${fault === 'crashes' ? 'kill' : 'stop'} at page ${culprit}`, 'task', job, task);
    for (const quarantine of [[], [CULPRIT]]) {
      const carried = run();
      if (fault === 'never ends') {
        expect(await attemptOf(job, carried, ({ page }) => page === culprit)).toBeDefined();
        carried.child.kill('SIGKILL'); // as the time limit of an engine does
      }
      expect((await carried.ended).signal).toBe('SIGKILL');
      expect(jobStatus(job).quarantine.map(({ url }) => url)).toEqual(quarantine);
    }
    expect((await run().ended).code).toBe(0);
    await expectWithoutCulprit(job);
  },
);

const inContainers = test.skipIf(!canRun('unshare', ...CONTAINER, 'true'));

inContainers(
  'containers of one host name, with the same process ids, do not take each other for dead',
  async () => {
    const job = await plan();
    await runAllOfStage(job);
    const [id] = jobStatus(job).ready;
    const both: Carried[] = [];
    for (let count = 1; count <= 2; count++) {
      both.push(inContainer('block at page 0', job, id));
      await attemptsOf(job, ({ page }) => page > 0, count);
    }
    const [one, other] = JobFolder.open(job).attempts(id);
    expect([one.host, one.pid, one.page]).toEqual([other.host, other.pid, other.page]);
    expect(jobStatus(job).running).toHaveLength(2);
    for (const { child } of both) child.kill('SIGKILL');
    for (const { ended } of both) await ended;
    await silence(job, 2);
    expect(jobStatus(job).quarantine).toEqual([]);
    await runAll(job);
    expect(await merged(job)).toBe(await reported());
  },
);

inContainers('a capture that crashes in containers is left out the third time', async () => {
  const { job, task, culprit } = await planWithCulprit('containers.jsonl');
  const run = () => inContainer(`kill at page ${culprit}`, job, task).ended;
  for (const [died, quarantine] of [[], [CULPRIT]].entries()) {
    expect((await run()).code).toBe(128 + 9);
    await silence(job, died + 1);
    expect(jobStatus(job).quarantine.map(({ url }) => url)).toEqual(quarantine);
  }
  expect((await run()).code).toBe(0);
  await expectWithoutCulprit(job);
});

/** Runs a task with its own process ids, as in a container; the first process is a shell. */
function inContainer(fault: string, job: string, task: string): Carried {
  const script = '"$0" "$@"; exit $?';
  const command = [process.execPath, COMMAND, 'task', job, task];
  return start(fault, 'unshare', ...CONTAINER, 'sh', '-c', script, ...command);
}

/** Waits for a number of attempts. */
async function attemptsOf(job: string, isMeant: (attempt: Attempt) => boolean, count: number): Promise<void> {
  const whole = JobFolder.open(job);
  while (whole.attempts().filter(isMeant).length < count) await sleep(5);
}

/** Lets the time pass after which attempts on other machines count as dead. */
async function silence(job: string, count: number): Promise<void> {
  const attempts = join(job, '.work', 'attempts');
  for (const name of readdirSync(attempts)) {
    utimesSync(join(attempts, name), new Date(), new Date(Date.now() - 31_000));
  }
  await attemptsOf(job, ({ isAlive }) => !isAlive, count);
}

const CULPRIT = 'http://a.example/7';

/** A job in which the label task with the culprit can run, and the number of the culprit. */
async function planWithCulprit(name: string): Promise<{ job: string; task: string; culprit: number }> {
  const input = join(folder, name);
  const rows = Array.from({ length: 12 }, (_, k) => ({
    url: `http://a.example/${k}`,
    html: `<nav><a href=/>Home of the site</a></nav>${`<div><p>Page ${k} says one thing or another.</p></div>`.repeat(5)}`,
  }));
  writeFileSync(input, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const job = await plan(input);
  await runAllOfStage(job);
  const manifests = join(job, '.work', 'manifests');
  for (const file of readdirSync(manifests).filter((each) => each.startsWith('label-'))) {
    const manifest = JSON.parse(readFileSync(join(manifests, file), 'utf8')) as LabelManifest;
    const found = manifest.pages.find(({ url }) => url === CULPRIT);
    if (found) return { job, task: manifest.name, culprit: found.page };
  }
  throw new Error(`no task has ${CULPRIT}`);
}

interface LabelManifest {
  name: string;
  pages: { page: number; url: string }[];
}

/** Runs the rest of the job; only the culprit is missing, and it is named. */
async function expectWithoutCulprit(job: string): Promise<void> {
  await runAll(job);
  await mergeJob(job, { workers: 0 });
  const { counts } = JSON.parse(readFileSync(join(job, 'run.json'), 'utf8'));
  expect([counts.pages, counts.skipped]).toEqual([11, { unreadable: 1 }]);
  const problems = readFileSync(join(job, 'problems.jsonl'), 'utf8').trim().split('\n');
  const named = problems.map((line) => JSON.parse(line)).filter(({ code }) => code === 'unreadable');
  expect(named).toMatchObject([{ url: CULPRIT, message: expect.stringContaining('skipped') }]);
}

test('a second SIGINT ends a task at once, and another attempt commits it', async () => {
  const job = await plan();
  const [id] = jobStatus(job).ready;
  const carried = chaffWith('block at page 0', 'task', job, id);
  expect(await attemptOf(job, carried, ({ page }) => page > 0)).toBeDefined();
  carried.child.kill('SIGINT');
  while (!carried.said().includes('once more')) await sleep(5);
  carried.child.kill('SIGINT');
  expect((await carried.ended).signal).toBe('SIGINT');
  await runAll(job);
  expect(await merged(job)).toBe(await reported());
});

test.skipIf(!canMount())(
  'a full disk is reported in one sentence, and the job continues when there is room',
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
    const script = 'mount -t tmpfs -o size=64k chaff "$0" && umount "$0"';
    return canRun('sh', '-c', script, place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function canRun(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
