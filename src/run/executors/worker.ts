/** A thread of the pool: takes one task at a time and answers with what it counted, or with the error. */
import { serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PageArena } from '../../parse/page-arena.ts';
import { runTask } from '../tasks/run-task.ts';
import type { Task } from '../tasks/task.ts';
import { PAGE_SLOT, STOP_SLOT } from './executor.ts';

// The first buffer that Node makes outside JavaScript takes from V8 what it holds for sure about Uint8Array, and with it
// the code of all that read bytes until then: 70 functions, were it made at the end of the first site. So it is made
// before there is any.
serialize(null);

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
    parentPort!.postMessage({ counts: await runTask(task, context) });
  } catch (error) {
    parentPort!.postMessage({ error: error instanceof Error ? error : new Error(String(error)) });
  }
});
