/**
 * Labelled pages as an async iterable of rows, for commands that write to a pipe. The stages are those of a
 * report; label tasks spool their rows to disk and the rows are handed on in canonical order, task by task,
 * so that memory stays flat and the order never depends on the workers. A reader that stops early (`| head`)
 * stops the run. With models that were learnt before there is nothing to plan: each page is labelled as it is read.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Accounts } from '../model/totals.ts';
import { readTitle } from '../parse/title.ts';
import { WrongGuess } from '../read/record-context.ts';
import { checkJob, type Job, readOptionsOf, urlFilterOf } from './job.ts';
import { labelRun } from './library/label-pages.ts';
import type { SiteModels } from './library/learn-pages.ts';
import { type Archive, openArchive, openPipe } from './library/open-archive.ts';
import { type ProblemOptions, type RunOptions, Session } from './session.ts';
import type { PageFormat, StreamRow, WantedRows } from './sinks/page-rows.ts';
import { ROWS_FILE, RowStream, readSpool } from './sinks/row-sink.ts';
import { chunkLabelTasks, labelAll, learnAll } from './stages/site-stages.ts';
import type { RowsOutput } from './tasks/task.ts';

/** For a reader that can take rows back. Without a handler, those that were handed out must be the first of the new ones. */
export interface Restart {
  handler?: () => void;
}

/** Rows carry text unless something else is wanted. */
export interface LabelStreamOptions extends RunOptions, ProblemOptions, Partial<WantedRows> {
  /** Its handler is called when the rows handed out so far are void, because a guess was wrong: all of them come again. */
  restart?: Restart;
  /** Models to label by, page by page as they are read. @default learnt from the inputs */
  models?: SiteModels;
}

/** Tasks that may be labelled ahead of the reader, per worker: bounds the spool. */
const TASKS_AHEAD = 4;

export class LabelStream implements AsyncIterable<StreamRow> {
  readonly #names: string[];
  readonly #options: LabelStreamOptions;
  readonly #job: Job;
  /** What is read when there are models already. */
  readonly #archive: Archive | undefined;
  /** Templates of the current site that have a row already. */
  readonly #templates = new Set<string>();
  /** Known when all rows have been read. */
  summary: Accounts | undefined;

  constructor(names: string[], options: LabelStreamOptions) {
    this.#names = names;
    this.#options = options;
    this.#job = checkJob(options);
    this.#archive = options.models && this.#openArchive(options.models);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamRow> {
    const { want = ['text'], mark, dropSlots, explain } = this.#options;
    // a template has one row per site, and the pages of a site follow each other
    let site = '';
    const told = this.#templates;
    for await (const piece of this.#pieces({ kind: 'rows', want, mark, dropSlots, explain })) {
      for (const line of Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString().split('\n')) {
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

  #pieces(output: RowsOutput): AsyncGenerator<Uint8Array> {
    const { models } = this.#options;
    return models ? this.#labelledByModels(models, this.#archive!, output) : this.#labelledBySites(output);
  }

  #openArchive({ siteRule }: SiteModels): Archive {
    const { stdin = process.stdin, signal, onProblem } = this.#options;
    const names = this.#names;
    const options = {
      ...readOptionsOf(this.#job),
      ...urlFilterOf(this.#job),
      site: siteRule,
      signal,
      onProblem,
    };
    // rows of JSON from a pipe are answered as they come
    return names.length === 1 && names[0] === '-'
      ? openPipe(stdin, options)
      : openArchive(names, { ...options, stdin });
  }

  async *#labelledByModels(
    models: SiteModels,
    archive: Archive,
    output: RowsOutput,
  ): AsyncGenerator<Uint8Array> {
    const { signal, onProblem, explain } = this.#options;
    const { detectorOptions, floors, limits, limit } = this.#job;
    const labels = { detectorOptions, floors, limits, limit: limit ?? undefined, signal, onProblem, explain };
    const run = labelRun(archive, models, labels);
    const rows = new RowStream(output);
    let number = 0;
    for await (const { page, tree, ranges, detector, explanation } of run) {
      const verdicts = [{ detector, ranges, explanation }];
      yield* rows.encode({ page, tree, title: readTitle(tree), number: ++number, snapshot: '', verdicts });
    }
    this.summary = run.summarize(archive);
  }

  async *#labelledBySites(output: RowsOutput): AsyncGenerator<Uint8Array> {
    const { signal, restart } = this.#options;
    const stop = new AbortController();
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const running = { ...this.#options, signal: both, readsAllPages: true };
    const session = await Session.open(this.#names, this.#job, running);
    const handedOut = new HandedOut();
    try {
      for (;;) {
        try {
          await session.makePlan();
          for await (const piece of this.#labelled(session, output, stop)) {
            const fresh = handedOut.take(piece);
            if (fresh.length > 0) yield fresh;
          }
          return;
        } catch (error) {
          if (!(error instanceof WrongGuess)) throw error;
          session.startAgain();
          if (restart?.handler) handedOut.forget();
          else handedOut.repeat();
          if (restart?.handler) this.#templates.clear();
          restart?.handler?.();
        }
      }
    } finally {
      stop.abort();
      await session.close();
    }
  }

  /** Runs the label tasks and yields what they spool in order, while later ones are at work. */
  async *#labelled(session: Session, output: RowsOutput, stop: AbortController): AsyncGenerator<Buffer> {
    const stage = chunkLabelTasks(session);
    const { find } = await learnAll(session, stage);
    const pressure = new Backpressure(session.executor.width * TASKS_AHEAD);
    const labelling = labelAll(session, stage, {
      find,
      output,
      before: (k) => pressure.wait(k),
      onTask: (k) => pressure.finish(k),
    });
    labelling.catch((error: unknown) => pressure.fail(error));
    let haveTasksEnded = false;
    try {
      for (let k = 0; k < stage.names.length; k++) {
        await pressure.until(k);
        const file = join(session.folder.taskFolder(stage.names[k]), ROWS_FILE);
        yield* readSpool(file);
        rmSync(file);
        pressure.read(k);
      }
      await labelling;
      haveTasksEnded = true;
    } catch (error) {
      haveTasksEnded = error instanceof WrongGuess;
      throw error;
    } finally {
      // the reader has stopped, or something failed: so do the tasks
      if (!haveTasksEnded) {
        stop.abort();
        pressure.fail(stop.signal.reason);
      }
      await labelling.catch(() => {});
    }
    this.summary = session.summarize(stage, this.#options.onProblem);
  }
}

/** Labels all pages of the inputs; rows come site by site, in the order of their files. */
export function streamLabels(names: string[], options: LabelStreamOptions = {}): LabelStream {
  return new LabelStream(names, options);
}

/** What a reader has got, so that a run that starts again goes on after it. */
class HandedOut {
  #hash = createHash('sha256');
  #bytes = 0;
  /** Bytes that the reader has got of the run before, and their digest. */
  #before: { bytes: number; digest: string } | undefined;

  /** The part of a piece that the reader does not have. Throws when what it has is not what this run gives. */
  take(piece: Uint8Array): Uint8Array {
    const known = this.#before ? Math.min(piece.length, this.#before.bytes - this.#bytes) : 0;
    this.#hash.update(piece.subarray(0, known));
    this.#bytes += known;
    if (this.#before && this.#bytes === this.#before.bytes) {
      if (this.#hash.copy().digest('hex') !== this.#before.digest) throw new Error(WRONG_ROWS);
      this.#before = undefined;
    }
    const fresh = piece.subarray(known);
    this.#hash.update(fresh);
    this.#bytes += fresh.length;
    return fresh;
  }

  /** What was taken comes again. */
  repeat(): void {
    if (this.#bytes > 0) this.#before = { bytes: this.#bytes, digest: this.#hash.digest('hex') };
    this.#hash = createHash('sha256');
    this.#bytes = 0;
  }

  forget(): void {
    this.#before = undefined;
    this.#hash = createHash('sha256');
    this.#bytes = 0;
  }
}

const WRONG_ROWS =
  'a gzip member does not end where it seemed to, so rows that were written already are wrong: write to a file (-o)';

/** Lets writers be at most so many tasks ahead of the reader, and the reader wait for the writers. */
class Backpressure {
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
