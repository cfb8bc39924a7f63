/** What every container reader is told: whose records these are, how much of them to keep, how to report. */
import type { Limits } from '../model/limits.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { InflateMemory } from './inflate-memory.ts';
import { WrongGuess } from './member-guess.ts';
import type { RawRecord } from './raw-record.ts';
import type { SearchBudget } from './search-budget.ts';

export interface RecordContext {
  /** Counts, by their kind, the records that are no captures. */
  others?: Map<string, number>;
  /** For provenance: the file as the user named it, and the entry within it. */
  file: string;
  entry?: string;
  limits: Limits;
  /** Whether only the start of each block is wanted. */
  survey: boolean;
  /** Where gzip members are inflated: a record's block then holds until the next. @default memory of its own */
  memory?: InflateMemory;
  /**
   * With a survey: whether a capture of which only the start is at hand is a page. Where its member ends is guessed
   * then (record-file.ts), since whoever reads the page will notice if that was wrong. @default nothing is guessed
   */
  isPage?: (record: RawRecord) => boolean;
  /** What finding records after damage may still cost. @default a budget for one search */
  search?: SearchBudget;
  /** Whether that was done: a record that does not bear the guess out throws a `WrongGuess`. @default false */
  guessed?: boolean;
}

/** How much of a block a survey keeps: the HTTP headers and the start of the body. */
export const SURVEY_BLOCK_BYTES = 16 * 1024;

/** Below this size no ratio is suspicious. */
export const RATIO_FLOOR_BYTES = 1024 * 1024;

/**
 * The largest block that is read whole. A body is hardly ever smaller decoded than stored, so that a block of
 * several times the page limit gives no page; beyond this, memory would only be spent on films.
 */
export function maxBlockBytes({ recordBytes, pageBytes }: Limits): number {
  return Math.min(recordBytes, 4 * pageBytes + 1024 * 1024);
}

export function problemAt(
  { file, entry }: RecordContext,
  code: ProblemCode,
  offset: number,
  message: string,
): Problem {
  return entry === undefined ? { code, message, file, offset } : { code, message, file, offset, entry };
}

/** Reports bytes from `offset` where a `what` should start; the next one starts at `next`, or none does. */
export function lostBytes(
  context: RecordContext,
  code: ProblemCode,
  what: string,
  { offset, next, sizeBytes }: { offset: number; next: number; sizeBytes: number },
): Problem {
  if (next === sizeBytes && context.search?.isSpent) {
    const message = `gave up the search for the next ${what}; the last ${next - offset} bytes are lost`;
    return problemAt(context, 'too-slow', offset, message);
  }
  return next === sizeBytes
    ? problemAt(context, code, offset, `no ${what} starts here; the last ${next - offset} bytes are lost`)
    : problemAt(
        context,
        'resynchronised',
        offset,
        `no ${what} starts here; went on ${next - offset} bytes later`,
      );
}

/** The problem of a record that a reader failed on. What is no fault of the record is thrown on. */
export function failedAt(context: RecordContext, offset: number, error: unknown): Problem {
  if (error instanceof WrongGuess || isWriteError(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return problemAt(context, 'unreadable', offset, `could not be read and is left out: ${reason}`);
}

/** Whether a disk took no more: the user must see to it, and what is not written must not pass for read. */
function isWriteError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || code === 'EROFS';
}
