/**
 * Labelled pages as an async iterable of rows, for commands that write to a pipe. The stages are those of a report.
 * Label tasks spool their rows to disk, and the rows are returned in canonical order, task by task, so that memory is
 * bounded and the order does not depend on the workers. A reader that stops early (`| head`) stops the run. With saved
 * models nothing is planned: each page is labelled as it is read (page-stream.ts).
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Accounts, NoPages } from '../model/totals.ts';
import { WrongGuess } from '../read/record-context.ts';
import { checkJob, type Job, readOptionsOfJob, urlFilterOf } from './job.ts';
import type { SiteModels } from './library/learn-pages.ts';
import { type Archive, openArchive, openPipe } from './library/open-archive.ts';
import { PageStream } from './page-stream.ts';
import { type ProblemOptions, type RunOptions, Session } from './session.ts';
import type { PageFormat, StreamRow, WantedRows } from './sinks/page-rows.ts';
import { ENCODED_ROWS_FILE, readSpool } from './sinks/row-sink.ts';
import { chunkLabelTasks, labelAll, learnAll } from './stages/site-stages.ts';
import type { RowsOutput } from './tasks/task.ts';

/**
 * A reader that can discard rows sets the handler. Otherwise, a restarted run must begin with the rows already
 * returned.
 */
export interface Restart {
  handler?: () => void;
}

/** Options of `streamLabels`; rows contain text unless `want` says otherwise. */
export interface LabelStreamOptions extends RunOptions, ProblemOptions, Partial<WantedRows> {
  /** Its handler is called when all rows so far are void because a guess was wrong; they are returned again. */
  restart?: Restart;
  /** Saved models for labelling pages as they are read. @default learnt from the inputs */
  models?: SiteModels;
}

/** Maximum number of tasks per worker that are labelled ahead of the reader, which bounds the spool. */
const TASKS_AHEAD = 4;

/** The rows of labelled pages as an async iterable. */
export class LabelStream implements AsyncIterable<StreamRow> {
  readonly #names: string[];
  readonly #options: LabelStreamOptions;
  readonly #job: Job;
  /** The input when models are given. */
  readonly #archive: Archive | undefined;
  /** Templates of the current site that already have a row. */
  readonly #templates = new Set<string>();
  /** The accounts; set after the last row. */
  summary: Accounts | undefined;

  constructor(names: string[], options: LabelStreamOptions) {
    this.#names = names;
    this.#options = options;
    this.#job = checkJob(options);
    this.#archive = options.models && this.#openArchive(options.models);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamRow> {
    const { want = ['text'], mark, dropSlots, explain } = this.#options;
    // a template has one row per site, and the pages of a site are consecutive
    let site = '';
    const seenTemplates = this.#templates;
    for await (const piece of this.#pieces({ kind: 'rows', want, mark, dropSlots, explain })) {
      for (const line of Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString().split('\n')) {
        if (line === '') continue;
        const row = JSON.parse(line) as StreamRow;
        if (row.site !== site) seenTemplates.clear();
        site = row.site;
        if (row.kind === 'template') {
          if (seenTemplates.has(row.template)) continue;
          seenTemplates.add(row.template);
        }
        yield row;
      }
    }
  }

  /** The pages encoded in a format by the tasks, in pieces of whole rows. */
  encoded(format: PageFormat): AsyncGenerator<Uint8Array> {
    const { mark, dropSlots, explain } = this.#options;
    return this.#pieces({ kind: 'rows', format, mark, dropSlots, explain });
  }

  #pieces(output: RowsOutput): AsyncGenerator<Uint8Array> {
    const { models } = this.#options;
    return models ? this.#labelledByModels(models, this.#archive!, output) : this.#labelledBySites(output);
  }

  #openArchive({ siteRule }: SiteModels): Archive {
    const { stdin = process.stdin, signal, remote, onProblem } = this.#options;
    const names = this.#names;
    const options = {
      ...readOptionsOfJob(this.#job),
      ...urlFilterOf(this.#job),
      site: siteRule,
      signal,
      remote,
      onProblem,
    };
    // JSON rows from a pipe are answered as they arrive
    return isPipe(names) ? openPipe(stdin, options) : openArchive(names, { ...options, stdin });
  }

  async *#labelledByModels(
    models: SiteModels,
    archive: Archive,
    output: RowsOutput,
  ): AsyncGenerator<Uint8Array> {
    const { signal, onProblem, explain, workers } = this.#options;
    const { detectorOptions, floors, limits, limit } = this.#job;
    const stream = new PageStream(archive, {
      setup: {
        kind: 'label',
        models: [...models],
        siteRule: models.siteRule,
        options: { detectorOptions, floors, explain },
        limits,
        output,
      },
      ...{ workers, limit: limit ?? undefined, signal, onProblem },
    });
    yield* stream;
    const summary = stream.summary!;
    // each row of a pipe was answered
    if (summary.pages === 0 && !isPipe(this.#names)) throw new NoPages(summary);
    this.summary = summary;
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

  /** Runs the label tasks and yields their spools in order while later tasks run. */
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
        const file = join(session.folder.taskFolder(stage.names[k]), ENCODED_ROWS_FILE);
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
      // stop the tasks when the reader has stopped or something failed
      if (!haveTasksEnded) {
        stop.abort();
        pressure.fail(stop.signal.reason);
      }
      await labelling.catch(() => {});
    }
    this.summary = session.summarize(stage, this.#options.onProblem);
  }
}

function isPipe(names: readonly string[]): boolean {
  return names.length === 1 && names[0] === '-';
}

/** Labels all pages of the inputs; rows are ordered by site, then in the order of the files. */
export function streamLabels(names: string[], options: LabelStreamOptions = {}): LabelStream {
  return new LabelStream(names, options);
}

/** Records what a reader has received, so that a restarted run continues after it. */
class HandedOut {
  #hash = createHash('sha256');
  #bytes = 0;
  /** Bytes that the reader received from the previous run, and their digest. */
  #before: { bytes: number; digest: string } | undefined;

  /** The part of a piece that is new to the reader. Throws when the received bytes differ from this run's. */
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

  /** Begins the repetition after a restart. */
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

/** Limits how many tasks writers are ahead of the reader, and lets the reader wait for writers. */
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
