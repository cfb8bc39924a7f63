/** The nouns of reading: inputs, containers, records before their HTTP message is read, and what a reader yields. */
import type { Capture, Page } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';
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
  /** Keys of its row that mean nothing to the reader. */
  extra?: Page['extra'];
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

/** What reading an archive yields: pages, captures that give none, and problems between captures. */
export type ReadEvent =
  | { kind: 'page'; page: Page; problems: Problem[] }
  | { kind: 'skip'; capture: Capture; code: SkipCode; problems: Problem[] }
  | { kind: 'problem'; problem: Problem };

/**
 * What a survey yields: every capture with where it lies, its body neither decoded nor kept. A capture
 * that looks like a page may still be skipped when its body is decoded.
 */
export type SurveyEvent =
  | { kind: 'page'; capture: SurveyedCapture; problems: Problem[] }
  | { kind: 'skip'; capture: Capture; code: SkipCode; problems: Problem[] }
  | { kind: 'problem'; problem: Problem };

export interface SurveyedCapture extends Capture {
  site: string;
  /** For a revisit: what it says of the capture that holds its body. */
  revisit?: { payloadDigest: string; url: string; time: string };
}

/**
 * An input is one file, folder or pipe that holds captures, as plain data, so that it can be handed to a
 * worker. `openInputs` (open-inputs.ts) makes them from what the user names.
 */

export const INPUT_FORMATS = ['warc', 'arc', 'wacz', 'zip', 'folder', 'html', 'jsonl', 'cdx'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export interface Input {
  /** As the user named it; goes into provenance. */
  name: string;
  /** Where the bytes lie: the file itself, or its spooled copy for pipes and whole-file compression. */
  path: string;
  format: InputFormat;
  sizeBytes: number;
  /** Whether `path` is a temporary copy that `closeInputs` removes. */
  spooled: boolean;
  /** The file as it was when a survey found all checksums in it right: while it is, they are not taken again. */
  checked?: FileState;
  /** Whether a survey has guessed where members end: then reading throws a `WrongGuess` where that was wrong. @default false */
  guessed?: boolean;
}

/** Tells whether a file was changed. */
export interface FileState {
  sizeBytes: number;
  modifiedMs: number;
}
