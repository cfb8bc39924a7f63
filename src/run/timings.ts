/**
 * Where the time of a task goes, in the terms of the cost model: bytes read and unpacked, nodes parsed,
 * characters windowed. Cheap enough to be always on: one clock reading between two steps of a page.
 */

export const STEPS = ['read', 'parse', 'learn', 'label', 'digest', 'render', 'write'] as const;
export type Step = (typeof STEPS)[number];

/** Seconds by step. */
export type Timings = Record<Step, number>;

export class Clock {
  readonly #ms: Timings = emptyTimings();
  #last = performance.now();

  /** Starts anew: what passed since the last lap belongs to no step. */
  start(): void {
    this.#last = performance.now();
  }

  /** Books the time since the last lap on a step. */
  lap(step: Step): void {
    const now = performance.now();
    this.#ms[step] += now - this.#last;
    this.#last = now;
  }

  timings(): Timings {
    const seconds = emptyTimings();
    for (const step of STEPS) seconds[step] = this.#ms[step] / 1000;
    return seconds;
  }
}

export function emptyTimings(): Timings {
  return { read: 0, parse: 0, learn: 0, label: 0, digest: 0, render: 0, write: 0 };
}

export function addTimings(sum: Timings, more: Timings): void {
  for (const step of STEPS) sum[step] += more[step];
}

/** Wall time of the stages of a run. */
export class StageWatch {
  readonly #seconds: Record<string, number> = {};
  readonly #startedMs = performance.now();
  #last = performance.now();

  lap(stage: string): void {
    const now = performance.now();
    this.#seconds[stage] = Math.round(now - this.#last) / 1000;
    this.#last = now;
  }

  seconds(): Record<string, number> {
    return { ...this.#seconds, total: Math.round(performance.now() - this.#startedMs) / 1000 };
  }
}
