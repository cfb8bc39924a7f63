import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkWritable } from './writable-target.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-writable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what can be made passes, and nothing is made', () => {
  checkWritable('--x', join(folder, 'a', 'b', 'c.css'));
  expect(readdirSync(folder)).toEqual([]);
});

test('a path below a file is refused by name', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  checkWritable('--x', file);
  expect(() => checkWritable('--x', join(file, 'a', 'b'))).toThrow(`cannot be made: ${file} is a file`);
});

// root may write everywhere
test.skipIf(process.getuid?.() === 0)('a folder without permission is refused by name', () => {
  const closed = join(folder, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  expect(() => checkWritable('--x', join(closed, 'a'))).toThrow(`no permission to write in ${closed}`);
});
