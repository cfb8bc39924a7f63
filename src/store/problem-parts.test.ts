import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../model/problem.ts';
import { mergeProblems, PROBLEMS_FILE, ProblemBuffer, readProblems } from './problem-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));

/** Leaves problems as tasks do; the files. */
function leave(lists: Problem[][]): string[] {
  return lists.map((problems, k) => {
    const draft = join(folder, String(k));
    mkdirSync(draft, { recursive: true });
    const buffer = new ProblemBuffer();
    for (const problem of problems) buffer.add(problem);
    buffer.write(draft);
    return join(draft, PROBLEMS_FILE);
  });
}

test('tasks without problems have empty parts, and a fault found twice is reported once', () => {
  const problem: Problem = { code: 'bad-gzip', message: 'damaged', file: 'a.warc.gz', offset: 7 };
  const parts = leave([[], [problem], [], [problem]]);
  expect([...readProblems(parts, [])]).toEqual([problem]);
});

test('problems of many parts are ordered by file, entry, offset and code, whatever their length', () => {
  const codes = ['bad-gzip', 'bad-date', 'truncated'] as const;
  const all: Problem[] = Array.from({ length: 3000 }, (_, k) => ({
    code: codes[k % 3],
    message: `number ${k} ${'é'.repeat(k % 70)}`,
    ...(k % 5 > 0 && { file: ['b', 'a', '\uf8ff', '😀'][k % 4] }),
    ...(k % 7 > 0 && { offset: (k * 37) % 100 }),
    ...(k % 2 > 0 && { url: `http://a.example/${k % 10}` }),
  }));
  const path = join(folder, 'merged.jsonl');
  const counts = mergeProblems(
    leave([all.slice(0, 10), all.slice(10, 1500), all.slice(1500)]),
    all.slice(0, 3),
    path,
  );
  const merged = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Problem);
  expect(counts).toEqual({ 'bad-date': 1000, 'bad-gzip': 1000, truncated: 1000 });
  expect(merged.length).toBe(3000);
  const keys = merged.map(({ file = '', offset = -1, code }) =>
    Buffer.from(`${file}\0${String(offset + 1).padStart(4, '0')}${code}`),
  );
  expect(keys.every((key, k) => k === 0 || Buffer.compare(keys[k - 1], key) <= 0)).toBe(true);
  rmSync(folder, { recursive: true });
});
