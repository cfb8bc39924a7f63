/**
 * Stores the survey of one input: its captures as blocks of columns. A block is its size in bytes and a structured
 * clone. The file is removed when the run is finished.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Capture } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import { readFully, writeFully } from '../model/write-fully.ts';
import type { NumberArray } from './column.ts';
import { bool, i64, text, u16, u32, u64, word } from './table.ts';
import { TableRows } from './table-rows.ts';

/** Columns of one capture of the survey. */
const SURVEY_COLUMNS = {
  /** Ordinal of the input in the sorted list of inputs. */
  input: u32(),
  file: word(),
  entry: word(),
  offset: i64(),
  length: i64(),
  url: text(),
  site: word(),
  time: text(),
  status: u16(),
  mime: word(),
  recordId: text(),
  payloadDigest: text(),
  /** Seeded hash of the URL; a sample is the URLs with the smallest hashes. */
  urlHash: u64(),
  /** Hash of the URL key, equal for all captures of a page however its URLs are written. */
  pageHash: u64(),
  /** Reason why it gives no page; empty when it may give one. */
  skip: word(),
  revisit: bool(),
  revisitDigest: text(),
  revisitUrl: text(),
  revisitTime: text(),
};

/** Rows of a block, which takes some 5 MB. */
const BLOCK_ROWS = 8192;
/** Bytes of the block size in front of each block. */
const SIZE_BYTES = 4;

/** File of a survey task with its captures. */
export const SURVEY_FILE = 'captures.bin';
/** File of a survey task with its totals as JSON. */
export const COUNTS_FILE = 'counts.json';

/** One capture with its site, hashes and skip code ('' for none). */
export interface SurveyRow {
  capture: Capture;
  site: string;
  urlHash: bigint | number;
  pageHash: bigint | number;
  skip: SkipCode | '';
  revisit?: { payloadDigest: string; url: string; time: string };
}

/** Writes the captures of one input. */
export class SurveyPart {
  readonly #input: number;
  readonly #rows = new TableRows(SURVEY_COLUMNS);
  readonly #file: number;

  constructor({ draft, input }: { draft: string; input: number }) {
    this.#input = input;
    this.#file = openSync(join(draft, SURVEY_FILE), 'w');
  }

  /** Adds a capture; returns true when the rows should be flushed before the next one. */
  add({ capture, revisit, ...row }: SurveyRow): boolean {
    this.#rows.add({
      ...capture,
      ...row,
      entry: capture.entry ?? '',
      input: this.#input,
      revisit: revisit !== undefined,
      revisitDigest: revisit?.payloadDigest ?? '',
      revisitUrl: revisit?.url ?? '',
      revisitTime: revisit?.time ?? '',
    });
    return this.#rows.rowCount >= BLOCK_ROWS;
  }

  /** Writes the rows in memory as one block. */
  flush(): void {
    const { rowCount, list } = this.#rows;
    if (rowCount === 0) return;
    const columns = list.map(({ field, numbers, texts, words }): [string, SurveyColumn] => [
      field,
      { numbers: numbers.subarray(0, rowCount), texts: texts as string[], words },
    ]);
    const block: SurveyBlock = { rowCount, columns: Object.fromEntries(columns) as SurveyBlock['columns'] };
    const bytes = serialize(block);
    writeFully(this.#file, new Uint8Array(Uint32Array.of(bytes.length).buffer));
    writeFully(this.#file, bytes);
    this.#rows.clear();
  }

  /** Writes the remaining rows and closes the file. */
  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** One block of captures. */
export interface SurveyBlock {
  rowCount: number;
  columns: Record<keyof typeof SURVEY_COLUMNS, SurveyColumn>;
}

/** Texts of a column, or its numbers; in a WORD column, numbers are indices into `words`. */
export interface SurveyColumn {
  numbers: NumberArray;
  texts: string[];
  words: string[];
}

/** Yields the blocks of a survey file. */
export function* readSurvey(path: string): Generator<SurveyBlock> {
  const file = openSync(path, 'r');
  try {
    const { size: end } = fstatSync(file);
    const size = new Uint32Array(1);
    for (let position = 0; position < end; position += SIZE_BYTES + size[0]) {
      readFully(file, new Uint8Array(size.buffer), { position, name: path });
      const bytes = Buffer.allocUnsafe(size[0]);
      readFully(file, bytes, { position: position + SIZE_BYTES, name: path });
      yield deserialize(bytes) as SurveyBlock;
    }
  } finally {
    closeSync(file);
  }
}

/** Returns the text of a row in a WORD column. */
export function wordAt({ words, numbers }: SurveyColumn, row: number): string {
  return words[Number(numbers[row])];
}

/** Returns a column of 64-bit numbers as pairs of 32 bits, low first. */
export function lanesOf({ numbers: { buffer, byteOffset, byteLength } }: SurveyColumn): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}
