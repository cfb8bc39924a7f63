/**
 * An executor runs tasks: in the caller's thread, or in a pool of worker threads. Both give the same results.
 * Tasks start in order and finish in any order.
 */
import type { Task, TaskCounts } from '../tasks/task.ts';

export interface Executor {
  /** Tasks that run at the same time. */
  readonly width: number;
  /** Tasks that may wait beside them, so that no thread has to wait while its next task is made. */
  readonly ahead: number;
  /** Runs one task; rejects when it cannot be done even without the pages that brought it down. */
  run(task: Task): Promise<TaskCounts>;
  /** Gives back what threads without a task hold; a task that comes after it starts one anew. */
  release(): Promise<void>;
}

export interface RunAllOptions {
  signal?: AbortSignal;
  onDone?: (task: Task, counts: TaskCounts) => void;
}

/** Runs tasks as they are made; no more are in memory than the executor runs and queues. */
export async function runAll(
  executor: Executor,
  tasks: AsyncIterable<Task> | Iterable<Task>,
  { signal, onDone }: RunAllOptions = {},
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

/** What a worker shares with its pool: where it is, and whether it should stop. */
export const PAGE_SLOT = 0;
export const STOP_SLOT = 1;
