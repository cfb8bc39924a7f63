/** One capture as its container holds it, before HTTP is understood: what warc.ts, arc.ts and the rest yield. */
import type { Problem } from '../model/problem.ts';

export interface RawRecord {
  /** Where it lies; see `Location`. */
  entry?: string;
  /** The archive a CDX line names, in place of the input's own name. */
  file?: string;
  offset: number;
  length: number;
  kind: 'response' | 'revisit' | 'resource';
  url: string;
  /** ISO 8601 to the second in UTC; empty when absent or invalid. */
  time: string;
  recordId: string;
  payloadDigest: string;
  /** What a revisit says of its original; fields empty when unsaid. */
  refersTo?: { payloadDigest: string; url: string; time: string };
  /** Whether `block` starts with an HTTP status line and headers; otherwise it is the bare body. */
  http: boolean;
  /** Media type for a block without HTTP headers; empty when undeclared. */
  mime: string;
  /** The record's block. In a survey it may be cut after the first `SURVEY_BLOCK_BYTES`. */
  block: Uint8Array;
  /** Whether the record's bytes end before its stated length: file cut off, damaged member. */
  truncated: boolean;
  /** Whether a limit forbids the record: then `block` may be partial and the capture is skipped with this code. */
  exceeded?: 'too-large' | 'ratio-exceeded' | 'too-slow';
  /** Faults met while reading this record. */
  problems: Problem[];
}

/** A container yields records and, between them, problems. */
export type RawEvent = RawRecord | { kind: 'problem'; problem: Problem };
