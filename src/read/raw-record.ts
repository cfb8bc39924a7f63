/**
 * The types of reading: inputs, containers, records before their HTTP message is read, and the events of a
 * reader.
 */
import type { Capture, Page } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';
import type { RecordContext } from './record-context.ts';

/** The reader of one archive: yields its records in order, or reads the record at a location. */
export interface Container {
  /** Yields all records in order, and the problems between them. */
  records(context: RecordContext): Generator<RawEvent>;
  /** Returns the record that `records` yielded with this location; null if it is not found. */
  recordAt(location: RecordLocation, context: RecordContext): RawRecord | null;
  /** Closes the files that the container holds open. */
  close(): void;
}

/** The part of a Location that a container needs; `file` is set only if an input names other files. */
export interface RecordLocation {
  file?: string;
  entry?: string;
  offset: number;
  length: number;
}

/** One unit of an archive before its HTTP message is read. */
export interface RawRecord extends RecordLocation {
  /** A response with HTTP headers, a revisit of an earlier capture, or a bare file. */
  kind: 'response' | 'revisit' | 'resource';
  url: string;
  /** ISO 8601 to the second in UTC; empty if absent or invalid. */
  time: string;
  /** WARC-Record-ID without angle brackets; empty if absent. */
  recordId: string;
  /** Stated digest of the payload; empty if absent. */
  payloadDigest: string;
  /** A revisit's reference to its original; unstated fields are empty. */
  refersTo?: { payloadDigest: string; url: string; time: string };
  /** Whether `block` starts with an HTTP status line and headers; otherwise it is the bare body. */
  http: boolean;
  /** Media type of a block without HTTP headers; empty if undeclared. */
  mime: string;
  /** The record's block. A survey may keep only the first `SURVEY_BLOCK_BYTES`. */
  block: Uint8Array;
  /**
   * Whether the bytes end before the stated length of the record: the file is cut off, or the member damaged.
   */
  truncated: boolean;
  /**
   * The limit that the record exceeds: then `block` may be partial, and the capture is skipped with this
   * code.
   */
  exceeded?: 'too-large' | 'ratio-exceeded' | 'too-slow';
  /** Whether the WACZ lists the record as a page; undefined if listing does not matter. */
  listed?: boolean;
  /** Extra keys of the record's input row. */
  extra?: Page['extra'];
  /** Faults found while this record was read. */
  problems: Problem[];
}

/** An event of a container: a record, or a problem between records. */
export type RawEvent = RawRecord | { kind: 'problem'; problem: Problem };

/**
 * Makes a record. Defaults for the fields not given are a body without HTTP headers, time and identifiers.
 */
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

/** An event of reading an archive: a page, a capture that gives none, or a problem between captures. */
export type ReadEvent =
  | { kind: 'page'; page: Page; problems: Problem[] }
  | { kind: 'skip'; capture: Capture; code: SkipCode; problems: Problem[] }
  | { kind: 'problem'; problem: Problem };

/**
 * An event of a survey: a capture with its location, with its body neither decoded nor kept. A capture that
 * looks like a page may still be skipped when its body is decoded.
 */
export type SurveyEvent =
  | { kind: 'page'; capture: SurveyedCapture; problems: Problem[] }
  | { kind: 'skip'; capture: Capture; code: SkipCode; problems: Problem[] }
  | { kind: 'problem'; problem: Problem };

/** A capture found by a survey, with the key of its site. */
export interface SurveyedCapture extends Capture {
  /** Key of the site; see `siteOf`. */
  site: string;
  /** A revisit's reference to the capture that holds its body. */
  revisit?: { payloadDigest: string; url: string; time: string };
}

/** The formats of inputs. */
export const INPUT_FORMATS = ['warc', 'arc', 'wacz', 'zip', 'folder', 'html', 'jsonl', 'cdx'] as const;
/** One of INPUT_FORMATS. */
export type InputFormat = (typeof INPUT_FORMATS)[number];

/**
 * One file, folder or pipe that holds captures, as plain data that can be sent to a worker. `openInputs`
 * (open-inputs.ts) makes inputs from the names that a user gives.
 */
export interface Input {
  /** The input's name as the user gave it; it becomes the `file` of its captures. */
  name: string;
  /** Path of the bytes: the file itself, or its temporary copy for pipes and files compressed as a whole. */
  path: string;
  format: InputFormat;
  /** Size of the file at `path`; 0 for a folder. */
  sizeBytes: number;
  /** Whether `path` is a temporary copy that `closeInputs` removes. */
  spooled: boolean;
  /**
   * Whether the temporary copy is of a file on the web, so that its offsets are those of the file. @default
   * false
   */
  remote?: boolean;
  /** Temporary copies of archives on the web that an index names, by their name in the index. */
  archives?: Record<string, { path: string; sizeBytes: number }>;
  /** Folder of the archives that an index names. @default the folder of the index */
  archiveFolder?: string;
  /**
   * Set for an index whose archives stay on the web: a survey takes captures from its lines, and tasks that read
   * pages fetch them first. `base` is the URL that relative names are resolved against.
   */
  web?: { base?: string };
  /**
   * State of the file when a survey verified all its checksums; while it is unchanged, they are not computed
   * again.
   */
  checked?: FileState;
  /**
   * Whether a survey has guessed the ends of members: reading then throws a `WrongGuess` where that was
   * wrong. @default false
   */
  guessed?: boolean;
}

/** Size and time of a file, to detect whether it was changed. */
export interface FileState {
  sizeBytes: number;
  /** Time of the last change, in milliseconds since 1970. */
  modifiedMs: number;
}
