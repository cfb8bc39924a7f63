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
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { Context } from './context.ts';
import { openLines, openOutput } from './output.ts';

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

test('lines of a file are compressed many at a time, and the lines before a cut can be read', async () => {
  const path = join(folder, 'rows.jsonl.gz');
  const output = openLines(context, path, { immediate: true });
  const lines = Array.from({ length: 3000 }, (_, k) => `${k} `.repeat(200));
  for (const line of lines) await output.line(line);
  const members = (bytes: Buffer) => bytes.toString('latin1').split('\x1f\x8b\x08\0').length - 1;
  const cut = readFileSync(`${path}.part`);
  expect(members(cut)).toBe(2);
  const readable = gunzipSync(cut).toString();
  expect(readable.length).toBeGreaterThan(2 * 2 ** 20);
  await output.commit();
  const whole = readFileSync(path);
  expect(gunzipSync(whole).toString()).toBe(`${lines.join('\n')}\n`);
  expect(whole.subarray(0, cut.length).equals(cut)).toBe(true);
  expect(members(whole)).toBe(3);
});

test('a reader that waits at a pipe gets each line at once, compressed too', async () => {
  const path = join(folder, 'pipe.gz');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const output = openLines(context, path, { immediate: true });
  const bytes = Buffer.alloc(100);
  for (const line of ['one', 'two']) {
    await output.line(line);
    expect(gunzipSync(bytes.subarray(0, readSync(reader, bytes))).toString()).toBe(`${line}\n`);
  }
  await output.commit();
});

test('no line at all is a whole gzip file', async () => {
  const path = join(folder, 'none.jsonl.gz');
  await openLines(context, path).commit();
  expect(gunzipSync(readFileSync(path)).length).toBe(0);
});
