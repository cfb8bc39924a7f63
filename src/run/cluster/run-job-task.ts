/**
 * Runs tasks of a planned job in this process. A committed task is not run again. A capture that brought down two
 * successive attempts of a task is skipped by the next one and reported. The executor (executors/local.ts) handles
 * captures that kill or block a thread; the attempt files handle those that kill the process.
 */
import { statSync } from 'node:fs';
import { fetchRecords } from '../../read/fetch-archives.ts';
import { closeInputs } from '../../read/open-inputs.ts';
import type { Input } from '../../read/raw-record.ts';
import { type Attempt, JobFolder } from '../../store/job-folder.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { JobError } from '../../store/task-parts.ts';
import type { Executor } from '../executors/executor.ts';
import { localExecutor } from '../executors/local.ts';
import type { LabelTask, LearnTask, Suspects, Task, TaskCounts } from '../tasks/task.ts';
import { type KeptJob, type Manifest, taskOf } from './plan-job.ts';

/** The result of running a task of a job. */
export interface JobTaskResult {
  task: string;
  /** Whether this attempt committed the task, or an earlier one had. */
  status: 'committed' | 'already-committed';
  pages: number;
  seconds: number;
}

/** Runs tasks of one planned job in this process. */
export class JobWorker {
  readonly #job: JobFolder<KeptJob>;
  readonly #executor: Executor;

  private constructor(job: JobFolder<KeptJob>, executor: Executor) {
    this.#job = job;
    this.#executor = executor;
  }

  static async open(path: string): Promise<JobWorker> {
    return new JobWorker(JobFolder.open(path), await localExecutor({ workers: 1 }));
  }

  close(): Promise<void> {
    return this.#executor.release();
  }

  /**
   * Runs a task and commits it. Throws a JobError if no other attempt can succeed either. The signal ends only the wait
   * for news of other attempts.
   */
  async run(id: string, signal?: AbortSignal): Promise<JobTaskResult> {
    const job = this.#job;
    const startedMs = performance.now();
    const manifest = job.readManifest<Manifest>(id);
    const earlier = job.isCommitted(id) ? [] : await job.settledAttempts(id, signal);
    if (job.isCommitted(id)) return { task: id, status: 'already-committed', pages: 0, seconds: 0 };
    checkInputs(manifest.inputs.map((ordinal) => job.kept.inputs[ordinal]));
    const suspects = suspectsOf(earlier);
    const attempt = job.beginAttempt(id, earlier);
    const task = taskOf(manifest, job);
    let counts: TaskCounts;
    try {
      const inputs = await fetchInputs(task, job.kept.remote);
      try {
        counts = await this.#executor.run({ ...task, inputs, suspects, pageFile: attempt.path });
      } finally {
        closeInputs(Object.values(inputs).filter(({ archives }) => archives !== undefined));
      }
    } finally {
      attempt.end();
    }
    const seconds = Math.round(performance.now() - startedMs) / 1000;
    return { task: id, status: 'committed', pages: counts.pages, seconds };
  }
}

/** The inputs of a task, with copies of the web records that it reads. */
async function fetchInputs(task: LearnTask | LabelTask, remote: KeptJob['remote']): Promise<Task['inputs']> {
  const pages = [...pagesRead(task)];
  const inputs = { ...task.inputs };
  for (const [ordinal, input] of Object.entries(task.inputs)) {
    if (!input.web) continue;
    const records = pages.filter((page) => page.input === Number(ordinal)).map(({ at }) => at);
    inputs[Number(ordinal)] = await fetchRecords(input, records, remote);
  }
  return inputs;
}

function* pagesRead(task: LearnTask | LabelTask): Generator<PlannedPage> {
  yield* task.samples;
  yield* task.captureSamples ?? [];
  if (task.kind === 'learn') return;
  yield* task.pages;
  for (const { previous, next, earlier = [], later = [] } of Object.values(task.otherCaptures ?? {})) {
    yield* [previous, next, ...earlier, ...later].filter((page) => page !== undefined);
  }
}

/**
 * Returns the pages at which two attempts have died, one after the other: the second had seen that the first was dead
 * when it began. Attempts that ran at the same time count once, because a lost node or an engine that ends both copies of a task
 * says nothing about the page. Times are not compared: an attempt may live on after its last sign.
 */
export function suspectsOf(attempts: readonly Attempt[]): Suspects {
  const suspects: Suspects = {};
  const dead = attempts.filter(({ isAlive, page }) => !isAlive && page > 0);
  for (const { page, after } of dead) {
    const isSecond = dead.some((first) => first.page === page && after.includes(first.name));
    if (isSecond) suspects[page] = 'unreadable';
  }
  return suspects;
}

/**
 * Checks that the planned input files are present and unchanged. A missing file may only be unmounted on this machine:
 * the attempt fails so that nothing is lost, and another may succeed. A changed file belongs to another job.
 */
function checkInputs(inputs: readonly Input[]): void {
  for (const { path, name, format, sizeBytes, spooled } of inputs) {
    // the temporary copy of an index is gone, and its contents are planned
    if (format === 'folder' || spooled) continue;
    const { size } = statSync(path);
    if (size !== sizeBytes) {
      throw new JobError(
        `${name} has changed since the job was planned (${sizeBytes} bytes then, ${size} now)`,
      );
    }
  }
}
