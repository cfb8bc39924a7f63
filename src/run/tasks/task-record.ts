/**
 * What a task saves besides its own files: its problems, its counts, and its time by step in the terms of the cost model
 * (bytes read and unpacked, nodes parsed, characters windowed). Reading the clock between two steps of a page is cheap
 * enough to be always on.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelPhase } from '../../detect/detector.ts';
import type { Problem, SkipCode } from '../../model/problem.ts';
import { addByCode } from '../../model/totals.ts';
import type { Tree } from '../../parse/tree.ts';
import { ProblemBuffer } from '../../store/problem-parts.ts';
import { COUNTS_FILE } from '../../store/survey-part.ts';
import { committedFolder, readWorkFile, type TaskPlace } from '../../store/task-parts.ts';
import type { TaskCounts } from './task.ts';

/** Task counts of zero. */
export function newTaskCounts(): TaskCounts {
  return {
    pages: 0,
    skipped: {},
    htmlBytes: 0,
    textBytes: 0,
    links: 0,
    nodes: 0,
    exactPages: 0,
    unsurePages: 0,
    timings: emptyTimings(),
  };
}

/** Adds the counts of a task to a sum, in place. */
export function addCounts(sum: TaskCounts, more: TaskCounts): void {
  for (const name of [
    'pages',
    'htmlBytes',
    'textBytes',
    'links',
    'nodes',
    'exactPages',
    'unsurePages',
  ] as const) {
    sum[name] += more[name];
  }
  addByCode(sum.skipped, more.skipped);
  addTimings(sum.timings, more.timings);
}

/** Counts, clock and problems of one task; every task with pages ends with `finish`. */
export class TaskRecord {
  readonly counts = newTaskCounts();
  readonly clock = new Clock();
  readonly #problems = new ProblemBuffer();

  addProblem(problem: Problem): void {
    this.#problems.add(problem);
  }

  addProblems(problems: readonly Problem[]): void {
    for (const problem of problems) this.#problems.add(problem);
  }

  countPage({ tree }: { tree: Tree }): void {
    const { counts } = this;
    counts.pages++;
    counts.htmlBytes += tree.source.length;
    counts.textBytes += tree.textLength;
    counts.links += tree.linkCount;
    counts.nodes += tree.nodeCount;
    if (tree.exact) counts.exactPages++;
  }

  countSkip(code: SkipCode): void {
    addByCode(this.counts.skipped, { [code]: 1 });
  }

  /** Writes the task's own files, then its problems and counts, to its draft folder. */
  finish(draft: string, writeFiles: () => void): void {
    this.clock.start();
    writeFiles();
    this.#problems.write(draft);
    this.clock.lap('write');
    this.counts.timings = this.clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(this.counts));
  }
}

/** Steps of labelling that the cross detector distinguishes; the rest of its time is `label`. */
const PHASES = ['annotate', 'classify', 'propagate', 'train', 'reclassify'] as const satisfies LabelPhase[];

const STEPS = ['read', 'parse', 'learn', 'label', ...PHASES, 'digest', 'render', 'write'] as const;
/** A step of a task whose time is measured. */
export type Step = (typeof STEPS)[number];

/** Seconds by step. */
export type Timings = Record<Step, number>;

/** Measures the time of a task by step. */
export class Clock {
  readonly #ms: Timings = emptyTimings();
  #last = performance.now();

  /** Restarts the clock: the time since the last lap counts for no step. */
  start(): void {
    this.#last = performance.now();
  }

  /** Adds the time since the last lap to a step. */
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

/** Reads the counts of a committed task from its folder. */
export function readTaskCounts(folder: string): TaskCounts {
  return readWorkFile(
    join(folder, COUNTS_FILE),
    ({ timings, skipped }: TaskCounts) => !!timings && !!skipped,
  );
}

/** Seconds of work that a committed task took, and the captures that it left out. */
export function committedWork(place: TaskPlace): { seconds: number; skipped: TaskCounts['skipped'] } {
  const counts = readTaskCounts(committedFolder(place)!);
  const seconds = Object.values(counts.timings).reduce((sum, each) => sum + each, 0);
  return { seconds, skipped: counts.skipped };
}

/** Zero seconds for every step. */
function emptyTimings(): Timings {
  return Object.fromEntries(STEPS.map((step) => [step, 0])) as Timings;
}

/** Adds timings to a sum, in place. */
function addTimings(sum: Timings, more: Timings): void {
  for (const step of STEPS) sum[step] += more[step];
}

/** Wall time of the stages of a run, and processor time over all threads of the process. */
export class StageWatch {
  readonly #wall: Record<string, number> = {};
  readonly #cpu: Record<string, number> = {};
  readonly #startedMs = performance.now();
  #lastMs = performance.now();
  #lastCpuMs = cpuMs();

  /** Adds the time since the last lap to a stage, which may occur several times. */
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

/** Converts milliseconds to seconds. */
function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
