/**
 * The threads that read the contents of pages for the explorer. A page that takes too long, or ends its thread, costs
 * only the answer about this page: the server goes on, and a new thread does the next work.
 */
import { DEFAULT_LIMITS, type Limits } from '../model/limits.ts';
import type { Page } from '../model/page.ts';
import { ownBytes } from '../run/executors/executor.ts';
import { WorkerPool } from '../run/executors/local.ts';
import { ArchiveError } from './folder-archive.ts';
import type { ThreadWork, WorkContext, WorkInput, WorkName, WorkResult, WorkValue } from './page-work.ts';

/** Options of `PageThreads`. */
export interface PageThreadsOptions extends Pick<WorkContext, 'jointModel'> {
  limits?: Partial<Limits>;
  /** The module of a thread; tests replace it to simulate crashes. */
  module?: string | URL;
}

/** Number of threads: a page can be shown while a site is learnt. */
const THREADS = 2;

/** Two threads, started when they are needed. */
export class PageThreads {
  readonly #limits: Limits;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<WorkResult>>();
  readonly #pool: WorkerPool<ThreadWork, WorkResult>;

  constructor({ limits, jointModel, module = 'explore/page-worker' }: PageThreadsOptions = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#pool = new WorkerPool(THREADS, { module, signal: this.#stop.signal, data: { jointModel } });
  }

  /** Does a work; throws an ArchiveError when its page cannot be used. */
  async run<Name extends WorkName>(
    name: Name,
    pages: readonly Page[],
    input: WorkInput<Name>,
  ): Promise<WorkValue<Name>> {
    const work = { name, pages: pages.map(ownBytes), input, job: { limits: this.#limits } };
    const running = this.#pool.run(work as ThreadWork);
    this.#running.add(running);
    const result = await running.finally(() => this.#running.delete(running));
    if ('unreadable' in result) throw new ArchiveError(result.unreadable);
    return result.value as WorkValue<Name>;
  }

  /** Ends the threads; works under way are rejected. */
  async close(): Promise<void> {
    this.#stop.abort();
    // a thread that is given back after the release would keep the process alive
    await Promise.allSettled(this.#running);
    await this.#pool.release();
  }
}
