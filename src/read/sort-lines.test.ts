import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { sortLines } from './sort-lines.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'sort-lines-test-'));
afterAll(() => rmSync(tempDir, { recursive: true }));

test('lines come sorted and once, however small the memory, and no file is left', () => {
  const line = fc.stringMatching(/^[a-cé ]{0,12}$/);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (lines, batchChars) => {
      const sorted = [...sortLines(lines, { batchChars, tempDir })];
      expect(sorted).toEqual([...new Set(lines)].sort());
    }),
    { numRuns: 60 },
  );
  expect(readdirSync(tempDir)).toEqual([]);
});

test('a reader that stops early leaves no file', () => {
  for (const line of sortLines(['c', 'b', 'a', 'd'], { batchChars: 2, tempDir })) {
    expect(line).toBe('a');
    break;
  }
  expect(readdirSync(tempDir)).toEqual([]);
});
