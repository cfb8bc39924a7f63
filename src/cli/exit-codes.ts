/** What a command's exit code says. */

/** Done, nothing to report. */
export const DONE = 0;
/** Failed: the work was not done. */
export const FAILED = 1;
/** Wrong usage: nothing was started. */
export const WRONG_USAGE = 2;
/** Done, with problems of the input reported. */
export const DONE_WITH_PROBLEMS = 3;

/** The caller's mistake: said in one line, with what was expected. */
export class UsageError extends Error {}
