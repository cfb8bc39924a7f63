import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { checkOutputFile, checkOutputFolder, checkWritable } from './output.ts';

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

test('no file is written under the name of a folder, under none, nor in a folder that is not there', () => {
  expect(() => checkOutputFile('-o', folder)).toThrow('is a folder: name a file in it');
  expect(() => checkOutputFile('-o', join(folder, 'new/'))).toThrow('is a folder');
  expect(() => checkOutputFile('-o', '')).toThrow('-o needs the name of a file');
  expect(() => checkOutputFile('-o', join(folder, 'no', 'x'))).toThrow(
    `make the folder ${join(folder, 'no')} first`,
  );
  checkOutputFile('-o', join(folder, 'x'));
});

test('no folder is made under the name of a file, nor under none', () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  expect(() => checkOutputFolder('-o', file)).toThrow('is a file: name a folder');
  expect(() => checkOutputFolder('-o', '')).toThrow('-o needs the name of a folder');
  checkOutputFolder('-o', join(folder, 'a', 'b'));
});

test.each(['strip', 'label', 'index', 'learn', 'train', 'report', 'annotate', 'fragments'])(
  '%s finds a wrong -o before the work',
  async (command) => {
    const file = join(folder, 'taken');
    writeFileSync(file, '');
    const wrong = ['report', 'annotate', 'fragments'].includes(command) ? file : folder;
    for (const output of [wrong, '']) {
      // otherwise the message would be about the missing input
      const { code, stderr } = await chaff([command, join(folder, 'missing.warc'), '-o', output]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/-o .*(name a|needs the name)/);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
);

// root may write everywhere
test.skipIf(process.getuid?.() === 0)('a folder without permission is refused by name', () => {
  const closed = join(folder, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  expect(() => checkWritable('--x', join(closed, 'a'))).toThrow(`no permission to write in ${closed}`);
});
