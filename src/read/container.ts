/** The one shape of all that holds captures: read through, or read at one place. */
import type { RawEvent, RawRecord } from './raw-record.ts';
import type { RecordContext } from './record-context.ts';

export interface Container {
  records(context: RecordContext): Generator<RawEvent>;
  /** The capture that `records` gave with this place; null when there is none. */
  recordAt(place: Place, context: RecordContext): RawRecord | null;
  close(): void;
}

/** The part of a Location that a container needs; `file` only where an input names other files. */
export interface Place {
  file?: string;
  entry?: string;
  offset: number;
  length: number;
}
