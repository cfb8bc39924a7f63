/**
 * A session is one run of any command. It opens the inputs, an output or scratch folder and the threads, surveys and
 * plans the pages, and at the end collects the accounts and the problems. A stopped run in an output folder continues
 * when it is started again with the same inputs, options and folder.
 *
 * A run that reads every page does not inflate pages for the survey: the survey guesses where gzip members end, and the
 * reader of each page checks the guess. After a wrong guess the whole run restarts without guesses.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Problem, SkipCode } from '../model/problem.ts';
import { makeScratchFolder } from '../model/scratch.ts';
import { type Accounts, addByCode, NoPages, Totals } from '../model/totals.ts';
import { isSelected } from '../model/url-filter.ts';
import { version } from '../model/version.ts';
import { closeInputs, openInputs, type RemoteInputOptions } from '../read/open-inputs.ts';
import type { Input } from '../read/raw-record.ts';
import { WrongGuess } from '../read/record-context.ts';
import { peekInput } from '../store/input-digest.ts';
import type { LostRevisit, Plan, PlanOptions } from '../store/plan.ts';
import { PROBLEMS_FILE, readProblems } from '../store/problem-parts.ts';
import type { RunCounts } from '../store/run-file.ts';
import { RunFolder } from '../store/run-folder.ts';
import type { Executor } from './executors/executor.ts';
import { localExecutor } from './executors/local.ts';
import { describeJob, type Job, type JobOptions, readsUnselected, urlFilterOf } from './job.ts';
import { SelectedPages, surveyAndPlan, surveyNames } from './stages/plan-stage.ts';
import { type PlannedContext, type Progress, readCounts, sumCounts } from './stages/run-stage.ts';
import { type Clock, StageWatch } from './tasks/task-record.ts';

/** Options of how a run is executed; none of them changes its result. */
export interface RunningOptions {
  /** Worker threads; 0 runs in the caller's thread. @default the number of cores */
  workers?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Stream that is read for the input `-`. */
  stdin?: Readable;
  /** Options for fetching archives on the web. */
  remote?: RemoteInputOptions;
}

/** Options of a run: those that change its result and those that do not. */
export interface RunOptions extends JobOptions, RunningOptions {}

/** Options for the problems of a run that leaves no folder with them. */
export interface ProblemOptions {
  /** Called at the end with every problem, in canonical order; by a run that writes a folder only if it has no pages. */
  onProblem?: (problem: Problem) => void;
}

/** Where a run writes, and whether it may replace an earlier run. */
export interface FolderOptions {
  /** The folder to write. @default a scratch folder, removed when the session is closed */
  output?: string;
  /** Delete the files of an earlier run in the folder. @default false */
  overwrite?: boolean;
}

/** Inputs that another session has opened, with its problems and its fingerprint of inputs and job. */
export interface SessionInputs {
  inputs: Input[];
  problems: Problem[];
  fingerprint: string;
}

/** Options of `Session.open`. */
export interface SessionOptions
  extends RunningOptions,
    ProblemOptions,
    FolderOptions,
    Pick<PlanOptions, 'captures'> {
  /** Whether the run reads every planned page, so that the survey may guess the ends of gzip members. @default false */
  readsAllPages?: boolean;
  /** Replaces the names. */
  opened?: SessionInputs;
}

/** The accounts of a run, and the bytes of HTML that it read. */
export interface RunSummary extends Accounts {
  htmlBytes: number;
}

/** Names of tasks, and the pages that they processed unless these are all planned pages. */
export interface DoneTasks {
  names: string[];
  /** Pages that no task has processed yet. @default 0 */
  pages?: number;
  selected?: SelectedPages;
}

/** Opens a session, does the work on its plan, and closes the session. After a wrong guess the work is done twice. */
export async function withSession<T>(
  names: string[],
  job: Job,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await Session.open(names, job, options);
  try {
    return await session.run(() => work(session));
  } finally {
    await session.close();
  }
}

/** One run with its inputs, folder, threads and plan; `close` frees them. */
export class Session implements PlannedContext {
  readonly job: Job;
  readonly inputs: Input[];
  readonly folder: RunFolder;
  readonly executor: Executor;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly fingerprint: string;
  readonly watch = new StageWatch();
  readonly #options: SessionOptions;
  /** Problems found while the inputs were opened. */
  readonly inputProblems: readonly Problem[];
  #plan: Plan | undefined;
  #selected: SelectedPages | undefined;

  /** Opens the inputs (names, globs, folders, `-`), the folder and the executor. */
  static async open(names: string[], job: Job, options: SessionOptions): Promise<Session> {
    const { workers, signal, stdin, output, overwrite, opened, onProgress } = options;
    signal?.throwIfAborted();
    const { inputs, problems } =
      opened ??
      (await openInputs(names, {
        stdin,
        limits: job.limits,
        readParquet: async (path) => (await import('./columnar-index.ts')).writeIndexLines(path),
        remote: {
          ...options.remote,
          signal,
          onProgress: (done, total) => onProgress?.({ stage: 'fetch', done, total, pages: 0, bytes: done }),
        },
      }));
    try {
      const fingerprint = opened?.fingerprint ?? (output === undefined ? '' : fingerprintOf(job, inputs));
      const folder = RunFolder.open(output ?? makeScratchFolder(), { fingerprint, overwrite });
      const executor = await localExecutor({ workers, signal });
      return new Session(job, options, { inputs, problems, folder, executor, fingerprint });
    } catch (error) {
      closeInputs(inputs);
      throw error;
    }
  }

  private constructor(
    job: Job,
    options: SessionOptions,
    opened: Pick<Session, 'inputs' | 'folder' | 'executor' | 'fingerprint'> & { problems: Problem[] },
  ) {
    this.job = job;
    this.inputs = opened.inputs;
    this.folder = opened.folder;
    this.executor = opened.executor;
    this.fingerprint = opened.fingerprint;
    this.signal = options.signal;
    this.onProgress = options.onProgress;
    this.#options = options;
    this.inputProblems = opened.problems;
  }

  async close(): Promise<void> {
    await this.executor.release();
    closeInputs(this.inputs);
    if (this.#options.output === undefined) rmSync(this.folder.path, { recursive: true, force: true });
  }

  /** Surveys, plans and does the work; repeats all of it after a wrong guess. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.makePlan();
      return await work();
    } catch (error) {
      if (!(error instanceof WrongGuess)) throw error;
      this.startAgain();
      await this.makePlan();
      return await work();
    }
  }

  /** Surveys and plans; throws a `NoPages` if there is no page to work on. */
  async makePlan(): Promise<void> {
    const { readsAllPages = false, captures = 'all' } = this.#options;
    const { limit, minSitePages, drawSites } = this.job;
    const plansAll = captures === 'all' && limit === null && minSitePages === 1 && drawSites === null;
    const readsAll = readsAllPages && plansAll && !readsUnselected(this.job);
    const plan = await surveyAndPlan(this, { captures, guess: readsAll && !this.folder.startedAgain });
    this.#plan = plan;
    this.#selected = SelectedPages.of(plan, this.job);
    this.watch.lap('survey and plan');
    if (this.#pageCount > 0) return;
    const accounts = this.accountForPlan(this.#options.onProblem);
    this.folder.discard();
    throw new NoPages(accounts, plan);
  }

  get #pageCount(): number {
    return this.#selected?.numbers.length ?? this.plan.pageCount;
  }

  /** The accounts of a plan, as if each of its pages gave a result. */
  accountForPlan(onProblem?: (problem: Problem) => void): Accounts {
    const pages = this.#pageCount;
    const { captures, skipped } = this.countCaptures({ names: [], selected: this.#selected, pages });
    return { captures, pages, skipped, problems: this.countProblems([], onProblem) };
  }

  /** Discards the results of all tasks; the next plan is made without guesses. */
  startAgain(): void {
    this.#plan = undefined;
    this.folder.startAgain();
  }

  get plan(): Plan {
    if (!this.#plan) throw new Error('a session has a plan only after makePlan');
    return this.#plan;
  }

  /** The pages to label, unless these are all planned pages. */
  get selected(): SelectedPages | undefined {
    return this.#selected;
  }

  /**
   * Sums the counts of the tasks and the plan. No capture may be lost between the archive and the result: captures that
   * the tasks did not need are counted under `rest`; without `rest` there must be none.
   */
  countCaptures(tasks: DoneTasks, rest?: { code: string; also?: Record<string, number> }): CaptureCounts {
    const { timings: _, skipped: late, ...counted } = sumCounts(this.folder, tasks.names);
    const captures = this.plan.countCaptures();
    const totals = Object.assign(new Totals(), { captures, pages: counted.pages + (tasks.pages ?? 0) });
    for (const skips of [this.plan.countSkips(), late, rest?.also ?? {}]) addByCode(totals.skipped, skips);
    if (tasks.selected) addByCode(totals.skipped, { filtered: tasks.selected.leftOut });
    totals.check(rest?.code);
    const sorted = Object.entries(totals.skipped).sort(([a], [b]) => (a < b ? -1 : 1));
    return { captures, ...counted, skipped: Object.fromEntries(sorted) };
  }

  /** The accounts of a run that keeps no folder. */
  summarize(tasks: DoneTasks, onProblem?: (problem: Problem) => void): RunSummary {
    const { captures, pages, skipped, htmlBytes } = this.countCaptures(tasks);
    return { captures, pages, skipped, problems: this.countProblems(tasks.names, onProblem), htmlBytes };
  }

  /** Passes on every problem in canonical order and counts them by code. */
  countProblems(tasks: string[], onProblem?: (problem: Problem) => void): Record<string, number> {
    const totals = new Totals();
    for (const problem of readProblems(this.problemParts(tasks), this.ownProblems())) {
      totals.addProblem(problem);
      onProblem?.(problem);
    }
    return totals.problems;
  }

  /** Paths of the problem files of the survey and of some tasks. */
  problemParts(tasks: string[]): string[] {
    return [...this.surveyNames, ...tasks].map((name) => join(this.folder.taskFolder(name), PROBLEMS_FILE));
  }

  /** Problems outside of tasks: those of whole inputs, and revisits whose original is missing. */
  ownProblems(): Problem[] {
    const filter = urlFilterOf(this.job);
    const lost = this.plan.unresolvedRevisits().filter(({ url }) => isSelected(url, filter));
    return [...this.inputProblems, ...lost.map(unresolvedRevisit)];
  }

  get surveyNames(): string[] {
    return surveyNames(this.inputs);
  }

  /** The fields of `run.json` that every run has. */
  describe() {
    const captures = this.plan.countByInput();
    const names = this.surveyNames;
    return {
      version,
      fingerprint: this.fingerprint,
      options: describeJob(this.job),
      inputs: this.inputs.map(({ name, format, sizeBytes }, k) => ({
        name,
        format,
        sizeBytes,
        sha256: readCounts(this.folder, names[k]).inputDigest ?? '',
        captures: captures.get(k) ?? 0,
      })),
      timings: {
        workers: this.executor.width,
        resumed: this.folder.resumed,
        wallSeconds: {} as Record<string, number>,
        stepSeconds: {} as Record<string, Record<string, number>>,
      },
    };
  }

  /** Seconds of each step, for the survey and for other stages given by their tasks. */
  stepSeconds(stages: Record<string, string[]>): Record<string, ReturnType<Clock['timings']>> {
    const all = Object.entries({ survey: this.surveyNames, ...stages });
    return Object.fromEntries(
      all.map(([stage, names]) => [stage, roundAll(sumCounts(this.folder, names).timings)]),
    );
  }
}

type CaptureCounts = Omit<RunCounts, 'problems' | 'templates' | 'sites' | 'snapshots'>;

/** Digest of version, options and the names, sizes and ends of the inputs; equal digests share a folder. */
function fingerprintOf(job: Job, inputs: Input[]): string {
  const facts = inputs.map(({ name, format, sizeBytes, path }) => [name, format, sizeBytes, peekInput(path)]);
  return createHash('sha256')
    .update(stableJson([version, job, facts]))
    .digest('hex');
}

/** JSON with sorted keys, so that equal values give equal texts. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function unresolvedRevisit({ entry, ...where }: LostRevisit): Problem {
  const code: SkipCode = 'revisit-unresolved';
  const message = 'the capture that this revisit refers to is in none of the inputs; skipped';
  return { code, message, ...where, ...(entry === '' ? {} : { entry }) };
}

/** Rounds seconds to milliseconds. */
export function roundAll<Step extends string>(seconds: Record<Step, number>): Record<Step, number> {
  const rounded = Object.entries<number>(seconds).map(([step, value]) => [
    step,
    Math.round(value * 1000) / 1000,
  ]);
  return Object.fromEntries(rounded);
}
