/** The progress line on a terminal: stage, bar, pages, speed, elapsed and remaining time. */
import { countOf } from '../model/count-of.ts';
import type { Streams } from './streams.ts';
import { ownSequence } from './terminal.ts';

/** How far a stage is: tasks, pages and bytes. */
export interface ProgressState {
  stage: string;
  done: number;
  total: number;
  pages: number;
  bytes: number;
}

/** A line that is redrawn on a terminal. */
export interface ProgressLine {
  update(progress: ProgressState): void;
  /** Clears the line, so that other output begins on an empty one. */
  clear(): void;
}

const BAR_CELLS = 24;
const REDRAW_MS = 100;
/** The line is redrawn after this time without progress, so that its clock moves. */
const CLOCK_MS = 1000;
/** Minimum share and minimum time before a remaining time is shown; earlier estimates mislead. */
const MIN_SHARE = 0.03;
const MIN_SECONDS = 2;

/** Creates the progress line; without effect when quiet or not on a terminal. */
export function progressLine(stderr: Streams['stderr'], { quiet = false } = {}): ProgressLine {
  if (quiet || !stderr.isTTY) return { update() {}, clear() {} };
  const clearLine = ownSequence(stderr, '\r\x1b[K');
  const startedMs = performance.now();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let stage = '';
  let stageMs = startedMs;
  let latest: ProgressState | undefined;
  const draw = (progress: ProgressState) => {
    const nowMs = performance.now();
    drawnMs = nowMs;
    const line = describe(progress, (nowMs - startedMs) / 1000, (nowMs - stageMs) / 1000);
    stderr.write(`${clearLine}${line.slice(0, widthOf(stderr) - 1)}`);
  };
  const clock = setInterval(() => {
    if (latest && performance.now() - drawnMs >= CLOCK_MS) draw(latest);
  }, CLOCK_MS);
  clock.unref();
  return {
    update(progress) {
      latest = { ...progress };
      const nowMs = performance.now();
      if (progress.stage === stage && nowMs - drawnMs < REDRAW_MS && progress.done < progress.total) return;
      if (progress.stage !== stage) stageMs = nowMs;
      stage = progress.stage;
      draw(progress);
    },
    clear() {
      clearInterval(clock);
      latest = undefined;
      stderr.write(clearLine);
    },
  };
}

/** Width of the terminal; terminals of unknown width report 0 or nothing. */
function widthOf({ columns = 0 }: Streams['stderr']): number {
  return columns > 0 ? columns : 80;
}

/** The text of a progress line. */
export function describe(
  { stage, done, total, pages, bytes }: ProgressState,
  seconds: number,
  stageSeconds: number,
): string {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const full = Math.round(share * BAR_CELLS);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full);
  const speed = seconds > 0.5 && bytes > 0 ? `  ${(bytes / 1e6 / seconds).toFixed(0)} MB/s` : '';
  const count = pages > 0 ? `  ${countOf(pages, 'page')}` : '';
  const isTelling = share >= MIN_SHARE && share < 1 && stageSeconds >= MIN_SECONDS;
  const left = isTelling ? `, about ${duration((stageSeconds * (1 - share)) / share)} left` : '';
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${stage.padEnd(7)} ${bar} ${percent} %  ${duration(seconds)}${left}${count}${speed}`;
}

/** `40 s`, `3 min`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
