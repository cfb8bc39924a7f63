/** Makes the output folder of a job whose tasks are all committed. */
import { JobFolder } from '../../store/job-folder.ts';
import { JobError } from '../../store/task-parts.ts';
import { type ReportResult, type ReportRunOptions, runReport } from '../report-run.ts';
import type { RunningOptions } from '../session.ts';
import type { KeptJob } from './plan-job.ts';

/** Options of `mergeJob`. */
export interface MergeJobOptions extends RunningOptions, Pick<ReportRunOptions, 'beforeFinish'> {}

/** Runs the rest of the report, the tables of all pages. Throws a JobError while tasks are missing. */
export async function mergeJob(path: string, options: MergeJobOptions = {}): Promise<ReportResult> {
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
