import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../model/problem.ts';
import { Database } from './database.ts';
import { ProblemBuffer, readProblems } from './problem-parts.ts';

test('tasks without problems leave parts that read as none, beside those that have some', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
  const database = await Database.open();
  const problem: Problem = { code: 'bad-gzip', message: 'damaged', file: 'a.warc.gz', offset: 7 };
  const parts: string[] = [];
  for (const problems of [[], [problem], [], [problem]]) {
    const buffer = new ProblemBuffer();
    for (const one of problems) buffer.add(one);
    parts.push(join(folder, `${parts.length}.parquet`));
    buffer.toParquet(parts.at(-1)!);
  }
  const found: Problem[] = [];
  for await (const one of readProblems(database, parts, [])) found.push(one);
  expect(found).toEqual([problem]);
  database.close();
  rmSync(folder, { recursive: true });
});
