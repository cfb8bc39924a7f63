/**
 * A problem is something wrong with the input: a code, where, a message. It is never lost and never
 * fatal. A skip code says why a capture gave no page; some skips are ordinary (an image is not HTML),
 * the rest are faults and come with a problem.
 */

/** Why a capture that is no fault of the archive gives no page. Counted, not listed. */
export const ORDINARY_SKIP_CODES = ['not-html', 'http-status', 'empty', 'filtered', 'superseded'] as const;

/** Why a damaged or oversized capture gives no page. Counted, and listed as a problem. */
export const FAULT_SKIP_CODES = [
  'bad-http',
  'bad-encoding',
  'bad-url',
  'too-large',
  'too-many-encodings',
  'ratio-exceeded',
  'too-many-nodes',
  'too-slow',
  'truncated',
  'revisit-unresolved',
  'not-fetched',
  'unreadable',
] as const;

/** Faults that do not cost a page: the record was mended, or the fault lies between records. */
export const NOTE_CODES = [
  'bad-length',
  'bad-chunking',
  'bad-date',
  'bad-record',
  'bad-gzip',
  'bad-zstd',
  'bad-zip',
  'bad-row',
  'bad-digest',
  'bad-charset',
  'depth-capped',
  'resynchronised',
  'truncated-file',
  'cut-by-crawler',
  'whole-file-compression',
  'missing-file',
  'not-an-archive',
  'too-few-pages',
  'nothing-left',
  'no-similar-page',
  'diff-capped',
  'bad-layout',
] as const;

/** Faults of an input as a whole: nothing of it was read. */
export const INPUT_CODES = [
  'missing-file',
  'not-an-archive',
] as const satisfies readonly (typeof NOTE_CODES)[number][];

export type OrdinarySkipCode = (typeof ORDINARY_SKIP_CODES)[number];
export type FaultSkipCode = (typeof FAULT_SKIP_CODES)[number];
export type SkipCode = OrdinarySkipCode | FaultSkipCode;
export type ProblemCode = FaultSkipCode | (typeof NOTE_CODES)[number];

export interface Problem {
  code: ProblemCode;
  /** One sentence for a person: what was found, what was done about it. */
  message: string;
  /** The input file as the user named it. */
  file?: string;
  /** Byte offset in that file where the fault was met. */
  offset?: number;
  /** Entry within a zip, WACZ or folder. */
  entry?: string;
  url?: string;
  time?: string;
  site?: string;
}

/** Whether a problem is one of an input as a whole, not of a file or record in it. */
export function isOfInput({ code, entry }: Problem): boolean {
  return entry === undefined && (INPUT_CODES as readonly string[]).includes(code);
}
