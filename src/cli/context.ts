/** What every command is given: where to talk, when to stop, and the exit code it leaves. */
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
