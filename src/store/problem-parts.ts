/**
 * Problems on their way to `problems.jsonl`: each task leaves its own as Parquet, `mergeProblems` writes them
 * all in one canonical order. A fault that is met twice (once when surveying, once when reading) is told once.
 */
import { closeSync, openSync } from 'node:fs';
import type { Problem } from '../model/problem.ts';
import { wellFormedJson } from '../model/well-formed-json.ts';
import { writeFully } from '../model/write-fully.ts';
import { ColumnBuffer, type Schema } from './column-buffer.ts';
import { type Database, quoteFiles } from './database.ts';

const PROBLEM_SCHEMA = {
  code: 'VARCHAR',
  file: 'VARCHAR',
  entry: 'VARCHAR',
  offset: 'BIGINT',
  site: 'VARCHAR',
  url: 'VARCHAR',
  time: 'VARCHAR',
  line: 'VARCHAR',
} as const satisfies Schema;

export class ProblemBuffer {
  readonly #rows = new ColumnBuffer(PROBLEM_SCHEMA);

  add(problem: Problem): void {
    const { code, message, file, entry, offset, url, time, site } = problem;
    // fields in one order, whoever made the problem
    const line = wellFormedJson({ code, message, file, entry, offset, url, time, site });
    this.#rows.add(code, file ?? '', entry ?? '', offset ?? -1, site ?? '', url ?? '', time ?? '', line);
  }

  get count(): number {
    return this.#rows.rowCount;
  }

  toTable(database: Database, table: string): Promise<void> {
    return this.#rows.toTable(database, table);
  }

  toParquet(path: string): void {
    this.#rows.toParquet(path);
  }
}

/** All problems by file, offset and code: those that tasks have left as Parquet and those at hand. */
export async function* readProblems(
  database: Database,
  parts: string[],
  own: readonly Problem[],
): AsyncGenerator<Problem> {
  for await (const lines of readLines(database, parts, own)) {
    for (const line of lines) yield JSON.parse(line) as Problem;
  }
}

/** Writes them as JSON lines; returns how many of each code there are. */
export async function mergeProblems(
  database: Database,
  parts: string[],
  own: readonly Problem[],
  path: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const file = openSync(path, 'w');
  try {
    for await (const lines of readLines(database, parts, own)) {
      for (const line of lines) {
        const { code } = JSON.parse(line) as Problem;
        counts[code] = (counts[code] ?? 0) + 1;
      }
      writeFully(file, Buffer.from(lines.map((line) => `${line}\n`).join('')));
    }
  } finally {
    closeSync(file);
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function* readLines(
  database: Database,
  parts: string[],
  own: readonly Problem[],
): AsyncGenerator<string[]> {
  const buffer = new ProblemBuffer();
  for (const problem of own) buffer.add(problem);
  await buffer.toTable(database, 'own_problems');
  const more = parts.length === 0 ? '' : `UNION SELECT * FROM read_parquet(${quoteFiles(parts)})`;
  const sql = `SELECT line FROM (SELECT DISTINCT * FROM own_problems ${more})
    ORDER BY file, entry, "offset", code, site, url, time, line`;
  for await (const batch of database.batches<{ line: string }>(sql)) yield batch.map(({ line }) => line);
}
