/** The survey of one input as a task leaves it: a row per capture, its problems, what was counted. */
import { join } from 'node:path';
import type { Capture } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import { type Block, ColumnFile, readColumnFile } from './column-file.ts';
import { bool, i64, text, u16, u32, u64, word } from './table.ts';
import { TableRows } from './table-rows.ts';

/** One capture as the survey met it. */
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
  record_id: text(),
  payload_digest: text(),
  /** Seeded hash of the URL: the sample of a site is its smallest ones. */
  url_hash: u64(),
  /** Hash of the key of its page: the same for all captures of a page, however their URLs are written. */
  page_hash: u64(),
  /** Why it gives no page; empty when it may. */
  skip: word(),
  revisit: bool(),
  revisit_digest: text(),
  revisit_url: text(),
  revisit_time: text(),
};

/** Rows held in memory: some 5 MB. */
const FLUSH_ROWS = 8192;

export interface SurveyRow {
  capture: Capture;
  site: string;
  urlHash: bigint | number;
  pageHash: bigint | number;
  skip: SkipCode | '';
  revisit?: { payloadDigest: string; url: string; time: string };
}

export class SurveyPart {
  readonly #input: number;
  readonly #rows = new TableRows(SURVEY_COLUMNS);
  readonly #file: ColumnFile;

  constructor({ draft, input }: { draft: string; input: number }) {
    this.#input = input;
    this.#file = new ColumnFile(join(draft, SURVEY_FILE), this.#rows.list);
  }

  /** Adds a capture; true when the rows should be flushed before the next. */
  add({ capture, site, urlHash, pageHash, skip, revisit }: SurveyRow): boolean {
    const { file, entry = '', offset, length, url, time, status, mime, recordId, payloadDigest } = capture;
    this.#rows.add({
      input: this.#input,
      file,
      entry,
      offset,
      length,
      url,
      site,
      time,
      status,
      mime,
      record_id: recordId,
      payload_digest: payloadDigest,
      url_hash: urlHash,
      page_hash: pageHash,
      skip,
      revisit: revisit !== undefined,
      revisit_digest: revisit?.payloadDigest ?? '',
      revisit_url: revisit?.url ?? '',
      revisit_time: revisit?.time ?? '',
    });
    return this.#rows.rowCount >= FLUSH_ROWS;
  }

  flush(): void {
    this.#file.add(this.#rows.rowCount);
    this.#rows.clear();
  }

  /** Writes what is left. */
  close(): void {
    this.flush();
    this.#file.close();
  }
}

/** The rows of a survey, block by block. */
export function readSurvey(path: string): Generator<SurveyBlock> {
  return readColumnFile(path, SURVEY_COLUMNS);
}

export type SurveyBlock = Block<keyof typeof SURVEY_COLUMNS>;

export const SURVEY_FILE = 'captures.bin';
export const COUNTS_FILE = 'counts.json';
