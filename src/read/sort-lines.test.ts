import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { sortLines } from './cdxj.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'sort-lines-test-'));
afterAll(() => rmSync(tempDir, { recursive: true }));

test('lines are sorted without repeats in any amount of memory, and no file is left', async () => {
  const line = fc.stringMatching(/^[a-cé ]{0,12}$/);
  const lists = fc.array(line, { maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 500 }), async (lines, batchChars) => {
      const sorted = await listOf(sortLines(lines, { batchChars, tempDir }));
      expect(sorted).toEqual([...new Set(lines)].sort());
    }),
    { numRuns: 60 },
  );
  expect(readdirSync(tempDir)).toEqual([]);
});

test('a reader that stops early leaves no file', async () => {
  for await (const line of sortLines(['c', 'b', 'a', 'd'], { batchChars: 2, tempDir })) {
    expect(line).toBe('a');
    break;
  }
  expect(readdirSync(tempDir)).toEqual([]);
});

test('an error in the input lines leaves no file', async () => {
  async function* lines() {
    yield* ['c', 'b', 'a'];
    throw new Error('stopped');
  }
  await expect(listOf(sortLines(lines(), { batchChars: 2, tempDir }))).rejects.toThrow('stopped');
  expect(readdirSync(tempDir)).toEqual([]);
});

async function listOf(lines: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const line of lines) list.push(line);
  return list;
}
