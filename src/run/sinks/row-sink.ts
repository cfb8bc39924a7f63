/**
 * Labelled pages as rows in a spool file, for commands that write to a pipe: the spools of the tasks are
 * streamed in order while later tasks still run.
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../model/problem.ts';
import { ProblemBuffer } from '../../store/problem-parts.ts';
import { COUNTS_FILE, PROBLEMS_FILE } from '../../store/survey-part.ts';
import type { RowsOutput, TaskCounts } from '../tasks/task.ts';
import type { Clock } from '../tasks/timings.ts';
import type { LabelledPage, LabelSink } from './label-sink.ts';
import { newTemplateRows, pageRow, type StreamRow } from './page-row.ts';

export const ROWS_FILE = 'rows.jsonl';

/** Bytes of rows that are written together. */
const FLUSH_CHARS = 1 << 20;
export class RowSink implements LabelSink {
  readonly #draft: string;
  readonly #output: RowsOutput;
  readonly #file: number;
  readonly #problems = new ProblemBuffer();
  readonly #seen = new Set<string>();
  #lines: string[] = [];
  #chars = 0;

  constructor({ draft, output }: { draft: string; output: RowsOutput }) {
    this.#draft = draft;
    this.#output = output;
    this.#file = openSync(join(draft, ROWS_FILE), 'w');
  }

  add({ planned, ...labelled }: LabelledPage, clock: Clock): void {
    const rowPage = { ...labelled, number: planned.page };
    const rows: StreamRow[] = this.#output.want.includes('templates')
      ? newTemplateRows(rowPage, this.#seen)
      : [];
    rows.push(pageRow(rowPage, this.#output));
    clock.lap('render');
    for (const row of rows) this.#write(JSON.stringify(row));
    clock.lap('write');
  }

  addProblem(problem: Problem): void {
    this.#problems.add(problem);
  }

  close(counts: TaskCounts, clock: Clock): void {
    this.#flush();
    closeSync(this.#file);
    this.#problems.toParquet(join(this.#draft, PROBLEMS_FILE));
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(this.#draft, COUNTS_FILE), JSON.stringify(counts));
  }

  #write(line: string): void {
    this.#lines.push(line);
    this.#chars += line.length;
    if (this.#chars >= FLUSH_CHARS) this.#flush();
  }

  #flush(): void {
    if (this.#lines.length > 0) writeSync(this.#file, `${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#chars = 0;
  }
}
