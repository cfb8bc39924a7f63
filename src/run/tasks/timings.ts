/**
 * Where the time of a task goes, in the terms of the cost model: bytes read and unpacked, nodes parsed,
 * characters windowed. Cheap enough to be always on: one clock reading between two steps of a page.
 */
import type { LabelPhase } from '../../detect/detector.ts';

/** Steps of labelling that the cross detector tells apart; what is left of it is `label`. */
const PHASES = ['annotate', 'classify', 'propagate', 'train', 'reclassify'] as const satisfies LabelPhase[];

const STEPS = ['read', 'parse', 'learn', 'label', ...PHASES, 'digest', 'render', 'write'] as const;
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
  return Object.fromEntries(STEPS.map((step) => [step, 0])) as Timings;
}

export function addTimings(sum: Timings, more: Timings): void {
  for (const step of STEPS) sum[step] += more[step];
}

/** Wall and processor time of the stages of a run; the latter of all threads of the process. */
export class StageWatch {
  readonly #wall: Record<string, number> = {};
  readonly #cpu: Record<string, number> = {};
  readonly #startedMs = performance.now();
  #lastMs = performance.now();
  #lastCpuMs = cpuMs();

  /** Books the time since the last lap on a stage, which may come several times. */
  lap(stage: string): void {
    const nowMs = performance.now();
    const nowCpuMs = cpuMs();
    this.#wall[stage] = inSeconds(1000 * (this.#wall[stage] ?? 0) + nowMs - this.#lastMs);
    this.#cpu[stage] = inSeconds(1000 * (this.#cpu[stage] ?? 0) + nowCpuMs - this.#lastCpuMs);
    this.#lastMs = nowMs;
    this.#lastCpuMs = nowCpuMs;
  }

  seconds(): Record<string, number> {
    return { ...this.#wall, total: inSeconds(performance.now() - this.#startedMs) };
  }

  cpuSeconds(): Record<string, number> {
    return { ...this.#cpu };
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** To the millisecond. */
function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
