import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFile, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { compress } from '@bokuweb/zstd-wasm';
import { afterAll, expect, test } from 'vitest';
import {
  arcHeader,
  arcRecord,
  gzipEach,
  httpResponse,
  samplePages,
  sampleRecords,
  warcRecord,
  zipOf,
} from '../../test/sample-archives.ts';
import { closeInputs, type OpenInputsOptions, openInputs } from './open-inputs.ts';
import type { ReadEvent } from './raw-record.ts';
import { readPageAt, readPages, surveyInput } from './read-captures.ts';
import type { ReadOptions } from './read-options.ts';
import { loadZstd } from './zstd.ts';

loadZstd();

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const spoolDir = join(folder, 'spool');
mkdirSync(spoolDir);
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

/**
 * All events of the named inputs. Every location is read again, and the survey must count the same captures.
 */
async function readAll(names: string[], options: ReadOptions & OpenInputsOptions = {}) {
  const { stdin, limits, ...rest } = options;
  const { inputs, problems } = await openInputs(names, { stdin, limits, spoolDir });
  const events: ReadEvent[] = [];
  for (const input of inputs) {
    const read = [...readPages(input, { limits, ...rest })];
    const surveyed = [...surveyInput(input, { limits, ...rest })];
    const captures = read.filter(({ kind }) => kind !== 'problem').length;
    expect(surveyed.filter(({ kind }) => kind !== 'problem').length).toBe(captures);
    for (const event of read) {
      if (event.kind !== 'page') continue;
      const again = readPageAt(input, event.page, { limits, ...rest });
      if (again.kind === 'skip') expect(again.code).toBe('revisit-unresolved');
      else expect(again).toEqual({ ...event, problems: again.kind === 'page' ? again.problems : [] });
    }
    events.push(...read);
  }
  closeInputs(inputs);
  expect(readdirSync(spoolDir)).toEqual([]);
  const pages = events.flatMap((event) => (event.kind === 'page' ? [event.page] : []));
  const all = [
    ...problems,
    ...events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : event.problems)),
  ];
  return {
    inputs,
    pages,
    urls: pages.map(({ url }) => url),
    texts: pages.map(({ source }) => Buffer.from(source).toString()),
    skips: events.flatMap((event) => (event.kind === 'skip' ? [event.code] : [])),
    problems: all,
    codes: all.map(({ code }) => code),
  };
}

const pages = samplePages(5);
const records = sampleRecords(5);
const urls = pages.map(({ url }) => url);
const texts = pages.map(({ html }) => html);

test.each([
  ['plain.warc', Buffer.concat(records), 'warc', []],
  ['each.warc.gz', gzipEach(records), 'warc', []],
  ['each.warc.zst', Buffer.concat(records.map((record) => compress(record, 3))), 'warc', []],
  ['whole.warc.gz', gzipSync(Buffer.concat(records)), 'warc', ['whole-file-compression']],
  ['whole.warc.zst', compress(Buffer.concat(records), 3), 'warc', ['whole-file-compression']],
  ['misnamed.txt', gzipEach(records), 'warc', []],
  [
    'old.arc',
    Buffer.concat([arcHeader(), ...pages.map(({ url, html }) => arcRecord(url, httpResponse(html)))]),
    'arc',
    [],
  ],
  [
    'old.arc.gz',
    gzipEach([arcHeader(), ...pages.map(({ url, html }) => arcRecord(url, httpResponse(html)))]),
    'arc',
    [],
  ],
  ['rows.jsonl', pages.map((page) => JSON.stringify(page)).join('\n'), 'jsonl', []],
  ['rows.jsonl.gz', gzipSync(pages.map((page) => JSON.stringify(page)).join('\n')), 'jsonl', []],
  ['stored.wacz', zipOf([{ name: 'archive/data.warc.gz', bytes: gzipEach(records) }]), 'wacz', []],
  [
    'deflated.wacz',
    zipOf([{ name: 'archive/data.warc.gz', bytes: gzipEach(records), deflate: true }]),
    'wacz',
    [],
  ],
  [
    'shifted.wacz',
    zipOf([{ name: 'archive/data.warc', bytes: Buffer.concat(records) }], { comment: 'hello' }),
    'wacz',
    [],
  ],
  [
    'whole.wacz',
    zipOf([{ name: 'archive/data.warc.gz', bytes: gzipSync(Buffer.concat(records)) }]),
    'wacz',
    ['whole-file-compression'],
  ],
])('%s is read', async (name, bytes, format, codes) => {
  const result = await readAll([put(name, bytes)]);
  expect(result.inputs.map((input) => input.format)).toEqual([format]);
  expect(result.texts).toEqual(texts);
  expect(result.urls).toEqual(urls);
  expect(result.codes).toEqual(codes);
});

test('records split over several gzip members are joined', async () => {
  const whole = Buffer.concat(records);
  const members = [];
  for (let at = 0; at < whole.length; at += 1000) members.push(whole.subarray(at, at + 1000));
  const result = await readAll([put('blocks.warc.gz', gzipEach(members))]);
  expect(result).toMatchObject({ texts, codes: ['whole-file-compression'] });
});

test('a pipe is read like the file', async () => {
  for (const bytes of [Buffer.concat(records), gzipEach(records), gzipSync(Buffer.concat(records))]) {
    const result = await readAll(['-'], { stdin: Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]) });
    expect(result.texts).toEqual(texts);
    expect(result.pages[0].file).toBe('-');
  }
});

test.skipIf(process.platform === 'win32')('a named pipe is read like the file, under its name', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  writeFile(path, gzipEach(records), () => {});
  const result = await readAll([path]);
  expect(result).toMatchObject({ texts, codes: [] });
  expect(result.pages[0].file).toBe(path);
});

test('globs and repeated names give each file once, in the order of names', async () => {
  const b = put('many/b.warc.gz', gzipEach([warcRecord({ url: 'http://b.example/' })]));
  put('many/a.warc.gz', gzipEach([warcRecord({ url: 'http://a.example/' })]));
  const result = await readAll([b, join(folder, 'many/*.gz'), join(folder, 'many')]);
  expect(result.urls).toEqual(['http://a.example/', 'http://b.example/']);
});

test('a name without a file, and a file that is not an archive, are problems', async () => {
  const result = await readAll([
    join(folder, 'gone.warc'),
    join(folder, 'gone*'),
    put('noise.bin', 'no archive'),
    put('empty.warc', ''),
  ]);
  expect(result.codes.sort()).toEqual(['missing-file', 'missing-file', 'not-an-archive', 'not-an-archive']);
});

test('a folder of HTML files: mirrors by host, the rest by folder, links out of it not followed', async () => {
  put('my pages/sub/b.htm', '<p>b</p>');
  put('my pages/a.html', '<p>a</p>');
  put('my pages/example.com/x y.html', '<p>x</p>');
  put('my pages/note.txt', 'no');
  const outside = put('outside.html', '<p>outside</p>');
  symlinkSync(outside, join(folder, 'my pages/link.html'));
  symlinkSync('a.html', join(folder, 'my pages/same.html'));
  const result = await readAll([join(folder, 'my pages')]);
  expect(result.urls).toEqual([
    'file://my-pages/a.html',
    'http://example.com/x%20y.html',
    'file://my-pages/same.html',
    'file://my-pages/sub/b.htm',
  ]);
  expect(result.pages.map(({ site, time, entry }) => [site, time, entry])).toContainEqual([
    'my-pages',
    '',
    'a.html',
  ]);
  const [input] = result.inputs;
  for (const entry of ['../outside.html', 'link.html', '/etc/passwd.html']) {
    expect(readPageAt(input, { entry, offset: 0, length: 9 }).kind).toBe('problem');
  }
  expect(readPageAt(input, { entry: 'note.txt', offset: 0, length: 2 }).kind).toBe('skip');
  expect((await readAll([join(folder, 'my pages/a.html')])).urls).toEqual(['file://my-pages/a.html']);
  // a pipe lies in no folder
  expect((await readAll(['-'], { stdin: Readable.from('<p>text</p>') })).urls).toEqual([
    'file://stdin/page.html',
  ]);
});

test('in a folder, a file that starts like HTML is a page whatever its name; other files are counted', async () => {
  put('mirror/example.org/about', '<!DOCTYPE html><p>about</p>');
  put('mirror/example.org/index.php', '<html><p>index</p></html>');
  put('mirror/example.org/packed.html.gz', gzipSync('<p>packed</p>'));
  put('mirror/example.org/feed', '<?xml version="1.0"?><rss></rss>');
  put('mirror/example.org/logo.png', Buffer.from('89504e470d0a1a0a0000', 'hex'));
  put('mirror/example.org/packed.tar.gz', gzipSync('no page'));
  put('mirror/example.org/nothing', '');
  put('mirror/old.cdx', ' CDX N b a');
  symlinkSync('example.org', join(folder, 'mirror/link'));
  const result = await readAll([join(folder, 'mirror')]);
  expect(result.urls).toEqual([
    'http://example.org/about',
    'http://example.org/index.php',
    'http://example.org/packed.html.gz',
  ]);
  expect(result.texts[2]).toBe('<p>packed</p>');
  expect(result.skips).toEqual(['not-html', 'not-html', 'empty', 'not-html']);
  expect(result.codes).toEqual([]);
});

test('a folder whose files are neither archives nor HTML is a problem', async () => {
  put('pictures/logo.png', Buffer.from('89504e470d0a1a0a0000', 'hex'));
  expect((await readAll([join(folder, 'pictures')])).codes).toEqual(['not-an-archive']);
});

test('a zip of pages in a folder is read as if it were named; any other zip is a plain file', async () => {
  const page = (text: string) => ({
    name: `${text}.html`,
    bytes: Buffer.from(`<p>${text}</p>`),
    deflate: true,
  });
  const zip = put('zips/deep/docs.zip', zipOf([page('b'), page('a')]));
  put('zips/crawl.zip', zipOf([{ name: 'data.warc.gz', bytes: gzipEach(records) }]));
  put('zips/download.zip', zipOf([{ name: 'tool.exe', bytes: Buffer.from('MZ') }]));
  put('zips/broken.zip', 'no zip');
  const alone = await readAll([zip]);
  expect(alone.urls).toEqual(['file://docs/a.html', 'file://docs/b.html']);
  const result = await readAll([join(folder, 'zips')]);
  expect(result.inputs.map(({ format }) => format)).toEqual(['wacz', 'zip']);
  expect(result.pages).toEqual([...result.pages.slice(0, 5), ...alone.pages]);
  expect(result.codes).toEqual([]);
  put('zips/index.html', '<p>index</p>');
  const mixed = await readAll([join(folder, 'zips')]);
  expect(mixed.urls).toEqual(['file://zips/index.html', ...result.urls]);
  expect(mixed.skips).toEqual(['not-html', 'not-html']);
});

test('a zip of HTML files is read, whatever the names of its entries', async () => {
  const bytes = zipOf(
    [
      { name: '../../etc/evil.html', bytes: Buffer.from('<p>evil</p>') },
      { name: 'b.html', bytes: Buffer.from('<p>b</p>'.repeat(100)), deflate: true },
      { name: 'bomb.html', bytes: Buffer.alloc(20_000_000, ' '), deflate: true },
      { name: 'image.png', bytes: Buffer.from('x') },
    ],
    { prefix: 'bytes in front' },
  );
  const result = await readAll([put('pages.zip', bytes)]);
  expect(result.urls).toEqual(['file://pages/etc/evil.html', 'file://pages/b.html']);
  expect(result.skips).toEqual(['ratio-exceeded']);
});

test('a cut-off WACZ gives the pages before the cut', async () => {
  const bytes = zipOf([{ name: 'archive/data.warc.gz', bytes: gzipEach(records) }]);
  const result = await readAll([put('cut.wacz', bytes.subarray(0, bytes.length - 700))]);
  expect(result.codes).toContain('bad-zip');
  expect(result.urls.slice(0, 3)).toEqual(urls.slice(0, 3));
});

test('rows with missing fields are reported with their offset', async () => {
  const rows = [
    '{"url":"http://a.example/","html":"<p>é</p>","timestamp":"20200102030405"}',
    '{broken',
    '',
    '{"url":"x"}',
    '[1]',
    'null',
    '{"url":"http://b.example/","html":"<meta charset=koi8-r><p>é</p>","date":"2020-13-01"}',
  ];
  const result = await readAll([put('odd.jsonl', rows.join('\r\n'))]);
  expect(result.texts).toEqual(['<p>é</p>', '<meta charset=koi8-r><p>é</p>']);
  expect(result.pages.map(({ time }) => time)).toEqual(['2020-01-02T03:04:05Z', '']);
  expect(result.codes).toEqual(['bad-row', 'bad-row', 'bad-row', 'bad-row', 'bad-date']);
  expect(result.problems[0].offset).toBe(Buffer.byteLength(rows[0]) + 2);
});

test('CDX and CDXJ lead to the captures that they name, and to no others', async () => {
  const parts = pages.map((page) => gzipSync(warcRecord(page)));
  put('index/data.warc.gz', Buffer.concat(parts));
  put('secret.warc.gz', Buffer.concat(parts));
  let offset = 0;
  const places = parts.map((part) => ({
    offset: (offset += part.length) - part.length,
    length: part.length,
  }));
  const cdxj = places.map(
    ({ offset, length }, i) =>
      `com,example,site)/${i} 20200102030405 ${JSON.stringify({ url: urls[i], filename: 'data.warc.gz', offset: String(offset), length })}`,
  );
  expect(await readAll([put('index/a.cdxj', `${cdxj.join('\n')}\n`)])).toMatchObject({
    urls,
    texts,
    codes: [],
  });
  expect(await readAll([put('index/a.cdxj.gz', gzipSync(cdxj.join('\n')))])).toMatchObject({
    urls,
    texts,
    codes: [],
  });
  const eleven = places.map(
    ({ offset, length }, i) =>
      `k${i} 20200102030405 ${urls[i]} text/html 200 ABC - - ${length} ${offset} somewhere/data.warc.gz`,
  );
  expect(
    await readAll([put('index/b.cdx', [' CDX N b a m s k r M S V g', ...eleven].join('\n'))]),
  ).toMatchObject({ texts, codes: [] });
  const nine = places.map(
    ({ offset }, i) => `k${i} 20200102030405 ${urls[i]} text/html 200 ABC - ${offset} data.warc.gz`,
  );
  expect(await readAll([put('index/c.cdx', nine.join('\n'))])).toMatchObject({ texts, codes: [] });

  const bad = ['../secret.warc.gz', join(folder, 'secret.warc.gz'), 'gone.warc.gz', 'gone.warc.gz'].map(
    (filename, i) => `k${i} 20200102030405 ${JSON.stringify({ filename, offset: 0, length: 10 })}`,
  );
  const odd = [
    ...bad,
    'k9 20200102030405 {"filename":"data.warc.gz","offset":3,"length":50}',
    'k9 2020 {"offset":1}',
  ];
  const result = await readAll([put('index/d.cdxj', odd.join('\n'))]);
  expect(result.pages).toEqual([]);
  expect(result.codes).toEqual(['missing-file', 'missing-file', 'missing-file', 'bad-record', 'bad-row']);
});

test('a revisit has the body of its original, or is skipped with its code', async () => {
  const digest = (name: string) => ({ 'WARC-Payload-Digest': `sha1:${name}` });
  const revisit = (url: string, fields: Record<string, string>) =>
    warcRecord({
      type: 'revisit',
      url,
      time: '2021-01-01T00:00:00Z',
      block: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
      fields,
    });
  const bytes = gzipEach([
    warcRecord({ url: 'http://a.example/', html: '<p>original</p>', fields: digest('PAGE') }),
    warcRecord({
      url: 'http://a.example/x',
      block: 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG',
      fields: digest('IMAGE'),
    }),
    revisit('http://a.example/', digest('PAGE')),
    revisit('http://b.example/', {
      'WARC-Refers-To-Target-URI': 'http://a.example/',
      'WARC-Refers-To-Date': '2020-01-02T03:04:05Z',
    }),
    revisit('http://a.example/x', digest('IMAGE')),
    revisit('http://a.example/y', digest('UNKNOWN')),
  ]);
  const result = await readAll([put('revisits.warc.gz', bytes)]);
  expect(result.texts).toEqual(['<p>original</p>', '<p>original</p>', '<p>original</p>']);
  expect(result.pages.map(({ url, time }) => `${url} ${time.slice(0, 4)}`)).toEqual([
    'http://a.example/ 2020',
    'http://a.example/ 2021',
    'http://b.example/ 2021',
  ]);
  expect(result.skips).toEqual(['not-html', 'not-html', 'revisit-unresolved']);
  const filtered = await readAll([join(folder, 'revisits.warc.gz')], { include: [/b\.example/] });
  expect(filtered.texts).toEqual(['<p>original</p>']);
});

test('several captures in one member are distinguished', async () => {
  const bytes = gzipEach([records[0], Buffer.concat(records.slice(1, 7)), Buffer.concat(records.slice(7))]);
  const result = await readAll([put('several.warc.gz', bytes)]);
  expect(result.texts).toEqual(texts);
  expect(result.pages.map(({ entry }) => entry)).toEqual([undefined, '#2', '#3', undefined, '#2']);
  const wacz = await readAll([put('several.wacz', zipOf([{ name: 'archive/a.warc.gz', bytes }]))]);
  expect(wacz.texts).toEqual(texts);
  expect(wacz.pages[1].entry).toBe('archive/a.warc.gz#2');
});

test('an input whose file is missing is reported, not thrown', () => {
  const input = {
    name: 'gone.warc',
    path: join(folder, 'gone.warc'),
    format: 'warc' as const,
    sizeBytes: 1,
    spooled: false,
  };
  expect([...readPages(input)]).toMatchObject([{ problem: { code: 'missing-file', file: 'gone.warc' } }]);
  expect(readPageAt(input, { offset: 0, length: 1 })).toMatchObject({ problem: { code: 'missing-file' } });
});
