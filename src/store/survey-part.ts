/** The survey of one input as a task leaves it: a row per capture, its problems, what was counted. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capture } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';
import { ColumnBuffer, copyToParquet } from './column-buffer.ts';
import { type Database, quoteList } from './database.ts';
import { ProblemBuffer } from './problem-parts.ts';
import { SURVEY_SCHEMA } from './schema.ts';

/** Rows held in memory, here and by the database as it writes them: some 5 MB. */
const FLUSH_ROWS = 8192;

export interface SurveyRow {
  capture: Capture;
  site: string;
  urlHash: bigint | number;
  skip: SkipCode | '';
  revisit?: { payloadDigest: string; url: string; time: string };
}

export class SurveyPart {
  readonly #database: Database;
  readonly #draft: string;
  readonly #input: number;
  readonly #rows = new ColumnBuffer(SURVEY_SCHEMA);
  readonly #problems = new ProblemBuffer();
  readonly #flushed: string[] = [];

  constructor(database: Database, { draft, input }: { draft: string; input: number }) {
    this.#database = database;
    this.#draft = draft;
    this.#input = input;
  }

  /** Adds a capture; true when the rows should be flushed before the next. */
  add({ capture, site, urlHash, skip, revisit }: SurveyRow): boolean {
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

  async flush(): Promise<void> {
    const path = join(this.#draft, `captures-${this.#flushed.length}.parquet`);
    await this.#rows.toParquet(this.#database, path);
    this.#rows.clear();
    this.#flushed.push(path);
  }

  /** Writes what is left, and `counts` beside it. */
  async close(counts: object): Promise<void> {
    await this.flush();
    const all = join(this.#draft, SURVEY_FILE);
    if (this.#flushed.length === 1) renameSync(this.#flushed[0], all);
    else {
      const query = `SELECT * FROM read_parquet(${quoteList(this.#flushed)})`;
      await copyToParquet(this.#database, query, all, { groupRows: FLUSH_ROWS });
      for (const path of this.#flushed) rmSync(path);
    }
    await this.#problems.toParquet(this.#database, join(this.#draft, PROBLEMS_FILE));
    writeFileSync(join(this.#draft, COUNTS_FILE), JSON.stringify(counts));
  }
}

export const SURVEY_FILE = 'captures.parquet';
export const PROBLEMS_FILE = 'problems.parquet';
export const COUNTS_FILE = 'counts.json';
