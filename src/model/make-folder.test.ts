import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder is made with its missing parents, and an existing folder is left alone', () => {
  const path = join(folder, 'a', 'b', 'c');
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test('a file at the path of the folder is an error', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR|EEXIST/);
});

test.skipIf(!existsSync('/proc/self'))('a file system that cannot make folders gives an error', () => {
  expect(() => makeFolder('/proc/chaff-test/below')).toThrow('ENOENT');
});
