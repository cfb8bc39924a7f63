/**
 * Turns a report into a job. The inputs are surveyed and planned here, and every task that reads pages becomes a
 * manifest, which any process with access to the folder and the inputs can run (run-job-task.ts). Merging
 * (merge-job.ts) runs the same report again, which finds its tasks committed.
 */

import type { Problem } from '../../model/problem.ts';
import type { Accounts } from '../../model/totals.ts';
import type { Input } from '../../read/raw-record.ts';
import type { RemoteOptions } from '../../read/remote-file.ts';
import { JOB_STAGES, JobFolder, type JobStage, type JobTask, writeManifest } from '../../store/job-folder.ts';
import { JobError } from '../../store/task-parts.ts';
import type { Executor } from '../executors/executor.ts';
import type { Job, JobOptions } from '../job.ts';
import { reportJob } from '../report-run.ts';
import { type FolderOptions, type ProblemOptions, type RunOptions, Session } from '../session.ts';
import {
  chunkLabelTasks,
  findSharedSites,
  type LabelStageContext,
  labelAll,
  learnAll,
} from '../stages/site-stages.ts';
import type { LabelTask, LearnTask } from '../tasks/task.ts';
import { newTaskCounts } from '../tasks/task-record.ts';

/** What a job saves for its tasks and for merging. */
export interface KeptJob {
  options: JobOptions;
  job: Job;
  inputs: Input[];
  /** Problems found while the inputs were opened. */
  problems: Problem[];
  /** Of the plan, whose pages tasks have not read yet. */
  accounts: Accounts;
  fingerprint: string;
  /** How tasks fetch archives on the web. */
  remote: RemoteOptions;
}

/** A task without the fields that all tasks of the job share; `inputs` are ordinals. */
export type Manifest = Omit<LearnTask | LabelTask, 'job' | 'folder' | 'inputs'> & { inputs: number[] };

/** Options of `planJob`. */
export interface PlanJobOptions extends RunOptions, FolderOptions, ProblemOptions {
  /** The folder of the job, which merging turns into the output folder. */
  output: string;
}

/** Plans the report that `runReport` makes of the same inputs and options. */
export async function planJob(names: string[], options: PlanJobOptions): Promise<JobFolder<KeptJob>> {
  const {
    output,
    overwrite,
    workers,
    signal,
    onProgress,
    onProblem,
    stdin,
    remote = {},
    ...jobOptions
  } = options;
  const job = reportJob(jobOptions);
  if (job.compareSettings.length > 0) {
    throw new RangeError('settings cannot be compared in a job: run chaff report on a sample instead');
  }
  const session = await Session.open(names, job, {
    ...{ output, overwrite, workers, signal, onProgress, onProblem, stdin },
    // tasks fetch the records that they read
    remote: { ...remote, leaveArchives: true },
  });
  try {
    if (session.folder.finished) throw new JobError(`${output} is merged already; its tasks are done`);
    checkReachable(session.inputs);
    if (JobFolder.isPlanned(output)) return JobFolder.open(output);
    await session.makePlan();
    const tasks = await writeManifests(session);
    const { inputs, fingerprint } = session;
    const kept: KeptJob = {
      ...{ options: jobOptions, job, inputs, fingerprint },
      problems: [...session.inputProblems],
      accounts: session.accountForPlan(onProblem),
      remote: { ...remote, signal: undefined, onProgress: undefined },
    };
    return JobFolder.create(output, tasks, kept);
  } finally {
    await session.close();
  }
}

/** Refuses inputs that exist only as a temporary copy here, which other machines cannot read. */
function checkReachable(inputs: readonly Input[]): void {
  // an index on the web or in Parquet is not needed after planning
  const copied = inputs.find(({ spooled, format }) => spooled && format !== 'cdx');
  if (!copied) return;
  throw new RangeError(
    copied.remote
      ? `${copied.name} would be fetched as a whole by every task: plan from an index of it, CDXJ or Parquet, with --base`
      : `${copied.name} is a pipe or compressed as a whole, so other machines cannot read single captures of it: ` +
          'write it to a file, compressed record by record',
  );
}

/** Lets the stages make the uncommitted tasks, and saves them as manifests instead of running them. */
async function writeManifests(session: Session): Promise<JobTask[]> {
  const { folder, inputs, job, plan, selected, signal } = session;
  const written: JobTask[] = [];
  const executor: Executor = {
    width: 1,
    ahead: 0,
    async run(task) {
      written.push(writeTask(folder.workPath, task as LearnTask | LabelTask));
      return newTaskCounts();
    },
    async release() {},
  };
  const everything = { path: folder.path, workPath: folder.workPath, isCommitted: () => false };
  const context: LabelStageContext = {
    folder: everything as never,
    inputs,
    job,
    plan,
    selected,
    signal,
    executor,
  };
  const label = chunkLabelTasks(context);
  const { find } = await learnAll(context, label);
  await labelAll(context, label, {
    find,
    output: { kind: job.history ? 'history' : 'folder' },
    sharedSites: findSharedSites(label.chunks, (first, end) => plan.groups(first, end)),
  });
  const orderOf = (stage: JobStage) => JOB_STAGES.indexOf(stage);
  return written.sort((a, b) => orderOf(a.stage) - orderOf(b.stage) || (a.id < b.id ? -1 : 1));
}

function writeTask(workPath: string, task: LearnTask | LabelTask): JobTask {
  const { job: _, folder: __, inputs, ...rest } = task;
  const manifest: Manifest = { ...rest, inputs: Object.keys(inputs).map(Number) };
  const digest = writeManifest(workPath, task.name, manifest);
  const pages = task.kind === 'label' ? task.pages.length : task.samples.length;
  return { id: task.name, stage: task.kind, pages, manifest: digest };
}

/** The task that a manifest describes. */
export function taskOf(manifest: Manifest, { kept, workPath }: JobFolder<KeptJob>): LearnTask | LabelTask {
  const inputs = Object.fromEntries(manifest.inputs.map((ordinal) => [ordinal, kept.inputs[ordinal]]));
  return { ...manifest, job: kept.job, folder: workPath, inputs } as LearnTask | LabelTask;
}
