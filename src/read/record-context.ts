/** What container readers need to know of a run: input, limits, what to keep, how to report problems. */
import type { Limits } from '../model/limits.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { type ByteSource, takeBytes } from './byte-source.ts';
import type { Member } from './gzip-members.ts';
import type { InflateMemory } from './inflate-stream.ts';
import type { RawRecord } from './raw-record.ts';

export interface RecordContext {
  /** Counts records that are not captures, by type. */
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
   * With a survey: whether a capture is a page, judged by its start. Then the end of its member is guessed
   * (record-file.ts); reading the page checks the guess. @default nothing is guessed
   */
  isPage?: (record: RawRecord) => boolean;
  /** Work left for finding records after damage. @default a budget for one search */
  search?: SearchBudget;
  /** Whether member ends were guessed: a record that shows a guess to be wrong throws a `WrongGuess`. @default false */
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

/** How many bytes of a block of this size are read: a survey, or a block that is too large, keeps only the start. */
export function keptBlockBytes(sizeBytes: number, { survey, limits }: RecordContext): number {
  return survey || sizeBytes > maxBlockBytes(limits) ? Math.min(sizeBytes, SURVEY_BLOCK_BYTES) : sizeBytes;
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

/** The problem of a record that a reader failed on. Errors that are not the record's fault are thrown again. */
export function failedAt(context: RecordContext, offset: number, error: unknown): Problem {
  if (error instanceof WrongGuess || isWriteError(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return problemAt(context, 'unreadable', offset, `could not be read and is left out: ${reason}`);
}

/** Whether a disk is full or read-only: the user must see it, and captures must not count as read. */
function isWriteError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || code === 'EROFS';
}

/** Wasted bytes that every search may cost: about a tenth of a second. */
const BASE_BYTES = 32 * 1024 * 1024;
/** Wasted bytes per byte of the input. */
const PER_INPUT_BYTE = 32;

/**
 * The work that finding records may cost in one input beyond reading its bytes once. After damage, every position that
 * looks like the start of a record is tried, and a hostile file consists of such positions. The budget grows with the
 * size of the input, so that reading stays linear in it.
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
 * A survey may guess where the gzip members of pages end, instead of inflating them (`guessMemberEnd`). A guess holds
 * only once the member is inflated: the reader of a page whose guess does not hold throws a `WrongGuess`, and the run
 * starts again without guesses.
 */
export class WrongGuess extends Error {
  override name = 'WrongGuess';
  constructor() {
    super('a gzip member does not end where it seemed to');
  }
}

/** Where a record of an archive ends, and how much of its block is kept: what WARC and ARC have in common. */

export interface RecordsOptions {
  /** Whether the source is all there was, or what could be saved of a damaged or oversized member. */
  state?: Member['state'];
  /** Whether the source is a gzip member or zstd frame: then a record cannot reach beyond it. @default false */
  inMember?: boolean;
  /** Where to start. @default 0 */
  start?: number;
  /** Whether only the record at `start` is wanted, if one is there. @default false */
  single?: boolean;
}

export interface Extent {
  blockEnd: number;
  /** Where the next record starts. */
  next: number;
  truncated: boolean;
  problems: Problem[];
}

const LF = 10;
const CR = 13;

/** The first byte from `start` that is no line break. */
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

/** The end of a block that reaches to the record at `end`, without up to `most` line breaks between them. */
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

/** The block `[start, end)`, as much of it as is wanted, and the limit that it or the source has met. */
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
    // a block that ends before the limit is whole
    if (end === source.sizeBytes || tooLarge) return { block, exceeded: state };
  } else if (tooLarge) {
    return { block, exceeded: 'too-large' };
  }
  return { block };
}
