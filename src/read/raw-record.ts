/** Containers of captures, and a capture as its container holds it, before its HTTP message is read. */
import type { Problem } from '../model/problem.ts';
import type { RecordContext } from './record-context.ts';

/** The reader of one archive: yields its records in order, or reads the one at a location. */
export interface Container {
  records(context: RecordContext): Generator<RawEvent>;
  /** The record that `records` gave with this location; null when there is none. */
  recordAt(location: RecordLocation, context: RecordContext): RawRecord | null;
  close(): void;
}

/** The part of a Location that a container needs; `file` only where an input names other files. */
export interface RecordLocation {
  file?: string;
  entry?: string;
  offset: number;
  length: number;
}

export interface RawRecord extends RecordLocation {
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

/** A record with defaults for the fields that are not given: a body without HTTP headers, time and identifiers. */
export function makeRecord(
  fields: Pick<RawRecord, 'offset' | 'length' | 'url' | 'mime' | 'block'> & Partial<RawRecord>,
): RawRecord {
  return {
    kind: 'resource',
    time: '',
    recordId: '',
    payloadDigest: '',
    http: false,
    truncated: false,
    problems: [],
    ...fields,
  };
}
