/**
 * Writes `problems.jsonl`: each task writes its own problems as JSON lines in canonical order, and the parts of all
 * tasks are merged. A fault that occurs twice (once in the survey, once when reading) is reported once.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { compareUtf8 } from '../model/order.ts';
import type { Problem } from '../model/problem.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { writeFully } from '../model/write-fully.ts';

/** File of a task with its problems. */
export const PROBLEMS_FILE = 'problems.jsonl';

/** Bytes of a part read at once; lines may be longer. */
const READ_BYTES = 1 << 16;
/** Lines written at once. */
const LINES_AT_ONCE = 1024;

/** A problem and its JSON line; lines are ordered by the problem's fields. */
interface Line {
  problem: Problem;
  json: string;
}

/** Gathers the problems of a task or run. */
export class ProblemBuffer {
  readonly #lines: Line[] = [];

  add({ code, message, file, entry, offset, url, time, site }: Problem): void {
    // give every problem the same order of fields
    const problem = { code, message, file, entry, offset, url, time, site };
    this.#lines.push({ problem, json: wellFormedJson(problem) });
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Yields the lines in canonical order. */
  *lines(): Generator<Line> {
    yield* this.#lines.sort(compareLines);
  }

  /** Writes the lines into the folder of a task's attempt. */
  write(draft: string): void {
    writeLines(join(draft, PROBLEMS_FILE), this.lines());
  }
}

/** Yields all problems by file, offset and code: those in the parts of tasks, and `own`. */
export function* readProblems(parts: readonly string[], own: readonly Problem[]): Generator<Problem> {
  for (const { problem } of mergeLines(parts, own)) yield problem;
}

/** Writes all problems as JSON lines; returns the count of each code. */
export function mergeProblems(
  parts: readonly string[],
  own: readonly Problem[],
  path: string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  writeLines(path, mergeLines(parts, own), ({ problem: { code } }) => {
    counts[code] = (counts[code] ?? 0) + 1;
  });
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function writeLines(path: string, lines: Iterable<Line>, visit?: (line: Line) => void): void {
  const file = openSync(path, 'w');
  try {
    let text: string[] = [];
    const flush = () => {
      writeFully(file, Buffer.from(text.join('')));
      text = [];
    };
    for (const line of lines) {
      visit?.(line);
      text.push(line.json, '\n');
      if (text.length >= 2 * LINES_AT_ONCE) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}

/** Merges the lines of all parts in order; equal lines are kept once. */
function* mergeLines(parts: readonly string[], own: readonly Problem[]): Generator<Line> {
  const buffer = new ProblemBuffer();
  for (const problem of own) buffer.add(problem);
  // sources ordered by their next line, last one first
  const sources: { next: Line; rest: Iterator<Line> }[] = [];
  const advance = (rest: Iterator<Line>) => {
    const { done, value } = rest.next();
    if (done) return;
    let at = sources.length;
    while (at > 0 && compareLines(sources[at - 1].next, value) < 0) at--;
    sources.splice(at, 0, { next: value, rest });
  };
  for (const rest of [buffer.lines(), ...parts.map(readLines)]) advance(rest);
  let last = '';
  for (let source = sources.pop(); source; source = sources.pop()) {
    const { next, rest } = source;
    if (next.json !== last) yield next;
    last = next.json;
    advance(rest);
  }
}

/**
 * Reads the lines of a part. The file is open only while a piece is read, so that thousands of parts can be merged.
 */
function* readLines(path: string): Generator<Line> {
  let rest = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const piece = readPiece(path, position);
    if (piece.length === 0) return;
    position += piece.length;
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    for (const json of bytes.toString('utf8', 0, end).split('\n')) {
      if (json !== '') yield { problem: JSON.parse(json) as Problem, json };
    }
  }
}

function readPiece(path: string, position: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(READ_BYTES);
    return piece.subarray(0, readSync(file, piece, 0, READ_BYTES, position));
  } finally {
    closeSync(file);
  }
}

function compareLines({ problem: a, json: x }: Line, { problem: b, json: y }: Line): number {
  return (
    compareUtf8(a.file ?? '', b.file ?? '') ||
    compareUtf8(a.entry ?? '', b.entry ?? '') ||
    (a.offset ?? -1) - (b.offset ?? -1) ||
    compareUtf8(a.code, b.code) ||
    compareUtf8(a.site ?? '', b.site ?? '') ||
    compareUtf8(a.url ?? '', b.url ?? '') ||
    compareUtf8(a.time ?? '', b.time ?? '') ||
    compareUtf8(x, y)
  );
}
