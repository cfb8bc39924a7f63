/** What every command is given: where to write, when to stop, and the exit code that it leaves. */
import type { Problem } from '../model/problem.ts';
import type { Streams } from './streams.ts';

export interface Context {
  streams: Streams;
  signal: AbortSignal;
  exitCode: number;
  /** The first inputs that could not be read, for the end. */
  unread: Problem[];
  /** Whether the same command goes on where it was when it is stopped. */
  resumable: boolean;
}

/** Done; nothing of the input was lost. */
export const DONE = 0;
/** Failed: the work was not done. */
export const FAILED = 1;
/** Wrong usage: nothing was started. */
export const WRONG_USAGE = 2;
/** Done, but part of the input was lost, as the problems say. */
export const DONE_WITH_LOSSES = 3;
/** Stopped by a signal n: 128 + n, as shells report it. */
export const STOPPED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOPPED;

/** The caller's mistake: said in one line, with what was expected. */
export class UsageError extends Error {}
