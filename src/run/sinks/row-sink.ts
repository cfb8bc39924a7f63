/**
 * Spools labelled pages as rows, for commands that write to a pipe: the spools of tasks are streamed in order while
 * later tasks run. Rows of a format are encoded here, so that the stream only passes them on; rows without a format are
 * JSON that the stream parses again.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { joinSlots } from '../../model/range.ts';
import { wellFormedJson } from '../../model/well-formed-json.ts';
import { writeFully } from '../../model/write-fully.ts';
import { JsonRows } from '../../store/json-rows.ts';
import { addTextRow, dolmaRow } from '../../view/rows.ts';
import { renderJsonText } from '../../view/visible-text.ts';
import type { RowsOutput } from '../tasks/task.ts';
import { Clock } from '../tasks/task-record.ts';
import type { LabelSink, SinkPage } from './label-sink.ts';
import {
  CONTENT_OF,
  describePage,
  encodePage,
  newTemplateRows,
  type PageFormat,
  pageRow,
  type RowPage,
  type StreamRow,
  type WantedRows,
} from './page-rows.ts';

/** Name of the spool file in a task's folder. */
export const ENCODED_ROWS_FILE = 'rows.spool';

/** Writes labelled pages as rows to a spool file. */
export class RowSink implements LabelSink {
  readonly #spool: RowSpool;
  readonly #pages: PageEncoder;

  constructor({ draft, output }: { draft: string; output: RowsOutput }) {
    this.#spool = new RowSpool(join(draft, ENCODED_ROWS_FILE));
    this.#pages = openEncoder(this.#spool, output);
  }

  add({ planned, ...labelled }: SinkPage, clock: Clock): void {
    this.#pages.add({ ...labelled, number: planned.page }, clock);
    clock.lap('write');
  }

  close(): void {
    this.#pages.finish?.();
    this.#spool.close();
  }
}

/** Receives encoded rows without copying them; the caller may reuse their bytes after `flush`. */
interface RowTarget {
  add(rows: Uint8Array): void;
  flush(): void;
}

/** Encodes pages as rows of one format. */
interface PageEncoder {
  add(page: RowPage, clock: Clock): void;
  /** Passes on all remaining rows. */
  finish?(): void;
}

/** The rows of pages in order, for a run without tasks. */
export class RowStream {
  readonly #rows: Uint8Array[] = [];
  readonly #pages: PageEncoder;
  readonly #clock = new Clock();

  constructor(output: RowsOutput) {
    this.#pages = openEncoder({ add: (rows) => this.#rows.push(new Uint8Array(rows)), flush() {} }, output);
  }

  encode(page: RowPage): Uint8Array[] {
    this.#pages.add(page, this.#clock);
    this.#pages.finish?.();
    return this.#rows.splice(0);
  }
}

function openEncoder(target: RowTarget, output: RowsOutput): PageEncoder {
  if ('want' in output) return rowEncoder(target, output);
  const { format, mark, dropSlots } = output;
  if ((format === 'jsonl' || format === 'dolma') && !mark) return new TextLines(target, format, dropSlots);
  return {
    add(page, clock) {
      const row = pageRow(page, { want: [CONTENT_OF[format]], format, mark, dropSlots });
      clock.lap('render');
      target.add(encodePage(row, format));
    },
  };
}

/** Encodes rows as JSON with the wanted content, which the stream parses again. */
function rowEncoder(target: RowTarget, { want, mark, dropSlots }: WantedRows): PageEncoder {
  const seen = new Set<string>();
  return {
    add(page, clock) {
      const rows: StreamRow[] = want.includes('templates') ? newTemplateRows(page, seen) : [];
      rows.push(pageRow(page, { want, mark, dropSlots }));
      clock.lap('render');
      for (const row of rows) target.add(Buffer.from(`${wellFormedJson(row)}\n`));
    },
  };
}

/** Encodes text as JSON lines. Text makes up most of a row, so it is copied as bytes without a string. */
class TextLines implements PageEncoder {
  readonly #target: RowTarget;
  readonly #format: PageFormat;
  readonly #dropSlots: boolean;
  readonly #lines = new JsonRows(2 * PIECE_BYTES);

  constructor(target: RowTarget, format: PageFormat, dropSlots = false) {
    this.#target = target;
    this.#dropSlots = dropSlots;
    this.#format = format;
  }

  add(labelled: RowPage, clock: Clock): void {
    const { page, tree, number, snapshot, verdicts } = labelled;
    const [{ ranges }] = verdicts;
    const text = renderJsonText(tree, this.#dropSlots ? joinSlots(ranges) : ranges);
    const { title, metadata } = describePage(labelled);
    clock.lap('render');
    const row = addTextRow({ page: number, snapshot }, page, { title, metadata, text: '' });
    this.#lines.add(this.#format === 'dolma' ? dolmaRow(row) : row, text);
    if (this.#lines.size >= PIECE_BYTES) this.finish();
  }

  finish(): void {
    this.#target.add(this.#lines.lines);
    this.#target.flush();
    this.#lines.clear();
  }
}

/** Bytes of rows per piece. */
export const PIECE_BYTES = 1 << 20;
const LENGTH_BYTES = 4;

/** Writes rows to a spool file in pieces of whole rows. */
export class RowSpool implements RowTarget {
  readonly #file: number;
  #rows: Uint8Array[] = [];
  #size = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Adds one or more rows without copying them. */
  add(rows: Uint8Array): void {
    this.#rows.push(rows);
    this.#size += rows.length;
    if (this.#size >= PIECE_BYTES) this.flush();
  }

  /** Ends the piece; the bytes of its rows may change afterwards. */
  flush(): void {
    if (this.#size === 0) return;
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(this.#size);
    const piece = Buffer.concat([length, ...this.#rows]);
    writeFully(this.#file, piece);
    this.#rows = [];
    this.#size = 0;
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** Reads the pieces of a spool, in order. */
export function* readSpool(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readBytes(file, LENGTH_BYTES);
      if (length.length === 0) return;
      yield readBytes(file, length.readUInt32LE());
    }
  } finally {
    closeSync(file);
  }
}

/** The next bytes of a file; fewer at its end. */
function readBytes(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let done = 0;
  while (done < size) {
    const got = readSync(file, bytes, done, size - done, null);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}
