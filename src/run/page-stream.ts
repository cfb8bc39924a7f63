/**
 * The rows of pages that are judged one by one as they are read, for `chaff page` and the option `--model`. This thread
 * reads; others judge and render. So a page that never ends costs that page, and the command can be stopped meanwhile.
 */
import { availableParallelism } from 'node:os';
import type { BrowserLayout } from '../browse/browser-layout.ts';
import { inOrder } from '../model/in-order.ts';
import type { Problem } from '../model/problem.ts';
import { type Accounts, Totals } from '../model/totals.ts';
import { ownBytes } from './executors/executor.ts';
import { WorkerPool } from './executors/local.ts';
import type { Archive } from './library/open-archive.ts';
import { layOutPages, type PageRunOptions } from './library/page-run.ts';
import type { HandedAnswer, HandedPage, HandedPages, PageSetup } from './pages/answer-pages.ts';

/** Options of `PageStream`. */
export interface PageStreamOptions extends Pick<PageRunOptions, 'signal' | 'onProblem'> {
  setup: PageSetup;
  /** Worker threads; 0 judges in the caller's thread. @default the number of cores */
  workers?: number;
  /** Maximum number of pages with rows; reading then stops. @default all */
  limit?: number;
  /** A browser for the layout of pages. */
  layout?: BrowserLayout;
}

/** Most pages, and bytes of pages, that a thread gets at once. */
const BATCH_PAGES = 16;
const BATCH_BYTES = 1 << 20;

/** The rows of each page in pieces, in the order of the pages. */
export class PageStream implements AsyncIterable<Uint8Array> {
  readonly #archive: Archive;
  readonly #options: PageStreamOptions;
  readonly #totals = new Totals();
  /** Pages that were handed to threads, and those of them that have no rows. */
  #handed = 0;
  #skipped = 0;
  /** The accounts; set after the last row. */
  summary: Accounts | undefined;

  constructor(archive: Archive, options: PageStreamOptions) {
    this.#archive = archive;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { setup, workers = availableParallelism(), signal, layout } = this.#options;
    const stop = new AbortController();
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const pool = workers === 0 ? await inCaller(setup) : pageThreads(workers, setup, both);
    const running = new Set<Promise<unknown>>();
    const work = (pages: HandedPage[]): Promise<HandedAnswer[]> => {
      const run = pool.run({ pages, job: { limits: setup.limits } }).finally(() => running.delete(run));
      running.add(run);
      return run;
    };
    const most = () => (this.#room() > 0 ? pool.width + pool.ahead : 0);
    try {
      for await (const answers of inOrder(this.#batches(), { most, work })) {
        for (const answer of answers) {
          this.#count(answer);
          yield* answer.rows;
        }
      }
      this.#totals.addReading(this.#archive);
      // a browser reads ahead, beyond the limit
      this.#totals.check(layout ? 'filtered' : undefined);
      this.summary = this.#totals;
    } finally {
      stop.abort();
      await Promise.allSettled(running);
      await pool.release();
    }
  }

  #count({ skipped, problems }: HandedAnswer): void {
    if (skipped) this.#totals.addSkip(skipped);
    if (skipped) this.#skipped++;
    else this.#totals.pages++;
    for (const problem of problems) this.#report(problem);
  }

  #report(problem: Problem): void {
    this.#totals.addProblem(problem);
    this.#options.onProblem?.(problem);
  }

  /** Number of pages that may still be handed to threads, so that no page is read beyond the limit. */
  #room(): number {
    const { limit = Number.POSITIVE_INFINITY } = this.#options;
    return limit - (this.#handed - this.#skipped);
  }

  /** Pages in batches: what the reader has at once, so that a page of a slow pipe is answered at once. */
  async *#batches(): AsyncGenerator<HandedPage[]> {
    const { setup, layout, signal } = this.#options;
    const pages = layOutPages(this.#archive, setup.limits, layout);
    const batch: HandedPage[] = [];
    let bytes = 0;
    let isWaiting = false;
    const take = () => {
      this.#handed += batch.length;
      bytes = 0;
      return batch.splice(0);
    };
    try {
      for (;;) {
        const next = pages.next();
        next.catch(() => {}); // thrown below, unless nobody asks for it
        isWaiting = true;
        if (batch.length > 0 && (await Promise.race([next, soon()])) === LATE) yield take();
        const { done, value } = await next;
        isWaiting = false;
        if (done) break;
        signal?.throwIfAborted();
        const { capture } = value;
        batch.push({ ...value, page: this.#handed + batch.length + 1, capture: ownBytes(capture) });
        bytes += capture.source.length;
        if (batch.length >= Math.min(BATCH_PAGES, this.#room()) || bytes >= BATCH_BYTES) yield take();
      }
      if (batch.length > 0) yield take();
    } finally {
      // not awaited while a page is: a pipe may stay silent for ever
      const closing = pages.return(undefined);
      if (!isWaiting) await closing;
    }
  }
}

const LATE = Symbol('late');

function soon(): Promise<typeof LATE> {
  return new Promise((resolve) => setImmediate(resolve, LATE));
}

interface Pool extends Pick<WorkerPool<HandedPages, HandedAnswer[]>, 'run' | 'release'> {
  readonly width: number;
  readonly ahead: number;
}

function pageThreads(workers: number, setup: PageSetup, signal: AbortSignal): Pool {
  return new WorkerPool(workers, { module: 'run/pages/answer-worker', signal, data: { setup } });
}

async function inCaller(setup: PageSetup): Promise<Pool> {
  const { answerPages } = await import('./pages/answer-pages.ts');
  return { width: 1, ahead: 0, run: async (work) => answerPages(work, setup, () => {}), async release() {} };
}
