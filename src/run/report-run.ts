/**
 * The main job: archives in, the output folder out. A run that was stopped goes on where it was when it is
 * started again with the same inputs, options and folder.
 */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Problem } from '../model/problem.ts';
import { readLayoutRule } from '../model/site.ts';
import { version } from '../model/version.ts';
import { WrongGuess } from '../read/member-guess.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { finishFolder } from '../store/finish-folder.ts';
import type { Plan } from '../store/plan.ts';
import { PROBLEMS_FILE } from '../store/problem-parts.ts';
import { type RunFile, readRunFile } from '../store/run-file.ts';
import { RunFolder } from '../store/run-folder.ts';
import { localExecutor } from './executors/local.ts';
import { fingerprintOf } from './fingerprint.ts';
import { checkJob, describeJob, type JobOptions, readsUnselected } from './job.ts';
import { checkAccounts, countCaptures, describeInputs, roundAll, unresolvedRevisit } from './run-accounts.ts';
import { type ComparedSettings, compareAllSettings } from './stages/compare-settings.ts';
import { type Progress, type StageContext, sumCounts } from './stages/run-stage.ts';
import { findSharedSites, type SharedSite, studySharedSites } from './stages/shared-sites.ts';
import { cutLabelTasks, labelAll, learnAll, surveyAndPlan, surveyNames } from './stages/stages.ts';
import type { Task } from './tasks/task.ts';
import { StageWatch } from './tasks/timings.ts';

export interface RunOptions extends JobOptions {
  /** Worker threads; 0 runs in the caller's thread. @default the number of cores */
  workers?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** What `-` among the inputs stands for. */
  stdin?: Readable;
}

export interface ReportRunOptions extends RunOptions {
  /** The folder to write. */
  output: string;
  /** Start afresh whatever an earlier run left there. @default false */
  overwrite?: boolean;
  /**
   * Called to add to the folder what is made of the rest of it: `report.html`. All but `run.json` and `history/` is in
   * place; `rest` settles when the latter is too.
   */
  beforeFinish?: (folder: string, run: RunFile, rest: Promise<void>) => Promise<void>;
}

export interface ReportResult {
  run: RunFile;
  /** Whether committed tasks of an earlier run were used. */
  resumed: boolean;
}

/** Labels all pages of the inputs (names, globs, folders, `-`) and writes the output folder. */
export async function runReport(names: string[], options: ReportRunOptions): Promise<ReportResult> {
  const { output, overwrite, workers, signal, onProgress, beforeFinish, stdin, ...jobOptions } = options;
  const job = checkJob(jobOptions);
  signal?.throwIfAborted();
  const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
  try {
    const folder = RunFolder.open(output, { fingerprint: fingerprintOf(job, inputs), overwrite });
    if (folder.finished) return { run: readRunFile(output), resumed: true };
    const executor = await localExecutor({ workers, signal });
    const context: StageContext = { folder, inputs, job, executor, signal, onProgress };
    try {
      const stages: StagesOptions = {
        problems,
        workers: executor.width,
        beforeFinish,
        watch: new StageWatch(),
      };
      const run = await guessing(context, (guess) => runStages(context, { ...stages, guess }));
      return { run, resumed: folder.resumed };
    } finally {
      await executor.release();
    }
  } finally {
    await closeInputs(inputs);
  }
}

/**
 * Does the work with ends of gzip members guessed, where every page that is found will be read; should a guess be wrong,
 * all is thrown away and done again without.
 */
async function guessing(
  { folder, job }: StageContext,
  work: (guess: boolean) => Promise<RunFile>,
): Promise<RunFile> {
  const readsAll = job.limit === null && !readsUnselected(job) && !readLayoutRule(job.site);
  try {
    return await work(readsAll && !folder.startedAgain);
  } catch (error) {
    if (!(error instanceof WrongGuess)) throw error;
    folder.startAgain();
    return work(false);
  }
}

interface StagesOptions extends Pick<ReportRunOptions, 'beforeFinish'> {
  /** Met before any task ran. */
  problems: Problem[];
  workers: number;
  watch: StageWatch;
}

async function runStages(
  context: StageContext,
  { guess, ...options }: StagesOptions & { guess: boolean },
): Promise<RunFile> {
  const { folder, onProgress } = context;
  const { problems, watch } = options;
  const plan = await surveyAndPlan(context, { guess });
  watch.lap('survey and plan');
  const labelled = await labelPlanned(context, plan, watch);
  for (const revisit of plan.unresolvedRevisits()) problems.push(unresolvedRevisit(revisit));
  watch.lap('label');

  onProgress?.({ stage: 'finish', done: 0, total: 1, pages: 0, bytes: 0 });
  folder.publish(labelled.label);
  // threads that have labelled pages hold what that took
  await context.executor.release();
  const history = makeHistory(context, labelled.label);
  const ended = history.catch(() => {}); // whoever waits for the rest hears of it
  try {
    return await finishStages(context, labelled, history, options);
  } finally {
    // a thread that is still at work when the run has failed would keep the process alive
    await ended;
  }
}

/** Puts the folder in order, with the tables of the history once they are made. */
async function finishStages(
  context: StageContext,
  { label, learn, captures, inputs: described, settings, sharedSites }: Labelled,
  history: Promise<string[]>,
  { problems, workers, beforeFinish, watch }: StagesOptions,
): Promise<RunFile> {
  const { folder, inputs, job, onProgress } = context;
  const surveys = surveyNames(inputs);
  const { counts: finished, rest } = await finishFolder(folder, {
    tasks: label,
    studied: await studySharedSites(context, label, sharedSites),
    detectors: job.detectors,
    problemParts: [...surveys, ...label].map((name) => join(folder.taskFolder(name), PROBLEMS_FILE)),
    problems,
    categories: job.categories,
    collections: job.collections,
    settingsParts: settings?.parts,
    made: history,
  });
  const counts = { ...captures, ...finished };
  checkAccounts(counts);
  const run: RunFile = {
    version,
    fingerprint: fingerprintOf(job, inputs),
    options: describeJob(job),
    inputs: described,
    counts,
    timings: { workers, resumed: folder.resumed, wallSeconds: {}, stepSeconds: {} },
  };
  // all of it ends, or fails, before the folder is left
  const settled = await Promise.allSettled([rest, beforeFinish?.(folder.path, run, rest)]);
  for (const each of settled) if (each.status === 'rejected') throw each.reason;
  watch.lap('finish');
  run.timings.wallSeconds = watch.seconds();
  if (settings) run.timings.settingsSeconds = roundAll(settings.seconds);
  run.timings.stepSeconds = {
    survey: roundAll(sumCounts(folder, surveys).timings),
    learn: roundAll(sumCounts(folder, learn).timings),
    label: roundAll(sumCounts(folder, label).timings),
  };
  folder.finish(run);
  onProgress?.({ stage: 'finish', done: 1, total: 1, pages: counts.pages, bytes: counts.htmlBytes });
  return run;
}

/** Has the tables made that take time, by a worker where there is one; the folders of the tasks. */
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
    folder: folder.taskFolder(name),
    job,
    inputs: {},
    output: folder.path,
    spill: folder.work(`${name}-spill`),
    labelFolders: label.map((each) => folder.taskFolder(each)),
    years,
  };
  if (!folder.isCommitted(name)) await executor.run(task);
  return [task.folder];
}

/** What is left of a plan when its pages are labelled. */
interface Labelled {
  /** Names of the tasks. */
  learn: string[];
  label: string[];
  captures: Awaited<ReturnType<typeof countCaptures>>;
  inputs: Awaited<ReturnType<typeof describeInputs>>;
  settings?: ComparedSettings;
  sharedSites: SharedSite[];
}

async function labelPlanned(context: StageContext, plan: Plan, watch: StageWatch): Promise<Labelled> {
  const label = await cutLabelTasks(context, plan);
  const sharedSites = findSharedSites(label.cuts, (first, end) => plan.groups(first, end));
  const learnt = await learnAll(context, plan, label);
  watch.lap('learn');
  await labelAll(context, plan, label, {
    find: learnt.find,
    output: { kind: context.job.history ? 'history' : 'folder' },
    sharedSites,
  });
  watch.lap('label');
  const settings = await compareAllSettings(context, plan);
  if (settings) watch.lap('settings');
  return {
    learn: learnt.names,
    label: label.names,
    captures: await countCaptures(context, plan, label.names, label.selected),
    inputs: await describeInputs(context, plan, surveyNames(context.inputs)),
    settings,
    sharedSites,
  };
}
