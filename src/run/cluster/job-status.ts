/**
 * Reports the progress of a job: tasks by stage, running and slow attempts, and captures that brought attempts down.
 */
import { addByCode } from '../../model/totals.ts';
import { type Attempt, JOB_STAGES, JobFolder, type JobStage } from '../../store/job-folder.ts';
import type { TaskCounts } from '../tasks/task.ts';
import { committedWork } from '../tasks/task-record.ts';
import { type KeptJob, type Manifest, taskOf } from './plan-job.ts';
import { suspectsOf } from './run-job-task.ts';

/** Progress of one stage of a job. */
interface StageStatus {
  stage: JobStage;
  tasks: number;
  done: number;
  running: number;
  pages: number;
  donePages: number;
  /** Seconds of work of the tasks that are done, on one core. */
  seconds: number;
}

/** A task that an attempt is running. */
interface RunningTask extends Pick<Attempt, 'task' | 'host' | 'pid'> {
  seconds: number;
  /** Whether it runs several times as long as most tasks of its stage. */
  isSlow: boolean;
}

/** A capture that the next attempt of its task will skip. */
interface Quarantined {
  task: string;
  url: string;
  time: string;
  file: string;
  offset: number;
}

/** Progress of a planned job. */
export interface JobStatus {
  stages: StageStatus[];
  /** Ids of tasks that can run now. */
  ready: string[];
  running: RunningTask[];
  /** Attempts that have died, of tasks that are not done. */
  died: number;
  quarantine: Quarantined[];
  /** Captures that label tasks have left out, by the code of the reason. */
  skipped: TaskCounts['skipped'];
}

/** A task is slow above this multiple of its stage's median time, and above a minimum number of seconds. */
const SLOW_FACTOR = 3;
const SLOW_SECONDS = 30;

/** Reads the progress of the job in a folder. */
export function jobStatus(path: string): JobStatus {
  const job = JobFolder.open<KeptJob>(path);
  const committed = job.committed();
  const attempts = job.attempts().filter(({ task }) => !committed.has(task));
  const alive = attempts.filter(({ isAlive }) => isAlive);
  const runningTasks = new Set(alive.map(({ task }) => task));
  const work = new Map(
    job.tasks
      .filter(({ id }) => committed.has(id))
      .map(({ id }) => [id, committedWork({ folder: job.workPath, name: id })]),
  );
  const skipped: JobStatus['skipped'] = {};
  const stages = JOB_STAGES.map((stage): StageStatus => {
    const own = job.tasks.filter((task) => task.stage === stage);
    const done = own.filter(({ id }) => committed.has(id));
    if (stage === 'label') for (const { id } of done) addByCode(skipped, work.get(id)!.skipped);
    return {
      stage,
      tasks: own.length,
      done: done.length,
      running: own.filter(({ id }) => runningTasks.has(id)).length,
      pages: sumPages(own),
      donePages: sumPages(done),
      seconds: Math.round(done.reduce((sum, { id }) => sum + work.get(id)!.seconds, 0) * 1000) / 1000,
    };
  }).filter(({ tasks }) => tasks > 0);
  return {
    stages,
    ready: job.readyTasks().map(({ id }) => id),
    running: describeRunning(job, alive, work),
    died: attempts.length - alive.length,
    quarantine: quarantineOf(job, attempts),
    skipped,
  };
}

function sumPages(tasks: readonly { pages: number }[]): number {
  return tasks.reduce((sum, { pages }) => sum + pages, 0);
}

function describeRunning(
  job: JobFolder<KeptJob>,
  alive: readonly Attempt[],
  work: ReadonlyMap<string, { seconds: number }>,
): RunningTask[] {
  const stageOf = new Map(job.tasks.map(({ id, stage }) => [id, stage]));
  const usual = new Map(
    JOB_STAGES.map((stage) => {
      const done = job.tasks.filter((task) => task.stage === stage && work.has(task.id));
      return [stage, median(done.map(({ id }) => work.get(id)!.seconds))];
    }),
  );
  return alive.map(({ task, host, pid, startedMs }) => {
    const seconds = Math.max(0, Math.round((Date.now() - startedMs) / 1000));
    const most = Math.max(SLOW_SECONDS, SLOW_FACTOR * (usual.get(stageOf.get(task)!) ?? Infinity));
    return { task, host, pid, seconds, isSlow: seconds > most };
  });
}

function median(values: number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function quarantineOf(job: JobFolder<KeptJob>, attempts: readonly Attempt[]): Quarantined[] {
  const found: Quarantined[] = [];
  for (const task of new Set(attempts.map((attempt) => attempt.task))) {
    const suspects = suspectsOf(attempts.filter((attempt) => attempt.task === task));
    if (Object.keys(suspects).length === 0) continue;
    const { samples = [], pages = [] } = taskOf(job.readManifest<Manifest>(task), job) as Partial<
      Record<
        'samples' | 'pages',
        { page: number; url: string; time: string; at: { file: string; offset: number } }[]
      >
    >;
    const planned = new Map([...samples, ...pages].map((page) => [page.page, page]));
    for (const number of Object.keys(suspects)) {
      const page = planned.get(Number(number));
      if (page)
        found.push({ task, url: page.url, time: page.time, file: page.at.file, offset: page.at.offset });
    }
  }
  return found;
}
