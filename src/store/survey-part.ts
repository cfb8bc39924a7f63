/** The survey of one input as a task leaves it: a row per capture, its problems, what was counted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capture } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';
import { ColumnBuffer } from './column-buffer.ts';
import { ParquetFile } from './parquet/parquet-file.ts';
import { ProblemBuffer } from './problem-parts.ts';
import { SURVEY_SCHEMA } from './schema.ts';

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
  readonly #draft: string;
  readonly #input: number;
  readonly #rows = new ColumnBuffer(SURVEY_SCHEMA);
  readonly #problems = new ProblemBuffer();
  readonly #file: ParquetFile;

  constructor({ draft, input }: { draft: string; input: number }) {
    this.#draft = draft;
    this.#input = input;
    this.#file = new ParquetFile(join(draft, SURVEY_FILE), this.#rows.columns);
  }

  /** Adds a capture; true when the rows should be flushed before the next. */
  add({ capture, site, urlHash, pageHash, skip, revisit }: SurveyRow): boolean {
    const { file, entry, offset, length, url, time, status, mime, recordId, payloadDigest } = capture;
    this.#rows.add(
      this.#input,
      file,
      entry ?? '',
      offset,
      length,
      url,
      site,
      time,
      status,
      mime,
      recordId,
      payloadDigest,
      urlHash,
      pageHash,
      skip,
      revisit !== undefined,
      revisit?.payloadDigest ?? '',
      revisit?.url ?? '',
      revisit?.time ?? '',
    );
    return this.#rows.rowCount >= FLUSH_ROWS;
  }

  addProblem(problem: Problem): void {
    this.#problems.add(problem);
  }

  flush(): void {
    this.#file.add(this.#rows.rowCount);
    this.#rows.clear();
  }

  /** Writes what is left, and `counts` beside it. */
  close(counts: object): void {
    this.flush();
    this.#file.close();
    this.#problems.toParquet(join(this.#draft, PROBLEMS_FILE));
    writeFileSync(join(this.#draft, COUNTS_FILE), JSON.stringify(counts));
  }
}

export const SURVEY_FILE = 'captures.parquet';
export const PROBLEMS_FILE = 'problems.parquet';
export const COUNTS_FILE = 'counts.json';
