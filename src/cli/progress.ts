/** A progress line on a terminal: stage, bar, pages and speed. Silent everywhere else. */
import { countOf } from '../model/count-of.ts';
import type { Streams } from './streams.ts';
import { ownSequence } from './terminal.ts';

export interface Progress {
  stage: string;
  done: number;
  total: number;
  pages: number;
  bytes: number;
}

export interface ProgressLine {
  update(progress: Progress): void;
  /** Takes the line off the screen, so that what follows starts on a clean one. */
  clear(): void;
}

const BAR_CELLS = 24;
const REDRAW_MS = 100;

export function progressLine(stderr: Streams['stderr'], { quiet = false } = {}): ProgressLine {
  if (quiet || !stderr.isTTY) return { update() {}, clear() {} };
  const clearLine = ownSequence(stderr, '\r\x1b[K');
  const startedMs = performance.now();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let stage = '';
  return {
    update(progress) {
      const nowMs = performance.now();
      if (progress.stage === stage && nowMs - drawnMs < REDRAW_MS && progress.done < progress.total) return;
      drawnMs = nowMs;
      stage = progress.stage;
      const line = describe(progress, (nowMs - startedMs) / 1000);
      stderr.write(`${clearLine}${line.slice(0, widthOf(stderr) - 1)}`);
    },
    clear() {
      stderr.write(clearLine);
    },
  };
}

/** Terminals that do not know their width say 0, or nothing. */
function widthOf({ columns = 0 }: Streams['stderr']): number {
  return columns > 0 ? columns : 80;
}

function describe({ stage, done, total, pages, bytes }: Progress, seconds: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const full = Math.round(share * BAR_CELLS);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full);
  const speed = seconds > 0.5 && bytes > 0 ? `  ${(bytes / 1e6 / seconds).toFixed(0)} MB/s` : '';
  const count = pages > 0 ? `  ${countOf(pages, 'page')}` : '';
  return `${stage.padEnd(7)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %${count}${speed}`;
}
