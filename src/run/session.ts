/**
 * One run of any command: the inputs, an output folder or a scratch folder, the threads, the survey and the plan,
 * and at the end the accounts and the problems. A run in an output folder goes on where it stopped when it is started
 * again with the same inputs, options and folder.
 *
 * A run that reads every page does not inflate pages to survey them: the survey guesses where gzip members end, and the
 * reader of each page checks the guess. After a wrong guess the whole run starts again without guesses.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Problem, SkipCode } from '../model/problem.ts';
import { makeScratchFolder } from '../model/scratch.ts';
import { type Accounts, addByCode, Totals } from '../model/totals.ts';
import { isSelected } from '../model/url-filter.ts';
import { version } from '../model/version.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
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

/** How a run is carried out; none of it changes the result. */
export interface RunningOptions {
  /** Worker threads; 0 runs in the caller's thread. @default the number of cores */
  workers?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Read for `-` among the inputs. */
  stdin?: Readable;
}

export interface RunOptions extends JobOptions, RunningOptions {}

/** For runs that leave no folder with their problems. */
export interface ProblemOptions {
  /** Called with every problem, in canonical order, at the end. */
  onProblem?: (problem: Problem) => void;
}

export interface FolderOptions {
  /** The folder to write. @default a scratch folder, removed when the session is closed */
  output?: string;
  /** Delete what an earlier run has left in the folder. @default false */
  overwrite?: boolean;
}

export interface SessionOptions extends RunningOptions, FolderOptions, Pick<PlanOptions, 'captures'> {
  /** Whether the work reads every page of the plan, so that ends of gzip members may be guessed. @default false */
  readsAllPages?: boolean;
}

export interface RunSummary extends Accounts {
  htmlBytes: number;
}

/** Tasks by name, and the pages they took where those are not all of the plan. */
export interface DoneTasks {
  names: string[];
  selected?: SelectedPages;
}

/** Opens a session, does the work on its plan, and closes the session. The work may be done twice. */
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
  /** Met when the inputs were opened. */
  readonly #inputProblems: Problem[];
  #plan: Plan | undefined;
  #selected: SelectedPages | undefined;

  /** Opens the inputs (names, globs, folders, `-`), the folder and the executor. */
  static async open(names: string[], job: Job, options: SessionOptions): Promise<Session> {
    const { workers, signal, stdin, output, overwrite } = options;
    signal?.throwIfAborted();
    const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
    try {
      const fingerprint = output === undefined ? '' : fingerprintOf(job, inputs);
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
    this.#inputProblems = opened.problems;
  }

  async close(): Promise<void> {
    await this.executor.release();
    closeInputs(this.inputs);
    if (this.#options.output === undefined) rmSync(this.folder.path, { recursive: true, force: true });
  }

  /** Surveys, plans and does the work; all of it again when a guess was wrong. */
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

  async makePlan(): Promise<void> {
    const { readsAllPages = false, captures = 'all' } = this.#options;
    const { limit, minSitePages, drawSites } = this.job;
    const plansAll = captures === 'all' && limit === null && minSitePages === 1 && drawSites === null;
    const readsAll = readsAllPages && plansAll && !readsUnselected(this.job);
    const plan = await surveyAndPlan(this, { captures, guess: readsAll && !this.folder.startedAgain });
    this.#plan = plan;
    this.#selected = SelectedPages.of(plan, this.job);
    this.watch.lap('survey and plan');
  }

  /** Throws away what tasks have done: the next plan is made without guessing. */
  startAgain(): void {
    this.#plan = undefined;
    this.folder.startAgain();
  }

  get plan(): Plan {
    if (!this.#plan) throw new Error('a session has a plan only after makePlan');
    return this.#plan;
  }

  /** The pages to label, where those are not all of the plan. */
  get selected(): SelectedPages | undefined {
    return this.#selected;
  }

  /**
   * What the tasks and the plan have counted. No capture may be lost between the archive and the result: those that the
   * tasks had no need of are counted under `rest`, and without one there must be none.
   */
  countCaptures(tasks: DoneTasks, rest?: { code: string; also?: Record<string, number> }): CaptureCounts {
    const { timings: _, skipped: late, ...counted } = sumCounts(this.folder, tasks.names);
    const captures = this.plan.countCaptures();
    const totals = Object.assign(new Totals(), { captures, pages: counted.pages });
    for (const skips of [this.plan.countSkips(), late, rest?.also ?? {}]) addByCode(totals.skipped, skips);
    if (tasks.selected) addByCode(totals.skipped, { filtered: tasks.selected.leftOut });
    totals.check(rest?.code);
    const sorted = Object.entries(totals.skipped).sort(([a], [b]) => (a < b ? -1 : 1));
    return { captures, ...counted, skipped: Object.fromEntries(sorted) };
  }

  /** The accounts of a run that leaves no folder. */
  summarize(tasks: DoneTasks, onProblem?: (problem: Problem) => void): RunSummary {
    const { captures, pages, skipped, htmlBytes } = this.countCaptures(tasks);
    return { captures, pages, skipped, problems: this.countProblems(tasks.names, onProblem), htmlBytes };
  }

  /** Hands out every problem in canonical order and counts them by code. */
  countProblems(tasks: string[], onProblem?: (problem: Problem) => void): Record<string, number> {
    const totals = new Totals();
    for (const problem of readProblems(this.problemParts(tasks), this.ownProblems())) {
      totals.addProblem(problem);
      onProblem?.(problem);
    }
    return totals.problems;
  }

  /** The files that the survey and some tasks have left of their problems. */
  problemParts(tasks: string[]): string[] {
    return [...this.surveyNames, ...tasks].map((name) => join(this.folder.taskFolder(name), PROBLEMS_FILE));
  }

  /** Problems that no task has met: of inputs as a whole, and revisits whose original is nowhere. */
  ownProblems(): Problem[] {
    const filter = urlFilterOf(this.job);
    const lost = this.plan.unresolvedRevisits().filter(({ url }) => isSelected(url, filter));
    return [...this.#inputProblems, ...lost.map(unresolvedRevisit)];
  }

  get surveyNames(): string[] {
    return surveyNames(this.inputs);
  }

  /** The parts of `run.json` that every run has. */
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

  /** Seconds of each step, of the survey and of other stages by their tasks. */
  stepSeconds(stages: Record<string, string[]>): Record<string, ReturnType<Clock['timings']>> {
    const all = Object.entries({ survey: this.surveyNames, ...stages });
    return Object.fromEntries(
      all.map(([stage, names]) => [stage, roundAll(sumCounts(this.folder, names).timings)]),
    );
  }
}

type CaptureCounts = Omit<RunCounts, 'problems' | 'templates' | 'sites' | 'snapshots'>;

/** Digest of version, options and the names, sizes and ends of the inputs: the same fingerprint, the same folder. */
function fingerprintOf(job: Job, inputs: Input[]): string {
  const facts = inputs.map(({ name, format, sizeBytes, path }) => [name, format, sizeBytes, peekInput(path)]);
  return createHash('sha256')
    .update(stableJson([version, job, facts]))
    .digest('hex');
}

/** JSON with the keys of objects in one order. */
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

/** To the millisecond. */
export function roundAll<Step extends string>(seconds: Record<Step, number>): Record<Step, number> {
  const rounded = Object.entries<number>(seconds).map(([step, value]) => [
    step,
    Math.round(value * 1000) / 1000,
  ]);
  return Object.fromEntries(rounded);
}
