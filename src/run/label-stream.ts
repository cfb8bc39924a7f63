/**
 * Labelled pages as an async iterable of rows, for commands that write to a pipe. The stages are those of a
 * report; label tasks spool their rows to disk and the rows are handed on in canonical order, task by task,
 * so that memory stays flat and the order never depends on the workers. A reader that stops early (`| head`)
 * stops the run.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem, SkipCode } from '../model/problem.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import type { Plan } from '../store/plan.ts';
import { PROBLEMS_FILE, readProblems } from '../store/problem-parts.ts';
import { localExecutor } from './executors/local.ts';
import { checkJob, type Job } from './job.ts';
import type { RunOptions } from './report-run.ts';
import { unresolvedRevisit } from './run-accounts.ts';
import { openScratchFolder } from './scratch-folder.ts';
import type { StreamRow } from './sinks/page-row.ts';
import type { PageFormat, WantedRows } from './sinks/row-formats.ts';
import { ROWS_FILE } from './sinks/row-sink.ts';
import { readSpool } from './sinks/row-spool.ts';
import { type StageContext, sumCounts } from './stages/run-stage.ts';
import {
  cutLabelTasks,
  type LabelStage,
  labelAll,
  learnAll,
  surveyAndPlan,
  surveyNames,
} from './stages/stages.ts';
import { addSkips } from './tasks/counts.ts';
import type { RowsOutput } from './tasks/task.ts';

/** Rows carry text unless something else is wanted. */
export interface LabelStreamOptions extends RunOptions, Partial<WantedRows> {
  /** Called with every problem, in canonical order, when all rows are out. */
  onProblem?: (problem: Problem) => void;
}

/** The accounting sum: captures = pages + all of skipped. */
export interface StreamSummary {
  captures: number;
  pages: number;
  skipped: Partial<Record<SkipCode, number>>;
  problems: Record<string, number>;
  htmlBytes: number;
}

/** Tasks that may be labelled ahead of the reader, per worker: bounds the spool. */
const TASKS_AHEAD = 4;

export class LabelStream implements AsyncIterable<StreamRow> {
  readonly #names: string[];
  readonly #options: LabelStreamOptions;
  readonly #job: Job;
  /** Known when all rows have been read. */
  summary: StreamSummary | undefined;

  constructor(names: string[], options: LabelStreamOptions) {
    const {
      workers: _w,
      signal: _s,
      onProgress: _p,
      stdin: _i,
      want: _c,
      mark: _m,
      dropSlots: _d,
      explain: _e,
      onProblem: _o,
      ...job
    } = options;
    this.#names = names;
    this.#options = options;
    this.#job = checkJob(job);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamRow> {
    const { want = ['text'], mark, dropSlots, explain } = this.#options;
    // a template is told once per site, and the pages of a site follow each other
    let site = '';
    const told = new Set<string>();
    for await (const piece of this.#pieces({ kind: 'rows', want, mark, dropSlots, explain })) {
      for (const line of piece.toString().split('\n')) {
        if (line === '') continue;
        const row = JSON.parse(line) as StreamRow;
        if (row.site !== site) told.clear();
        site = row.site;
        if (row.kind === 'template') {
          if (told.has(row.template)) continue;
          told.add(row.template);
        }
        yield row;
      }
    }
  }

  /** The pages as a format has them, instead of what rows were asked to carry: pieces of whole rows, made by the tasks. */
  encoded(format: PageFormat): AsyncGenerator<Uint8Array> {
    const { mark, dropSlots, explain } = this.#options;
    return this.#pieces({ kind: 'rows', format, mark, dropSlots, explain });
  }

  async *#pieces(output: RowsOutput): AsyncGenerator<Buffer> {
    const { workers, signal, onProgress, stdin } = this.#options;
    signal?.throwIfAborted();
    const stop = new AbortController();
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const { inputs, problems } = await openInputs(this.#names, { stdin, limits: this.#job.limits });
    const { folder, remove } = openScratchFolder();
    const executor = await localExecutor({ workers, signal: both });
    try {
      const context: StageContext = { folder, inputs, job: this.#job, executor, signal: both, onProgress };
      const plan = await surveyAndPlan(context);
      const stage = await cutLabelTasks(context, plan);
      const { find } = await learnAll(context, plan, stage);
      yield* this.#labelled(context, plan, stage, { find, output, stop });
      for (const revisit of plan.unresolvedRevisits()) problems.push(unresolvedRevisit(revisit));
      this.#sumUp(context, plan, stage, problems);
    } finally {
      await executor.release();
      await closeInputs(inputs);
      remove();
    }
  }

  /** Runs the label tasks and yields what they spool in order, while later ones are at work. */
  async *#labelled(
    context: StageContext,
    plan: Plan,
    stage: LabelStage,
    {
      find,
      output,
      stop,
    }: { find: Parameters<typeof labelAll>[3]['find']; output: RowsOutput; stop: AbortController },
  ): AsyncGenerator<Buffer> {
    const turns = new Turns(context.executor.width * TASKS_AHEAD);
    const labelling = labelAll(context, plan, stage, {
      find,
      output,
      before: (k) => turns.wait(k),
      onTask: (k) => turns.finish(k),
    });
    labelling.catch((error: unknown) => turns.fail(error));
    try {
      for (let k = 0; k < stage.names.length; k++) {
        await turns.until(k);
        const file = join(context.folder.taskFolder(stage.names[k]), ROWS_FILE);
        yield* readSpool(file);
        rmSync(file);
        turns.read(k);
      }
      await labelling;
    } finally {
      stop.abort();
      turns.fail(stop.signal.reason);
      await labelling.catch(() => {});
    }
  }

  #sumUp(context: StageContext, plan: Plan, stage: LabelStage, problems: Problem[]): void {
    const { folder, inputs } = context;
    const { pages, skipped: late, htmlBytes } = sumCounts(folder, stage.names);
    const skipped = plan.countSkips();
    addSkips(skipped, late);
    if (stage.selected) addSkips(skipped, { filtered: stage.selected.leftOut });
    const counts: Record<string, number> = {};
    const parts = [...surveyNames(inputs), ...stage.names].map((name) =>
      join(folder.taskFolder(name), PROBLEMS_FILE),
    );
    for (const problem of readProblems(parts, problems)) {
      counts[problem.code] = (counts[problem.code] ?? 0) + 1;
      this.#options.onProblem?.(problem);
    }
    this.summary = { captures: plan.countCaptures(), pages, skipped, problems: counts, htmlBytes };
  }
}

/** Labels all pages of the inputs; rows come site by site, in the order of their files. */
export function streamLabels(names: string[], options: LabelStreamOptions = {}): LabelStream {
  return new LabelStream(names, options);
}

/** Keeps writers at most so many tasks ahead of the reader, and the reader behind the writers. */
class Turns {
  readonly #ahead: number;
  readonly #finished = new Set<number>();
  #read = 0;
  #failure: { error: unknown } | undefined;
  #waiters: (() => void)[] = [];

  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  /** Waits until task `k` may start. */
  async wait(k: number): Promise<void> {
    while (k >= this.#read + this.#ahead && !this.#failure) await this.#change();
  }

  /** Waits until task `k` is finished. */
  async until(k: number): Promise<void> {
    while (!this.#finished.has(k)) {
      if (this.#failure) throw this.#failure.error;
      await this.#change();
    }
  }

  finish(k: number): void {
    this.#finished.add(k);
    this.#wake();
  }

  read(k: number): void {
    this.#finished.delete(k);
    this.#read = k + 1;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    for (const waiter of this.#waiters.splice(0)) waiter();
  }
}
