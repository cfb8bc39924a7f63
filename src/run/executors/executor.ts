/**
 * An executor runs tasks in the caller's thread or in a pool of worker threads, with the same results. Tasks start in
 * order and finish in any order.
 */
import type { Page } from '../../model/page.ts';
import type { Task, TaskCounts } from '../tasks/task.ts';

/** Runs tasks, each to its commit. */
export interface Executor {
  /** Number of tasks that run at the same time. */
  readonly width: number;
  /** Number of tasks that may wait for a thread, so that no thread waits for its next task. */
  readonly ahead: number;
  /** Runs one task; rejects if it fails even without the pages that brought it down. */
  run(task: Task): Promise<TaskCounts>;
  /** Frees the memory of idle threads; a later task starts a new thread. */
  release(): Promise<void>;
}

/** Runs tasks as they are made; memory holds at most as many as the executor runs and queues. */
export async function runAll(
  executor: Executor,
  tasks: AsyncIterable<Task> | Iterable<Task>,
  { signal, onDone }: { signal?: AbortSignal; onDone?: (task: Task, counts: TaskCounts) => void } = {},
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let failure: unknown;
  for await (const task of tasks) {
    signal?.throwIfAborted();
    const running = executor
      .run(task)
      .then((counts) => onDone?.(task, counts))
      .catch((error: unknown) => {
        failure ??= error ?? new Error(`task ${task.name} failed`);
      })
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
    if (inFlight.size >= executor.width + executor.ahead) await Promise.race(inFlight);
    if (failure !== undefined) break;
  }
  await Promise.all(inFlight);
  if (failure !== undefined) throw failure;
  signal?.throwIfAborted();
}

/** A page whose bytes are not a part of a larger buffer, all of which would be copied to a thread. */
export function ownBytes({ body: _, ...page }: Page): Page {
  const { source } = page;
  return source.byteLength === source.buffer.byteLength ? page : { ...page, source: Uint8Array.from(source) };
}

/** Slots of the memory that a worker shares with its pool; this one holds the number of its current page. */
export const PAGE_SLOT = 0;
/** Slot that is 1 when the worker should stop. */
export const STOP_SLOT = 1;
