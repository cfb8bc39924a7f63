/** What a command's exit code says. */

/** Done, nothing to report. */
export const DONE = 0;
/** Failed: the work was not done. */
export const FAILED = 1;
/** Wrong usage: nothing was started. */
export const WRONG_USAGE = 2;
/** Done, with problems of the input reported. */
export const DONE_WITH_PROBLEMS = 3;
/** Asked to stop, by a terminal that was closed, by a person, by whoever manages processes: 128 + n, as shells say it. */
export const STOPPED = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOPPED;

/** The caller's mistake: said in one line, with what was expected. */
export class UsageError extends Error {}
