/** The survey of one input as a task leaves it: a row per capture, its problems, what was counted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capture } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';
import { ColumnBuffer } from './column-buffer.ts';
import { type Block, ColumnFile, readColumnFile } from './column-file.ts';
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
  readonly #file: ColumnFile;

  constructor({ draft, input }: { draft: string; input: number }) {
    this.#draft = draft;
    this.#input = input;
    this.#file = new ColumnFile(join(draft, SURVEY_FILE), this.#rows.columns);
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
    this.#problems.write(this.#draft);
    writeFileSync(join(this.#draft, COUNTS_FILE), JSON.stringify(counts));
  }
}

/** The rows of a survey, block by block. */
export function readSurvey(path: string): Generator<SurveyBlock> {
  return readColumnFile(path, SURVEY_SCHEMA);
}

export type SurveyBlock = Block<keyof typeof SURVEY_SCHEMA>;

export const SURVEY_FILE = 'captures.bin';
export const COUNTS_FILE = 'counts.json';
