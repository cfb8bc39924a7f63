/** The context of a command and the exit codes. */
import type { Problem } from '../model/problem.ts';
import type { Streams } from './streams.ts';

/** What every command receives: its streams, its signal to stop, and the exit code that it sets. */
export interface Context {
  streams: Streams;
  signal: AbortSignal;
  exitCode: number;
  /** The first unreadable inputs, reported at the end. */
  unread: Problem[];
  /** Whether a stopped command continues when it is started again. */
  resumable: boolean;
}

/** Exit code: done, and no input was lost. */
export const DONE = 0;
/** Exit code: the work failed. */
export const FAILED = 1;
/** Exit code: wrong usage; nothing was started. */
export const WRONG_USAGE = 2;
/** Exit code: done, but part of the input was lost, as the problems report. */
export const DONE_WITH_LOSSES = 3;
/** Exit code: a task of a job failed, and another attempt may succeed (sysexits' EX_TEMPFAIL). */
export const TRY_AGAIN = 75;
/** Exit code: a task of a job failed, and no attempt can succeed (sysexits' EX_DATAERR). */
export const PERMANENT = 65;
/** Exit code: the reader of standard output closed it early; 128 + SIGPIPE, as shells report it for other programs. */
export const READER_GONE = 141;
/** Exit codes of a command that a signal n stopped: 128 + n, as shells report it. */
export const STOPPED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A signal that stops a command. */
export type StopSignal = keyof typeof STOPPED;

/** A mistake of the user, reported in one line with what was expected. */
export class UsageError extends Error {}
