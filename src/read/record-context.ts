/** The context of reading records: input, limits, the parts to keep, and how problems are reported. */
import type { Limits } from '../model/limits.ts';
import type { Capture } from '../model/page.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { type ByteSource, takeBytes } from './byte-source.ts';
import type { Member } from './gzip-members.ts';
import type { InflateMemory } from './inflate-stream.ts';
import type { RawRecord } from './raw-record.ts';

/** What a container reader knows about its input and the run. */
export interface RecordContext {
  /** Counts of records that are not captures, by type. */
  others?: Map<string, number>;
  /** For locations and problems: the file as the user named it, and the entry within it. */
  file: string;
  entry?: string;
  limits: Limits;
  /** Whether only the start of each block is needed. */
  survey: boolean;
  /**
   * Memory for inflating gzip members: a record's block is then valid until the next one. @default memory of
   * its own
   */
  memory?: InflateMemory;
  /**
   * In a survey: whether the start of a capture shows that it is a page. The end of its member is then
   * guessed (record-file.ts), and reading the page checks the guess. @default nothing is guessed
   */
  isPage?: (record: RawRecord) => boolean;
  /** In a WACZ: whether to mark the records that it lists as pages. @default false */
  listedOnly?: boolean;
  /** For a record that holds the body of a revisit: the capture of the revisit. */
  as?: Capture;
  /** Work left for finding records after damage. @default a budget for one search */
  search?: SearchBudget;
  /**
   * Whether ends of members were guessed: a record that shows a guess to be wrong throws a `WrongGuess`.
   * @default false
   */
  guessed?: boolean;
}

/** Bytes of a block that a survey keeps: the HTTP headers and the start of the body. */
const SURVEY_BLOCK_BYTES = 16 * 1024;

/** Below this size, in bytes, every compression ratio is accepted. */
export const RATIO_FLOOR_BYTES = 1024 * 1024;

/**
 * Returns the size of the largest block that is read completely. A decoded body is hardly ever smaller than
 * the stored one, so a block of several times the page limit gives no page; reading it would only spend
 * memory on films.
 */
export function maxBlockBytes({ recordBytes, pageBytes }: Limits): number {
  return Math.min(recordBytes, 4 * pageBytes + 1024 * 1024);
}

/** The limits on the size of a record with their options, for messages. */
export function sizeLimits({ pageBytes, recordBytes }: Limits): string {
  return `--max-page-bytes ${pageBytes}, --max-record-bytes ${recordBytes}`;
}

/**
 * Returns the number of bytes to read of a block of this size: only the start for a survey, and for a block
 * that is too large.
 */
export function keptBlockBytes(sizeBytes: number, { survey, limits }: RecordContext): number {
  return survey || sizeBytes > maxBlockBytes(limits) ? Math.min(sizeBytes, SURVEY_BLOCK_BYTES) : sizeBytes;
}

/** Makes a problem at an offset of the current file and entry. */
export function problemAt(
  { file, entry }: RecordContext,
  code: ProblemCode,
  offset: number,
  message: string,
): Problem {
  return entry === undefined ? { code, message, file, offset } : { code, message, file, offset, entry };
}

/**
 * Makes the problem for bytes from `offset` where a `what` should start; the next one starts at `next`, or
 * nowhere.
 */
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
        `no ${what} starts here; reading continued ${next - offset} bytes later`,
      );
}

/**
 * Makes the problem for a record on which a reader failed. Errors that are not caused by the record are
 * thrown again.
 */
export function failedAt(context: RecordContext, offset: number, error: unknown): Problem {
  if (error instanceof WrongGuess || isWriteError(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return problemAt(context, 'unreadable', offset, `could not be read and is left out: ${reason}`);
}

/** Whether a disk is full or read-only: the user must see that, and captures must not count as read. */
function isWriteError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || code === 'EROFS';
}

/** Wasted bytes that every search may cost: about a tenth of a second. */
const BASE_BYTES = 32 * 1024 * 1024;
/** Wasted bytes per byte of the input. */
const PER_INPUT_BYTE = 32;

/**
 * Limits the work of finding records in one input beyond reading its bytes once. After damage, every position
 * that looks like the start of a record is tried, and a hostile file consists of such positions. The budget
 * grows with the size of the input, so that reading stays linear in it.
 */
export class SearchBudget {
  #leftBytes: number;

  constructor(inputBytes: number) {
    this.#leftBytes = BASE_BYTES + PER_INPUT_BYTE * inputBytes;
  }

  /** Counts bytes that were examined or inflated without finding a record. */
  spend(bytes: number): void {
    this.#leftBytes -= bytes;
  }

  /** Whether the search must end; the rest of the input is then reported as lost. */
  get isSpent(): boolean {
    return this.#leftBytes < 0;
  }
}

/**
 * Thrown by the reader of a page whose guessed end is wrong; the run then starts again without guesses. A
 * survey may guess the ends of the gzip members of pages instead of inflating them (`guessMemberEnd`), and
 * only inflating a member can confirm a guess.
 */
export class WrongGuess extends Error {
  override name = 'WrongGuess';
  constructor() {
    super('a gzip member does not end where it seemed to');
  }
}

/** Options for reading the records of a WARC or ARC source. */
export interface RecordsOptions {
  /** State of the member that the source was inflated from; `whole` for a file. */
  state?: Member['state'];
  /** Whether the source is a gzip member or zstd frame, beyond which a record cannot reach. @default false */
  inMember?: boolean;
  /** Offset of the first record. @default 0 */
  start?: number;
  /** Whether only a record at `start` is to be read. @default false */
  single?: boolean;
}

/** End of a record's block and start of the next record. */
export interface Extent {
  /** End of the block. */
  blockEnd: number;
  /** Start of the next record. */
  next: number;
  /** Whether the block ends before its stated length. */
  truncated: boolean;
  problems: Problem[];
}

const LF = 10;
const CR = 13;

/** Returns the offset of the first byte from `start` that is not a line break. */
export function skipBreaks(source: ByteSource, start: number): number {
  for (let at = start; at < source.sizeBytes; ) {
    const view = source.view(at, 64);
    let i = 0;
    while (i < view.length && (view[i] === LF || view[i] === CR)) i++;
    at += i;
    if (i < view.length || view.length === 0) return at;
  }
  return source.sizeBytes;
}

/**
 * Returns the end of a block before the record at `end`, without up to `most` line breaks between them, and
 * the number of these breaks.
 */
export function trimBreaks(
  source: ByteSource,
  start: number,
  end: number,
  most: number,
): { at: number; breaks: number } {
  const from = Math.max(start, end - 2 * most);
  const view = source.view(from, end - from);
  let at = end - from;
  let breaks = 0;
  for (; breaks < most && at > 0 && view[at - 1] === LF; breaks++) {
    at -= at > 1 && view[at - 2] === CR ? 2 : 1;
  }
  return { at: from + at, breaks };
}

/** Reads the block `[start, end)`, or its start, with the limit that the block or its source exceeds. */
export function readBlock(
  source: ByteSource,
  context: RecordContext,
  [start, end]: readonly [start: number, end: number],
  state: Member['state'],
): Pick<RawRecord, 'block' | 'exceeded'> {
  const sizeBytes = end - start;
  const tooLarge = sizeBytes > maxBlockBytes(context.limits);
  const block = takeBytes(source, start, keptBlockBytes(sizeBytes, context));
  if (state === 'too-large' || state === 'ratio-exceeded') {
    // a block that ends before the end of the source is whole
    if (end === source.sizeBytes || tooLarge) return { block, exceeded: state };
  } else if (tooLarge) {
    return { block, exceeded: 'too-large' };
  }
  return { block };
}
