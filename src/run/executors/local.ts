/**
 * Runs tasks on this machine: in the caller's thread without workers, otherwise in a pool of threads with one task
 * each. A failed task is repeated without its current page: a shared counter identifies a page that brings a thread
 * down (out of memory, endless loop). That page is skipped and reported, and the rest of the task is done.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { kernelModule } from '../../kernel/thread-kernel.ts';
import { PageArena } from '../../parse/page-arena.ts';
import { JobError } from '../../store/task-parts.ts';
import type { Suspects, Task, TaskCounts } from '../tasks/task.ts';
import { type Executor, PAGE_SLOT, STOP_SLOT } from './executor.ts';

/** Maximum number of failing pages of one task; with more, the fault is not in the pages. */
const MAX_SUSPECTS = 32;
/** A page checks its time between steps; the pool stops a page that exceeds its time by this factor within a step. */
const STUCK_FACTOR = 3;
const WATCH_MS = 500;
/** Time that a worker has for stopping after a request. */
const STOP_MS = 1000;

/** Options of `localExecutor`. */
export interface LocalOptions {
  /** Worker threads; 0 runs in the caller's thread. @default the number of cores */
  workers?: number;
  signal?: AbortSignal;
  /** The worker's module; tests replace it to simulate crashes. */
  workerUrl?: URL;
}

/** Creates an executor on this machine; throws a RangeError for a wrong number of workers. */
export async function localExecutor({ workers, signal, workerUrl }: LocalOptions = {}): Promise<Executor> {
  const count = workers ?? availableParallelism();
  if (!Number.isSafeInteger(count) || count < 0 || count > 1024) {
    throw new RangeError(`workers must be a whole number from 0 to 1024, not ${workers}`);
  }
  return count === 0
    ? inlineExecutor(signal)
    : new WorkerPool(count, { module: workerUrl ?? 'run/executors/worker', signal });
}

async function inlineExecutor(signal?: AbortSignal): Promise<Executor> {
  const { runTask } = await import('../tasks/run-task.ts');
  const arena = new PageArena();
  return {
    width: 1,
    ahead: 0,
    run(task) {
      return withoutSuspects(task, signal, (attempt, onPage) =>
        runTask(attempt, { arena, onPage, pause: () => pause(signal) }),
      );
    },
    async release() {
      arena.release();
    },
  };
}

/** Work over pages that can be repeated without some of them. */
interface PagedWork {
  /** Pages to leave out; includes those that brought earlier attempts of a job down. */
  suspects?: Suspects;
  job: { limits: { pageMs: number } };
}

/** Repeats work until it succeeds, each time without the page that it was processing when it failed. */
async function withoutSuspects<Work extends PagedWork, Result>(
  task: Work,
  signal: AbortSignal | undefined,
  run: (task: Work, onPage: (page: number) => void) => Promise<Result>,
): Promise<Result> {
  const suspects: Suspects = { ...task.suspects };
  for (;;) {
    let page = 0;
    try {
      return await run({ ...task, suspects }, (number) => {
        page = number;
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof JobError) throw error;
      const known = page === 0 || page in suspects;
      if (known || Object.keys(suspects).length >= MAX_SUSPECTS) throw error;
      suspects[page] = error instanceof StuckError ? 'too-slow' : 'unreadable';
    }
  }
}

class StuckError extends Error {
  override name = 'StuckError';
}

/** What the threads of a pool run. */
export interface WorkerOptions {
  /**
   * The module of a thread, which replies to a message with `{ result }` or `{ error }`: its name within `src/`, or a
   * URL.
   */
  module: string | URL;
  signal?: AbortSignal;
  /** Further fields of the `workerData` of each thread. */
  data?: object;
}

/** A pool of threads with one work each. A thread that fails is replaced. */
export class WorkerPool<Work extends PagedWork = Task, Result = TaskCounts> {
  readonly width: number;
  readonly ahead = 1;
  readonly #options: WorkerOptions;
  readonly #idle: WorkerThread<Work, Result>[] = [];
  readonly #waiting: ((thread: WorkerThread<Work, Result>) => void)[] = [];
  #started = 0;

  constructor(width: number, options: WorkerOptions) {
    this.width = width;
    this.#options = options;
  }

  run(task: Work): Promise<Result> {
    const { signal } = this.#options;
    return withoutSuspects(task, signal, async (attempt, onPage) => {
      const thread = await this.#take();
      try {
        signal?.throwIfAborted(); // the run may have stopped while the task waited
        return await thread.run(attempt, signal);
      } finally {
        onPage(thread.page);
        this.#give(thread);
      }
    });
  }

  async release(): Promise<void> {
    const idle = this.#idle.splice(0);
    this.#started -= idle.length;
    await Promise.all(idle.map((thread) => thread.close()));
  }

  async #take(): Promise<WorkerThread<Work, Result>> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#started < this.width) {
      this.#started++;
      return new WorkerThread(this.#options);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(thread: WorkerThread<Work, Result>): void {
    const usable = thread.alive ? thread : new WorkerThread<Work, Result>(this.#options);
    const next = this.#waiting.shift();
    if (next) next(usable);
    else this.#idle.push(usable);
  }
}

/** One thread: started at first use, and discarded after any failure except a thrown error. */
class WorkerThread<Work extends PagedWork, Result> {
  alive = true;
  /** Shared with the worker: its current page, and whether it should stop. */
  readonly #shared = new Int32Array(new SharedArrayBuffer(8));
  readonly #options: WorkerOptions;
  #worker: Worker | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get page(): number {
    return Atomics.load(this.#shared, PAGE_SLOT);
  }

  run(task: Work, signal?: AbortSignal): Promise<Result> {
    const { module, data } = this.#options;
    this.#worker ??= new Worker(typeof module === 'string' ? urlOf(module) : module, {
      workerData: { shared: this.#shared, kernelModule: kernelModule(), module, ...data },
    });
    const worker = this.#worker;
    Atomics.store(this.#shared, PAGE_SLOT, 0);
    return new Promise((resolve, reject) => {
      const limitMs = task.job.limits.pageMs * STUCK_FACTOR;
      let page = 0;
      let sinceMs = performance.now();
      const watch = setInterval(() => {
        if (this.page !== page) {
          page = this.page;
          sinceMs = performance.now();
        } else if (page !== 0 && performance.now() - sinceMs > limitMs) {
          fail(new StuckError(`page ${page} took longer than ${limitMs} ms`));
        }
      }, WATCH_MS);
      let lastResort: NodeJS.Timeout | undefined;
      const settle = () => {
        clearInterval(watch);
        clearTimeout(lastResort);
        worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
        signal?.removeEventListener('abort', abort);
      };
      const fail = (error: Error) => {
        settle();
        this.alive = false;
        worker.on('error', () => {});
        worker.terminate().then(() => reject(error));
      };
      // the worker is asked to stop between two pages, and terminated if it does not
      const abort = () => {
        Atomics.store(this.#shared, STOP_SLOT, 1);
        lastResort = setTimeout(() => fail(new Error('the worker did not stop when asked to')), STOP_MS);
      };
      worker.on('message', (reply: { result: Result } | { error: Error; isPermanent: boolean }) => {
        settle();
        if ('result' in reply) resolve(reply.result);
        else reject(reply.isPermanent ? new JobError(reply.error.message) : reply.error);
      });
      worker.on('error', fail);
      worker.on('exit', (code) =>
        fail(new Error(`a worker thread ended with code ${code}; too little memory is the usual cause`)),
      );
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    this.alive = false;
    await this.#worker?.terminate();
  }
}

/** URL of the module of a thread, such as `run/executors/worker`; from sources (tests, tsx) a loader for TypeScript. */
function urlOf(module: string): URL {
  const fromSources = import.meta.url.endsWith('.ts');
  return new URL(fromSources ? './worker-from-source.mjs' : `../../${module}.js`, import.meta.url);
}

/** Yields to other work of the thread; throws when the run is stopped. */
async function pause(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
