import { execFileSync } from 'node:child_process';
import {
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Context } from './context.ts';
import { openOutput } from './output.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = {} as Context;

test('a file appears under its name only when complete', async () => {
  const path = join(folder, 'rows.jsonl');
  const output = openOutput(context, path);
  await output.write('one\n');
  expect(existsSync(path)).toBe(false);
  await output.commit();
  expect(readFileSync(path, 'utf8')).toBe('one\n');
});

test('what is not committed leaves nothing', async () => {
  const path = join(folder, 'half.jsonl');
  const output = openOutput(context, path);
  await output.write('half');
  output.discard();
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test('a pipe stays a pipe and gets the bytes', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const output = openOutput(context, path);
  await output.write('through');
  await output.commit();
  expect(statSync(path).isFIFO()).toBe(true);
  const bytes = Buffer.alloc(20);
  expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('through');
});
