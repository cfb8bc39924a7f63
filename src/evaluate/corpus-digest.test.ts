import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestCorpus } from './gold.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaff-digest-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

test('names, order and compression do not matter, bytes do', async () => {
  const a = await file('a', 'one');
  const b = await file('b', 'two');
  const c = await file('c.gz', Buffer.concat([gzipSync('o', { level: 1 }), gzipSync('ne', { level: 9 })]));
  const d = await file('d', 'twO');
  expect(await digestCorpus([a, b])).toBe(await digestCorpus([b, c]));
  expect(await digestCorpus([a, b])).not.toBe(await digestCorpus([a, d]));
  expect(await digestCorpus([a, b])).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('a folder is its files', async () => {
  await mkdir(join(folder, 'site', 'deep'), { recursive: true });
  const one = await file('site/1.html', 'one');
  const two = await file('site/deep/2.html', 'two');
  expect(await digestCorpus([join(folder, 'site')])).toBe(await digestCorpus([two, one]));
});
