/** The side of a thread that a pool talks to: does one work at a time and replies with its result or its error. */
import { parentPort, workerData } from 'node:worker_threads';
import { PAGE_SLOT, STOP_SLOT } from './executor.ts';

/** How work reports its progress to its pool. */
export interface ThreadContext {
  /** Called with the number of each page before work on it begins, so that the page is known if the thread dies. */
  onPage(page: number): void;
  /** Throws when the pool has asked the thread to stop. */
  checkStop(): void;
}

/**
 * Answers each work that the pool sends; `data` are the fields that its `workerData` has of its own. `isPermanent` says
 * whether the work would fail again.
 */
export function serve<Work, Data>(
  answer: (work: Work, context: ThreadContext, data: Data) => unknown,
  isPermanent: (error: unknown) => boolean = () => false,
): void {
  const { shared } = workerData as { shared: Int32Array };
  const context: ThreadContext = {
    onPage: (page) => void Atomics.store(shared, PAGE_SLOT, page),
    checkStop() {
      if (Atomics.load(shared, STOP_SLOT) === 1) throw new Error('stopped');
    },
  };
  parentPort!.on('message', async (work: Work) => {
    try {
      parentPort!.postMessage({ result: await answer(work, context, workerData as Data) });
    } catch (error) {
      // an error loses its class on the way
      parentPort!.postMessage({
        error: error instanceof Error ? error : new Error(String(error)),
        isPermanent: isPermanent(error),
      });
    }
  });
}
