/** Makes the output folder of a job whose tasks are all committed. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JobFolder } from '../../store/job-folder.ts';
import { readRunFile } from '../../store/run-file.ts';
import { WORK_FOLDER } from '../../store/run-folder.ts';
import { JobError } from '../../store/task-parts.ts';
import { type ReportResult, type ReportRunOptions, runReport } from '../report-run.ts';
import type { RunningOptions } from '../session.ts';
import type { KeptJob } from './plan-job.ts';

/** Options of `mergeJob`. */
export interface MergeJobOptions extends RunningOptions, Pick<ReportRunOptions, 'beforeFinish'> {}

/** Runs the rest of the report, the tables of all pages. Throws a JobError while tasks are missing or another process merges. */
export async function mergeJob(path: string, options: MergeJobOptions = {}): Promise<ReportResult> {
  const lock = await JobFolder.open<KeptJob>(path).lockMerge(options.signal);
  try {
    return await mergeLocked(path, options);
  } finally {
    lock.end();
  }
}

async function mergeLocked(path: string, options: MergeJobOptions): Promise<ReportResult> {
  // a merge that held the lock before has ended the job, or was killed while it removed the work folder
  if (existsSync(join(path, 'run.json'))) {
    rmSync(join(path, WORK_FOLDER), { recursive: true, force: true, maxRetries: 10 });
    return { run: readRunFile(path), resumed: true };
  }
  const job = JobFolder.open<KeptJob>(path);
  const committed = job.committed();
  const missing = job.tasks.filter(({ id }) => !committed.has(id));
  if (missing.length > 0) {
    throw new JobError(
      `${missing.length} of ${job.tasks.length} tasks are not done, ${missing[0].id} first: ` +
        `chaff status ${path} --ready lists those that can run`,
    );
  }
  job.clearDeadAttempts();
  const { options: asked, inputs, problems, fingerprint } = job.kept;
  return runReport([], { ...asked, ...options, output: path, opened: { inputs, problems, fingerprint } });
}
