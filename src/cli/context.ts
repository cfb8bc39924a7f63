/** What every command is given: where to talk, when to stop, and the exit code it leaves. */
import type { Streams } from './streams.ts';

export interface Context {
  streams: Streams;
  signal: AbortSignal;
  exitCode: number;
}
