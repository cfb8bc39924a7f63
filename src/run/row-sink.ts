/**
 * Labelled pages as rows in a spool file, for commands that write to a pipe: the spools of the tasks are
 * streamed in order while later tasks still run.
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Range } from '../model/range.ts';
import type { Database } from '../store/database.ts';
import { ProblemBuffer } from '../store/problem-parts.ts';
import { COUNTS_FILE, PROBLEMS_FILE } from '../store/survey-part.ts';
import { renderAnnotated } from '../view/annotate.ts';
import { renderHtml } from '../view/html.ts';
import { renderMarkdown } from '../view/markdown.ts';
import { type TextRow, textRow } from '../view/rows.ts';
import { renderText } from '../view/visible-text.ts';
import type { LabelledPage, LabelSink } from './label-task.ts';
import { rangeText } from './range-text.ts';
import type { RowsOutput, TaskCounts } from './task.ts';
import type { Clock } from './timings.ts';

export const ROWS_FILE = 'rows.jsonl';

/** A page: who it is, where it lies, and what was asked for. */
export interface PageStreamRow extends TextRow {
  kind: 'page';
  page: number;
  snapshot: string;
  /** Self-contained HTML with the ranges coloured. */
  annotated?: string;
  /** By detector. */
  ranges?: Record<string, Range[]>;
}

/** A template with its text, once per site. */
export interface TemplateStreamRow {
  kind: 'template';
  site: string;
  template: string;
  detector: string;
  text: string;
  reason: string;
  /** The page it was first met on. */
  url: string;
  time: string;
}

export type StreamRow = PageStreamRow | TemplateStreamRow;

/** Bytes of rows that are written together. */
const FLUSH_CHARS = 1 << 20;
/** Characters of a template's text in its own row: all of it, within reason. */
const TEMPLATE_CHARS = 100_000;

export class RowSink implements LabelSink {
  readonly #database: Database;
  readonly #draft: string;
  readonly #output: RowsOutput;
  readonly #file: number;
  readonly #problems = new ProblemBuffer();
  readonly #seen = new Set<string>();
  #lines: string[] = [];
  #chars = 0;

  constructor(database: Database, { draft, output }: { draft: string; output: RowsOutput }) {
    this.#database = database;
    this.#draft = draft;
    this.#output = output;
    this.#file = openSync(join(draft, ROWS_FILE), 'w');
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { page, tree, title, verdicts, planned, snapshot } = labelled;
    const { want, mark = false } = this.#output;
    const { ranges } = verdicts[0];
    const row: PageStreamRow = {
      kind: 'page',
      page: planned.page,
      snapshot,
      ...textRow(page, {
        title,
        text: want.includes('text') ? renderText(tree, ranges, { mark }) : '',
        markdown: want.includes('markdown') ? renderMarkdown(tree, ranges, page) : undefined,
        html: want.includes('html') ? renderHtml(tree, ranges, page) : undefined,
      }),
    };
    if (want.includes('annotated')) row.annotated = renderAnnotated(tree, ranges, page);
    if (want.includes('ranges')) {
      row.ranges = Object.fromEntries(verdicts.map((verdict) => [verdict.detector, verdict.ranges]));
    }
    const rows: StreamRow[] = want.includes('templates') ? this.#newTemplates(labelled) : [];
    clock.lap('render');
    rows.push(row);
    for (const each of rows) this.#write(JSON.stringify(each));
    clock.lap('write');
  }

  addProblem(problem: Problem): void {
    this.#problems.add(problem);
  }

  async close(counts: TaskCounts, clock: Clock): Promise<void> {
    this.#flush();
    closeSync(this.#file);
    await this.#problems.toParquet(this.#database, join(this.#draft, PROBLEMS_FILE));
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(this.#draft, COUNTS_FILE), JSON.stringify(counts));
  }

  #newTemplates({ page, tree, verdicts }: LabelledPage): StreamRow[] {
    const rows: StreamRow[] = [];
    const { detector, ranges } = verdicts[0];
    for (const { label, template, start, end, reason } of ranges) {
      if (label !== 'template' || template === '') continue;
      const key = `${template} ${page.site}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      const text = rangeText(tree, start, end, { maxChars: TEMPLATE_CHARS });
      if (text === '') continue;
      const { site, url, time } = page;
      rows.push({ kind: 'template', site, template, detector, text, reason, url, time });
    }
    return rows;
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
