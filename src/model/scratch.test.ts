import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeScratchFolder, removeDeadScratch, removeOwnScratch, scratchPath } from './scratch.ts';

const root = mkdtempSync(join(tmpdir(), 'scratch-test-'));
let parent = '';

beforeEach(() => {
  parent = mkdtempSync(join(root, 'tmp-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The given path of this process with another process id in its name. */
function pathOf(pid: number): string {
  return scratchPath(parent).replace(new RegExp(`-${process.pid}-.*$`), `-${pid}-abc`);
}

test('all scratch folders of this process are removed, and no others', () => {
  const one = makeScratchFolder(parent);
  mkdirSync(join(one, 'below'));
  writeFileSync(join(one, 'below', 'file'), 'x');
  mkdirSync(scratchPath(parent));
  for (const path of [pathOf(process.ppid), join(parent, `chaff-${process.pid}`), join(parent, 'mine')])
    mkdirSync(path);
  removeOwnScratch(parent);
  expect(existsSync(one)).toBe(false);
  expect(readdirSync(parent)).toHaveLength(3);
});

test('scratch folders of ended processes are removed, and those of running processes stay', () => {
  const { pid } = spawnSync('true');
  const own = makeScratchFolder(parent);
  mkdirSync(pathOf(pid));
  mkdirSync(pathOf(process.ppid));
  removeDeadScratch(parent);
  expect([own, pathOf(pid), pathOf(process.ppid)].map((path) => existsSync(path))).toEqual([
    true,
    false,
    true,
  ]);
});

test('scratch folders of other machines and containers stay, whatever their process id', () => {
  const { pid } = spawnSync('true');
  const foreign = join(parent, basename(pathOf(pid)).replace(/^chaff-/, 'chaff-other-'));
  mkdirSync(foreign);
  removeDeadScratch(parent);
  expect(existsSync(foreign)).toBe(true);
});

test('a missing parent folder is not an error', () => {
  expect(() => removeDeadScratch(join(parent, 'missing'))).not.toThrow();
});
