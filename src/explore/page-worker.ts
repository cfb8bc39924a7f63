/** A thread of `PageThreads`: does one work at a time and replies with its result or its error. */
import { parentPort, workerData } from 'node:worker_threads';
import { PAGE_SLOT, STOP_SLOT } from '../run/executors/executor.ts';
import { doPageWork, type ThreadWork, type WorkContext } from './page-work.ts';

const { shared, jointModel } = workerData as { shared: Int32Array } & Pick<WorkContext, 'jointModel'>;
const context: WorkContext = {
  jointModel,
  onPage(page) {
    if (Atomics.load(shared, STOP_SLOT) === 1) throw new Error('stopped');
    Atomics.store(shared, PAGE_SLOT, page);
  },
};

parentPort!.on('message', (work: ThreadWork) => {
  try {
    parentPort!.postMessage({ result: doPageWork(work, context) });
  } catch (error) {
    parentPort!.postMessage({ error: error instanceof Error ? error : new Error(String(error)) });
  }
});
