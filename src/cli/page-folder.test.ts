import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chaff } from '../../test/command-line.ts';
import { openPageFolder, writePageFile } from './page-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-page-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every page has a file and a row that says where it is from', () => {
  const path = join(folder, 'new', 'pages');
  openPageFolder(path);
  writePageFile(path, { page: 12, ending: 'txt', text: 'said\n' }, { url: 'http://a.example/' });
  expect(readFileSync(join(path, '0000012.txt'), 'utf8')).toBe('said\n');
  expect(readFileSync(join(path, 'index.jsonl'), 'utf8')).toBe(
    '{"name":"0000012.txt","url":"http://a.example/"}\n',
  );
});

test('a folder of an earlier run is left alone unless it is to be overwritten', () => {
  const path = join(folder, 'used');
  openPageFolder(path);
  writePageFile(path, { page: 1, ending: 'md', text: '' }, {});
  expect(() => openPageFolder(path)).toThrow('is not empty: name another folder');
  expect(readdirSync(path)).toHaveLength(2);
  openPageFolder(path, { overwrite: true });
  expect(readdirSync(path)).toEqual([]);
});

test('a folder with files of somebody else is never touched', () => {
  const path = join(folder, 'foreign');
  openPageFolder(path);
  writePageFile(path, { page: 1, ending: 'txt', text: '' }, {});
  writeFileSync(join(path, 'notes.txt'), '');
  expect(() => openPageFolder(path, { overwrite: true })).toThrow('holds other files (notes.txt)');
  expect(readdirSync(path)).toHaveLength(3);
});

test.each([['strip', '--format', 'text'], ['page', '--format', 'html'], ['annotate']])(
  '%s leaves nothing of a larger run before',
  async (command, ...more) => {
    const path = join(folder, command);
    openPageFolder(path);
    writePageFile(path, { page: 9, ending: 'html', text: 'stale' }, {});
    const html = join(folder, 'one.html');
    writeFileSync(html, '<title>One</title><p>A page of its own');
    const args = [command, html, ...more, '-o', path];
    expect((await chaff(args)).code).toBe(2);
    expect((await chaff([...args, '--overwrite'])).stderr).not.toContain('chaff:');
    expect(readdirSync(path)).not.toContain('0000009.html');
    expect(readdirSync(path).some((name) => name.startsWith('0000001.'))).toBe(true);
  },
);
