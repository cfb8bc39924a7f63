/**
 * How long a stage of a job takes on a cluster. A queue of batches of tasks feeds workers that are free; a worker starts a
 * process for each batch, is slower than planned by a factor drawn for each batch, and may die. Tasks that were committed
 * before a death stay committed, the rest of the batch goes to the end of the queue. An event is the end of a batch, so a
 * million tasks on thousands of workers take seconds.
 */
import { Random } from '../src/research/generated-sites/random.ts';

export interface ClusterOptions {
  /** Tasks that run at the same time: cores, with one process each. */
  workers: number;
  /** Tasks that one process runs. @default 1 */
  batchTasks?: number;
  /** From the free worker to the first task of a process. @default 0 */
  startSeconds?: number;
  /** Measured time over planned time, one of them drawn for each batch. @default [1] */
  slowdowns?: readonly number[];
  /** Deaths of a worker in an hour of its work. @default 0 */
  deathsPerHour?: number;
  /** From a death to a worker in its place that is free. @default 60 */
  replaceSeconds?: number;
  /** @default 1 */
  seed?: number;
}

export interface SimulatedStage {
  /** From the start to the commit of the last task. */
  makespanSeconds: number;
  /** Time of workers with a batch, lost work included. */
  busySeconds: number;
  /** Work that was done again. */
  lostSeconds: number;
  deaths: number;
}

/** Simulates a stage whose tasks take these numbers of seconds, in the order in which they are handed out. */
export function simulateStage(
  taskSeconds: readonly number[],
  {
    workers,
    batchTasks = 1,
    startSeconds = 0,
    slowdowns = [1],
    deathsPerHour = 0,
    replaceSeconds = 60,
    seed = 1,
  }: ClusterOptions,
): SimulatedStage {
  const random = new Random(seed);
  const queue: number[][] = [];
  for (let k = 0; k < taskSeconds.length; k += batchTasks) queue.push(taskSeconds.slice(k, k + batchTasks));
  /** What is left of batches whose workers died, and when that is known. */
  const again: { time: number; batch: number[] }[] = [];
  const free = new FreeWorkers(workers);
  const stage: SimulatedStage = { makespanSeconds: 0, busySeconds: 0, lostSeconds: 0, deaths: 0 };
  for (let next = 0; next < queue.length || again.length > 0; ) {
    let begin = free.take();
    let batch: number[];
    if (next < queue.length) batch = queue[next++];
    else {
      again.sort((a, b) => a.time - b.time);
      const retried = again.shift()!;
      begin = Math.max(begin, retried.time);
      batch = retried.batch;
    }
    const slowdown = random.pick(slowdowns);
    const life =
      deathsPerHour > 0 ? (-Math.log(1 - random.next() / 2 ** 32) * 3600) / deathsPerHour : Infinity;
    let time = startSeconds;
    let done = 0;
    while (done < batch.length && time + batch[done] * slowdown <= life) time += batch[done++] * slowdown;
    if (done === batch.length) {
      stage.busySeconds += time;
      stage.makespanSeconds = Math.max(stage.makespanSeconds, begin + time);
      free.give(begin + time);
      continue;
    }
    stage.deaths++;
    stage.busySeconds += life;
    stage.lostSeconds += life - time;
    stage.makespanSeconds = Math.max(stage.makespanSeconds, begin + time);
    again.push({ time: begin + life, batch: batch.slice(done) });
    free.give(begin + life + replaceSeconds);
  }
  return stage;
}

/** The times at which workers become free, the earliest first: a binary heap. */
class FreeWorkers {
  readonly #times: Float64Array;

  constructor(count: number) {
    this.#times = new Float64Array(count);
  }

  /** The earliest time. Its worker must be given back before the next one is taken. */
  take(): number {
    return this.#times[0];
  }

  /** Puts a later time in the place of the earliest. */
  give(time: number): void {
    const times = this.#times;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= times.length) break;
      if (child + 1 < times.length && times[child + 1] < times[child]) child++;
      if (times[child] >= time) break;
      times[at] = times[child];
      at = child;
    }
    times[at] = time;
  }
}
