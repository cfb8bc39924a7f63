/**
 * Contract of planned jobs: the merged folder has the bytes that `chaff report` writes, whatever machines run the
 * tasks, in whatever order and however often, and whatever processes die.
 */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { simulateStage } from '../bench/simulate-cluster.ts';
import { writeReport } from '../src/report/write-report.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { jobStatus } from '../src/run/cluster/job-status.ts';
import { mergeJob } from '../src/run/cluster/merge-job.ts';
import { planJob } from '../src/run/cluster/plan-job.ts';
import { JobWorker } from '../src/run/cluster/run-job-task.ts';
import { type ReportRunOptions, runReport } from '../src/run/report-run.ts';
import { folderDigest } from './folder-digest.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes minutes

const folder = mkdtempSync(join(tmpdir(), 'chaff-job-'));
let warc: string;
/** Small parts, so that a small archive makes many tasks, and each site is divided among several. */
const small = { partPages: 10, sample: 20 };
const finish: ReportRunOptions['beforeFinish'] = async (output, rest) =>
  void (await writeReport(output, { rest }));

beforeAll(async () => {
  ({ warc } = await writeSampleArchive(folder, { sites: 2, pagesPerSite: 24, generations: 2 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let jobs = 0;
const newJob = () => join(folder, `job-${jobs++}`);

const reports = new Map<string, string>();

async function reported(options: Partial<ReportRunOptions> = {}, inputs = [warc]): Promise<string> {
  const key = JSON.stringify([options, inputs]);
  if (!reports.has(key)) {
    const output = newJob();
    await runReport(inputs, { ...small, ...options, workers: 0, output, beforeFinish: finish });
    reports.set(key, folderDigest(output));
  }
  return reports.get(key)!;
}

async function merged(path: string): Promise<string> {
  await mergeJob(path, { workers: 0, beforeFinish: finish });
  return folderDigest(path);
}

/** Runs what is ready until nothing is left, the last task first. */
async function runAllTasks(path: string): Promise<void> {
  const worker = await JobWorker.open(path);
  try {
    for (let ready = jobStatus(path).ready; ready.length > 0; ready = jobStatus(path).ready) {
      for (const id of ready.reverse()) await worker.run(id);
    }
  } finally {
    await worker.close();
  }
}

test.each([
  ['report', {}],
  ['history', { history: { fromYear: 1996, toYear: 2030 } }],
] as const)('tasks carried one by one, last first, make the folder of %s', async (_, options) => {
  const path = newJob();
  const job = await planJob([warc], { ...small, ...options, workers: 0, output: path });
  expect(job.tasks.filter(({ stage }) => stage === 'learn').length).toBeGreaterThan(1);
  expect(job.tasks.filter(({ stage }) => stage === 'label').length).toBeGreaterThan(4);
  await runAllTasks(path);
  expect(await merged(path)).toBe(await reported(options));
  expect(readdirSync(path)).not.toContain('.work');
});

test('with half of all pages in one site, four processes take at most 1.5 times their fair share', async () => {
  const input = join(folder, 'skewed.jsonl');
  const row = (site: number, k: number) =>
    `${JSON.stringify({ url: `http://s${site}.example/${k}`, html: `<p>Page ${k} of site ${site}` })}\n`;
  const sites = Array.from({ length: 33 }, (_, site) =>
    Array.from({ length: site === 5 ? 160 : 5 }, (_, k) => row(site, k)).join(''),
  );
  writeFileSync(input, sites.join(''));
  const { tasks } = await planJob([input], { sample: 20, partPages: 40, workers: 0, output: newJob() });
  const pagesOf = (stage: string) => tasks.filter((task) => task.stage === stage).map(({ pages }) => pages);
  expect(Math.max(...pagesOf('label'))).toBe(40);
  expect(pagesOf('label').length).toBeLessThan(33);
  // each page takes a second
  const seconds = ['learn', 'label'].map(
    (stage) => simulateStage(pagesOf(stage), { workers: 4 }).makespanSeconds,
  );
  expect(seconds[0] + seconds[1]).toBeLessThanOrEqual((1.5 * 320) / 4);
});

test('planning again gives the same job, and other options are refused', async () => {
  const path = newJob();
  const first = await planJob([warc], { ...small, workers: 0, output: path });
  expect((await planJob([warc], { ...small, workers: 0, output: path })).tasks).toEqual(first.tasks);
  await expect(planJob([warc], { ...small, seed: 5, workers: 0, output: path })).rejects.toThrow(
    '--overwrite',
  );
});

test('label tasks wait for learn tasks, and merging waits for all', async () => {
  const path = newJob();
  const { tasks } = await planJob([warc], { ...small, workers: 0, output: path });
  expect(jobStatus(path).ready.every((id) => id.startsWith('learn-'))).toBe(true);
  const shared = tasks.filter(({ stage }) => stage === 'label')[1].id;
  const worker = await JobWorker.open(path);
  await expect(worker.run(shared)).rejects.toThrow(/learn-\d+, whose result is needed, is not done yet/);
  await expect(worker.run('label-99999')).rejects.toThrow('has no task "label-99999"');
  await worker.close();
  await expect(mergeJob(path)).rejects.toThrow(/tasks are not done, learn-00000 first/);
});

test('two attempts at once, a rerun and a late orphan do no harm', async () => {
  const path = newJob();
  await planJob([warc], { ...small, workers: 0, output: path });
  const [id] = jobStatus(path).ready;
  const workers = await Promise.all([JobWorker.open(path), JobWorker.open(path)]);
  await Promise.all(workers.map((worker) => worker.run(id)));
  expect((await workers[0].run(id)).status).toBe('already-committed');
  expect(readdirSync(join(path, '.work', 'parts')).filter((name) => name.startsWith(`${id}.`))).toHaveLength(
    1,
  );
  await runAllTasks(path);
  expect(await merged(path)).toBe(await reported());
  await expect(workers[1].run(id)).rejects.toThrow();
  expect(existsSync(join(path, '.work'))).toBe(false);
  await expect(JobWorker.open(path)).rejects.toThrow('is merged already');
  for (const worker of workers) await worker.close();
});

test('a file that is not there at the moment makes the attempt fail, and nothing is lost', async () => {
  const path = newJob();
  const copy = join(folder, 'moved.warc.gz');
  renameSync(warc, copy);
  try {
    await planJob([copy], { ...small, workers: 0, output: path });
    const [id] = jobStatus(path).ready;
    const worker = await JobWorker.open(path);
    renameSync(copy, `${copy}.away`);
    await expect(worker.run(id)).rejects.toThrow('ENOENT');
    renameSync(`${copy}.away`, copy);
    expect((await worker.run(id)).status).toBe('committed');
    await worker.close();
    await runAllTasks(path);
    expect(await merged(path)).toBe(await reported({}, [copy]));
  } finally {
    renameSync(copy, warc);
  }
});

test('an archive that is cut off and one that is missing give the same problems as in a report', async () => {
  const cut = join(folder, 'cut.warc.gz');
  const { warc: other } = await writeSampleArchive(join(folder, 'cut'), {
    sites: 1,
    pagesPerSite: 24,
    seed: 3,
  });
  renameSync(other, cut);
  truncateSync(cut, 30_000);
  const inputs = [warc, cut, join(folder, 'nowhere.warc.gz')];
  const path = newJob();
  await planJob(inputs, { ...small, workers: 0, output: path });
  await runAllTasks(path);
  expect(await merged(path)).toBe(await reported({}, inputs));
});

test('a changed archive ends the job', async () => {
  const path = newJob();
  const copy = join(folder, 'changed.jsonl');
  writeFileSync(copy, '{"url":"http://a.example/","html":"<p>one"}\n');
  await planJob([copy], { ...small, workers: 0, output: path });
  writeFileSync(copy, '{"url":"http://a.example/","html":"<p>another"}\n');
  const worker = await JobWorker.open(path);
  await expect(worker.run('label-00000')).rejects.toThrow('has changed since the job was planned');
  await worker.close();
});
