/**
 * Measures a job that is divided into tasks: the bytes that it moves, how well the simulation of clusters
 * (simulate-cluster.ts) predicts its time, and the prediction for a Common Crawl snapshot. Makes the tables of docs/research/scale.md:
 *
 *   npm run build && scripts/spark.sh
 *   npx tsx bench/cluster.bench.ts [--task-pages 200] [--spark cluster/.venv/spark/bin/python] [--write] [archives …]
 *
 * The same job runs in one process, then in two, then in one and two again, and on Spark (two executors). Tasks and their
 * slowdowns are taken from the first runs, and the other runs are predicted from these. The archives are by default those
 * of $CHAFF_DATA/sites.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../src/research/generated-sites/random.ts';
import { chunkPages } from '../src/run/stages/chunk-tasks.ts';
import { committedWork } from '../src/run/tasks/task-record.ts';
import { readRunFile } from '../src/store/run-file.ts';
import { markdownTable, median, writeDocPart } from './doc-part.ts';
import { checkBuilt } from './measure-report.ts';
import { count, figure, machine } from './performance-doc.ts';
import { findArchives } from './real-sites.ts';
import { type SimulatedStage, simulateStage } from './simulate-cluster.ts';

const COMMAND = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const PRELOAD = new URL('./child-usage.mjs', import.meta.url).href;
const DRIVER = fileURLToPath(new URL('../cluster/spark/chaff_spark.py', import.meta.url));
/** Tasks that one process runs on a cluster. */
const BATCH_TASKS = 4;

/** Assumed of a Common Crawl snapshot, and of what computing costs; docs/research/scale.md says so. */
const SNAPSHOT = { htmlBytes: 400e12, taskPages: 2000, cores: [64, 512, 4096] };
/** Number of captures that are divided into tasks to measure the sizes of tasks. */
const DRAWN_CAPTURES = 1_000_000;
const DEATHS_PER_HOUR = 0.05;
const DOLLARS_PER_CORE_HOUR = { 'on demand': 0.04, spot: 0.015 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'task-pages': { type: 'string', default: '200' },
    spark: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
checkBuilt();
const archives = await findArchives(positionals);
const folder = mkdtempSync(join(tmpdir(), 'chaff-bench-'));
let jobs = 0;
let processes = 0;
try {
  await bench();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface TaskTime {
  task: string;
  seconds: number;
}

/** A measured site. */
interface Site {
  pages: number;
  /** Stored bytes; text, when the database has a wide integer. */
  bytes: number | string;
}

interface PoolRun {
  seconds: number;
  /** In the order of their commits. */
  tasks: TaskTime[];
  /** From the start of a process to its first task. */
  startSeconds: number;
  /** Processor time of the processes. */
  cpuSeconds: number;
}

async function bench(): Promise<void> {
  const job = plan();
  const one = await runPool(job, 1);
  const moved = tellSizes(job);
  chaff('merge', job, '-q');
  const { counts } = readRunFile(job);
  const sites = rowsOf<Site>(
    chaff(
      'sql',
      job,
      'SELECT count(*) AS pages, sum(length) AS bytes FROM pages GROUP BY site',
      '--format',
      'jsonl',
    ),
  );
  const two = await runPool(plan(), 2);
  publish(
    'moved',
    `${count(counts.pages)} pages of ${counts.sites} real sites in ${one.tasks.length} tasks; ${machine()}.\n\n` +
      markdownTable(['', 'bytes', 'of the archives'], moved),
  );
  publish('simulated', await compare(one, two));
  publish('snapshot', forecastSnapshot(one, sites, counts.htmlBytes));
}

function plan(): string {
  const job = join(folder, `job-${jobs++}`);
  chaff('plan', ...archives, '-o', job, '--task-pages', values['task-pages'], '-q');
  return job;
}

function chaff(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
  if (status !== 0 && status !== 3) throw new Error(`chaff ${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

function rowsOf<Row>(lines: string): Row[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Bytes of what machines read and write for the job, besides those of the archives. */
function tellSizes(job: string): string[][] {
  const work = join(job, '.work');
  const ofParts = (stage: string) =>
    readdirSync(join(work, 'parts'))
      .filter((name) => name.startsWith(stage))
      .reduce((sum, name) => sum + bytesOf(join(work, 'parts', name)), 0);
  const all = archives.reduce((sum, path) => sum + statSync(path).size, 0);
  const rows: [string, number][] = [
    ['archives, compressed', all],
    ['manifests: rows of the index', bytesOf(join(work, 'manifests'))],
    ['`job.bin`, which every process reads', bytesOf(join(work, 'job.bin'))],
    ['models of sites in several tasks', ofParts('learn-')],
    ['results of label tasks', ofParts('label-')],
  ];
  return rows.map(([name, bytes]) => [name, count(bytes), `${((100 * bytes) / all).toFixed(1)} %`]);
}

function bytesOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

/** Runs all tasks of a job in processes that take the next task when they are free. */
async function runPool(job: string, width: number): Promise<PoolRun> {
  const began = performance.now();
  const run: PoolRun = { seconds: 0, tasks: [], startSeconds: 0, cpuSeconds: 0 };
  for (let ready = readyTasks(job); ready.length > 0; ready = readyTasks(job)) {
    const starts = await Promise.all(
      Array.from({ length: Math.min(width, ready.length) }, () => runProcess(job, ready, run)),
    );
    run.startSeconds = median(starts);
  }
  run.seconds = (performance.now() - began) / 1000;
  console.error(`${width} processes: ${run.seconds.toFixed(1)} s, CPU ${run.cpuSeconds.toFixed(1)} s`);
  return run;
}

/** One process, which is given tasks of the queue until there are none; the time it took to start. */
async function runProcess(job: string, queue: string[], run: PoolRun): Promise<number> {
  const began = performance.now();
  const usageFile = join(folder, `usage-${processes++}.json`);
  const child: ChildProcess = spawn(process.execPath, ['--import', PRELOAD, COMMAND, 'task', job, '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CHAFF_BENCH_USAGE: usageFile },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const give = () => {
    const task = queue.shift();
    if (task === undefined) child.stdin!.end();
    else child.stdin!.write(`${task}\n`);
  };
  give();
  let startSeconds = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    const row = JSON.parse(line) as TaskTime;
    startSeconds ||= (performance.now() - began) / 1000 - row.seconds;
    run.tasks.push(row);
    give();
  }
  const code = await ended;
  if (code !== 0) throw new Error(`chaff task ended with ${code}`);
  run.cpuSeconds += JSON.parse(readFileSync(usageFile, 'utf8')).cpuSeconds;
  return startSeconds;
}

function readyTasks(job: string): string[] {
  return chaff('status', job, '--ready').split('\n').filter(Boolean);
}

/** A run that is compared with its simulation. */
interface ComparedRun {
  name: string;
  run: PoolRun;
  workers: number;
  /** On Spark: tasks of a process, and seconds that Spark takes when there is nothing to do. */
  batches?: { tasks: number; idleSeconds: number };
}

/**
 * Each run beside two simulations: one from the seconds of its own tasks, which shows how good the simulation is, and one
 * from the first runs, which shows how good a forecast is on a machine that others use too.
 */
async function compare(one: PoolRun, two: PoolRun): Promise<string> {
  const besideOne = slowdownsOf(two, one);
  const runs: ComparedRun[] = [
    { name: 'one process', run: await runPool(plan(), 1), workers: 1 },
    { name: 'two processes', run: await runPool(plan(), 2), workers: 2 },
  ];
  if (values.spark) {
    const job = plan();
    const run = runSpark(values.spark, job, two.startSeconds);
    // all tasks are committed now: the rest is Spark itself
    const idleSeconds = runSpark(values.spark, job, 0).seconds;
    const batches = { tasks: BATCH_TASKS, idleSeconds };
    runs.push({ name: `Spark, two executors, ${BATCH_TASKS} tasks a process`, run, workers: 2, batches });
  }
  const rows = runs.map((each) => {
    const { seconds } = each.run;
    const own = simulateRun(each.run, each, [1]);
    const forecast = simulateRun(one, each, each.workers === 1 ? [1] : besideOne);
    const differs = (simulated: number) => `${((100 * (simulated - seconds)) / seconds).toFixed(0)} %`;
    return [each.name, ...[seconds, own].map(figure), differs(own), figure(forecast), differs(forecast)];
  });
  const sorted = [...besideOne].sort((a, b) => a - b);
  const at = (share: number) => figure(sorted[Math.floor(share * (sorted.length - 1))]);
  const head = ['', 'measured s', 'from its tasks', 'difference', 'from the first runs', 'difference'];
  return (
    `${one.tasks.length} tasks, ${figure(median(one.tasks.map(({ seconds }) => seconds)))} s in the median and ` +
    `${figure(Math.max(...one.tasks.map(({ seconds }) => seconds)))} s at most; beside another process they take ` +
    `${at(0.5)} times as long in the median, ${at(0.05)} to ${at(0.95)} times nine times in ten, ${at(1)} times at most. ` +
    `A process starts in ${figure(two.startSeconds)} s. ${machine()}.\n\n${markdownTable(head, rows)}`
  );
}

/** Seconds that a run takes by the simulation, with the tasks of `measured`. */
function simulateRun(
  measured: PoolRun,
  { run: { startSeconds }, workers, batches }: ComparedRun,
  slowdowns: number[],
): number {
  const stages = stagesOf(measured).map((seconds) => {
    if (batches) {
      return simulateStage(seconds, { workers, slowdowns, startSeconds, batchTasks: batches.tasks });
    }
    // processes of a pool start once, at the same time
    const stage = simulateStage(seconds, { workers, slowdowns });
    return { ...stage, makespanSeconds: startSeconds + stage.makespanSeconds };
  });
  return stages.reduce((sum, { makespanSeconds }) => sum + makespanSeconds, batches?.idleSeconds ?? 0);
}

/** Seconds of the tasks of each stage, in the order of the plan. */
function stagesOf({ tasks }: PoolRun): number[][] {
  return ['learn', 'label']
    .map((stage) => tasks.filter(({ task }) => task.startsWith(stage)))
    .filter((stage) => stage.length > 0)
    .map((stage) => stage.sort((a, b) => (a.task < b.task ? -1 : 1)).map(({ seconds }) => seconds));
}

/** How much longer each task took in one run than in another. */
function slowdownsOf(run: PoolRun, base: PoolRun): number[] {
  const before = new Map(base.tasks.map(({ task, seconds }) => [task, seconds]));
  return run.tasks.map(({ task, seconds }) => seconds / before.get(task)!);
}

function runSpark(python: string, job: string, startSeconds: number): PoolRun {
  const began = performance.now();
  const { status, stderr } = spawnSync(
    join(python, '..', 'spark-submit'),
    [
      ...['--master', 'local-cluster[2,1,1024]', '--conf', 'spark.ui.enabled=false', DRIVER, job],
      ...['--tasks-per-partition', String(BATCH_TASKS)],
      ...['--chaff', `${process.execPath} ${COMMAND}`],
    ],
    { encoding: 'utf8', env: { ...process.env, PYSPARK_PYTHON: python, SPARK_LOCAL_IP: '127.0.0.1' } },
  );
  if (status !== 0) throw new Error(`spark-submit ended with ${status}: ${stderr}`);
  const seconds = (performance.now() - began) / 1000;
  console.error(`Spark: ${seconds.toFixed(1)} s`);
  const names = readdirSync(join(job, '.work', 'done')).map((name) => name.replace(/\.json$/, ''));
  const tasks = names
    .filter((name) => /^(learn|label)-/.test(name))
    .map((task) => ({ task, seconds: committedWork({ folder: join(job, '.work'), name: task }).seconds }));
  return { seconds, tasks, startSeconds, cpuSeconds: 0 };
}

/**
 * Returns the forecast for a Common Crawl snapshot. Its sites are drawn at random from the measured ones, without the site
 * that has half of all pages, and are cut into tasks as `chaff plan` does. Each batch of tasks gets the slowdown of a measured
 * task, drawn at random.
 */
function forecastSnapshot(one: PoolRun, sites: Site[], htmlBytes: number): string {
  const stored = sites.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  // processor time: that of the clock depends on what else the machine does
  const storedPerSecond = stored / one.cpuSeconds;
  const chunks = chunkPages(drawSites(sites), { taskPages: SNAPSHOT.taskPages }).map(({ bytes }) => bytes);
  const random = new Random(1);
  const tasks: number[] = [];
  for (let left = (SNAPSHOT.htmlBytes * stored) / htmlBytes; left > 0; ) {
    const bytes = random.pick(chunks);
    tasks.push(bytes / storedPerSecond);
    left -= bytes;
  }
  const label = stagesOf(one).at(-1)!;
  const mean = label.reduce((sum, seconds) => sum + seconds, 0) / label.length;
  const slowdowns = label.map((seconds) => seconds / mean);
  const rows = SNAPSHOT.cores.map((workers) => {
    const options = { workers, batchTasks: BATCH_TASKS, startSeconds: one.startSeconds, slowdowns };
    const calm = simulateStage(tasks, options);
    const rough = simulateStage(tasks, { ...options, deathsPerHour: DEATHS_PER_HOUR });
    return [
      count(workers),
      hours(calm.makespanSeconds),
      hours(rough.makespanSeconds),
      count(rough.deaths),
      `${((100 * rough.lostSeconds) / rough.busySeconds).toFixed(2)} %`,
      count(Math.round(coreHours(rough, workers))),
      ...Object.values(DOLLARS_PER_CORE_HOUR).map(
        (price) => `$${count(Math.round(coreHours(rough, workers) * price))}`,
      ),
    ];
  });
  const head = ['cores', 'hours', 'with deaths', 'deaths', 'work lost', 'core-hours'];
  const sorted = [...tasks].sort((a, b) => a - b);
  return (
    `${figure(((storedPerSecond / stored) * htmlBytes) / 1e6)} MB of HTML a second and core; ${count(tasks.length)} tasks, ` +
    `${figure(sorted[tasks.length >> 1])} s in the median and ${figure(sorted.at(-1)!)} s at most; ${machine()}.\n\n` +
    markdownTable([...head, ...Object.keys(DOLLARS_PER_CORE_HOUR)], rows, { textColumns: 0 })
  );
}

/** Captures of sites of measured sizes, after one site that has as many as all the others. */
function* drawSites(sites: Site[]): Generator<{ page: number; group: number; bytes: number }> {
  const random = new Random(2);
  const first = random.pick(sites);
  let page = 1;
  for (; page <= DRAWN_CAPTURES / 2; page++)
    yield { page, group: 0, bytes: Number(first.bytes) / first.pages };
  for (let group = 1; page <= DRAWN_CAPTURES; group++) {
    const { pages, bytes } = random.pick(sites);
    for (const end = page + pages; page < end; page++) yield { page, group, bytes: Number(bytes) / pages };
  }
}

/** Paid for: all cores until the last one is done. */
function coreHours({ makespanSeconds }: SimulatedStage, workers: number): number {
  return (makespanSeconds * workers) / 3600;
}

function hours(seconds: number): string {
  return figure(seconds / 3600);
}

function publish(part: string, markdown: string): void {
  console.log(`\n${markdown}\n`);
  if (values.write) writeDocPart('research/scale.md', part, markdown);
}
