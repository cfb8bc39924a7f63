/** Runs a report: reads archives and writes the output folder. */
import { loadDuckDbSoon } from '../store/database.ts';
import { finishFolder } from '../store/finish-folder.ts';
import { OutputFolder } from '../store/open-folder.ts';
import { type RunFile, readRunFile } from '../store/run-file.ts';
import { checkJob, DEFAULT_DETECTOR, type Job, type JobOptions, reportDetectors } from './job.ts';
import {
  type FolderOptions,
  type ProblemOptions,
  type RunOptions,
  roundAll,
  Session,
  type SessionInputs,
} from './session.ts';
import type { StageContext } from './stages/run-stage.ts';
import {
  type ComparedSettings,
  chunkLabelTasks,
  compareAllSettings,
  findSharedSites,
  labelAll,
  learnAll,
  type SharedSite,
  studySharedSites,
} from './stages/site-stages.ts';
import type { Task } from './tasks/task.ts';

/** Options of `runReport`. */
export interface ReportRunOptions extends RunOptions, FolderOptions, ProblemOptions {
  /** The folder to write. */
  output: string;
  /** Inputs that were opened when the job was planned; they replace the names. */
  opened?: SessionInputs;
  /**
   * Called to add files that are made from the rest of the folder, such as `report.html`. All files but `run.json` and
   * `history/` are complete; `rest` settles when `history/` is too.
   */
  beforeFinish?: (folder: OutputFolder, rest: Promise<void>) => Promise<void>;
}

/** The result of `runReport`. */
export interface ReportResult {
  run: RunFile;
  /** Whether committed tasks of an earlier run were used. */
  resumed: boolean;
}

/** Checks the options of a report and returns its job. */
export function reportJob(options: JobOptions): Job {
  const { history, categories = [] } = options;
  // a history describes templates, which dom and text find
  const first = history ? 'dom' : DEFAULT_DETECTOR;
  const { detectors = reportDetectors(first, { hasCategories: categories.length > 0 }) } = options;
  return checkJob({ ...options, detectors });
}

/** Labels all pages of the inputs (names, globs, folders, `-`) and writes the output folder. */
export async function runReport(names: string[], options: ReportRunOptions): Promise<ReportResult> {
  const { output, beforeFinish } = options;
  const job = reportJob(options);
  const session = await Session.open(names, job, { ...options, readsAllPages: true });
  try {
    const { folder } = session;
    if (folder.finished) return { run: readRunFile(output), resumed: true };
    return { run: await session.run(() => runStages(session, beforeFinish)), resumed: folder.resumed };
  } finally {
    await session.close();
  }
}

async function runStages(session: Session, beforeFinish: ReportRunOptions['beforeFinish']): Promise<RunFile> {
  const { folder, executor, onProgress } = session;
  if (executor.ahead > 0) loadDuckDbSoon(); // load the database while the workers label
  const labelled = await labelPlanned(session);
  onProgress?.({ stage: 'finish', done: 0, total: 1, pages: 0, bytes: 0 });
  folder.publish(labelled.label);
  // free the memory that threads needed for labelling
  await executor.release();
  const history = makeHistory(session, labelled.label);
  const ended = history.catch(() => {}); // finishStages reports the failure
  try {
    return await finishStages(session, labelled, history, beforeFinish);
  } finally {
    // a busy thread would keep the process alive after a failure
    await ended;
  }
}

/** Completes the folder, with the tables of the history when they are made. */
async function finishStages(
  session: Session,
  { label, learn, captures, settings, sharedSites }: Labelled,
  history: Promise<string[]>,
  beforeFinish: ReportRunOptions['beforeFinish'],
): Promise<RunFile> {
  const { folder, job, watch, onProgress } = session;
  const {
    counts: finished,
    rest,
    database,
  } = await finishFolder(folder, {
    tasks: label,
    studied: await studySharedSites(session, label, sharedSites),
    detectors: job.detectors,
    problemParts: session.problemParts(label),
    problems: session.ownProblems(),
    categories: job.categories,
    collections: job.collections,
    settingsParts: settings?.parts,
    made: history,
  });
  const counts = { ...captures, ...finished };
  const run: RunFile = { ...session.describe(), counts };
  try {
    const output = await OutputFolder.open(folder.path, { run, database });
    // wait until all of it ends or fails before leaving the folder
    const settled = await Promise.allSettled([rest, beforeFinish?.(output, rest)]);
    for (const each of settled) if (each.status === 'rejected') throw each.reason;
  } finally {
    database.close();
  }
  watch.lap('finish');
  run.timings.wallSeconds = watch.seconds();
  if (settings) run.timings.settingsSeconds = roundAll(settings.seconds);
  run.timings.stepSeconds = session.stepSeconds({ learn, label });
  folder.finish(run);
  onProgress?.({ stage: 'finish', done: 1, total: 1, pages: counts.pages, bytes: counts.htmlBytes });
  return run;
}

/** Makes the tables of the history, in a worker if there is one; returns the folders of the tasks. */
async function makeHistory(
  { folder, job, executor }: StageContext,
  label: readonly string[],
): Promise<string[]> {
  const { history: years } = job;
  if (!years || label.length === 0) return [];
  const name = 'history';
  const task: Task = {
    kind: 'history',
    name,
    folder: folder.workPath,
    job,
    inputs: {},
    output: folder.path,
    spill: folder.work(`${name}-spill`),
    labelFolders: label.map((each) => folder.taskFolder(each)),
    years,
  };
  if (!folder.isCommitted(name)) await executor.run(task);
  return [folder.taskFolder(name)];
}

interface Labelled {
  /** Names of the tasks of each stage. */
  learn: string[];
  label: string[];
  captures: ReturnType<Session['countCaptures']>;
  settings?: ComparedSettings;
  sharedSites: SharedSite[];
}

async function labelPlanned(session: Session): Promise<Labelled> {
  const { plan, watch, job } = session;
  const label = chunkLabelTasks(session);
  const sharedSites = findSharedSites(label.chunks, (first, end) => plan.groups(first, end));
  const learnt = await learnAll(session, label);
  watch.lap('learn');
  await labelAll(session, label, {
    find: learnt.find,
    output: { kind: job.history ? 'history' : 'folder' },
    sharedSites,
  });
  watch.lap('label');
  const settings = await compareAllSettings(session);
  if (settings) watch.lap('settings');
  const captures = session.countCaptures(label);
  return { learn: learnt.names, label: label.names, captures, settings, sharedSites };
}
