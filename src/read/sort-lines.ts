/**
 * Sorts lines in bounded memory, for indexes larger than it: full batches are sorted and written to a
 * temporary folder as runs, and the runs are merged as they are read back. Equal lines are kept once, as two
 * readings of one record are one record.
 */
import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratchFolder } from '../model/scratch.ts';

export interface SortLinesOptions {
  /** Characters of lines kept in memory before a run is written. @default 64 Mi */
  batchChars?: number;
  /** Where runs are written. @default the system's folder for temporary files */
  tempDir?: string;
}

/** The lines (without line ends) in the order of their characters, without repeats. What `lines` throws leaves no file. */
export async function* sortLines(
  lines: AsyncIterable<string> | Iterable<string>,
  { batchChars = 64 * 1024 * 1024, tempDir }: SortLinesOptions = {},
): AsyncGenerator<string> {
  const runs: string[] = [];
  let folder = '';
  let batch: string[] = [];
  let chars = 0;
  try {
    for await (const line of lines) {
      batch.push(line);
      chars += line.length + 1;
      if (chars < batchChars) continue;
      if (folder === '') folder = makeScratchFolder(tempDir);
      const run = join(folder, `${runs.length}.run`);
      writeFileSync(run, `${batch.sort().join('\n')}\n`);
      runs.push(run);
      batch = [];
      chars = 0;
    }
    const sources = [...runs.map(readLines), batch.sort().values()];
    yield* withoutRepeats(sources.length === 1 ? sources[0] : merge(sources));
  } finally {
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  }
}

const READ_BYTES = 256 * 1024;

function* readLines(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    let rest = Buffer.alloc(0);
    for (;;) {
      const count = readSync(file, buffer, 0, READ_BYTES, null);
      if (count === 0) return; // every line of a run ends in a line feed
      const bytes = Buffer.concat([rest, buffer.subarray(0, count)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        yield bytes.toString('utf8', start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
  } finally {
    closeSync(file);
  }
}

/** Merges sorted sources; there are few, so the smallest head is found by looking at all. */
function* merge(sources: Iterator<string>[]): Generator<string> {
  const heads: { line: string; source: Iterator<string> }[] = [];
  for (const source of sources) {
    const { value, done } = source.next();
    if (!done) heads.push({ line: value, source });
  }
  try {
    while (heads.length > 0) {
      let least = 0;
      for (let i = 1; i < heads.length; i++) if (heads[i].line < heads[least].line) least = i;
      yield heads[least].line;
      const { value, done } = heads[least].source.next();
      if (done) heads.splice(least, 1);
      else heads[least].line = value;
    }
  } finally {
    for (const { source } of heads) source.return?.();
  }
}

function* withoutRepeats(lines: Iterable<string>): Generator<string> {
  let last: string | undefined;
  for (const line of lines) {
    if (line !== last) yield line;
    last = line;
  }
}
