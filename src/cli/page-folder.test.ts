import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import type { PageRow } from '../run/sinks/page-rows.ts';
import type { Context } from './context.ts';
import { openPageFolder, openPageWriter, writePageFile } from './page-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-page-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every page has a file and a row that says where it is from', async () => {
  const html = join(folder, 'page.html');
  writeFileSync(html, '<title>Said</title><p>What a page has to say');
  const path = join(folder, 'new', 'pages');
  expect((await chaff(['page', html, '--format', 'text', '-o', path])).code).toBe(0);
  expect(readFileSync(join(path, '0000001.txt'), 'utf8')).toContain('What a page has to say');
  const [row, end] = readFileSync(join(path, 'index.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(row)).toMatchObject({ name: '0000001.txt', title: 'Said', file: html });
  expect(end).toBe('');
});

test('an index appears when the folder is complete', async () => {
  const path = join(folder, 'cut');
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const context: Context = {
    streams,
    signal: new AbortController().signal,
    exitCode: 0,
    unread: [],
    resumable: false,
  };
  const row = { kind: 'page', page: 1, text: 'said' } as unknown as PageRow;
  for (const isComplete of [false, true]) {
    const writer = openPageWriter(context, { format: 'text', path, overwrite: true });
    await writer.write(row);
    expect(readdirSync(path)).toEqual(['0000001.txt', 'index.jsonl.part']);
    if (isComplete) await writer.commit();
    writer.discard();
    expect(readdirSync(path)).toEqual(isComplete ? ['0000001.txt', 'index.jsonl'] : ['0000001.txt']);
  }
});

test('what a run that was killed was just writing is removed with the rest', () => {
  const path = join(folder, 'killed');
  openPageFolder(path);
  for (const name of ['0000001.md', '0000002.md.part', 'index.jsonl.part'])
    writeFileSync(join(path, name), '');
  openPageFolder(path, { overwrite: true });
  expect(readdirSync(path)).toEqual([]);
});

test('a folder of an earlier run is left alone unless it is to be overwritten', () => {
  const path = join(folder, 'used');
  openPageFolder(path);
  writePageFile(path, '0000001.md', '');
  expect(() => openPageFolder(path)).toThrow('is not empty: name another folder');
  expect(readdirSync(path)).toEqual(['0000001.md']);
  openPageFolder(path, { overwrite: true });
  expect(readdirSync(path)).toEqual([]);
});

test('a folder with files of somebody else is never touched', () => {
  const path = join(folder, 'foreign');
  openPageFolder(path);
  writePageFile(path, '0000001.txt', '');
  writeFileSync(join(path, 'notes.txt'), '');
  expect(() => openPageFolder(path, { overwrite: true })).toThrow('holds other files (notes.txt)');
  expect(readdirSync(path)).toHaveLength(2);
});

test.each([['strip', '--format', 'text'], ['page', '--format', 'html'], ['annotate']])(
  '%s leaves nothing of a larger run before',
  async (command, ...more) => {
    const path = join(folder, command);
    openPageFolder(path);
    writePageFile(path, '0000009.html', 'stale');
    const html = join(folder, 'one.html');
    writeFileSync(html, '<title>One</title><p>A page of its own');
    const args = [command, html, ...more, '-o', path];
    expect((await chaff(args)).code).toBe(2);
    expect((await chaff([...args, '--overwrite'])).stderr).not.toContain('chaff:');
    expect(readdirSync(path)).not.toContain('0000009.html');
    expect(readdirSync(path).some((name) => name.startsWith('0000001.'))).toBe(true);
  },
);
