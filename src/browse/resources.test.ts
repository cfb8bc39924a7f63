import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpResponse, type SampleRecord, warcRecord } from '../../test/sample-archives.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import type { ReadOptions } from '../read/read-options.ts';
import { ArchiveResources, servedUrl } from './resources.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-resources-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const CSS_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/css';

async function surveyed(
  records: SampleRecord[],
  ask: (resources: ArchiveResources) => void,
  options: ReadOptions = {},
): Promise<void> {
  const path = join(folder, 'archive.warc.gz');
  writeFileSync(path, Buffer.concat(records.map((record) => gzipSync(warcRecord(record)))));
  const { inputs } = await openInputs([path]);
  try {
    ask(ArchiveResources.survey(inputs, options));
  } finally {
    closeInputs(inputs);
  }
}

const textOf = (resources: ArchiveResources, url: string, time: string) => {
  const found = resources.find(url, time);
  return found && Buffer.from(found.body).toString();
};

test('a stylesheet is the capture nearest in time to the page', async () => {
  const url = 'http://example.com/style.css';
  const captures = ['2008', '2012', '2016'].map((year) => ({
    url,
    time: `${year}-01-01T00:00:00Z`,
    block: httpResponse(`/* ${year} */`, CSS_HEAD),
  }));
  await surveyed([captures[1], captures[0], captures[2]], (resources) => {
    expect(textOf(resources, url, '1999-01-01T00:00:00Z')).toBe('/* 2008 */');
    expect(textOf(resources, url, '2011-06-01T00:00:00Z')).toBe('/* 2012 */');
    expect(textOf(resources, url, '2013-12-31T00:00:00Z')).toBe('/* 2012 */');
    expect(textOf(resources, url, '2030-01-01T00:00:00Z')).toBe('/* 2016 */');
    expect(textOf(resources, url, '')).toMatch(/20/);
    expect(resources.find('http://example.com/style.css?v=2', '2012-01-01T00:00:00Z')).toBeNull();
  });
});

test('bodies are decoded, types and redirects are unchanged', async () => {
  const encoded = Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/css; charset=utf-8\r\nContent-Encoding: gzip\r\n\r\n'),
    gzipSync('p {}'),
  ]);
  await surveyed(
    [
      { url: 'http://example.com/a.css', block: encoded },
      { url: 'http://example.com/old.css', block: 'HTTP/1.1 301 Moved\r\nLocation: /a.css\r\n\r\n' },
    ],
    (resources) => {
      expect(resources.isEmpty).toBe(false);
      expect(resources.find('http://example.com/a.css', '')).toMatchObject({
        status: 200,
        contentType: 'text/css; charset=utf-8',
        location: '',
      });
      expect(textOf(resources, 'http://example.com/a.css', '')).toBe('p {}');
      expect(resources.find('http://example.com/old.css', '')).toMatchObject({
        status: 301,
        location: '/a.css',
      });
    },
  );
});

test('a revisit resolves to the capture that holds its body', async () => {
  const url = 'http://example.com/a.css';
  const digest = 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  await surveyed(
    [
      {
        url: 'http://example.com/b.css',
        time: '2010-01-01T00:00:00Z',
        block: httpResponse('b', CSS_HEAD),
        fields: { 'WARC-Payload-Digest': digest },
      },
      { url, time: '2010-01-01T00:00:00Z', block: httpResponse('a', CSS_HEAD) },
      {
        type: 'revisit',
        url,
        time: '2014-01-01T00:00:00Z',
        block: 'HTTP/1.1 304 Not Modified\r\n\r\n',
        fields: { 'WARC-Refers-To-Target-URI': url, 'WARC-Refers-To-Date': '2010-01-01T00:00:00Z' },
      },
      {
        type: 'revisit',
        url: 'http://example.com/c.css',
        block: 'HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n',
        fields: { 'WARC-Payload-Digest': digest },
      },
    ],
    (resources) => {
      expect(textOf(resources, url, '2014-01-01T00:00:00Z')).toBe('a');
      expect(textOf(resources, 'http://example.com/c.css', '2014-01-01T00:00:00Z')).toBe('b');
    },
  );
});

test('pages are not resources, and resources over the limits are not served', async () => {
  await surveyed(
    [
      { url: 'http://example.com/' },
      { url: 'http://example.com/a.css', block: httpResponse('x'.repeat(5000), CSS_HEAD) },
    ],
    (resources) => {
      expect(resources.find('http://example.com/', '')).toBeNull();
      expect(resources.find('http://example.com/a.css', '')).toBeNull();
    },
    { limits: { pageBytes: 4000 } },
  );
  await surveyed([{}], (resources) => expect(resources.isEmpty).toBe(true));
});

test('filters of pages do not exclude stylesheets', async () => {
  await surveyed(
    [{ url: 'http://example.com/a.css', block: httpResponse('a', CSS_HEAD) }],
    (resources) => expect(textOf(resources, 'http://example.com/a.css', '')).toBe('a'),
    { include: [/blog/], exclude: [/css/] },
  );
});

test('the pages of a folder are shown with the files in that folder only', async () => {
  const root = join(folder, 'mirror');
  mkdirSync(join(root, 'example.com', 'css'), { recursive: true });
  writeFileSync(join(root, 'example.com', 'index.html'), '<p>x');
  writeFileSync(join(root, 'example.com', 'css', 'a.css'), 'inside');
  writeFileSync(join(root, 'example.com', 'notes.txt'), 'no resource');
  writeFileSync(join(folder, 'outside.css'), 'outside');
  symlinkSync(join(folder, 'outside.css'), join(root, 'example.com', 'link.css'));
  const { inputs } = await openInputs([root]);
  const resources = ArchiveResources.survey(inputs, { limits: { pageBytes: 100 } });
  expect(textOf(resources, 'http://example.com/css/a.css', '')).toBe('inside');
  expect(resources.find('http://example.com/css/a.css', '')?.contentType).toBe('text/css');
  expect(resources.find('http://example.com/css/../../../outside.css', '')).toBeNull();
  expect(resources.find('http://example.com/link.css', '')).toBeNull();
  expect(resources.find('http://example.com/notes.txt', '')).toBeNull();
  // a file may have become a link out of the folder since the folder was listed
  rmSync(join(root, 'example.com', 'css', 'a.css'));
  symlinkSync(join(folder, 'outside.css'), join(root, 'example.com', 'css', 'a.css'));
  expect(resources.find('http://example.com/css/a.css', '')).toBeNull();
  closeInputs(inputs);
});

test('a page is served under its own http URL, never as a file', () => {
  expect(servedUrl('https://Example.com/a b#top')).toBe('https://example.com/a%20b');
  expect(servedUrl('http://user:secret@example.com/')).toBe('http://example.com/');
  expect(servedUrl('file://my-folder/a/b.html')).toBe('http://my-folder/a/b.html');
  expect(servedUrl('file:///etc/passwd')).toBe('http://page.invalid/');
  expect(servedUrl('chrome://crash')).toBe('http://page.invalid/');
  expect(servedUrl('javascript:alert(1)')).toBe('http://page.invalid/');
  expect(servedUrl('urn:x')).toBe('http://page.invalid/');
  expect(servedUrl('http://')).toBe('http://page.invalid/');
});
