/** `cluster/slurm/chaff-job.sh` on a real cluster of two nodes; `scripts/slurm.sh` installs Slurm and runs this. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeReport } from '../../src/report/write-report.ts';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { planJob } from '../../src/run/cluster/plan-job.ts';
import { type ReportRunOptions, runReport } from '../../src/run/report-run.ts';
import { JobFolder } from '../../src/store/job-folder.ts';
import { folderDigest } from '../folder-digest.ts';
import { missingDaemons, type SlurmCluster, startSlurm, until } from '../slurm-cluster.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

const COMMAND = [process.execPath, resolve('dist/cli/bin.js')];
/** Small tasks, so that a small archive makes many, and time enough for a page that is held. */
const OPTIONS = { sample: 20, partPages: 12, workers: 0, limits: { pageMs: 600_000 } };
const missing = process.env.CHAFF_SLURM === undefined ? ['CHAFF_SLURM is not set'] : missingDaemons();

describe.skipIf(missing.length > 0)('Slurm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-slurm-'));
  let slurm: SlurmCluster;
  let archive: string;
  let made: string;
  let jobs = 0;
  const carriers: ChildProcess[] = [];

  let trouble: Error | undefined;

  beforeAll(async () => {
    try {
      slurm = await startSlurm();
    } catch (error) {
      trouble = error as Error;
      console.error(`Slurm is not tested: its daemons do not work here (${trouble.message})`);
      return;
    }
    const sites = { sites: 1, pagesPerSite: 24, generations: 2 };
    ({ warc: archive } = await writeSampleArchive(folder, sites));
    made = await reported(archive);
  });
  beforeEach(({ skip }) => {
    if (trouble) skip(trouble.message);
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
  const carry = (job: string, more: NodeJS.ProcessEnv = {}) => {
    const env = { ...slurm.env, CHAFF: COMMAND.join(' '), CHAFF_PAUSE: '1', CHAFF_ELEMENTS: '2', ...more };
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
    const whole = JobFolder.open(job);
    // the first element of the array runs every second task
    const [first, , second] = whole.tasks.filter(({ stage }) => stage === 'label').map(({ id }) => id);
    const hold = join(folder, 'hold');
    mkdirSync(hold);
    const carried = carry(job, { ...faulty(`hold at task ${first},${second}`), CHAFF_HOLD: hold });
    await until('the first task is held', () => existsSync(join(hold, `${first}.held`)));
    const { pid } = whole.attempts(first)[0];
    const node = await slurm.loseNodeOf(pid);
    writeFileSync(join(hold, first), '');
    await until('the orphan is at its next task', () => existsSync(join(hold, `${second}.held`)));
    expect([whole.isCommitted(first), whole.isCommitted(second)]).toEqual([true, false]);
    await until('Slurm has had the task run elsewhere', () => whole.isCommitted(second));
    writeFileSync(join(hold, second), '');
    const { code } = await carried.ended;
    expect(code).toBe(0);
    expect(folderDigest(job)).toBe(made);
    expect(slurm.jobs()).toContain(' Restarts=1 ');
    await until('the orphan has ended', () => !isRunning(pid));
    slurm.startNode(node);
    await slurm.ready();
  });

  test('a capture on which processes die is left out the third time', async () => {
    const job = await plan(archive);
    const { code } = await carry(job, faulty('kill at page 7')).ended;
    expect(code).toBe(3);
    const lines = readFileSync(join(job, 'problems.jsonl'), 'utf8').trim().split('\n');
    const unreadable = lines
      .map((line) => JSON.parse(line))
      .filter((problem) => problem.code === 'unreadable');
    expect(unreadable).toMatchObject([{ message: expect.stringContaining('skipped') }]);
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

/** The environment in which processes meet a fault. */
function faulty(fault: string): NodeJS.ProcessEnv {
  const faults = pathToFileURL(resolve('test/faults.mjs'));
  return { CHAFF_FAULT: fault, NODE_OPTIONS: `--import ${faults}` };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
