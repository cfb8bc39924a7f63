/**
 * A problem is something wrong with the input: a code, where, a message. It is always reported and never
 * fatal. A skip code says why a capture gave no page; some skips are ordinary (an image is not HTML),
 * the rest are faults and come with a problem. Faults and damage mean that input was lost (exit code 3);
 * a note means that nothing was.
 */

/** Why a capture gives no page although the archive is sound. Counted, not listed. */
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

/** Damage that costs part of a page, or bytes between records. Listed as a problem: input was lost. */
export const DAMAGE_CODES = [
  'bad-chunking',
  'bad-record',
  'bad-gzip',
  'bad-zstd',
  'bad-zip',
  'bad-row',
  'bad-digest',
  'resynchronised',
  'truncated-file',
  'cut-by-crawler',
  'missing-file',
  'missing-page',
  'not-an-archive',
] as const;

/** Notes: the input was mended, or a page was judged in another way. Listed, but nothing of the input was lost. */
export const NOTE_CODES = [
  'bad-length',
  'bad-date',
  'bad-charset',
  'depth-capped',
  'whole-file-compression',
  'too-few-pages',
  'nothing-left',
  'no-similar-page',
  'diff-capped',
  'bad-layout',
  'no-ranges',
] as const;

/** Faults of an input as a whole: nothing of it was read. */
const INPUT_CODES = [
  'missing-file',
  'not-an-archive',
] as const satisfies readonly (typeof DAMAGE_CODES)[number][];

/** Reason why a capture without a fault gives no page. */
type OrdinarySkipCode = (typeof ORDINARY_SKIP_CODES)[number];
/** Reason why a faulty capture gives no page. */
export type FaultSkipCode = (typeof FAULT_SKIP_CODES)[number];
/** Reason why a capture gives no page. */
export type SkipCode = OrdinarySkipCode | FaultSkipCode;
/** Code of a problem: a skipped capture, damage that was read past, or a note. */
export type ProblemCode = FaultSkipCode | (typeof DAMAGE_CODES)[number] | (typeof NOTE_CODES)[number];

/** Something wrong with the input: what, where, and the effect on the result. */
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

/** Whether a problem with this code means that input was lost, and not only that something is worth knowing. */
export function isLoss(code: string): boolean {
  return !(NOTE_CODES as readonly string[]).includes(code);
}
