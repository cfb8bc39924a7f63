/** `cluster/slurm/chaff-job.sh` on a real cluster of two nodes; `scripts/slurm.sh` installs Slurm and runs this. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeReport } from '../../src/report/write-report.ts';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { planJob } from '../../src/run/cluster/plan-job.ts';
import { type ReportRunOptions, runReport } from '../../src/run/report-run.ts';
import { type Attempt, JobFolder } from '../../src/store/job-folder.ts';
import { folderDigest } from '../folder-digest.ts';
import { missingDaemons, type SlurmCluster, startSlurm, until } from '../slurm-cluster.ts';

const COMMAND = [process.execPath, resolve('dist/cli/bin.js')];
/** Small tasks, so that a small archive makes many. */
const OPTIONS = { sample: 20, partPages: 12, workers: 0 };
const missing = process.env.CHAFF_SLURM === undefined ? ['CHAFF_SLURM is not set'] : missingDaemons();

describe.skipIf(missing.length > 0)('Slurm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-slurm-'));
  let slurm: SlurmCluster;
  let archive: string;
  let made: string;
  let jobs = 0;
  const carriers: ChildProcess[] = [];

  beforeAll(async () => {
    const sites = { sites: 1, pagesPerSite: 24, generations: 2 };
    [{ warc: archive }, slurm] = await Promise.all([writeSampleArchive(folder, sites), startSlurm()]);
    made = await reported(archive);
  });
  afterAll(async () => {
    for (const carrier of carriers) carrier.kill();
    await slurm?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The digest of what one process makes of an input. */
  const reported = async (input: string) => {
    const output = join(folder, `report-${jobs++}`);
    const beforeFinish: ReportRunOptions['beforeFinish'] = async (report, rest) =>
      void (await writeReport(report, { rest }));
    await runReport([input], { ...OPTIONS, output, beforeFinish });
    return folderDigest(output);
  };
  const plan = async (input: string) => {
    const job = join(folder, `job-${jobs++}`);
    await planJob([input], { ...OPTIONS, output: job });
    return job;
  };
  /** Starts the script of a job; what it says, and its exit code. */
  const carry = (job: string) => {
    const env = { ...slurm.env, CHAFF: COMMAND.join(' '), CHAFF_PAUSE: '1', CHAFF_ELEMENTS: '2' };
    const script = spawn('cluster/slurm/chaff-job.sh', [job], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    carriers.push(script);
    let said = '';
    script.stderr!.setEncoding('utf8').on('data', (text) => (said += text));
    const ended = once(script, 'close').then(([code]) => ({ code: code as number, said }));
    return { ended, said: () => said };
  };

  test('an array on two nodes makes the folder of one process', async () => {
    const job = await plan(archive);
    const { code, said } = await carry(job).ended;
    expect(said).toContain('in an array of');
    expect(code).toBe(0);
    expect(folderDigest(job)).toBe(made);
    expect(new Set(slurm.jobs().match(/(?<= NodeList=)\w+/g))).toEqual(new Set(['one', 'two']));
  });

  test('a node is lost, and its orphan commits one task before and one after Slurm has requeued them', async () => {
    const job = await plan(archive);
    const carried = carry(job);
    const folder = JobFolder.open(job);
    const labelling = (isMeant: (attempt: Attempt) => boolean = () => true) =>
      folder.attempts().find((attempt) => attempt.task.startsWith('label-') && isMeant(attempt));
    await until('a label task runs', () => labelling() !== undefined);
    const { task: first, pid } = labelling()!;
    const node = await slurm.loseNodeOf(pid);
    const next = () => labelling((attempt) => attempt.pid === pid && attempt.task !== first);
    await until('the orphan goes on with its next task', () => next() !== undefined);
    process.kill(pid, 'SIGSTOP');
    const { task: second } = next()!;
    expect([folder.isCommitted(first), folder.isCommitted(second)]).toEqual([true, false]);
    await until('Slurm has had the task run elsewhere', () => folder.isCommitted(second));
    process.kill(pid, 'SIGCONT');
    const { code } = await carried.ended;
    expect(code).toBe(0);
    expect(folderDigest(job)).toBe(made);
    expect(slurm.jobs()).toContain(' Restarts=1 ');
    await until('the orphan has ended', () => !isRunning(pid));
    slurm.startNode(node);
    await slurm.ready();
  });

  test('tasks that fail with 75 are submitted again', async () => {
    const moved = join(folder, 'moved.warc.gz');
    copyFileSync(archive, moved);
    const job = await plan(moved);
    renameSync(moved, `${moved}.away`);
    const carried = carry(job);
    await until('a round has failed', () => carried.said().split('in an array of').length > 2);
    renameSync(`${moved}.away`, moved);
    const { code } = await carried.ended;
    expect(code).toBe(0);
    expect(slurm.jobs()).toContain(' ExitCode=75:0 ');
    expect(folderDigest(job)).toBe(await reported(moved));
  });

  test('a task that fails with 65 ends the job', async () => {
    const changed = join(folder, 'changed.warc.gz');
    copyFileSync(archive, changed);
    const job = await plan(changed);
    appendFileSync(changed, 'more');
    const { code, said } = await carry(job).ended;
    expect(said).toContain('has changed since the job was planned');
    expect(code).toBe(65);
    expect(JobFolder.open(job).committed().size).toBe(1 /* the survey */);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
