/** A thread of the pool: runs one task at a time and replies with its result or its error. */
import { parentPort, workerData } from 'node:worker_threads';
import { PageArena } from '../../parse/page-arena.ts';
import { JobError } from '../../store/task-parts.ts';
import { runTask } from '../tasks/run-task.ts';
import type { Task } from '../tasks/task.ts';
import { PAGE_SLOT, STOP_SLOT } from './executor.ts';

const { shared } = workerData as { shared: Int32Array };
const arena = new PageArena();

parentPort!.on('message', async (task: Task) => {
  try {
    const context = {
      arena,
      onPage: (page: number) => void Atomics.store(shared, PAGE_SLOT, page),
      pause: async () => {
        if (Atomics.load(shared, STOP_SLOT) === 1) throw new Error('stopped');
      },
    };
    parentPort!.postMessage({ result: await runTask(task, context) });
  } catch (error) {
    // an error loses its class on the way
    const isPermanent = error instanceof JobError;
    parentPort!.postMessage({
      error: error instanceof Error ? error : new Error(String(error)),
      isPermanent,
    });
  }
});
