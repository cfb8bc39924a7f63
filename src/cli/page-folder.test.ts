import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import type { PageRow } from '../run/sinks/page-rows.ts';
import { openAnnotatedFolder } from './annotated-folder.ts';
import { writeComplete } from './output.ts';
import { openPageFolder } from './page-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-page-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three pages, two of them captures of one URL. */
const ROWS = ['http://a.example/news/1', 'http://a.example/news/1', 'http://a.example/'].map((url, k) =>
  JSON.stringify({
    url,
    time: `2024-01-0${k + 1}T00:00:00Z`,
    html: `<title>${k}</title><p>Text of page ${k}`,
  }),
);
const rows = join(folder, 'rows.jsonl');
writeFileSync(rows, ROWS.join('\n'));

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
}

test('every page has a file named after its URL, and a row that says where it is from', async () => {
  const path = join(folder, 'new', 'pages');
  expect((await chaff(['strip', rows, '--format', 'text', '-o', `${path}/`])).code).toBe(0);
  const index = readFileSync(join(path, 'index.jsonl'), 'utf8').trim().split('\n');
  const listed = index.map((line) => JSON.parse(line) as { name: string; url: string; file: string });
  expect(filesIn(path)).toEqual([...listed.map(({ name }) => name), 'index.jsonl'].sort());
  expect(readFileSync(join(path, 'a.example/index.txt'), 'utf8')).toContain('Text of page 2');
  expect(readFileSync(join(path, 'a.example/news/1.txt'), 'utf8')).toContain('Text of page 0');
  expect(listed.filter(({ url }) => url.endsWith('/news/1'))).toHaveLength(2);
  expect(listed[0].file).toBe(rows);
});

test('the same pages give the same folder, whatever the order of the inputs and the workers', async () => {
  const other = join(folder, 'more.jsonl');
  writeFileSync(other, JSON.stringify({ url: 'https://a.example/news/1', html: '<p>Another scheme' }));
  const folders = await Promise.all(
    [
      [rows, other, '--workers', '0'],
      [other, rows, '--workers', '2'],
    ].map(async (args, k) => {
      const path = join(folder, `order-${k}`);
      expect((await chaff(['strip', ...args, '-o', `${path}/`])).code).toBe(0);
      return filesIn(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]);
    }),
  );
  expect(folders[0]).toHaveLength(5);
  expect(folders[1]).toEqual(folders[0]);
});

test('an index appears when the folder is complete', async () => {
  const path = join(folder, 'cut');
  const row = { kind: 'page', page: 1, url: 'http://a.example/x', text: 'said' } as unknown as PageRow;
  for (const isComplete of [false, true]) {
    const writer = openPageFolder(path, { format: 'text', overwrite: true });
    await writer.write(row);
    expect(filesIn(path)).toEqual(['a.example/x.txt', 'index.jsonl.part']);
    if (isComplete) await writer.commit();
    writer.discard();
    expect(filesIn(path)).toEqual(['a.example/x.txt', isComplete ? 'index.jsonl' : 'index.jsonl.part']);
  }
});

test('what a run that was killed was just writing is removed with the rest', () => {
  const path = join(folder, 'killed');
  mkdirSync(join(path, 'a.example'), { recursive: true });
  const lines = ['a.example/1.md', 'a.example/2.md'].map((name) => `{"name":"${name}","url":""}\n`);
  writeFileSync(join(path, 'index.jsonl.part'), `${lines.join('')}{"name":"a.exam`);
  writeFileSync(join(path, 'a.example/1.md'), '');
  writeFileSync(join(path, 'a.example/2.md~part'), '');
  openPageFolder(path, { format: 'markdown', overwrite: true }).discard();
  expect(filesIn(path)).toEqual(['index.jsonl.part']);
  expect(readdirSync(path)).toEqual(['index.jsonl.part']);
});

test('a folder with files of somebody else is never touched', () => {
  const path = join(folder, 'foreign');
  mkdirSync(join(path, 'a.example'), { recursive: true });
  writeFileSync(join(path, 'index.jsonl'), '{"name":"a.example/1.txt"}\n');
  writeFileSync(join(path, 'a.example/1.txt'), '');
  writeFileSync(join(path, 'a.example/notes.txt'), '');
  const open = (overwrite: boolean) => () => openPageFolder(path, { format: 'text', overwrite });
  expect(open(true)).toThrow('holds other files (a.example/notes.txt)');
  expect(filesIn(path)).toHaveLength(3);
  rmSync(join(path, 'a.example/notes.txt'));
  expect(open(false)).toThrow('is not empty: name another folder');
  expect(filesIn(path)).toHaveLength(2);
});

test.each([['strip', '--format', 'text'], ['page', '--format', 'html'], ['annotate']])(
  '%s leaves nothing of a larger run before',
  async (command, ...more) => {
    const path = join(folder, command);
    if (command === 'annotate') {
      openAnnotatedFolder(path);
      writeComplete(join(path, '0000009.html'), 'stale');
    } else {
      mkdirSync(path);
      writeFileSync(join(path, 'index.jsonl'), '{"name":"stale.txt"}\n');
      writeFileSync(join(path, 'stale.txt'), '');
    }
    const html = join(folder, 'one.html');
    writeFileSync(html, '<title>One</title><p>A page of its own');
    const args = [command, html, ...more, '-o', path];
    expect((await chaff(args)).code).toBe(2);
    expect((await chaff([...args, '--overwrite'])).stderr).not.toContain('chaff:');
    expect(filesIn(path)).not.toContain('0000009.html');
    expect(filesIn(path)).not.toContain('stale.txt');
    expect(filesIn(path).length).toBe(2);
  },
);
